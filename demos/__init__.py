"""The demos: each a file or a folder here, computing with `pysim` and drawing with `demos.kit`."""
