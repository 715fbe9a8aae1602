"""Formats of hand histories that other programs read: one module each, from and to one model."""
