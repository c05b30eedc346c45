"""Charts of runs and corpora, and the theme that all charts share."""
