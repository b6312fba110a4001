"""Requests: the passes of a generation, their times, streams and limits."""
