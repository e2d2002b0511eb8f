"""The ranking fields of an event: the entries that are ranked together over all sessions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tournaments.models import Place, Session

RankingField = tuple[str, str]
"""A section ("" for all sections) and a side ("" for one ranking of both sides)."""


class EntrySeat(NamedTuple):
    """The place of an entry in one session."""

    entry: int
    session: int
    section: str
    side: str  # "NS" or "EW"; "" if the movement has one winner


def map_entries_to_fields(
    seatings: Iterable[EntrySeat], *, across: bool = False
) -> dict[int, RankingField]:
    """Return the field in which each entry is ranked; `seatings` are in the order of sessions.

    An entry is ranked in its first section. N-S and E-W of a section have separate rankings
    only if all its entries kept one side in all sessions. Otherwise the section has one
    ranking. All sections have one ranking with `across`, or if an entry later joins a section
    that the first session did not have.
    """
    rows = list(seatings)
    sections = _find_sections(rows, across=across)
    sides: dict[int, set[str]] = defaultdict(set)
    for row in rows:
        sides[row.entry].add(row.side)
    mixed_sections = {
        sections[entry]
        for entry, entry_sides in sides.items()
        if len(entry_sides) > 1 or "" in entry_sides
    }
    return {
        entry: (sections[entry], "" if sections[entry] in mixed_sections else min(entry_sides))
        for entry, entry_sides in sides.items()
    }


def _find_sections(rows: list[EntrySeat], *, across: bool) -> dict[int, str]:
    """Return the section in which each entry is ranked."""
    first = {row.section for row in rows if row.session == rows[0].session}
    section_by_entry: dict[int, str] = {}
    for row in rows:
        section_by_entry.setdefault(row.entry, row.section)
    if across or not set(section_by_entry.values()) <= first:
        only = min(first) if len(first) == 1 and not across else ""
        return dict.fromkeys(section_by_entry, only)
    return section_by_entry


def load_earlier_sides(session: Session) -> dict[int, str]:
    """Return the side of each entry, by key, if it was the same in all earlier sessions.

    Entries that sat on both sides, or played a movement with one winner, are left out.
    """
    places = Place.objects.filter(
        section__session__event=session.event_id,
        section__session__number__lt=session.number,
        entry__isnull=False,
    )
    sides: dict[int, set[str]] = defaultdict(set)
    for entry, side in places.values_list("entry", "field"):
        sides[entry].add(side)
    return {
        entry: min(entry_sides)
        for entry, entry_sides in sides.items()
        if len(entry_sides) == 1 and "" not in entry_sides
    }


def choose_missing_side(sides: Mapping[int, str]) -> str:
    """Return the side with fewer entries, where a missing pair does least harm; "" if equal."""
    ns, ew = (list(sides.values()).count(side) for side in ("NS", "EW"))
    return "" if ns == ew else "EW" if ns > ew else "NS"
