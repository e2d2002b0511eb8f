"""Scores of a drive: valid sheets, totals, the check of totals, and the ranking."""
