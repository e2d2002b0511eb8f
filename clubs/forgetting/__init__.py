"""Erasure of a person's data: every identifying text is removed from the club's rows."""
