"""What a demo declares: controls, readouts, choices, formulas and rows of its table."""
