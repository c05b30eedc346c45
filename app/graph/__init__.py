"""Pictures of topic graphs: what is drawn, where it stands and what it looks like."""
