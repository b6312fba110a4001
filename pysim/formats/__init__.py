"""Storage formats of weights and caches: their names, and the bits of each tensor."""
