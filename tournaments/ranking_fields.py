"""The ranking fields of an event: the entries that are ranked together over all sessions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tournaments.models import Place, Session

RankingField = tuple[str, str]
"""A section, or "" for all of them, and a side, or "" for one ranking of both sides."""


class EntrySeat(NamedTuple):
    """The place of an entry in one session."""

    entry: int
    session: int
    section: str
    side: str  # NS or EW; "" where the movement has one winner


def map_entries_to_fields(
    seatings: Iterable[EntrySeat], *, across: bool = False
) -> dict[int, RankingField]:
    """Return the field in which each entry is ranked; `seatings` are ordered by session.

    An entry is ranked in the first section that it sat in. N-S and E-W of a section are ranked
    separately only if all its entries kept one side in all sessions; otherwise the section has
    one ranking. So no field has entries of two sides while another one has a direction. With
    `across`, or if an entry later joins a section that the first session did not have, all
    sections are one.
    """
    rows = list(seatings)
    sections = _find_sections(rows, across=across)
    sides: dict[int, set[str]] = defaultdict(set)
    for row in rows:
        sides[row.entry].add(row.side)
    mixed = {sections[entry] for entry, own in sides.items() if len(own) > 1 or "" in own}
    return {
        entry: (sections[entry], "" if sections[entry] in mixed else min(own))
        for entry, own in sides.items()
    }


def _find_sections(rows: list[EntrySeat], *, across: bool) -> dict[int, str]:
    """Return the section in which each entry is ranked."""
    first = {row.section for row in rows if row.session == rows[0].session}
    found: dict[int, str] = {}
    for row in rows:
        found.setdefault(row.entry, row.section)
    if across or not set(found.values()) <= first:
        only = min(first) if len(first) == 1 and not across else ""
        return dict.fromkeys(found, only)
    return found


def load_earlier_sides(session: Session) -> dict[int, str]:
    """Return the side of each entry, by its key, if it was the same in all earlier sessions.

    Entries that sat on both sides, or that played a movement with one winner, are left out.
    """
    places = Place.objects.filter(
        section__session__event=session.event_id,
        section__session__number__lt=session.number,
        entry__isnull=False,
    )
    sides: dict[int, set[str]] = defaultdict(set)
    for entry, side in places.values_list("entry", "field"):
        sides[entry].add(side)
    return {entry: min(own) for entry, own in sides.items() if len(own) == 1 and "" not in own}


def choose_missing_side(sides: Mapping[int, str]) -> str:
    """Return the side with fewer entries, on which a pair is better missing; "" if equal."""
    ns, ew = (list(sides.values()).count(side) for side in ("NS", "EW"))
    return "" if ns == ew else "EW" if ns > ew else "NS"
