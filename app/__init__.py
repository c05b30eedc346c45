"""What a person sees: the pages of Orrery."""
