"""The erasure of a person's data from all rows of a club."""
