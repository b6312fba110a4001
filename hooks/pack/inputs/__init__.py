"""Inputs of the pack: outside files, pinned by their hashes, fetched once and verified."""
