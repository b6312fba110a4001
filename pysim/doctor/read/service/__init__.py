"""What the reports of load generators for servers have in common."""
