"""Tables in a text, as tools print them, as pages give them, and as people make them."""
