"""Looking for players who play together against the others."""
