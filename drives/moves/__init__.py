"""Moves by results, without a database: from the tables of one hand to those of the next."""
