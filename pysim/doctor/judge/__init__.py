"""Judging: times, set-ups and verdicts of what was read."""
