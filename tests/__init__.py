"""What is promised, and does it hold?"""
