"""Moves of players by results: from the tables of one hand to those of the next."""
