"""Drawn rounds that an entry missed: sit-outs, and matches without a board played."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from fractions import Fraction

from scoring.standings_engine.seats import SittingSides

WHOLE_ROUND = Fraction(1)
PlayKey = tuple[int, int]
"""A sitting and a board."""
MissedRounds = dict[int, dict[tuple[int, int], Fraction]]
"""The missed fraction of each round, by session, and then by entry and round."""
UnplayedMatches = Mapping[SittingSides, Mapping[int, Fraction]]
"""Matches without a board played, by their first sitting: the fraction each entry missed."""


def find_unplayed_matches(
    sittings: Mapping[int, SittingSides],
    played: Set[int],
    *,
    list_entered_plays: Callable[[], Set[PlayKey]],
    only_sittings: Set[int] | None,
) -> UnplayedMatches:
    """Return the drawn matches that ended without a board played, at all or some tables.

    `played` are the sittings with counting lines; `list_entered_plays` returns the entered
    plays. A match has ended when all its boards are entered as not played, or when its session
    is closed. It can be a half of a three-way match.
    """
    matches: dict[tuple[int, int, frozenset[int]], dict[int, SittingSides]] = defaultdict(dict)
    for pk, sides in sittings.items():
        if sides.has_drawn_rounds and sides.is_played:
            matches[sides.section, sides.match, frozenset((*sides.ns, *sides.ew))][pk] = sides
    unplayed_tables = {
        key: tables for key, tables in matches.items() if played.isdisjoint(tables)
    }
    if not unplayed_tables:
        return {}
    match_counts = Counter((*key[:2], entry) for key in matches for entry in key[2])
    entered_plays = list_entered_plays()
    unplayed_matches = {}
    for key, tables in unplayed_tables.items():
        if (only_sittings is None or tables.keys() <= only_sittings) and _is_match_over(
            tables, entered_plays
        ):
            first = min(tables.values(), key=lambda sides: sides.round)
            unplayed_matches[first] = {
                board: Fraction(1, match_counts[*key[:2], board]) for board in key[2]
            }
    return unplayed_matches


def find_missed_rounds(
    counting: Iterable[SittingSides],
    unplayed: UnplayedMatches,
    sat_out: Mapping[tuple[int, int], Collection[int]],
) -> MissedRounds:
    """Return the entries without a match in rounds that count or have an unplayed match."""
    rounds = {
        (sitting.session, sitting.section, sitting.round)
        for sitting in (*counting, *unplayed)
        if sitting.has_drawn_rounds
    }
    missed_rounds: MissedRounds = defaultdict(dict)
    for session, section, round_ in rounds:
        for entry in sat_out.get((section, round_), ()):
            missed_rounds[session][entry, round_] = WHOLE_ROUND
    for sitting, parts in unplayed.items():
        own = missed_rounds[sitting.session]
        for entry, part in parts.items():
            own[entry, sitting.round] = own.get((entry, sitting.round), Fraction()) + part
    return missed_rounds


def _is_match_over(tables: Mapping[int, SittingSides], entered_plays: Set[PlayKey]) -> bool:
    return all(
        sitting.is_closed or all((pk, board) in entered_plays for board in sitting.boards)
        for pk, sitting in tables.items()
    )
