"""A club's people in lists of other programs: read, compared with those who are there."""
