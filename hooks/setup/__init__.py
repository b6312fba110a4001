"""Setup of a machine: what must be there before the site can be built, and how it gets there."""
