"""Facts: the numbers a page may ask for, each with its formula, values and source."""
