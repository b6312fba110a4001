"""Arithmetic that takes one number or an array of them."""
