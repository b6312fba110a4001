"""The numbers that a page may ask for: each fact with its formula, its values and its source."""
