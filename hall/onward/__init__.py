"""A new event with the people of an earlier evening, also of a drive."""
