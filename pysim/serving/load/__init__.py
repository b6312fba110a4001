"""Loads: made by a seed, or read from a file."""
