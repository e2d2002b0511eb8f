"""Rehearsals: copies of an evening without scores, and their deletion."""

import secrets
from collections.abc import Sequence
from uuid import uuid4

from django.utils.translation import gettext as _

from boards.models import BoardSet
from clubs import audit
from clubs.audit import Actor
from clubs.evenings.services import delete_evening
from clubs.models import Evening, Player
from tournaments.errors import ActionUnavailable
from tournaments.models import Entry, EntryPlayer, Event, Place, Section, Session, Sitting
from tournaments.models.seating import SEATS
from tournaments.seating_snapshot import (
    build_withdrawal_options,
    load_movement,
    load_withdrawn_places,
)
from tournaments.services.sessions import create_session

MAX_NAME_LENGTH = 100


def copy_session(*, session: Session, name: str, by: Actor) -> Session:
    """Copy a session with entries and seats, but without boards, into a new rehearsal event.

    Raises ActionUnavailable if no movement has been chosen.
    """
    if not session.sections.exists():
        raise ActionUnavailable(_("Choose the movement first. It sets the seats."))
    event = _copy_event(session.event, name)
    entry_copies_by_old_pk = _copy_entries(session.event, event)
    new_session = create_session(
        event=event,
        session_number=1,
        date=session.event.date,
        boards_a_round=session.boards_a_round,
        across_sections=session.across_sections,
    )
    for section in session.sections.all():
        _copy_section(section, new_session, entry_copies_by_old_pk)
    audit.record(
        by,
        "rehearsal.made",
        subject=event,
        where={"event": session.event.slug},
        after={"name": event.name},
    )
    return new_session


def delete_rehearsal(*, event: Event, rehearsal_names: Sequence[str], by: Actor) -> None:
    """Delete a rehearsal with its boards and with the players invented for it.

    `rehearsal_names` are the names of these players. A player who is also in an entry of
    another event is not deleted.
    """
    board_sets = _list_own_board_sets(event)
    Sitting.objects.filter(section__session__event=event).delete()
    Place.objects.filter(section__session__event=event).delete()
    club, slug = event.club, event.slug
    audit.record(by, "rehearsal.thrown_away", subject=event, where={"name": event.name})
    evenings = list(Evening.objects.filter(session__event=event))
    Event.objects.get(slug=slug).delete()
    for evening in evenings:
        delete_evening(evening=evening)
    for board_set in board_sets:
        board_set.delete()
    Player.objects.filter(club=club, name__in=rehearsal_names, entry_memberships=None).delete()


def _copy_event(event: Event, name: str) -> Event:
    """Copy an event with all settings; the URL of the copy cannot be guessed."""
    new_event = Event.objects.get(pk=event.pk)
    new_event.pk, new_event.uid, new_event._state.adding = None, uuid4(), True
    new_event.slug = f"{event.slug[:60]}-rehearsal-{secrets.token_hex(4)}"
    new_event.name = name[:MAX_NAME_LENGTH]
    new_event.form_key, new_event.put_away_at, new_event.is_rehearsal = None, None, True
    new_event.full_clean()
    new_event.save()
    return new_event


def _copy_entries(event: Event, new_event: Event) -> dict[int, Entry]:
    """Copy an event's entries; return the copies by the keys of the originals."""
    copies_by_old_pk: dict[int, Entry] = {}
    for entry in event.entries.prefetch_related("memberships"):
        old_pk, members = entry.pk, list(entry.memberships.all())
        entry.pk, entry._state.adding, entry.event = None, True, new_event
        entry.save()
        copies_by_old_pk[old_pk] = entry
        EntryPlayer.objects.bulk_create(
            EntryPlayer(entry=entry, player_id=membership.player_id, order=membership.order)
            for membership in members
        )
    return copies_by_old_pk


def _copy_section(
    section: Section, session: Session, entry_copies_by_old_pk: dict[int, Entry]
) -> None:
    places, sittings = list(section.places.all()), list(section.sittings.all())
    if first_missed_round_by_place := load_withdrawn_places(section, load_movement(section)):
        section.options = section.options | build_withdrawal_options(
            first_missed_round_by_place
        )
    section.pk, section._state.adding, section.session = None, True, session
    section.save()
    copies_by_old_pk: dict[int, Place] = {}
    for place in places:
        old_pk = place.pk
        place.pk, place._state.adding, place.section = None, True, section
        place.entry = entry_copies_by_old_pk[place.entry_id] if place.entry_id else None
        place.save()
        copies_by_old_pk[old_pk] = place
    for sitting in sittings:
        sitting.pk, sitting._state.adding, sitting.section = None, True, section
        sitting.strays = []
        for seat in SEATS:
            setattr(sitting, seat, copies_by_old_pk[getattr(sitting, f"{seat}_id")])
    Sitting.objects.bulk_create(sittings)


def _list_own_board_sets(event: Event) -> list[BoardSet]:
    """Return the board sets of an event that no other event plays, the newest first."""
    own_board_sets = []
    for session in event.sessions.select_related("board_set", "set_aside"):
        for board_set in (session.board_set, session.set_aside):
            if board_set and not board_set.sessions.exclude(event=event).exists():
                own_board_sets += [board_set, *reversed(board_set.list_earlier_sets())]
    return own_board_sets
