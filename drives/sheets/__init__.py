"""Frozen dataclasses with the values that the pages of a drive show."""
