"""Tests; a package, so that every test can import the oracle and the makers of small networks."""
