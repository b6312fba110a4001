"""Kinds of mixers, one file each: `read` takes the fields of a layer's part and gives its mixer."""
