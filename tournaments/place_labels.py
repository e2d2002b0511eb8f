"""Loads the place labels of seated entries ("3 N-S") and the letters of sections."""

from collections import Counter
from collections.abc import Mapping

from tournaments.models import Event, Place, Section, Session
from tournaments.movements.formatting import format_place_for_players


def load_place_labels_by_entry(session: Session) -> dict[int, str]:
    """Return place labels by entry primary key: "3 N-S" or "5", with several sections "A5"."""
    places = Place.objects.filter(section__session=session, entry__isnull=False)
    labelled_entries = list(places.values_list("entry", "section__letter", "label"))
    has_several_sections = (
        len({section_letter for _entry, section_letter, _label in labelled_entries}) > 1
    )
    return {
        entry_pk: format_place_for_players(
            f"{section_letter}{place_label}" if has_several_sections else place_label
        )
        for entry_pk, section_letter, place_label in labelled_entries
    }


def load_section_letters(event: Event) -> Mapping[int, str]:
    """Return the letter of each section of an event, or "" for a session's only section."""
    sections = list(
        Section.objects.filter(session__event=event).values_list("pk", "session", "letter")
    )
    section_counts = Counter(session_pk for _pk, session_pk, _letter in sections)
    return {
        section_pk: section_letter if section_counts[session_pk] > 1 else ""
        for section_pk, session_pk, section_letter in sections
    }
