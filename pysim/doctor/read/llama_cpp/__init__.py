"""What the forms of llama.cpp's tools have in common."""
