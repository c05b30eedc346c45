"""Stories: what a page that is kept is called, and where the model of a story is."""
