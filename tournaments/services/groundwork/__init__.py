"""The part of an act that lies below scores: rows of events, sessions and seats, and their act.

Nobody acts through here. The door of each act is in `scoring.services`, which refuses what
scores forbid, does this within its own transaction, and lets the standings follow.
"""
