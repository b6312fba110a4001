"""What tests, checks and benchmarks share."""
