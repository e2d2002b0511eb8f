"""REST API of drives."""
