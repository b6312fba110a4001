"""Expected: how fast this very set-up should write, with the part of the model that is in the host's memory."""
