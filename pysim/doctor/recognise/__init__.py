"""Recognition: which model, device, format and engine the words of a text mean."""
