"""The site's own Markdown: demos, questions, computed numbers, terms, formulas and references."""
