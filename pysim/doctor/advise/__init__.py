"""Advice: the changes that would make a measured run faster, each computed again with that one change."""
