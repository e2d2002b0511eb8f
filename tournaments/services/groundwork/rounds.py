"""Seat the entries of a drawn round.

`scoring.services` calls this module and updates the scores.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import timezone

from clubs import audit
from clubs.audit import Actor, Undo
from tournaments.models import SeatingChange, Section
from tournaments.movements import Meeting
from tournaments.seating_snapshot import build_snapshot
from tournaments.services.groundwork.changes import (
    apply_snapshot,
    get_seats_undo_subjects,
    lock_open_session,
    record_seating_change,
    request_extra_boards,
)
from tournaments.session_acts import record_session_act

DRAW_KEY = "draw"
"""The stored key of a change of seats that a draw made; `movements.changes` has the others."""


def seat_round(
    *,
    section: Section,
    round_number: int,
    meetings: Iterable[Meeting],
    draw_record: Mapping[str, Any],
    by: Actor,
) -> SeatingChange:
    """Add a drawn round to the section's schedule; `draw_record` is stored with the change.

    The round is stored as a change of seats, which `undo_change` and `redo_change` accept.
    Raises ActionUnavailable if the session is not in play.
    """
    session = lock_open_session(section.session_id)
    old_snapshot = build_snapshot(section)
    sitting_rows = [
        [
            meeting.round,
            meeting.table,
            meeting.north,
            meeting.east,
            meeting.south,
            meeting.west,
            meeting.board_group,
        ]
        for meeting in meetings
    ]
    table_count = max([section.tables, *(sitting_row[1] for sitting_row in sitting_rows)])
    round_count = max([round_number, *(sitting_row[0] for sitting_row in sitting_rows)])
    apply_snapshot(
        section,
        old_snapshot
        | {
            "tables": table_count,
            "rounds": round_count,
            "sittings": [*old_snapshot["sittings"], *sitting_rows],
        },
    )
    request_extra_boards(session, by)
    change_description = {"kind": "drawn", "round": round_number}
    if section.shown:
        change_description["section"] = section.letter
    new_change = SeatingChange.objects.create(
        session=session,
        at=timezone.now(),
        by=audit.format_author_key(by),
        what=change_description | {"draw": dict(draw_record)},
        way=DRAW_KEY,
        before=old_snapshot,
        after=build_snapshot(section) | {"newcomer": 0, "new_players": [], "gone": []},
    )
    undo = Undo(
        get_seats_undo_subjects(session), "seats.undo_change", {"change": new_change.pk}
    )
    record_seating_change(by, "seating.changed", new_change, undo=undo)
    return new_change


def record_draw_decision(
    *, change: SeatingChange, decision_data: Mapping[str, Any], by: Actor
) -> SeatingChange:
    """Store a director's decision on a draw whose scores were corrected after the draw."""
    lock_open_session(change.session_id)
    change = SeatingChange.objects.select_for_update().get(pk=change.pk)
    change.what = change.what | dict(decision_data)
    change.save(update_fields=["what"])
    change_description = {key: value for key, value in change.what.items() if key != DRAW_KEY}
    record_session_act(
        by,
        "round.kept",
        change.session,
        location_data={"round": change.what["round"]},
        new_values={"what": change_description},
    )
    return change
