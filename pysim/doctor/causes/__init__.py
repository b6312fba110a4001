"""Causes of slow runs, one file each; the folder is the list.

A file has one function, `cause(evidence)`, which gives a `Cause` where the text or its figures reveal it, else None.
"""
