"""Engines: the programs that run models, and how much of a device's best case they reach."""
