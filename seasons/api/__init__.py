"""The API of a club's year."""
