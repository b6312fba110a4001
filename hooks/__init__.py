"""What happens when the site is built? MkDocs calls `two_speeds`; everything else here is plain functions."""
