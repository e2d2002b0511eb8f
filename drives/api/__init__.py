"""The API of drives."""
