"""Changes of seats during play, without their effect on scores: apply, undo and redo."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

import boards.services
from clubs import audit
from clubs.audit import Actor, AuditData, Undo
from tournaments.board_counts import count_missing_boards
from tournaments.errors import ActionUnavailable, InvalidEntry
from tournaments.models import Entry, Event, Place, SeatingChange, Section, Session, Sitting
from tournaments.models.seating import SEATS
from tournaments.movements.changes import Continuation, Incident, list_continuations
from tournaments.movements.stray_boards import LEFT_OUT_MARKER
from tournaments.seating_snapshot import (
    build_snapshot,
    compare_tables,
    is_same_seating,
    load_movement_with_withdrawals,
)
from tournaments.services.entries import (
    create_entry,
    delete_unused_players,
    find_existing_entry,
    list_members,
)
from tournaments.services.groundwork.revisions import increment_revisions
from tournaments.services.withdrawals import describe_entry, recreate_entry
from tournaments.session_acts import record_session_act


@dataclass(frozen=True, slots=True)
class _KnownPks:
    """The primary keys of the event's entries and the club's players before a change."""

    entry_pks: frozenset[int] = frozenset()
    player_pks: frozenset[int] = frozenset()


def apply_seating_change(
    *,
    section: Section,
    rounds_played: int,
    incident: Incident,
    continuation_key: str,
    incident_data: AuditData,
    names: Sequence[str] = (),
    by: Actor,
) -> SeatingChange:
    """Change the seating after an incident, in one of the ways that `list_continuations`
    returns.

    `continuation_key` is the key of the way. `incident_data` is the incident as data for
    `describe_incident`. `names` are the names of a late pair, which is entered and seated.
    Sittings that remain have the same database rows, and so have the results. Raises
    ActionUnavailable if the way is no longer possible.
    """
    session = lock_open_session(section.session_id)
    section.refresh_from_db(fields=["tables", "rounds"])  # another request may have changed it
    continuation = _find_continuation(section, rounds_played, incident, continuation_key)
    old_snapshot = build_snapshot(section)
    known_pks = _load_known_pks(section) if names else _KnownPks()
    new_entry = _create_new_entry(section, names, by) if names else None
    apply_snapshot(section, _build_snapshot_after_change(section, continuation, new_entry))
    request_extra_boards(session, by)
    new_change = SeatingChange.objects.create(
        session=session,
        at=timezone.now(),
        by=audit.format_author_key(by),
        what=dict(incident_data),
        way=continuation.key,
        before=old_snapshot,
        after=build_snapshot(section)
        | _build_late_entry_data(new_entry, known_pks)
        | {"gone": sorted(continuation.movement.withdrawn_places)},
    )
    undo = Undo(
        get_seats_undo_subjects(session), "seats.undo_change", {"change": new_change.pk}
    )
    record_seating_change(by, "seating.changed", new_change, undo=undo)
    return new_change


def undo_change(*, change: SeatingChange, by: Actor) -> SeatingChange:
    """Restore the seating as it was before the last change in effect."""
    session = lock_open_session(change.session_id)
    change = SeatingChange.objects.select_for_update().get(pk=change.pk)
    if change.undone_at is not None:
        return change
    if session.changes.filter(undone_at=None).first() != change:
        raise ActionUnavailable(
            _("Something has changed since this change. Undo the newer change first.")
        )
    section = session.sections.get(letter=change.before["letter"])
    if not is_same_seating(build_snapshot(section), change.after):
        raise ActionUnavailable(_("Can’t undo: the seats have since changed."))
    apply_snapshot(section, change.before)
    change.after |= _remove_late_entry(change.after)
    change.undone_at = timezone.now()
    change.save(update_fields=["undone_at", "after"])
    undo = Undo(get_seats_undo_subjects(session), "seats.repeat_change", {"change": change.pk})
    record_seating_change(by, "seating.restored", change, undo=undo)
    return change


def redo_change(*, change: SeatingChange, by: Actor) -> SeatingChange:
    """Redo a change that was undone, with exactly the same seating.

    A late entry gets its earlier number again. Raises ActionUnavailable if the seating has
    changed since the undo, and InvalidEntry if the late entry's players are now in another
    entry.
    """
    session = lock_open_session(change.session_id)
    section = session.sections.get(letter=change.before["letter"])
    if not is_same_seating(build_snapshot(section), change.before):
        raise ActionUnavailable(_("The seats have since changed. Look at the options again."))
    old_snapshot = build_snapshot(section)
    new_snapshot = change.after | _restore_late_entry(session, change.after)
    apply_snapshot(section, new_snapshot)
    new_change = SeatingChange.objects.create(
        session=session,
        at=timezone.now(),
        by=audit.format_author_key(by),
        what=change.what,
        way=change.way,
        before=old_snapshot,
        after=new_snapshot,
    )
    undo = Undo(
        get_seats_undo_subjects(session), "seats.undo_change", {"change": new_change.pk}
    )
    record_seating_change(by, "seating.changed", new_change, undo=undo)
    return new_change


def lock_open_session(pk: int) -> Session:
    """Lock a session that is in play; raise ActionUnavailable for any other session."""
    # Two directors, or a double click, may change the seats at the same time.
    session = Session.objects.select_for_update().get(pk=pk)
    if session.state == Session.State.CLOSED:
        raise ActionUnavailable(
            _("The session is closed. Reopen it first, under Results, Close session.")
        )
    if session.state != Session.State.OPEN:
        raise ActionUnavailable(
            _("The session hasn’t started. Choose the movement again instead.")
        )
    return session


def _create_new_entry(section: Section, player_names: Sequence[str], by: Actor) -> Entry:
    entry = create_entry(event=section.session.event, names=player_names, is_late=True, by=by)
    if entry.places.filter(section__session=section.session).exists():
        raise InvalidEntry(
            _("%(pair)s is already in this session, as number %(number)s.")
            % {"pair": entry.name, "number": entry.number}
        )
    return entry


def request_extra_boards(session: Session, by: Actor) -> None:
    """Request the additional boards of a session, dealt from the secret of its board set.

    No board is dealt while the set is sealed, because no one may see its cards. The tables then
    shuffle the additional boards.
    """
    missing_board_count = count_missing_boards(session)
    if (
        session.board_set is not None
        and missing_board_count > 0
        and not session.board_set.is_sealed
    ):
        extended_board_set = boards.services.add_boards(
            board_set=session.board_set,
            total_board_count=session.board_set.size + missing_board_count,
        )
        record_session_act(
            by,
            "boards.added",
            session,
            new_values={"boards_to": extended_board_set.board_numbers[-1]},
        )


def _find_continuation(
    section: Section, rounds_played: int, incident: Incident, continuation_key: str
) -> Continuation:
    for continuation in list_continuations(
        load_movement_with_withdrawals(section), rounds_played, incident
    ):
        if continuation.key == continuation_key:
            return continuation
    raise ActionUnavailable(_("That option is no longer available. Look at the options again."))


def _build_snapshot_after_change(
    section: Section, continuation: Continuation, new_entry: Entry | None
) -> dict[str, Any]:
    """Return the snapshot of a section after a change."""
    movement = continuation.movement
    # Keep the number of fields from before the change. After a table sat in swapped directions,
    # the new movement would rank N-S and E-W as one field.
    is_one_field = not section.places.exclude(field="").exists()
    entry_pks_by_place: dict[int, int | None] = dict(
        section.places.values_list("number", "entry_id")
    )
    for newcomer_place in continuation.newcomer_places:
        entry_pks_by_place[newcomer_place] = new_entry.pk if new_entry else None
    return {
        "letter": section.letter,
        "tables": movement.table_count,
        "rounds": movement.round_count,
        "places": [
            [
                place_number,
                place_label,
                "" if is_one_field else movement.get_field_name(place_number),
                entry_pks_by_place.get(place_number),
            ]
            for place_number, place_label in enumerate(movement.labels, start=1)
        ],
        "sittings": [
            [
                meeting.round,
                meeting.table,
                meeting.north,
                meeting.east,
                meeting.south,
                meeting.west,
                meeting.board_group,
            ]
            for meeting in movement.meetings
        ],
    }


def apply_snapshot(section: Section, snapshot: dict[str, Any]) -> None:
    """Change the places and sittings of a section to match a snapshot.

    A sitting that is in the section and in the snapshot keeps its row, and so its results.
    Raises ActionUnavailable if a changed table has played a board of another set, or if a
    sitting that is not in the snapshot has a result.
    """
    table_differences = compare_tables(build_snapshot(section), snapshot)
    places_by_number = _write_places(section, snapshot["places"])
    sittings_by_table = {
        (sitting.round, sitting.table): sitting for sitting in section.sittings.all()
    }
    for table_difference in table_differences:
        sitting = sittings_by_table.get(
            (table_difference.round_number, table_difference.table_number)
        )
        _check_no_stray_boards(sitting)
        if table_difference.new_seats is None:
            _delete_sitting(sitting)
            continue
        sitting = sitting or Sitting(
            section=section,
            round=table_difference.round_number,
            table=table_difference.table_number,
        )
        for seat, place_number in zip(SEATS, table_difference.new_seats[:4], strict=True):
            setattr(sitting, seat, places_by_number[place_number])
        sitting.board_group = table_difference.new_seats[4]
        sitting.save()
    section.places.filter(number__gt=len(snapshot["places"])).delete()
    section.tables, section.rounds = snapshot["tables"], snapshot["rounds"]
    section.save(update_fields=["tables", "rounds"])
    increment_revisions(section.session)


def _write_places(section: Section, place_rows: Sequence[Sequence[Any]]) -> dict[int, Place]:
    """Update the section's places and their entries; the caller deletes surplus places."""
    places_by_number = {place.number: place for place in section.places.all()}
    for place_number, place_label, field_name, entry_pk in place_rows:
        place = places_by_number.setdefault(
            place_number, Place(section=section, number=place_number)
        )
        if (place.label, place.field, place.entry_id) != (place_label, field_name, entry_pk):
            place.label, place.field, place.entry_id = place_label, field_name, entry_pk
            place.save()
    return places_by_number


def _check_no_stray_boards(sitting: Sitting | None) -> None:
    """Raise ActionUnavailable if the table played a board of another set in this sitting."""
    stray_board_numbers = (
        [
            actual_board_number
            for _group_board, actual_board_number in sitting.strays
            if actual_board_number != LEFT_OUT_MARKER
        ]
        if sitting
        else []
    )
    if sitting and stray_board_numbers:
        raise ActionUnavailable(
            _(
                "Table %(table)s played board %(board)s of another set in round %(round)s. "
                "Undo that board first, then enter what happened."
            )
            % {"table": sitting.label, "board": stray_board_numbers[0], "round": sitting.round}
        )


def _delete_sitting(sitting: Sitting | None) -> None:
    try:
        if sitting is not None:
            sitting.delete()
    except ProtectedError as error:
        raise ActionUnavailable(
            _("Table %(table)s already has a score in round %(round)s. Choose another option.")
            % {
                "table": sitting.label if sitting else "",
                "round": sitting.round if sitting else "",
            }
        ) from error


def _load_known_pks(section: Section) -> _KnownPks:
    event = section.session.event
    return _KnownPks(
        frozenset(event.entries.values_list("pk", flat=True)),
        frozenset(event.club.players.values_list("pk", flat=True)),
    )


def _build_late_entry_data(new_entry: Entry | None, known_pks: _KnownPks) -> dict[str, Any]:
    """Return the data of a late entry that are stored for undo and redo."""
    if new_entry is None or new_entry.pk in known_pks.entry_pks:
        return {"newcomer": 0}
    player_pks = {player.pk for player in list_members(new_entry)}
    return {"newcomer": new_entry.pk, "new_players": sorted(player_pks - known_pks.player_pks)}


def _remove_late_entry(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Delete a late entry that no longer has a place; return the data to restore it."""
    entry = Entry.objects.filter(pk=snapshot["newcomer"], places=None).first()
    if entry is None:
        return {}
    old_values = describe_entry(entry)
    entry.delete()
    delete_unused_players(snapshot.get("new_players", []))
    return {"entry": old_values}


def _restore_late_entry(session: Session, snapshot: dict[str, Any]) -> dict[str, Any]:
    """Create the late entry of an undone change again; return the data for the next undo.

    These are {"new_players": primary keys}, or {} if the entry was not created.
    """
    old_values, event = snapshot.get("entry"), session.event
    if old_values is None or event.entries.filter(pk=old_values["pk"]).exists():
        return {}
    # Without this lock, two requests could take the same entry number.
    Event.objects.select_for_update().get(pk=event.pk)
    if (existing_entry := find_existing_entry(event, old_values["names"])) is not None:
        raise InvalidEntry(
            _("%(pair)s is already entered, as number %(number)s.")
            % {"pair": existing_entry.name, "number": existing_entry.number}
        )
    if event.entries.filter(number=old_values["number"]).exists():
        raise InvalidEntry(
            _("Number %(number)s is now taken. Look at the options again.")
            % {"number": old_values["number"]}
        )
    _entry, new_player_ids = recreate_entry(event=event, **old_values)
    return {"new_players": new_player_ids}


def get_seats_undo_subjects(session: Session) -> tuple[str]:
    """Return the undo subjects of changes of seats in a session."""
    return (f"seats {session.pk}",)


def record_seating_change(by: Actor, action: str, change: SeatingChange, *, undo: Undo) -> None:
    """Record in the history that a change was applied or undone."""
    # The draw is left out of the history, because the SeatingChange stores it.
    change_description = {key: value for key, value in change.what.items() if key != "draw"}
    incident_data, continuation_data = {"what": change_description}, {"way": change.way}
    old_values, new_values = (
        (incident_data, continuation_data)
        if action == "seating.changed"
        else (continuation_data, incident_data)
    )
    record_session_act(
        by, action, change.session, old_values=old_values, new_values=new_values, undo=undo
    )
