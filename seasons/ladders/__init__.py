"""Seasons, their ladders, handicaps and trophies."""
