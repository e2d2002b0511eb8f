"""The papers of a club's year."""
