"""Training runs: started and watched as processes of their own, and what they cost."""
