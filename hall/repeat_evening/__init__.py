"""Copies of an evening: a new event with the same people, also from a drive."""
