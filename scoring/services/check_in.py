"""Services that start an event with the people who have checked in, and undo the start."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.errors import CheckInRefused
from clubs.evenings.services import end_check_in, lock_evening, write_check_in_state
from clubs.models import Evening
from scoring.services.sessions import open_session, return_session_to_setup
from tournaments.check_in_units import (
    CheckInUnit,
    FirstRoundPlan,
    build_first_round_plan,
    load_check_in_units,
)
from tournaments.models import Entry, Event, Session
from tournaments.services.entries import create_entries
from tournaments.services.inverses import INVERSES
from tournaments.services.seating import lock_planned_session, remove_seating, seat_section

DERIVED_OPTIONS = ("pairs", "tables", "players", "teams", "rounds", "absent")
"""Names of movement options that a section does not store in `options`, but in its fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenMovement:
    """The movement with which an event starts, with its options."""

    name: str
    options: Mapping[str, Any]
    boards_a_round: int


@transaction.atomic
def start_session_from_check_in(
    *,
    session: Session,
    chosen_movement: ChosenMovement,
    seen_version: str,
    should_open_session: bool = True,
    by: Actor,
) -> Session:
    """Enter and seat the people who have checked in; with `should_open_session`, open the
    session.

    `seen_version` is the version of the check-in list that the page showed. Idempotent: after
    the start, a second request changes nothing. Raises CheckInRefused if the list has changed
    or someone has no partner, and UnplayableMovement.
    """
    evening = lock_evening(session.evening)
    if evening.check_in_state == Evening.CheckInState.STARTED:
        return session
    if evening.check_in_state != Evening.CheckInState.OPEN:
        raise CheckInRefused(_("Check-in isn’t open."))
    session = lock_planned_session(session)
    check_in_units = load_check_in_units(session)
    if check_in_units.version != seen_version:
        raise CheckInRefused(_("The list has changed. Check it again."))
    if check_in_units.problems:
        raise CheckInRefused(check_in_units.problems[0])
    plan = build_first_round_plan(check_in_units, chosen_movement.name, chosen_movement.options)
    known_player_ids = set(session.event.club.players.values_list("pk", flat=True))
    entry_by_place = _create_missing_entries(session.event, plan, by)
    _seat_entries(session, plan, entry_by_place, chosen_movement, by)
    end_check_in(
        evening=evening, numbers_by_check_in=_map_persons_to_numbers(plan, entry_by_place)
    )
    created_entries = [
        _build_undo_data(entry_by_place[place], known_player_ids)
        for place, unit in plan.units_by_place.items()
        if unit.entry is None
    ]
    if should_open_session:
        session = open_session(session=session, by=by)
    audit.record(
        by,
        "check_in.started",
        subject=session.event,
        after={"entries": len(entry_by_place)},
        undo=Undo(
            (f"check_ins {evening.pk}",),
            "check_in.reopen",
            {"session": session.pk, "entries": created_entries},
        ),
    )
    return session


def _create_missing_entries(event: Event, plan: FirstRoundPlan, by: Actor) -> dict[int, Entry]:
    """Return the entry of each place; new entries are numbered in the order of the places."""
    places = sorted(plan.units_by_place)
    places_without_entry = [
        place for place in places if plan.units_by_place[place].entry is None
    ]
    entry_rows = [
        (str(place), plan.units_by_place[place].names) for place in places_without_entry
    ]
    created_entries = iter(
        create_entries(event=event, rows=entry_rows, by=by) if entry_rows else ()
    )
    entry_by_place: dict[int, Entry] = {}
    for place in places:
        entry_by_place[place] = plan.units_by_place[place].entry or next(created_entries)
    return entry_by_place


def _seat_entries(
    session: Session,
    plan: FirstRoundPlan,
    entry_by_place: Mapping[int, Entry],
    chosen_movement: ChosenMovement,
    by: Actor,
) -> None:
    stored_options = {
        option_name: option_value
        for option_name, option_value in chosen_movement.options.items()
        if option_name not in DERIVED_OPTIONS
    }
    seat_section(
        session=session,
        movement=plan.movement,
        boards_a_round=chosen_movement.boards_a_round,
        options=stored_options,
        entries_by_place=entry_by_place,
        by=by,
    )


def _map_persons_to_numbers(
    plan: FirstRoundPlan, entry_by_place: Mapping[int, Entry]
) -> dict[int, int]:
    units_by_place: Mapping[int, CheckInUnit] = plan.units_by_place
    return {
        checked_in_person.pk: entry_by_place[place].number
        for place, unit in units_by_place.items()
        for checked_in_person in unit.check_ins
    }


def _build_undo_data(entry: Entry, known_player_ids: set[int]) -> dict[str, Any]:
    new_player_ids = [
        membership.player_id
        for membership in entry.memberships.all()
        if membership.player_id not in known_player_ids
    ]
    return {"entry": entry.pk, "new": new_player_ids}


@transaction.atomic
def reopen_check_in(
    *, session: Session, entries: Sequence[Mapping[str, Any]], by: Actor
) -> None:
    """Undo `start_session_from_check_in`: reopen the check-in, and remove seats and entries.

    `entries` are the entries that the start created; other entries are not removed.
    Raises ActionUnavailable once a score has been entered.
    """
    evening = lock_evening(session.evening)
    event = session.event
    audit.record(
        by,
        "check_in.opened",
        subject=event,
        undo=Undo((f"check_ins {evening.pk}",)),
    )
    session = return_session_to_setup(session=session, by=by)
    remove_seating(session=session, by=by)
    existing_entry_pks = set(event.entries.values_list("pk", flat=True))
    # Removing an entry renumbers the entries after it, so the last one is removed first.
    for entry_data in reversed(entries):
        if entry_data["entry"] in existing_entry_pks:
            INVERSES["entry.remove"](event=event, by=by, **entry_data)
    write_check_in_state(evening=evening, state=Evening.CheckInState.OPEN)
