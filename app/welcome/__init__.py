"""What a first visit is offered: what to do next, a tour, example queries."""
