"""The draw: the seats of each round, and how close they are to the theoretical optimum."""
