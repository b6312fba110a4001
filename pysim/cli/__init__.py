"""The command line: `pysim` and `python -m pysim`."""
