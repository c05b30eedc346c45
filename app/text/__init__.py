"""Texts made safe for the page, and cut to what matters."""
