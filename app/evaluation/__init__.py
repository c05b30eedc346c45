"""Models compared: scored in processes of their own, and the figures that result."""
