"""The scores of a sequence of hands as games and rubbers; only the hands are stored.

A correction replaces one hand, and all hands are scored again.

Guarantee: by the terms of `pole` and `english-1900` a rubber is worth 1 to 8 points (rules W7).
Two interpretations are ours: the next game begins at love even if points were left over, and
the value of an unfinished rubber.

Source: rules W5–W7.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hand_score import ScoreLine, score_hand
from rubbers.rubber.hands import Hand, Side, SideCounts
from rubbers.rubber.terms import GameValueRule, RubberTerms, UnfinishedRule


class Game(NamedTuple):
    """A game won: the losers' score and the value; None where games are counted."""

    winner: Side
    losers: int
    value: int | None


class Rubber(NamedTuple):
    """A rubber won: its games and its points; None where games are counted."""

    winner: Side
    games: tuple[Game, ...]
    points: int | None


class ScoredHand(NamedTuple):
    """A scored hand: its lines, the score after it, and the game or rubber that it ended.

    The score is that before it returns to love for the next game.
    """

    number: int
    lines: tuple[ScoreLine, ...]
    score: SideCounts
    game: Game | None = None
    rubber: Rubber | None = None


class UnfinishedRubber(NamedTuple):
    """The value of an unfinished rubber; the winner is None where the games are level."""

    winner: Side | None
    games: int
    points: int | None


@dataclass(frozen=True, kw_only=True)
class ScoredSpell:
    """The scored hands of a spell, with their games and rubbers, and the present score."""

    hands: tuple[ScoredHand, ...]
    games: tuple[Game, ...]
    rubbers: tuple[Rubber, ...]
    score: SideCounts
    """The score of the running game."""
    unfinished_games: tuple[Game, ...]
    """The games of the unfinished rubber; empty where there are no rubbers."""

    @property
    def early_end(self) -> int | None:
        """The number of the hand that ended a rubber although other hands follow; None if none
        did.
        """
        return next((hand.number for hand in self.hands[:-1] if hand.rubber), None)


def score_hands(terms: RubberTerms, hands: Sequence[Hand]) -> ScoredSpell:
    """Score hands from love. Raises UnreadableRubber, which names the hand."""
    scored_hands: list[ScoredHand] = []
    running: tuple[Game, ...] = ()
    score = SideCounts()
    for number, hand in enumerate(hands, start=1):
        scored = _score_hand(terms, score, number, hand)
        if scored.game is not None:
            running = (*running, scored.game)
            scored = scored._replace(rubber=_close_rubber(terms, running))
        if scored.rubber or terms.best_of is None:
            running = ()
        score = SideCounts() if scored.game else scored.score
        scored_hands.append(scored)
    return ScoredSpell(
        hands=tuple(scored_hands),
        games=tuple(scored.game for scored in scored_hands if scored.game),
        rubbers=tuple(scored.rubber for scored in scored_hands if scored.rubber),
        score=score,
        unfinished_games=running,
    )


def compute_game_value(terms: RubberTerms, losers: int) -> int | None:
    """Return the value of a game by its losers' score."""
    if terms.worth is GameValueRule.GAMES:
        return None
    if terms.worth is GameValueRule.MARGIN:
        return terms.game - losers
    if losers == 0:
        return 3
    return 2 if 2 * losers < terms.game else 1


def compute_unfinished(terms: RubberTerms, reckoning: ScoredSpell) -> UnfinishedRubber | None:
    """Return the value of an unfinished rubber when the night ends; None if it has no value.

    The running game does not count, and there is no bonus.
    """
    games = reckoning.unfinished_games
    if not games or terms.unfinished is UnfinishedRule.VOID:
        return None
    balance = {side: _sum_balance(games, side) for side in Side}
    leading_side = next((side for side in Side if balance[side] > 0), None)
    points = None if terms.worth is GameValueRule.GAMES else abs(balance[Side.A])
    return UnfinishedRubber(leading_side, len(games), points)


def replace_hand(hands: Sequence[Hand], number: int, hand: Hand) -> tuple[Hand, ...]:
    """Return the hands with one of them, counted from 1, replaced. Raises UnreadableRubber."""
    if not 1 <= number <= len(hands):
        raise UnreadableRubber.at_place(_("hand %s") % number, _("hand not found"))
    return (*hands[: number - 1], hand, *hands[number:])


def _score_hand(terms: RubberTerms, score: SideCounts, number: int, hand: Hand) -> ScoredHand:
    try:
        hand_score = score_hand(terms, score, hand)
    except UnplayableHand as problem:
        raise UnreadableRubber.at_place(_("hand %s") % number, problem) from None
    won = hand_score.winner
    game = None
    if won:
        losers = hand_score.score.get_side(won.opponents)
        game = Game(won, losers, compute_game_value(terms, losers))
    return ScoredHand(number, hand_score.lines, hand_score.score, game)


def _close_rubber(terms: RubberTerms, games: tuple[Game, ...]) -> Rubber | None:
    """Close the rubber if its last game won it."""
    winner = games[-1].winner
    won = [game for game in games if game.winner is winner]
    if terms.best_of is None or 2 * len(won) < terms.best_of:
        return None
    if terms.worth is GameValueRule.GAMES:
        return Rubber(winner, games, None)
    counted_games = won if not terms.losers_off else games
    return Rubber(winner, games, _sum_balance(counted_games, winner) + terms.bonus)


def _sum_balance(games: Sequence[Game], side: Side) -> int:
    """Return the values of one side's games minus those of the other side; a counted game has
    the value 1.
    """
    signed_values = [(1 if game.winner is side else -1, game.value) for game in games]
    return sum(sign * (1 if value is None else value) for sign, value in signed_values)
