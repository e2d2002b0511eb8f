"""Grades: how strong players are, estimated from a club's evenings."""
