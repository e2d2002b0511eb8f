"""Views of drives."""
