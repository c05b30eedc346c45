"""Logo, styles, and the templates and scripts of what is exported; data, no code."""
