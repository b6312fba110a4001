"""The build of the site: MkDocs calls `two_speeds`, everything else is plain functions."""
