"""The part of an action below scores: rows of events, sessions and seats, and audit records.

Only `scoring.services` calls this package. It validates each action against the scores, calls
this package in its own transaction, and updates the standings.
"""
