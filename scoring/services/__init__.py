"""Every change to results, rulings and papers: a verb, atomic, and kept in history."""

from scoring.services.changes import change_session, rounds_with_scores, undo_change
from scoring.services.doubts import keep_result, mend_round, swap_result
from scoring.services.papers import order_paper
from scoring.services.recomputing import edit_event, recompute_later
from scoring.services.results import (
    Entered,
    NewScore,
    Recorded,
    confirm_result,
    read_mark,
    record_result,
    record_results,
    return_to_setup,
)
from scoring.services.rulings import Terms, draft_ruling, make_ruling, withdraw_ruling
from scoring.services.terms import settle_scoring
from scoring.services.trays import check_tray, look_at_tray
from scoring.services.undoing import undo_result

__all__ = [
    "Entered",
    "NewScore",
    "Recorded",
    "Terms",
    "change_session",
    "check_tray",
    "confirm_result",
    "draft_ruling",
    "edit_event",
    "keep_result",
    "look_at_tray",
    "make_ruling",
    "mend_round",
    "order_paper",
    "read_mark",
    "recompute_later",
    "record_result",
    "record_results",
    "return_to_setup",
    "rounds_with_scores",
    "settle_scoring",
    "swap_result",
    "undo_change",
    "undo_result",
    "withdraw_ruling",
]
