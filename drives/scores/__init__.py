"""Scores of a drive: what a sheet may say, totals, the room's check, and the ranking."""
