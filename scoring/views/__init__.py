"""The pages of scoring: for players, and for the director."""
