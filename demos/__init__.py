"""Which demos are there? One Python file in this folder each."""
