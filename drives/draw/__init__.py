"""The draw of the seats in each round, and its distance from the theoretical optimum."""
