"""Drawn rounds that an entry missed: sit-outs, and matches without a board played."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from fractions import Fraction

from scoring.standings_engine.seats import SittingSides

WHOLE_ROUND = Fraction(1)
PlayKey = tuple[int, int]
"""The key of a sitting, and the number of a board."""
MissedRounds = dict[int, dict[tuple[int, int], Fraction]]
"""The part of each round that an entry missed, by session, and then by entry and round."""
UnplayedMatches = Mapping[SittingSides, Mapping[int, Fraction]]
"""The part of its round that each entry missed, by the first sitting of an unplayed match."""


def find_unplayed_matches(
    sides_by_sitting: Mapping[int, SittingSides],
    played_sittings: Set[int],
    *,
    list_entered_plays: Callable[[], Set[PlayKey]],
    included_sittings: Set[int] | None,
) -> UnplayedMatches:
    """Return the drawn matches that ended although no board was played.

    `played_sittings` have result lines that count. `list_entered_plays` returns the entered
    plays. A match ends when all its boards are entered as not played, or when its session is
    closed. A match can be a half of a three-way match.
    """
    sittings_by_match: dict[tuple[int, int, frozenset[int]], dict[int, SittingSides]] = (
        defaultdict(dict)
    )
    for sitting_id, sitting_sides in sides_by_sitting.items():
        if sitting_sides.has_drawn_rounds and sitting_sides.is_played:
            sittings_by_match[
                sitting_sides.section_pk,
                sitting_sides.match_number,
                frozenset((*sitting_sides.ns, *sitting_sides.ew)),
            ][sitting_id] = sitting_sides
    unplayed_sittings = {
        match_key: match_sittings
        for match_key, match_sittings in sittings_by_match.items()
        if played_sittings.isdisjoint(match_sittings)
    }
    if not unplayed_sittings:
        return {}
    match_counts = Counter(
        (*match_key[:2], match_entry)
        for match_key in sittings_by_match
        for match_entry in match_key[2]
    )
    entered_plays = list_entered_plays()
    unplayed_matches = {}
    for match_key, match_sittings in unplayed_sittings.items():
        if (
            included_sittings is None or match_sittings.keys() <= included_sittings
        ) and _is_match_over(match_sittings, entered_plays):
            first_sitting = min(
                match_sittings.values(), key=lambda sitting_sides: sitting_sides.round_number
            )
            unplayed_matches[first_sitting] = {
                match_entry: Fraction(1, match_counts[*match_key[:2], match_entry])
                for match_entry in match_key[2]
            }
    return unplayed_matches


def find_missed_rounds(
    counting_sides: Iterable[SittingSides],
    unplayed_matches: UnplayedMatches,
    sit_outs_by_round: Mapping[tuple[int, int], Collection[int]],
) -> MissedRounds:
    """Return the rounds that each entry missed: it sat out, or its match was not played.

    A sit-out counts only if its round has results that count, or an unplayed match.
    """
    counting_rounds = {
        (sitting_sides.session_number, sitting_sides.section_pk, sitting_sides.round_number)
        for sitting_sides in (*counting_sides, *unplayed_matches)
        if sitting_sides.has_drawn_rounds
    }
    missed_rounds: MissedRounds = defaultdict(dict)
    for session_number, section_id, round_number in counting_rounds:
        for entry in sit_outs_by_round.get((section_id, round_number), ()):
            missed_rounds[session_number][entry, round_number] = WHOLE_ROUND
    for sitting_sides, missed_by_entry in unplayed_matches.items():
        session_rounds = missed_rounds[sitting_sides.session_number]
        for entry, fraction in missed_by_entry.items():
            session_rounds[entry, sitting_sides.round_number] = (
                session_rounds.get((entry, sitting_sides.round_number), Fraction()) + fraction
            )
    return missed_rounds


def _is_match_over(
    match_sittings: Mapping[int, SittingSides], entered_plays: Set[PlayKey]
) -> bool:
    return all(
        sitting_sides.is_closed
        or all((sitting_id, board) in entered_plays for board in sitting_sides.boards)
        for sitting_id, sitting_sides in match_sittings.items()
    )
