"""The services of scoring: every change that affects scores, atomic and recorded in the
history.

Each service is the only code that makes its change. A service checks the rules of scoring and
enqueues the recomputation of the standings.
"""

from scoring.services.changes import (
    apply_seating_change,
    find_last_scored_round,
    undo_change,
)
from scoring.services.doubts import (
    accept_result,
    correct_round,
    exchange_results,
    settle_dispute,
    swap_result_sides,
)
from scoring.services.events import create_event, edit_event
from scoring.services.knockouts import create_plate, record_match, set_bracket
from scoring.services.papers import order_paper, sum_stored_bytes
from scoring.services.rehearsal_copies import copy_session, delete_rehearsal
from scoring.services.results import (
    EnteredResult,
    NewScore,
    confirm_result,
    confirm_result_in_snapshot,
    parse_mark,
    record_result,
    record_result_in_snapshot,
    record_results,
)
from scoring.services.rulings import draft_ruling, make_ruling, withdraw_ruling
from scoring.services.sessions import (
    close_session,
    open_session,
    reopen_session,
    return_session_to_setup,
)
from scoring.services.stages import copy_event, draw_finals, set_stage_rules, undo_finals
from scoring.services.strata_and_prizes import set_entry_profiles, set_prizes, set_strata
from scoring.services.swiss import (
    draw_round,
    keep_draw,
    redraw_round,
    seat_knockout,
    seat_swiss,
)
from scoring.services.terms import set_scoring_terms
from scoring.services.trays import check_can_inspect_tray, record_tray_inspection
from scoring.services.undo_results import undo_result
from scoring.services.wrong_boards import record_actual_board
