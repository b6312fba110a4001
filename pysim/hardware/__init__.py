"""Devices: the noun, and how a catalog entry becomes one."""
