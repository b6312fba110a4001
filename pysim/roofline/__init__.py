"""The roofline: work, times and cost of one pass on a device."""
