"""The pages of scores: for players, and for the director's desk."""
