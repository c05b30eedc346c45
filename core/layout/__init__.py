"""Documents as points of a plane: those that are about the same things lie near each other."""
