"""The draw: who sits with whom in each round, and how near that is to the best there can be."""
