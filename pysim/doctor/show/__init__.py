"""Showing: a diagnosis as text for a terminal and as JSON."""
