"""Erasure of a person's data: identifying texts are removed from all rows of the club."""
