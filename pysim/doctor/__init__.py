"""What does the output of a benchmark or an engine say about its two phases?"""
