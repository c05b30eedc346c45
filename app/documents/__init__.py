"""Documents: which are listed, and what explains their words."""
