"""Plans: which rate a server carries within limits, how many devices a rate needs, and many settings side by side."""
