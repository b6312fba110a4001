"""Memory: weights, caches, and what fits where."""
