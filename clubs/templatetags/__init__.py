"""Template tags about clubs."""
