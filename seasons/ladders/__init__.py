"""The app for a club's seasons, with their ladders, handicaps and trophies."""
