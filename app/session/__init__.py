"""What one visitor has open and has chosen, and what all visitors share."""
