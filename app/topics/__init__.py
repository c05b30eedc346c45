"""Topics: their facts, sizes, families, map and search."""
