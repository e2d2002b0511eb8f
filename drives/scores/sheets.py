"""Computes each player's scores from the entered sheets, score cards and rests."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from drives.draw.participants import PlayerId, Seats
from drives.games.hand_tallies import EMPTY_TALLY, HandTally
from drives.scores.rules import RestRule, Scoring


class TableScore(NamedTuple):
    """One table's score of a round; `score` is empty until it is entered."""

    table_number: int
    seats: Seats
    score: tuple[int, ...] = ()
    extras: tuple[int, ...] = ()


class PlayedRound(NamedTuple):
    """One round as it was played: its number, its sheets, and the players who rested."""

    number: int
    sheets: tuple[TableScore, ...]
    resting_players: tuple[PlayerId, ...] = ()


class ScoreCardTotal(NamedTuple):
    """The entered total of a score card, or of a part of it, and the number of rests on it."""

    player_number: PlayerId
    card_part: int
    total: int
    rest_count: int = 0


class RestPoints(NamedTuple):
    """The points for rests, by round if the round is known, else by part of the score card."""

    points_by_round: Mapping[int, Fraction] = {}
    points_by_part: Mapping[int, Fraction] = {}


NO_RESTS = RestPoints()


class Stars(NamedTuple):
    """A player's stars: gold for winning at table 1, red for winning at another table, green
    for losing at the last table.

    Source: the stars of the older progressive games, with their head and booby tables.
    """

    gold: int = 0
    red: int = 0
    green: int = 0


NO_STARS = Stars()


@dataclass(frozen=True, kw_only=True)
class Tally:
    """One player's points by round, for rests and on score cards, and the player's stars."""

    points_by_round: Mapping[int, Fraction]
    rounds_won: Fraction
    extra_points: int
    rest_count: int
    points_by_card_part: Mapping[int, Fraction]
    points_for_rests: RestPoints = NO_RESTS
    stars: Stars = NO_STARS
    hands: HandTally = EMPTY_TALLY

    @property
    def rest_points(self) -> Fraction:
        """The sum of the points of all rests."""
        known_points = sum(self.points_for_rests.points_by_round.values(), Fraction(0))
        return sum(self.points_for_rests.points_by_part.values(), known_points)

    @property
    def total(self) -> Fraction:
        """The sum of all points."""
        return sum(
            self.points_by_round.values(),
            sum(self.points_by_card_part.values(), self.rest_points),
        )


def compute_tallies(
    rounds: Sequence[PlayedRound],
    cards: Sequence[ScoreCardTotal],
    scoring: Scoring,
    players: Sequence[PlayerId],
    card_round_counts: Mapping[PlayerId, int] | None = None,
    *,
    should_halve_ties: bool = False,
    hand_tally_by_player: Mapping[PlayerId, HandTally] | None = None,
) -> dict[PlayerId, Tally]:
    """Return the scores of each player; partners both get the score of their side.

    `card_round_counts` is the number of rounds on each player's cards, if it is known. If
    `should_halve_ties` is true, a tied round counts as half a round won for each of the four
    players.
    """
    points_by_round: dict[PlayerId, dict[int, Fraction]] = defaultdict(dict)
    rounds_won_by_player, extras_by_player = (
        defaultdict[PlayerId, Fraction](Fraction),
        defaultdict[PlayerId, int](int),
    )
    for played_round in rounds:
        for sheet in played_round.sheets:
            half_win = Fraction(should_halve_ties and is_tied(sheet), 2)
            for player, score, extra, has_won in list_player_results(sheet, scoring):
                points_by_round[player][played_round.number] = Fraction(score + extra)
                extras_by_player[player] += extra
                rounds_won_by_player[player] += has_won + half_win
    stars_by_player = _compute_stars(rounds, scoring)
    tally_by_player = {}
    for player in players:
        player_cards = [card for card in cards if card.player_number == player]
        player_rests = _collect_rests(player, rounds, player_cards, has_score_cards=bool(cards))
        rest_count = len(player_rests.rounds) + sum(player_rests.rest_count_by_part.values())
        player_average = _compute_player_average(
            points_by_round[player],
            player_cards,
            player_rests,
            (card_round_counts or {}).get(player, 0),
        )
        tally_by_player[player] = Tally(
            points_by_round=points_by_round[player],
            rounds_won=rounds_won_by_player[player],
            extra_points=extras_by_player[player],
            rest_count=rest_count,
            points_by_card_part={card.card_part: Fraction(card.total) for card in player_cards},
            points_for_rests=_compute_rest_points(player_rests, scoring, player_average),
            stars=stars_by_player.get(player, Stars()),
            hands=(hand_tally_by_player or {}).get(player, EMPTY_TALLY),
        )
    return tally_by_player


def _compute_stars(rounds: Sequence[PlayedRound], scoring: Scoring) -> dict[PlayerId, Stars]:
    """Return the stars of every player; a tied table gives none."""
    stars_by_player: dict[PlayerId, Stars] = defaultdict(Stars)
    for played_round in rounds:
        last_table_number = max(
            (sheet.table_number for sheet in played_round.sheets), default=0
        )
        for sheet in played_round.sheets:
            results = list_player_results(sheet, scoring)
            if not any(has_won for *_values, has_won in results):
                continue
            for player, _score, _extra, has_won in results:
                gold_count, red_count, green_count = stars_by_player[player]
                if has_won:
                    is_table_1 = sheet.table_number == 1
                    stars_by_player[player] = Stars(
                        gold_count + is_table_1, red_count + (not is_table_1), green_count
                    )
                elif sheet.table_number == last_table_number:
                    stars_by_player[player] = Stars(gold_count, red_count, green_count + 1)
    return dict(stars_by_player)


def list_player_results(
    sheet: TableScore, scoring: Scoring
) -> list[tuple[PlayerId, int, int, bool]]:
    """Return (player, score, extras, whether the player has won the table) for a sheet."""
    if not sheet.score:
        return []
    extra_points = sheet.extras or (0,) * len(sheet.score)
    best_points = max(
        score + extra for score, extra in zip(sheet.score, extra_points, strict=True)
    )
    score_count = len(sheet.score)
    has_single_winner = (
        sum(
            score + extra == best_points
            for score, extra in zip(sheet.score, extra_points, strict=True)
        )
        == 1
    )
    return [
        (
            player,
            sheet.score[index % score_count],
            extra_points[index % score_count],
            has_single_winner
            and sheet.score[index % score_count] + extra_points[index % score_count]
            == best_points,
        )
        for index, player in enumerate(sheet.seats)
    ]


def is_tied(sheet: TableScore) -> bool:
    """Return whether the two sides of a sheet are equal; scores by player are never tied."""
    if len(sheet.score) != 2:
        return False
    extra_points = sheet.extras or (0, 0)
    return sheet.score[0] + extra_points[0] == sheet.score[1] + extra_points[1]


class _Rests(NamedTuple):
    """A player's rests in known rounds, and the number of rests on each part of the card."""

    rounds: Sequence[PlayedRound]
    rest_count_by_part: Mapping[int, int]


def _collect_rests(
    player: PlayerId,
    rounds: Sequence[PlayedRound],
    player_cards: Sequence[ScoreCardTotal],
    *,
    has_score_cards: bool,
) -> _Rests:
    """Return a player's rests.

    A rest that is recorded both in the seats and on the card counts once. A round without
    scores was not played, unless cards were handed in.
    """
    rest_rounds = [
        played_round for played_round in rounds if player in played_round.resting_players
    ]
    entered_rest_rounds = [
        played_round for played_round in rest_rounds if has_any_score(played_round)
    ]
    unscored_rest_rounds = [
        played_round
        for played_round in rest_rounds
        if has_score_cards and not has_any_score(played_round)
    ]
    rest_count_by_part = {
        card.card_part: card.rest_count for card in player_cards if card.rest_count
    }
    if sum(rest_count_by_part.values()) >= len(unscored_rest_rounds):
        return _Rests(entered_rest_rounds, rest_count_by_part)
    return _Rests([*entered_rest_rounds, *unscored_rest_rounds], {})


def _compute_rest_points(
    rests: _Rests, scoring: Scoring, player_average: Fraction
) -> RestPoints:
    """Compute the points for a player's rests by the rules of scoring, as exact fractions."""

    def compute_points(played_round: PlayedRound | None) -> Fraction:
        if isinstance(scoring.rest, Fraction):
            return scoring.rest
        if scoring.rest is RestRule.NOTHING:
            return Fraction(0)
        if scoring.rest is RestRule.OWN_AVERAGE:
            return player_average
        is_known = played_round is not None and has_any_score(played_round)
        return (
            compute_round_average(played_round, scoring)
            if played_round and is_known
            else _compute_typical_score(scoring)
        )

    return RestPoints(
        {played_round.number: compute_points(played_round) for played_round in rests.rounds},
        {
            card_part: rest_count * compute_points(None)
            for card_part, rest_count in rests.rest_count_by_part.items()
        },
    )


def _compute_player_average(
    points_by_round: Mapping[int, Fraction],
    player_cards: Sequence[ScoreCardTotal],
    rests: _Rests,
    card_round_count: int,
) -> Fraction:
    """Return a player's average score in a round, including the rounds on score cards."""
    sheet_points = sum(points_by_round.values(), Fraction(0))
    unscored_rest_count = sum(not has_any_score(played_round) for played_round in rests.rounds)
    scored_card_round_count = (
        max(0, card_round_count - unscored_rest_count - sum(rests.rest_count_by_part.values()))
        if player_cards
        else 0
    )
    if not scored_card_round_count:
        return sheet_points / max(1, len(points_by_round))
    return (sheet_points + sum(card.total for card in player_cards)) / (
        len(points_by_round) + scored_card_round_count
    )


def has_any_score(played_round: PlayedRound) -> bool:
    """Return whether any score of a round was entered."""
    return any(sheet.score for sheet in played_round.sheets)


def compute_round_average(played_round: PlayedRound, scoring: Scoring) -> Fraction:
    """Return the mean score of all players of a round, including house players."""
    scores = [
        score + extra
        for sheet in played_round.sheets
        for _player, score, extra, _has_won in list_player_results(sheet, scoring)
    ]
    return Fraction(sum(scores), len(scores)) if scores else Fraction(0)


def _compute_typical_score(scoring: Scoring) -> Fraction:
    return scoring.average_score or Fraction(0)


def sum_scores(rounds: Sequence[PlayedRound], scoring: Scoring) -> int:
    """Return the sum of all players' scores on all sheets, without points for rests."""
    return sum(
        score + extra
        for played_round in rounds
        for sheet in played_round.sheets
        for _player, score, extra, _has_won in list_player_results(sheet, scoring)
    )
