"""Models: the noun, its parameters, and how a config.json becomes one."""
