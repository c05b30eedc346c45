"""The Corpus page: import texts, preview the effect of the recipe, and save a corpus."""
