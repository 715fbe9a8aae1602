"""A room of bots, of whom some pairs play together against the others."""
