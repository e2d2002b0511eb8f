"""Put the entries of a session into the places of a movement."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.errors import NotNow, SeatingRefused
from tournaments.models import Entry, Event, Place, Section, Session, Sitting
from tournaments.movements import Meeting, Movement


@transaction.atomic
def seat_section(
    *,
    session: Session,
    movement: Movement,
    boards_a_round: int,
    options: Mapping[str, Any] | None = None,
    seating: Mapping[int, Entry] | None = None,
    letter: str = "A",
    by: Actor,
) -> Section:
    """Seat a section by a movement: one transaction writes its places and sittings.

    Without a `seating` (place to entry) the entries take the places in the order of their
    numbers. Seating again before play starts takes the place of the earlier one. `options` are
    what the movement was built with besides its tables and rounds.
    """
    session = Session.objects.select_for_update().get(pk=session.pk)
    if session.state != Session.State.PLANNED:
        raise NotNow(_("The session has been opened; its movement stands."))
    if not 1 <= boards_a_round <= 60:
        raise SeatingRefused(_("Choose from 1 to 60 boards a round."))
    _check_contest(session, movement)
    seating = seating if seating is not None else in_order(session, movement)
    _check(movement, seating)
    before = _unseat(session, letter)
    session.boards_a_round = boards_a_round
    session.save(update_fields=["boards_a_round"])
    section = Section.objects.create(
        session=session,
        letter=letter,
        movement=movement.name,
        tables=movement.tables,
        rounds=movement.rounds,
        options=dict(options or {}),
    )
    places = _write_places(section, movement, seating)
    Sitting.objects.bulk_create(_sitting(section, places, each) for each in movement.meetings)
    audit.record(
        by,
        "section.seated",
        club=session.event.club,
        event=session.event,
        subject=f"section {letter}",
        before=before,
        after=f"{movement.title}, {boards_a_round} boards a round",
    )
    return section


@transaction.atomic
def unseat(*, session: Session, by: Actor) -> None:
    """Take the movement back, so that pairs can come and go again; before play only."""
    session = Session.objects.select_for_update().get(pk=session.pk)
    if session.state != Session.State.PLANNED:
        raise NotNow(_("The session has been opened; its movement stands."))
    for letter in list(session.sections.values_list("letter", flat=True)):
        before = _unseat(session, letter)
        audit.record(
            by,
            "section.unseated",
            club=session.event.club,
            event=session.event,
            subject=f"section {letter}",
            before=before,
        )


def in_order(session: Session, movement: Movement) -> dict[int, Entry]:
    """Give the places that somebody takes to the entries in the order of their numbers."""
    entries = list(session.event.entries.order_by("number"))
    taken = movement.taken
    if len(entries) != len(taken):
        raise SeatingRefused(
            _("%(movement)s seats %(places)s, and %(entries)s are entered.")
            % {"movement": movement.title, "places": len(taken), "entries": len(entries)}
        )
    return dict(zip(taken, entries, strict=True))


def _check_contest(session: Session, movement: Movement) -> None:
    """Refuse a movement for players in an event of pairs, and the like."""
    if movement.contest != session.event.contest:
        raise SeatingRefused(
            _("%(movement)s is for %(its)s; this event is for %(ours)s. Choose another.")
            % {
                "movement": movement.title,
                "its": Event.Contest(movement.contest).label,
                "ours": session.event.get_contest_display(),
            }
        )


def _check(movement: Movement, seating: Mapping[int, Entry]) -> None:
    for place in seating:
        if not 1 <= place <= movement.places:
            raise SeatingRefused(
                _("%(movement)s has no place %(place)s.")
                % {"movement": movement.title, "place": place}
            )
    empty = [movement.labels[place - 1] for place in movement.taken if place not in seating]
    if empty:
        raise SeatingRefused(
            _("Nobody sits at place %(places)s.") % {"places": ", ".join(empty)}
        )


def _unseat(session: Session, letter: str) -> str:
    """Remove the section's seating, and say what it was."""
    before = ""
    for section in session.sections.filter(letter=letter):
        before = f"{section.movement}, {section.tables} tables, {section.rounds} rounds"
        try:
            section.sittings.all().delete()
        except ProtectedError as error:
            raise NotNow(_("Scores have been entered, so the seating stands.")) from error
        section.delete()
    return before


def _write_places(
    section: Section, movement: Movement, seating: Mapping[int, Entry]
) -> dict[int, Place]:
    Place.objects.bulk_create(
        Place(
            section=section,
            number=number,
            label=label,
            field=movement.field(number),
            entry=seating.get(number),
        )
        for number, label in enumerate(movement.labels, start=1)
    )
    return {place.number: place for place in section.places.all()}


def _sitting(section: Section, places: Mapping[int, Place], meeting: Meeting) -> Sitting:
    return Sitting(
        section=section,
        round=meeting.round,
        table=meeting.table,
        north=places[meeting.north],
        east=places[meeting.east],
        south=places[meeting.south],
        west=places[meeting.west],
        board_group=meeting.board_group,
    )
