"""Which tools' outputs can be read? One file per tool; the folder is the list."""
