"""Every change to results, rulings and papers: a verb, atomic, and kept in history."""

from scoring.services.changes import change_session, rounds_with_scores, undo_change
from scoring.services.doubting import keep_result, mend_round, question_result, swap_result
from scoring.services.following import edit_event, recompute_later
from scoring.services.hall import (
    answer_call,
    call_director,
    link_of,
    make_links,
    revoke_link,
)
from scoring.services.hand_links import (
    check_typing,
    hand_link_of,
    make_hand_link,
    revoke_hand_link,
    type_hand,
)
from scoring.services.making_up import make_up_results
from scoring.services.papers import order_paper
from scoring.services.playing_on import play_on
from scoring.services.rehearsing import (
    finish_evening,
    finish_round,
    pause_rehearsal,
    rehearse,
    run_rehearsal,
    set_speed,
    throw_rehearsal_away,
)
from scoring.services.results import (
    Entered,
    confirm_result,
    read_mark,
    record_result,
    return_to_setup,
)
from scoring.services.rulings import Terms, draft_ruling, make_ruling, withdraw_ruling
from scoring.services.taking_back import take_back, take_back_of_club
from scoring.services.terms import settle_scoring
from scoring.services.trays import check_tray, look_at_tray
from scoring.services.undoing import undo_result

__all__ = [
    "Entered",
    "Terms",
    "answer_call",
    "call_director",
    "change_session",
    "check_tray",
    "check_typing",
    "confirm_result",
    "draft_ruling",
    "edit_event",
    "finish_evening",
    "finish_round",
    "hand_link_of",
    "keep_result",
    "link_of",
    "look_at_tray",
    "make_hand_link",
    "make_links",
    "make_ruling",
    "make_up_results",
    "mend_round",
    "order_paper",
    "pause_rehearsal",
    "play_on",
    "question_result",
    "read_mark",
    "recompute_later",
    "record_result",
    "rehearse",
    "return_to_setup",
    "revoke_hand_link",
    "revoke_link",
    "rounds_with_scores",
    "run_rehearsal",
    "set_speed",
    "settle_scoring",
    "swap_result",
    "take_back",
    "take_back_of_club",
    "throw_rehearsal_away",
    "type_hand",
    "undo_change",
    "undo_result",
    "withdraw_ruling",
]
