"""The ranking by totals of matches: totals, corrected totals and tie-breaks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from tournaments.swiss.field import Id, get_id_sort_key

EntryId = TypeVar("EntryId", bound=Id)
LONG_EVENT_BOARDS = 48
"""The number of boards from which the corrected total decides by default."""


@dataclass(frozen=True, slots=True)
class SwissMatch:
    """A match of two entries: the first entry's margin, and the boards won and lost."""

    round: int
    first_entry: Id
    second_entry: Id
    margin: Fraction
    boards_won: int = 0
    boards_lost: int = 0


@dataclass(frozen=True, slots=True)
class SwissRank:
    """One entry's row in the ranking."""

    id: Id
    rank: int
    total: Fraction
    corrected_total: Fraction
    boards_won: int
    matches_played: int


def score_unfinished(
    margin: Fraction, boards_played: int, boards_planned: int | Fraction
) -> tuple[Fraction, int] | None:
    """Return the margin and the number of boards with which an unfinished match counts.


    Returns None, which means an average, if less than half of the match was played.
    """
    return (margin, boards_played) if 2 * boards_played >= boards_planned else None


def rank_entries(
    matches: Sequence[SwissMatch],
    entries: Iterable[Id],
    *,
    byes: Mapping[Id, Fraction] | None = None,
    is_by_corrected: bool = False,
    boards: int = 0,
) -> list[SwissRank]:
    """Rank entries by the total, or by the corrected total.

    The corrected total decides if `is_by_corrected` was chosen before play, or if the event has
    at least LONG_EVENT_BOARDS boards. It is the entry's total, plus the sum of the opponents'
    totals divided by the number of rounds. The entry's own mean replaces a missing opponent.
    Ties are broken by the other of the two totals, then by the match between two entries, then
    by boards won. Entries that are equal in all of these share a place.

    Source: a decision of this project.
    """
    counters = _MatchCounters(
        {entry: (byes or {}).get(entry, Fraction(0)) for entry in entries}
    )
    for match in matches:
        counters.add(match.first_entry, match.second_entry, match.margin, match.boards_won)
        counters.add(match.second_entry, match.first_entry, -match.margin, match.boards_lost)
    totals, opponents, boards_won = counters.totals, counters.opponents, counters.boards_won
    corrected_totals = compute_corrected_totals(totals, opponents)
    deciding_totals = (
        corrected_totals if is_by_corrected or boards >= LONG_EVENT_BOARDS else totals
    )
    tie_break_totals = totals if deciding_totals is corrected_totals else corrected_totals

    tied_groups: dict[tuple[Fraction, Fraction], list[Id]] = {}
    for entry in sorted(totals, key=get_id_sort_key):
        tied_groups.setdefault((-deciding_totals[entry], -tie_break_totals[entry]), []).append(
            entry
        )
    ranked_entries: list[SwissRank] = []
    for totals_key in sorted(tied_groups):
        for tied_entries in _break_ties(tied_groups[totals_key], counters.margins, boards_won):
            rank = len(ranked_entries) + 1
            ranked_entries += [
                SwissRank(
                    entry,
                    rank,
                    totals[entry],
                    corrected_totals[entry],
                    boards_won[entry],
                    len(opponents[entry]),
                )
                for entry in tied_entries
            ]
    return ranked_entries


def compute_corrected_totals(
    totals: Mapping[EntryId, Fraction], opponents_by_entry: Mapping[EntryId, Sequence[EntryId]]
) -> dict[EntryId, Fraction]:
    """Return each entry's total plus the mean of the opponents' totals.


    `opponents_by_entry` lists the opponent of each match. The entry's own mean per match
    replaces a missing opponent.
    """
    round_count = max((len(opponents) for opponents in opponents_by_entry.values()), default=0)
    return {
        entry: _compute_corrected_total(entry, totals, opponents_by_entry, round_count)
        for entry in totals
    }


class _MatchCounters:
    """The totals, boards won and opponents of each entry, counted match by match."""

    def __init__(self, totals: dict[Id, Fraction]) -> None:
        self.totals = totals
        self.boards_won: dict[Id, int] = dict.fromkeys(totals, 0)
        self.opponents: dict[Id, list[Id]] = {entry: [] for entry in totals}
        self.margins: dict[tuple[Id, Id], Fraction] = {}

    def add(self, entry: Id, opponent: Id, margin: Fraction, boards_won: int) -> None:
        """Add a match to the counters of one of its entries."""
        self.totals[entry] = self.totals.get(entry, Fraction(0)) + margin
        self.boards_won[entry] = self.boards_won.get(entry, 0) + boards_won
        self.opponents.setdefault(entry, []).append(opponent)
        self.margins[entry, opponent] = (
            self.margins.get((entry, opponent), Fraction(0)) + margin
        )


def _break_ties(
    tied_entries: list[Id],
    margins: Mapping[tuple[Id, Id], Fraction],
    boards_won: Mapping[Id, int],
) -> list[list[Id]]:
    """Return groups of tied entries that remain equal after the tie-breaks, the best first.

    The match between tied entries decides only if there are two, because three entries may have
    beaten each other in a circle.
    """
    if len(tied_entries) == 2:
        entry, other_entry = tied_entries
        margin = margins.get((entry, other_entry), Fraction(0))
        if margin:
            return [[entry], [other_entry]] if margin > 0 else [[other_entry], [entry]]
    entries_by_boards_won: dict[int, list[Id]] = {}
    for entry in tied_entries:
        entries_by_boards_won.setdefault(-boards_won[entry], []).append(entry)
    return [entries_by_boards_won[key] for key in sorted(entries_by_boards_won)]


def _compute_corrected_total(
    entry: EntryId,
    totals: Mapping[EntryId, Fraction],
    opponents_by_entry: Mapping[EntryId, Sequence[EntryId]],
    round_count: int,
) -> Fraction:
    own_total = totals[entry]
    if not round_count:
        return own_total
    opponents_total = sum(
        (totals[opponent] for opponent in opponents_by_entry[entry]), Fraction(0)
    )
    missing_count = round_count - len(opponents_by_entry[entry])
    mean = (
        own_total / len(opponents_by_entry[entry]) if opponents_by_entry[entry] else Fraction(0)
    )
    return own_total + (opponents_total + missing_count * mean) / round_count
