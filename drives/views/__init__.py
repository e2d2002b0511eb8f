"""The pages of a drive."""
