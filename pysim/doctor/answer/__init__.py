"""Answer: what a person who pasted a text asked for, in the order in which they ask it."""
