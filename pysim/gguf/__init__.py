"""GGUF files: what does the header of one say about its model, and which bytes does each tensor take?

The reader is our own: it runs in the browser, where the `gguf` package would bring numpy and a memory map, it works on
the first megabytes of a file, and what it takes from a hostile one is bounded.
"""
