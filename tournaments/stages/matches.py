"""The matches of a knock-out as they stand: margins, extra boards, winners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tournaments.stages.brackets import Key, Slot, bracket

NOTHING = Fraction()


@dataclass(frozen=True, slots=True)
class Score:
    """What a match has come to: margins of its first side by segment, and of extra boards.

    `given` is who goes on where the director says it: a side that did not come, a lot, a
    winner who was let stand. It is a seed.
    """

    margins: tuple[Fraction, ...] = ()
    extra: tuple[Fraction, ...] = ()
    given: Slot = None

    @property
    def total(self) -> Fraction:
        """The margin of the first side, with the extra boards up to the first that decide."""
        total = sum(self.margins, NOTHING)
        for margin in self.extra:
            if total:
                break
            total += margin
        return total

    def as_data(self) -> dict[str, Any]:
        """Write it down as a row keeps it."""
        return {
            "margins": [str(each) for each in self.margins],
            "extra": [str(each) for each in self.extra],
            "given": self.given,
        }


def score_of(data: Mapping[str, Any]) -> Score:
    """Read what a row keeps."""
    return Score(
        margins=tuple(map(Fraction, data.get("margins", ()))),
        extra=tuple(map(Fraction, data.get("extra", ()))),
        given=data.get("given"),
    )


@dataclass(frozen=True, slots=True)
class Match:
    """One match of the bracket as it stands; sides are seeds."""

    round: int
    number: int
    one: Slot
    other: Slot
    winner: Slot = None
    bye: bool = False
    score: Score = field(default_factory=Score)
    is_level: bool = False  # all segments are in, and nobody has won

    @property
    def key(self) -> Key:
        """Its round and number."""
        return self.round, self.number

    @property
    def can_be_played(self) -> bool:
        """Whether both sides are known."""
        return not self.bye and self.one is not None and self.other is not None

    @property
    def loser(self) -> Slot:
        """Who is out by it; None while nobody is."""
        if self.winner is None or self.bye:
            return None
        return self.other if self.winner == self.one else self.one


def winner_of(
    one: int, other: int, score: Score, *, segments: int, seed_wins: bool
) -> tuple[Slot, bool]:
    """Who goes on, and whether all is played and the match is level.

    `seed_wins` gives a match to the higher seed that is level after its extra boards.
    """
    if score.given is not None:
        return score.given, False
    if len(score.margins) < segments:
        return None, False
    if score.total:
        return (one if score.total > 0 else other), False
    if score.extra and seed_wins:
        return min(one, other), False
    return None, True


def matches(
    entrants: int, scores: Mapping[Key, Score], *, segments: int, seed_wins: bool
) -> list[list[Match]]:
    """The whole bracket, round by round, as far as its scores bring it.

    A score of a match whose sides are not known counts nothing.
    """
    winners: dict[Key, int] = {}
    found: list[list[Match]] = []
    rounds = len(bracket(entrants))
    for number in range(1, rounds + 1):
        row = []
        for tie in bracket(entrants, winners)[number - 1]:
            score = scores.get((tie.round, tie.number), Score())
            winner, is_level = tie.winner, False
            if not tie.bye and tie.one is not None and tie.other is not None:
                winner, is_level = winner_of(
                    tie.one, tie.other, score, segments=segments, seed_wins=seed_wins
                )
                if winner not in (tie.one, tie.other):
                    winner = None
            if winner is not None and not tie.bye:
                winners[tie.round, tie.number] = winner
            sides = tie.round, tie.number, tie.one, tie.other
            row.append(Match(*sides, winner, tie.bye, score, is_level))
        found.append(row)
    return found


def begun_after(rounds: Sequence[Sequence[Match]], key: Key) -> list[Key]:
    """The later matches on the way from one that have a score already."""
    number, match = key
    found = []
    while number < len(rounds):
        number, match = number + 1, (match + 1) // 2
        score = rounds[number - 1][match - 1].score
        if score == Score():
            break
        found.append((number, match))
    return found


def losers_of(rounds: Sequence[Sequence[Match]], number: int) -> list[int]:
    """The seeds that are out by the matches of a round, the highest first."""
    return sorted(each.loser for each in rounds[number - 1] if each.loser is not None)
