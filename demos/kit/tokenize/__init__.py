"""The tokenizer: word borders, vocabulary and example texts."""
