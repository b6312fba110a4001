"""Devices: the noun, and how a catalogue entry becomes one."""
