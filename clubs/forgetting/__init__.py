"""Forgetting a person: every word that tells who it was leaves every row of the club."""
