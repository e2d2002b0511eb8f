"""A night's hands reckoned into games and rubbers; nothing is kept but the hands.

A correction is therefore a hand put in another's place and everything reckoned again, and its
undo is the first hand put back.

Guarantee: by the terms of `pole` and `english-1900` a rubber is worth 1 to 8 points (rules W7).
That the next game begins at love whatever was over, and what an unfinished rubber is worth, are
readings of ours. Source: rules W5–W7.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Count, Hand, Side
from rubbers.rubber.marking import ScoreLine, mark
from rubbers.rubber.terms import RubberTerms, Unfinished, Worth


class Game(NamedTuple):
    """A game won: the losers' score, and what it is worth; None where games are counted."""

    winner: Side
    losers: int
    value: int | None


class Rubber(NamedTuple):
    """A rubber won: its games, and its points; None where games are counted."""

    winner: Side
    games: tuple[Game, ...]
    points: int | None


class ScoredHand(NamedTuple):
    """A hand on the marker: its lines, the score after it, and what it brought to an end.

    The score is that before it returns to love for the next game.
    """

    number: int
    lines: tuple[ScoreLine, ...]
    score: Count
    game: Game | None = None
    rubber: Rubber | None = None


class Remainder(NamedTuple):
    """What an unfinished rubber is worth: nobody's where the games are level."""

    winner: Side | None
    games: int
    points: int | None


@dataclass(frozen=True, kw_only=True)
class Reckoning:
    """Hands with their games and rubbers, and where the table stands now."""

    hands: tuple[ScoredHand, ...]
    games: tuple[Game, ...]
    rubbers: tuple[Rubber, ...]
    score: Count
    """The running game."""
    running: tuple[Game, ...]
    """The games of the rubber that is not finished; none where there are no rubbers."""

    @property
    def ended_early(self) -> int | None:
        """The hand with which a rubber ended though others follow it, counted from 1."""
        return next((each.number for each in self.hands[:-1] if each.rubber), None)


def reckon(terms: RubberTerms, hands: Sequence[Hand]) -> Reckoning:
    """Reckon hands from love. Raises UnreadableRubber, which names the hand."""
    done: list[ScoredHand] = []
    running: tuple[Game, ...] = ()
    score = Count()
    for number, hand in enumerate(hands, start=1):
        scored = _scored(terms, score, number, hand)
        if scored.game is not None:
            running = (*running, scored.game)
            scored = scored._replace(rubber=_rubber(terms, running))
        if scored.rubber or terms.best_of is None:
            running = ()
        score = Count() if scored.game else scored.score
        done.append(scored)
    return Reckoning(
        hands=tuple(done),
        games=tuple(scored.game for scored in done if scored.game),
        rubbers=tuple(scored.rubber for scored in done if scored.rubber),
        score=score,
        running=running,
    )


def value(terms: RubberTerms, losers: int) -> int | None:
    """Tell what a game is worth by its losers' score."""
    if terms.worth is Worth.GAMES:
        return None
    if terms.worth is Worth.MARGIN:
        return terms.game - losers
    if losers == 0:
        return 3
    return 2 if 2 * losers < terms.game else 1


def remainder(terms: RubberTerms, reckoning: Reckoning) -> Remainder | None:
    """Tell what the rubber that is not finished is worth when the night ends, if anything.

    The running game counts nothing, and neither does the bonus.
    """
    games = reckoning.running
    if not games or terms.unfinished is Unfinished.VOID:
        return None
    balance = {side: _balance(games, side) for side in Side}
    ahead = next((side for side in Side if balance[side] > 0), None)
    points = None if terms.worth is Worth.GAMES else abs(balance[Side.A])
    return Remainder(ahead, len(games), points)


def corrected(hands: Sequence[Hand], number: int, hand: Hand) -> tuple[Hand, ...]:
    """Put a hand in the place of another, counted from 1. Raises UnreadableRubber."""
    if not 1 <= number <= len(hands):
        raise UnreadableRubber.at(_("hand %s") % number, _("there is no such hand"))
    return (*hands[: number - 1], hand, *hands[number:])


def _scored(terms: RubberTerms, score: Count, number: int, hand: Hand) -> ScoredHand:
    try:
        marked = mark(terms, score, hand)
    except UnplayableHand as problem:
        raise UnreadableRubber.at(_("hand %s") % number, problem) from None
    won = marked.winner
    game = None
    if won:
        losers = marked.score.of(won.other)
        game = Game(won, losers, value(terms, losers))
    return ScoredHand(number, marked.lines, marked.score, game)


def _rubber(terms: RubberTerms, games: tuple[Game, ...]) -> Rubber | None:
    """Close the rubber if its last game won it."""
    winner = games[-1].winner
    won = [game for game in games if game.winner is winner]
    if terms.best_of is None or 2 * len(won) < terms.best_of:
        return None
    if terms.worth is Worth.GAMES:
        return Rubber(winner, games, None)
    taken = won if not terms.losers_off else games
    return Rubber(winner, games, _balance(taken, winner) + terms.bonus)


def _balance(games: Sequence[Game], side: Side) -> int:
    """Add up the games of one side less those of the other, as ones where they are counted."""
    signed = [(1 if game.winner is side else -1, game.value) for game in games]
    return sum(sign * (1 if worth is None else worth) for sign, worth in signed)
