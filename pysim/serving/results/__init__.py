"""Results of load tests: what a server's load generator measured, and what factor on all times it speaks for."""
