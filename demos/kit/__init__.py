"""What two or more demos share: HTML, numbers and errors; tokenizer, declarations, pictures, and the host."""
