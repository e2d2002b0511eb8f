"""Services that seat a session: they assign its entries to the places of a movement."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, AuditData, Undo
from clubs.evenings.services import delete_section_links
from tournaments.errors import ActionUnavailable, InvalidSeating
from tournaments.models import Entry, Event, Place, Section, Session, Sitting
from tournaments.movements import Meeting, Movement, build_stored_movement_values
from tournaments.ranking_fields import load_earlier_sides
from tournaments.seating_snapshot import build_snapshot
from tournaments.services.seats import arrange_entries


@transaction.atomic
def seat_section(
    *,
    session: Session,
    movement: Movement,
    boards_a_round: int,
    options: Mapping[str, Any] | None = None,
    entries_by_place: Mapping[int, Entry] | None = None,
    section_letter: str = "A",
    by: Actor,
) -> Section:
    """Seat a section by a movement; write its places and sittings in one transaction.

    If `entries_by_place` is None, entries get places in the order of their numbers. A second
    call before play replaces the seating. `options` are the movement's build options except the
    numbers of tables and rounds.
    """
    session = lock_planned_session(session)
    undo = build_seats_undo(session)
    old_sections = describe_sections(session.sections.filter(letter=section_letter))
    section = write_section(
        session=session,
        movement=movement,
        boards_a_round=boards_a_round,
        options=options,
        entries_by_place=entries_by_place,
        section_letter=section_letter,
    )
    record_seating(by, session, old_sections=old_sections, seated_sections=[section], undo=undo)
    return section


def write_section(
    *,
    session: Session,
    movement: Movement,
    boards_a_round: int,
    options: Mapping[str, Any] | None = None,
    entries_by_place: Mapping[int, Entry] | None = None,
    section_letter: str = "A",
) -> Section:
    """Write the places and sittings of one section; the caller records the history."""
    if not 1 <= boards_a_round <= 60:
        raise InvalidSeating(_("Choose from 1 to 60 boards per round."))
    _check_contest(session, movement)
    entries_by_place = (
        entries_by_place
        if entries_by_place is not None
        else assign_places_in_order(session, movement)
    )
    _check_seating(movement, entries_by_place)
    clear_seating(session, section_letter)
    session.boards_a_round = boards_a_round
    session.save(update_fields=["boards_a_round"])
    section = Section.objects.create(
        session=session,
        letter=section_letter,
        movement=movement.name,
        tables=movement.table_count,
        rounds=movement.round_count,
        options=dict(options or {}) | build_stored_movement_values(movement),
    )
    places_by_number = _write_places(section, movement, entries_by_place)
    Sitting.objects.bulk_create(
        _build_sitting(section, places_by_number, meeting) for meeting in movement.meetings
    )
    return section


@transaction.atomic
def remove_seating(*, session: Session, by: Actor) -> None:
    """Remove the seating and the movement before play, so that entries can be changed."""
    session = lock_planned_session(session)
    if not session.sections.exists():
        return
    undo, old_sections = build_seats_undo(session), describe_sections(session.sections.all())
    clear_seating(session)
    record_seating(by, session, old_sections=old_sections, seated_sections=[], undo=undo)


@transaction.atomic
def restore_seats(
    *,
    session: Session,
    sections: Sequence[Mapping[str, Any]],
    boards_a_round: int,
    across: bool,
    by: Actor,
) -> Session:
    """Undo a choice of movement: restore the seating that `build_seats_undo` stored.

    Raises InvalidSeating if the entries have changed, and ActionUnavailable once the session is
    open.
    """
    session = lock_planned_session(session)
    if sections:
        _check_entries_unchanged(session, sections)
    undo, old_sections = build_seats_undo(session), describe_sections(session.sections.all())
    clear_seating(session)
    restored_sections = [_restore_section(session, section) for section in sections]
    session.boards_a_round, session.across_sections = boards_a_round, across
    session.save(update_fields=["boards_a_round", "across_sections"])
    record_seating(
        by, session, old_sections=old_sections, seated_sections=restored_sections, undo=undo
    )
    return session


def lock_planned_session(session: Session) -> Session:
    """Lock a session whose movement can still be changed.

    Raises ActionUnavailable once the session is open.
    """
    # Two windows of one director, or a double click, may send this at the same time.
    session = Session.objects.select_for_update().get(pk=session.pk)
    if session.state != Session.State.PLANNED:
        raise ActionUnavailable(_("The session has started, so the movement can’t change."))
    return session


def build_seats_undo(session: Session) -> Undo:
    """Return the undo action that restores the session's current seating."""
    arguments = {
        "session": session.pk,
        "sections": [build_snapshot(section) for section in session.sections.all()],
        "boards_a_round": session.boards_a_round,
        "across": session.across_sections,
    }
    return Undo((f"seats {session.pk}",), "seats.put_back", arguments)


def record_seating(
    by: Actor,
    session: Session,
    *,
    old_sections: Sequence[AuditData],
    seated_sections: Sequence[Section],
    undo: Undo,
) -> None:
    """Record in the history that a movement was chosen for one or more sections, as one act.

    `old_sections` is the result of `describe_sections` before the choice.
    """
    location_data = (
        {"sections": [section.letter for section in seated_sections]} if seated_sections else {}
    )
    boards_data = {"boards_a_round": session.boards_a_round}
    audit.record(
        by,
        "section.seated" if seated_sections else "section.unseated",
        subject=session.event,
        where={"session": session.number, **location_data},
        before={"seated": old_sections} if old_sections else {},
        after={"movements": describe_sections(seated_sections), **boards_data}
        if seated_sections
        else {},
        undo=undo,
    )


def describe_sections(sections: Iterable[Section]) -> list[AuditData]:
    """Return data from which the history can later name the sections' movements."""
    return [_describe_section(section, list(section.places.all())) for section in sections]


def _describe_section(section: Section, places: Sequence[Place]) -> AuditData:
    return {
        "movement": section.movement,
        "tables": section.tables,
        "rounds": section.rounds,
        "places": len(places),
        "absent": [place.label for place in places if place.entry_id is None],
        "options": section.options,
    }


def clear_seating(session: Session, section_letter: str | None = None) -> None:
    """Remove the seating of a session, or of one section.

    Raises ActionUnavailable if there are scores.
    """
    sections = session.sections.all()
    for section in sections.filter(letter=section_letter) if section_letter else sections:
        try:
            section.sittings.all().delete()
        except ProtectedError as error:
            raise ActionUnavailable(
                _("Scores have been entered, so the seats can’t change.")
            ) from error
        section.delete()
        delete_section_links(evening=session.evening, section_letter=section.letter)


def assign_places_in_order(session: Session, movement: Movement) -> dict[int, Entry]:
    """Assign the movement's occupied places to the entries, which are in order of number.

    Entries keep the side of their earlier sessions if there are enough places on that side.
    """
    entries = list(session.event.entries.order_by("number"))
    return arrange_entries(movement, entries, sides_by_entry=load_earlier_sides(session))


def _check_contest(session: Session, movement: Movement) -> None:
    """Raise InvalidSeating if the movement is for another contest than the event's."""
    if movement.contest != session.event.contest:
        raise InvalidSeating(
            _("%(movement)s is for %(its)s, but this event is for %(ours)s. Choose another.")
            % {
                "movement": movement.title,
                "its": Event.Contest(movement.contest).label,
                "ours": session.event.get_contest_display(),
            }
        )


def _check_seating(movement: Movement, entries_by_place: Mapping[int, Entry]) -> None:
    for place_number in entries_by_place:
        if not 1 <= place_number <= movement.place_count:
            raise InvalidSeating(
                _("%(movement)s has no place %(place)s.")
                % {"movement": movement.title, "place": place_number}
            )
    empty_places = [
        movement.labels[place_number - 1]
        for place_number in movement.occupied_places
        if place_number not in entries_by_place
    ]
    if empty_places:
        raise InvalidSeating(
            _("No one is at place %(places)s.") % {"places": ", ".join(empty_places)}
        )


def _check_entries_unchanged(session: Session, sections: Sequence[Mapping[str, Any]]) -> None:
    seated_entry_pks = {
        place_row[3] for section in sections for place_row in section["places"]
    } - {None}
    if seated_entry_pks != set(session.event.entries.values_list("pk", flat=True)):
        raise InvalidSeating(_("The list has since changed. Choose the movement again."))


def _restore_section(session: Session, section_data: Mapping[str, Any]) -> Section:
    section = Section.objects.create(
        session=session,
        letter=section_data["letter"],
        movement=section_data["movement"],
        tables=section_data["tables"],
        rounds=section_data["rounds"],
        options=section_data["options"],
    )
    Place.objects.bulk_create(
        Place(
            section=section,
            number=place_number,
            label=place_label,
            field=field_name,
            entry_id=entry_pk,
        )
        for place_number, place_label, field_name, entry_pk in section_data["places"]
    )
    places_by_number = {place.number: place for place in section.places.all()}
    Sitting.objects.bulk_create(
        _build_sitting(section, places_by_number, Meeting(*sitting_row))
        for sitting_row in section_data["sittings"]
    )
    return section


def _write_places(
    section: Section, movement: Movement, entries_by_place: Mapping[int, Entry]
) -> dict[int, Place]:
    Place.objects.bulk_create(
        Place(
            section=section,
            number=place_number,
            label=place_label,
            field=movement.get_ranked_field_name(place_number),
            entry=entries_by_place.get(place_number),
        )
        for place_number, place_label in enumerate(movement.labels, start=1)
    )
    return {place.number: place for place in section.places.all()}


def _build_sitting(
    section: Section, places_by_number: Mapping[int, Place], meeting: Meeting
) -> Sitting:
    return Sitting(
        section=section,
        round=meeting.round,
        table=meeting.table,
        north=places_by_number[meeting.north],
        east=places_by_number[meeting.east],
        south=places_by_number[meeting.south],
        west=places_by_number[meeting.west],
        board_group=meeting.board_group,
    )
