"""Stands in for the real package."""
