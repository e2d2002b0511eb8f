"""The views of scoring: pages for players and for the director."""
