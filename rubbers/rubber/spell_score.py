"""Scores a sequence of hands as games and rubbers. Source: rules W5–W7.

The rules do not mention two cases. We let the next game begin at love even if points were left
over. The value of an unfinished rubber is also our interpretation.
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
    """A game that a side has won, with the losers' score and the value of the game.

    The value is None if the code of laws only counts games.
    """

    winner: Side
    losers_score: int
    value: int | None


class WonRubber(NamedTuple):
    """A rubber that a side has won, with its games and its points.

    The points are None if the code of laws only counts games.
    """

    winner: Side
    games: tuple[Game, ...]
    points: int | None


class ScoredHand(NamedTuple):
    """A scored hand: the changes of the score, the new score, and the game or rubber it ended.

    After the last hand of a game, `score` is the final score of that game.
    """

    number: int
    score_lines: tuple[ScoreLine, ...]
    score: SideCounts
    won_game: Game | None = None
    won_rubber: WonRubber | None = None


class UnfinishedRubberValue(NamedTuple):
    """The value of an unfinished rubber.

    `winner` is the leading side, or None if neither side leads. The field names are keys in the
    output of the command `rubber`.
    """

    winner: Side | None
    games: int
    """The number of finished games."""
    points: int | None


@dataclass(frozen=True, kw_only=True)
class ScoredSpell:
    """The scored hands of a spell, with the games and rubbers that they have decided."""

    hands: tuple[ScoredHand, ...]
    games: tuple[Game, ...]
    rubbers: tuple[WonRubber, ...]
    score: SideCounts
    """The score of the game in play."""
    unfinished_games: tuple[Game, ...]
    """The finished games of the rubber in play; empty if no rubbers are played."""

    @property
    def early_end_hand_number(self) -> int | None:
        """The number of the first hand that ended a rubber before the last hand, or None."""
        return next((hand.number for hand in self.hands[:-1] if hand.won_rubber), None)


def score_hands(terms: RubberTerms, hands: Sequence[Hand]) -> ScoredSpell:
    """Score hands, beginning at love all; raise UnreadableRubber with the invalid hand."""
    scored_hands: list[ScoredHand] = []
    unfinished_games: tuple[Game, ...] = ()
    score = SideCounts()
    for hand_number, hand in enumerate(hands, start=1):
        scored_hand = _score_hand(terms, score, hand_number, hand)
        if scored_hand.won_game is not None:
            unfinished_games = (*unfinished_games, scored_hand.won_game)
            scored_hand = scored_hand._replace(
                won_rubber=_find_won_rubber(terms, unfinished_games)
            )
        if scored_hand.won_rubber or terms.best_of is None:
            unfinished_games = ()
        score = SideCounts() if scored_hand.won_game else scored_hand.score
        scored_hands.append(scored_hand)
    return ScoredSpell(
        hands=tuple(scored_hands),
        games=tuple(
            scored_hand.won_game for scored_hand in scored_hands if scored_hand.won_game
        ),
        rubbers=tuple(
            scored_hand.won_rubber for scored_hand in scored_hands if scored_hand.won_rubber
        ),
        score=score,
        unfinished_games=unfinished_games,
    )


def compute_game_value(terms: RubberTerms, losers_score: int) -> int | None:
    """Return the value of a game, which depends on the losers' score; None without values."""
    if terms.game_value_rule is GameValueRule.GAMES:
        return None
    if terms.game_value_rule is GameValueRule.MARGIN:
        return terms.points_per_game - losers_score
    if losers_score == 0:
        return 3
    return 2 if 2 * losers_score < terms.points_per_game else 1


def compute_unfinished_rubber(
    terms: RubberTerms, scored_spell: ScoredSpell
) -> UnfinishedRubberValue | None:
    """Return the value of an unfinished rubber when the night ends; None if it has no value.

    The game in play does not count, and there is no bonus.
    """
    games = scored_spell.unfinished_games
    if not games or terms.unfinished_rule is UnfinishedRule.VOID:
        return None
    value_balance_by_side = {side: _compute_value_balance(games, side) for side in Side}
    leading_side = next((side for side in Side if value_balance_by_side[side] > 0), None)
    points = (
        None
        if terms.game_value_rule is GameValueRule.GAMES
        else abs(value_balance_by_side[Side.A])
    )
    return UnfinishedRubberValue(leading_side, len(games), points)


def replace_hand(hands: Sequence[Hand], hand_number: int, hand: Hand) -> tuple[Hand, ...]:
    """Replace one hand, counted from 1; raise UnreadableRubber if it does not exist."""
    if not 1 <= hand_number <= len(hands):
        raise UnreadableRubber.create_at_path(_("hand %s") % hand_number, _("hand not found"))
    return (*hands[: hand_number - 1], hand, *hands[hand_number:])


def _score_hand(
    terms: RubberTerms, score: SideCounts, hand_number: int, hand: Hand
) -> ScoredHand:
    try:
        hand_score = score_hand(terms, score, hand)
    except UnplayableHand as problem:
        raise UnreadableRubber.create_at_path(_("hand %s") % hand_number, problem) from None
    winner = hand_score.winner
    won_game = None
    if winner:
        losers_score = hand_score.score.get_count(winner.opponents)
        won_game = Game(winner, losers_score, compute_game_value(terms, losers_score))
    return ScoredHand(hand_number, hand_score.score_lines, hand_score.score, won_game)


def _find_won_rubber(terms: RubberTerms, games: tuple[Game, ...]) -> WonRubber | None:
    """Return the rubber if a side has won it with the last game, else None."""
    winner = games[-1].winner
    won_games = [game for game in games if game.winner is winner]
    if terms.best_of is None or 2 * len(won_games) < terms.best_of:
        return None
    if terms.game_value_rule is GameValueRule.GAMES:
        return WonRubber(winner, games, None)
    counted_games = won_games if not terms.subtracts_losers_games else games
    return WonRubber(
        winner, games, _compute_value_balance(counted_games, winner) + terms.rubber_bonus
    )


def _compute_value_balance(games: Sequence[Game], side: Side) -> int:
    """Return the value of one side's games minus the value of the other side's games.

    A game without a value counts as 1.
    """
    signs_and_values = [(1 if game.winner is side else -1, game.value) for game in games]
    return sum(sign * (1 if value is None else value) for sign, value in signs_and_values)
