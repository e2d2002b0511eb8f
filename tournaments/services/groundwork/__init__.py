"""The part of an act below scores: rows of events, sessions and seats, and their acts.

Nothing else calls this package. Each act is public in `scoring.services`, which refuses what
scores rule out, calls this within its own transaction, and updates the standings.
"""
