"""What the demos of many requests over time share: a server, its load, and lanes of requests."""
