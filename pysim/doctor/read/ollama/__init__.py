"""What the forms of ollama have in common."""
