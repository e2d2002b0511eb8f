"""Shapes of the API that every kind of evening shares."""
