"""One page a file, one ``render()`` each."""
