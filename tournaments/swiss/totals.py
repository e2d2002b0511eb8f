"""The ranking by totals of matches: totals, corrected totals and tie-breaks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from tournaments.swiss.field import Id, id_sort_key

AnId = TypeVar("AnId", bound=Id)
LONG_EVENT_BOARDS = 48  # boards, from which the corrected total decides by default


@dataclass(frozen=True, slots=True)
class SwissMatch:
    """A match of two entries: the margin of the first, and the boards that each won."""

    round: int
    one: Id
    other: Id
    margin: Fraction
    won: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class SwissRank:
    """One entry's row in the ranking."""

    id: Id
    rank: int
    total: Fraction
    corrected: Fraction
    boards_won: int
    played: int


def score_unfinished(
    margin: Fraction, played: int, planned: int | Fraction
) -> tuple[Fraction, int] | None:
    """Return the margin and the number of boards that count of an unfinished match.

    Returns None, which means an average, if less than half of the match was played.
    """
    return (margin, played) if 2 * played >= planned else None


def rank_entries(
    matches: Sequence[SwissMatch],
    entries: Iterable[Id],
    *,
    byes: Mapping[Id, Fraction] | None = None,
    by_corrected: bool = False,
    boards: int = 0,
) -> list[SwissRank]:
    """Rank entries by the total, or by the corrected total.

    The corrected total decides with `by_corrected`, chosen before play, or from
    LONG_EVENT_BOARDS boards on. It is the entry's total, plus the sum of the opponents' totals
    divided by the number of rounds. The entry's own mean replaces a missing opponent. Ties are
    broken by the other of the two totals, then by the match between two entries, then by
    boards won. Entries equal in all of these share a place. The largest margin breaks no tie.

    Source: decided here.
    """
    count = _MatchCounters({entry: (byes or {}).get(entry, Fraction(0)) for entry in entries})
    for match in matches:
        count.add(match.one, match.other, match.margin, match.won)
        count.add(match.other, match.one, -match.margin, match.lost)
    totals, met, won = count.totals, count.met, count.won
    corrected = compute_corrected_totals(totals, met)
    first = corrected if by_corrected or boards >= LONG_EVENT_BOARDS else totals
    second = totals if first is corrected else corrected

    groups: dict[tuple[Fraction, Fraction], list[Id]] = {}
    for entry in sorted(totals, key=id_sort_key):
        groups.setdefault((-first[entry], -second[entry]), []).append(entry)
    lines: list[SwissRank] = []
    for key in sorted(groups):
        for tied in _break_ties(groups[key], count.between, won):
            rank = len(lines) + 1
            lines += [
                SwissRank(
                    entry, rank, totals[entry], corrected[entry], won[entry], len(met[entry])
                )
                for entry in tied
            ]
    return lines


def compute_corrected_totals(
    totals: Mapping[AnId, Fraction], met: Mapping[AnId, Sequence[AnId]]
) -> dict[AnId, Fraction]:
    """Return each entry's total plus the mean of its opponents' totals.

    `met` lists the opponent of each match. The entry's own mean per match replaces a missing
    opponent.
    """
    rounds = max((len(opponents) for opponents in met.values()), default=0)
    return {entry: _compute_corrected(entry, totals, met, rounds) for entry in totals}


class _MatchCounters:
    """The totals, boards won and opponents of each entry, counted match by match."""

    def __init__(self, totals: dict[Id, Fraction]) -> None:
        self.totals = totals
        self.won: dict[Id, int] = dict.fromkeys(totals, 0)
        self.met: dict[Id, list[Id]] = {entry: [] for entry in totals}
        self.between: dict[tuple[Id, Id], Fraction] = {}

    def add(self, one: Id, other: Id, margin: Fraction, won: int) -> None:
        """Add a match to the counters of one of its entries."""
        self.totals[one] = self.totals.get(one, Fraction(0)) + margin
        self.won[one] = self.won.get(one, 0) + won
        self.met.setdefault(one, []).append(other)
        self.between[one, other] = self.between.get((one, other), Fraction(0)) + margin


def _break_ties(
    equal: list[Id], between: Mapping[tuple[Id, Id], Fraction], won: Mapping[Id, int]
) -> list[list[Id]]:
    """Return groups of tied entries that remain equal after the tie-breaks, the best first.

    The match between them only decides between two entries, because three may have beaten each
    other in a circle.
    """
    if len(equal) == 2:
        one, other = equal
        result = between.get((one, other), Fraction(0))
        if result:
            return [[one], [other]] if result > 0 else [[other], [one]]
    parted: dict[int, list[Id]] = {}
    for entry in equal:
        parted.setdefault(-won[entry], []).append(entry)
    return [parted[key] for key in sorted(parted)]


def _compute_corrected(
    entry: AnId,
    totals: Mapping[AnId, Fraction],
    met: Mapping[AnId, Sequence[AnId]],
    rounds: int,
) -> Fraction:
    own_total = totals[entry]
    if not rounds:
        return own_total
    opponents = sum((totals[each] for each in met[entry]), Fraction(0))
    missing = rounds - len(met[entry])
    mean = own_total / len(met[entry]) if met[entry] else Fraction(0)
    return own_total + (opponents + missing * mean) / rounds
