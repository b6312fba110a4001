"""What our Markdown has beyond the usual: demos, questions, computed numbers, terms, formulas and references."""
