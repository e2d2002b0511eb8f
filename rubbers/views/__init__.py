"""Views of rubber nights."""
