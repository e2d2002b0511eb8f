"""The services of scoring: every change that affects scores, atomic and recorded in history.

Each is the only way to make its change. It refuses what the rules of scoring forbid and queues
the recomputation of the standings, so no page, API view or command has to.
"""

from scoring.services.changes import (
    change_session,
    rounds_with_scores,
    undo_change,
)
from scoring.services.copying import copy_session, throw_away
from scoring.services.doubts import (
    exchange_results,
    keep_result,
    mend_round,
    settle_dispute,
    swap_result,
)
from scoring.services.events import create_event, edit_event
from scoring.services.fields import profile_entries, settle_prizes, settle_strata
from scoring.services.knockouts import make_plate, record_match, settle_knockout
from scoring.services.papers import kept_bytes, order_paper
from scoring.services.results import (
    EnteredResult,
    NewScore,
    confirm_in_room,
    confirm_result,
    read_mark,
    record_in_room,
    record_result,
    record_results,
)
from scoring.services.rulings import draft_ruling, make_ruling, withdraw_ruling
from scoring.services.sessions import (
    close_session,
    open_session,
    reopen_session,
    return_to_setup,
)
from scoring.services.stages import copy_event, draw_finals, settle_stage, undraw_finals
from scoring.services.strays import put_board_right
from scoring.services.swiss import draw_round, keep_draw, redraw, seat_knockout, seat_swiss
from scoring.services.terms import settle_scoring
from scoring.services.trays import check_tray, look_at_tray
from scoring.services.undoing import undo_result
