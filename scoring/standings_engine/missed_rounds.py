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
    played_sitting_ids: Set[int],
    *,
    list_entered_plays: Callable[[], Set[PlayKey]],
    included_sitting_ids: Set[int] | None,
) -> UnplayedMatches:
    """Return the drawn matches that ended although no board was played.

    `played_sitting_ids` have result lines that count. `list_entered_plays` returns the entered
    plays. A match ends when all its boards are entered as not played, or when its session is
    closed. A match can be a half of a three-way match.
    """
    sides_by_match_and_sitting: dict[
        tuple[int, int, frozenset[int]], dict[int, SittingSides]
    ] = defaultdict(dict)
    for sitting_id, sitting_sides in sides_by_sitting.items():
        if sitting_sides.has_drawn_rounds and sitting_sides.is_played:
            sides_by_match_and_sitting[
                sitting_sides.section_pk,
                sitting_sides.match_number,
                frozenset((*sitting_sides.ns, *sitting_sides.ew)),
            ][sitting_id] = sitting_sides
    sittings_by_unplayed_match = {
        match_key: sides_by_sitting_of_match
        for match_key, sides_by_sitting_of_match in sides_by_match_and_sitting.items()
        if played_sitting_ids.isdisjoint(sides_by_sitting_of_match)
    }
    if not sittings_by_unplayed_match:
        return {}
    match_count_by_round_and_entry = Counter(
        (*match_key[:2], entry_number)
        for match_key in sides_by_match_and_sitting
        for entry_number in match_key[2]
    )
    entered_plays = list_entered_plays()
    unplayed_matches = {}
    for match_key, sides_by_sitting_of_match in sittings_by_unplayed_match.items():
        if (
            included_sitting_ids is None
            or sides_by_sitting_of_match.keys() <= included_sitting_ids
        ) and _is_match_over(sides_by_sitting_of_match, entered_plays):
            first_sitting = min(
                sides_by_sitting_of_match.values(),
                key=lambda sitting_sides: sitting_sides.round_number,
            )
            unplayed_matches[first_sitting] = {
                entry_number: Fraction(
                    1, match_count_by_round_and_entry[*match_key[:2], entry_number]
                )
                for entry_number in match_key[2]
            }
    return unplayed_matches


def find_missed_rounds(
    scored_sitting_sides: Iterable[SittingSides],
    unplayed_matches: UnplayedMatches,
    sit_outs_by_round: Mapping[tuple[int, int], Collection[int]],
) -> MissedRounds:
    """Return the rounds that each entry missed: it sat out, or its match was not played.

    A sit-out counts only if its round has results that count, or an unplayed match.
    """
    counted_rounds = {
        (sitting_sides.session_number, sitting_sides.section_pk, sitting_sides.round_number)
        for sitting_sides in (*scored_sitting_sides, *unplayed_matches)
        if sitting_sides.has_drawn_rounds
    }
    missed_parts_by_session: MissedRounds = defaultdict(dict)
    for session_number, section_id, round_number in counted_rounds:
        for entry_number in sit_outs_by_round.get((section_id, round_number), ()):
            missed_parts_by_session[session_number][entry_number, round_number] = WHOLE_ROUND
    for sitting_sides, missed_part_by_entry in unplayed_matches.items():
        missed_parts_of_session = missed_parts_by_session[sitting_sides.session_number]
        for entry_number, missed_part in missed_part_by_entry.items():
            missed_parts_of_session[entry_number, sitting_sides.round_number] = (
                missed_parts_of_session.get(
                    (entry_number, sitting_sides.round_number), Fraction()
                )
                + missed_part
            )
    return missed_parts_by_session


def _is_match_over(
    sides_by_sitting_of_match: Mapping[int, SittingSides], entered_plays: Set[PlayKey]
) -> bool:
    return all(
        sitting_sides.is_closed
        or all(
            (sitting_id, board_number) in entered_plays for board_number in sitting_sides.boards
        )
        for sitting_id, sitting_sides in sides_by_sitting_of_match.items()
    )
