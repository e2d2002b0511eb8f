"""The ranking fields of an event: the entries that are ranked together over all sessions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tournaments.models import Place, Session

RankingField = tuple[str, str]
"""A section ("" for all sections) and a side ("" for one ranking of both sides)."""


class EntrySeat(NamedTuple):
    """The place of an entry in one session."""

    entry_pk: int
    session_number: int
    section_letter: str
    side: str  # "NS" or "EW"; "" if the movement has one winner


def map_entries_to_ranking_fields(
    entry_seats: Iterable[EntrySeat], *, is_ranked_across_sections: bool = False
) -> dict[int, RankingField]:
    """Return the field in which each entry is ranked; `entry_seats` are in order of session.

    An entry is ranked in its first section. N-S and E-W of a section have separate rankings
    only if all entries of the section kept one side in all sessions. Otherwise the section has
    one ranking. All sections have one ranking if `is_ranked_across_sections` is True, or if an
    entry later joins a section that the first session did not have.
    """
    entry_seat_list = list(entry_seats)
    section_letter_by_entry = _map_entries_to_sections(
        entry_seat_list, is_ranked_across_sections=is_ranked_across_sections
    )
    sides_by_entry: dict[int, set[str]] = defaultdict(set)
    for entry_seat in entry_seat_list:
        sides_by_entry[entry_seat.entry_pk].add(entry_seat.side)
    mixed_side_section_letters = {
        section_letter_by_entry[entry_pk]
        for entry_pk, entry_sides in sides_by_entry.items()
        if len(entry_sides) > 1 or "" in entry_sides
    }
    return {
        entry_pk: (
            section_letter_by_entry[entry_pk],
            ""
            if section_letter_by_entry[entry_pk] in mixed_side_section_letters
            else min(entry_sides),
        )
        for entry_pk, entry_sides in sides_by_entry.items()
    }


def _map_entries_to_sections(
    entry_seats: list[EntrySeat], *, is_ranked_across_sections: bool
) -> dict[int, str]:
    """Return the section in which each entry is ranked."""
    first_session_section_letters = {
        entry_seat.section_letter
        for entry_seat in entry_seats
        if entry_seat.session_number == entry_seats[0].session_number
    }
    section_letter_by_entry: dict[int, str] = {}
    for entry_seat in entry_seats:
        section_letter_by_entry.setdefault(entry_seat.entry_pk, entry_seat.section_letter)
    if (
        is_ranked_across_sections
        or not set(section_letter_by_entry.values()) <= first_session_section_letters
    ):
        joint_section_letter = (
            min(first_session_section_letters)
            if len(first_session_section_letters) == 1 and not is_ranked_across_sections
            else ""
        )
        return dict.fromkeys(section_letter_by_entry, joint_section_letter)
    return section_letter_by_entry


def load_earlier_sides(session: Session) -> dict[int, str]:
    """Return the side of each entry that had one side in all earlier sessions, by entry pk.

    Entries that sat on both sides, or played a movement with one winner, are left out.
    """
    places = Place.objects.filter(
        section__session__event=session.event_id,
        section__session__number__lt=session.number,
        entry__isnull=False,
    )
    sides_by_entry: dict[int, set[str]] = defaultdict(set)
    for entry_pk, side in places.values_list("entry", "field"):
        sides_by_entry[entry_pk].add(side)
    return {
        entry_pk: min(entry_sides)
        for entry_pk, entry_sides in sides_by_entry.items()
        if len(entry_sides) == 1 and "" not in entry_sides
    }


def choose_side_with_missing_pair(side_by_entry: Mapping[int, str]) -> str:
    """Return the side with fewer entries, on which a pair should be missing; "" if equal."""
    ns_count, ew_count = (list(side_by_entry.values()).count(side) for side in ("NS", "EW"))
    return "" if ns_count == ew_count else "EW" if ns_count > ew_count else "NS"
