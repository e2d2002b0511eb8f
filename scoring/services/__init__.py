"""Every change to results, rulings and papers: a verb, atomic, and kept in history."""

from scoring.services.changes import change_session, rounds_with_scores, undo_change
from scoring.services.following import edit_event, recompute_later
from scoring.services.papers import order_paper
from scoring.services.results import Entered, read_mark, record_result, return_to_setup
from scoring.services.rulings import Terms, draft_ruling, make_ruling, withdraw_ruling

__all__ = [
    "Entered",
    "Terms",
    "change_session",
    "draft_ruling",
    "edit_event",
    "make_ruling",
    "order_paper",
    "read_mark",
    "recompute_later",
    "record_result",
    "return_to_setup",
    "rounds_with_scores",
    "undo_change",
    "withdraw_ruling",
]
