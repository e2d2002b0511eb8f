"""Database changes of the actions that can change scores: events, sessions and seats.

Only `scoring.services` calls this package. It checks each action against the scores, calls
this package in its own transaction, and updates the standings.
"""
