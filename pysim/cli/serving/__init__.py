"""`pysim serve …`: many requests over time."""
