"""Reading: what a pasted text says, as runs with figures and set-ups in the text's own words."""
