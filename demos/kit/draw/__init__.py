"""Pictures that two or more demos draw: plots, lanes, bars, tables and tokens."""
