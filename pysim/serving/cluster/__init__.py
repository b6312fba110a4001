"""Several replicas: who gets a request, how rows of the cache travel, and one clock for all."""
