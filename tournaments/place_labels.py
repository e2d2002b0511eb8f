"""The labels of seated entries and of sections."""

from collections import Counter
from collections.abc import Mapping

from tournaments.models import Event, Place, Section, Session
from tournaments.movements.formatting import format_place_for_players


def load_seat_labels(session: Session) -> dict[int, str]:
    """Return the label of each seated entry's place: "3 N-S", "5", in sections "A5"."""
    places = Place.objects.filter(section__session=session, entry__isnull=False)
    rows = list(places.values_list("entry", "section__letter", "label"))
    lettered = len({letter for _entry, letter, _label in rows}) > 1
    return {
        entry: format_place_for_players(f"{letter}{label}" if lettered else label)
        for entry, letter, label in rows
    }


def load_section_letters(event: Event) -> Mapping[int, str]:
    """Return the letter of each section of an event; "" if it is its session's only one."""
    rows = list(
        Section.objects.filter(session__event=event).values_list("pk", "session", "letter")
    )
    of_session = Counter(session for _pk, session, _letter in rows)
    return {pk: letter if of_session[session] > 1 else "" for pk, session, letter in rows}
