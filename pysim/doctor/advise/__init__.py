"""Advice: the changes that would make a measured run faster, each computed anew with that one change."""
