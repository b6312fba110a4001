"""Errors of the Python pack's build."""


class PackError(Exception):
    """One line for the person at the terminal: which file, what is wrong, how to continue."""


class SourceError(PackError):
    """One source of a file did not deliver; another may."""
