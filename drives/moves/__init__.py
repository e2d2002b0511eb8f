"""Moves of players between the tables, decided by the results of the last hand."""
