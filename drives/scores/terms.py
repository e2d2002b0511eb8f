"""The rules of scoring in the JSON format of the database, the API and drive files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games import find_game
from drives.games.contracts import Game, PointsTable
from drives.games.house import build_points_table
from drives.scores.ranking import find_tie_break
from drives.scores.rules import RestRule, ScoreKind, Scoring, normalise_scoring
from server.json_reader.formats import find_reader, read_document
from server.json_reader.problems import JsonPath
from server.json_reader.values import (
    build_converting_reader,
    build_known_code_reader,
    build_text_reader,
    build_whole_number_reader,
    read_anything,
)


def _read_rest_rule(value: Any, json_path: JsonPath) -> Any:
    if isinstance(value, str):
        return find_reader(RestRule)(value, json_path)
    points = build_whole_number_reader()(value, json_path)
    return None if points is None else Fraction(points)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTerms:
    """The rules for scoring a hand, and the tie-breaks; the fields are named as stored.

    If there is a `game`, the points of a hand are computed from its contract. `custom` is the
    code of a predefined variant of the game's points table, and `house` contains the club's own
    changes to that table.
    """

    kind: ScoreKind
    sum: int | None
    low: int | None  # the minimum score
    high: int | None  # the maximum score
    extras: Annotated[int | None, build_whole_number_reader(1)]
    rest: Annotated[RestRule | Fraction, _read_rest_rule] = RestRule.ROUND_AVERAGE
    step: Annotated[int, build_whole_number_reader(1)] = 1
    ties: tuple[Annotated[str, build_known_code_reader(find_tie_break)], ...] = ()
    game: Annotated[Game | None, build_converting_reader(find_game, build_text_reader())] = None
    custom: Annotated[str | None, build_text_reader()] = None
    house: Annotated[Mapping[str, Any], read_anything] = field(default_factory=dict)

    def to_scoring(self, hand_count: int) -> Scoring:
        """Return the rules for a number of hands in each round; raise UnreadableDrive."""
        return normalise_scoring(
            Scoring(
                kind=self.kind,
                hands_per_round=hand_count,
                total=self.sum,
                extras_step=self.extras,
                rest=self.rest,
                min_score=self.low,
                max_score=self.high,
                step=self.step,
            )
        )

    def build_points_table(self, json_path: JsonPath | None = None) -> PointsTable | None:
        """Return the points table with the club's changes, or None without a game.

        Problems are reported at `json_path`. Without it, UnreadableDrive is raised.
        """
        if self.game is None:
            return None
        return build_points_table(self.game, self.custom, self.house, json_path)

    def validate(self, json_path: JsonPath) -> None:
        """Check that the terms do not contradict each other."""
        try:
            self.to_scoring(1)
        except UnreadableDrive as problem:
            json_path.report(str(problem))
        if self.game is not None:
            self._check_game(json_path)
        elif self.custom is not None or self.house:
            json_path.get_key_path("game").report(_("This is missing."))

    def _check_game(self, json_path: JsonPath) -> None:
        """Report terms that do not fit a game with contracts.

        In such a game, each player scores separately, and the four scores add up to 0.
        """
        limits = (self.low, self.high, self.extras)
        is_unlimited_zero_sum = (
            self.sum == 0 and self.step == 1 and all(limit is None for limit in limits)
        )
        if self.kind is not ScoreKind.PLAYER or not is_unlimited_zero_sum:
            json_path.report(_("for a game, choose kind player and sum 0, without limits."))
        self.build_points_table(json_path)


def parse_score_terms(scoring_data: Mapping[str, Any]) -> ScoreTerms:
    """Parse rules of scoring in the stored format; raise UnreadableDrive."""
    return read_document(
        dict(scoring_data),
        ScoreTerms,
        UnreadableDrive,
        path="score",
        should_ignore_unknown_keys=True,
    )


def parse_points_table(scoring_data: Mapping[str, Any]) -> PointsTable | None:
    """Parse the points table of a drive's game; return None if the drive has no game."""
    return (
        parse_score_terms(scoring_data).build_points_table()
        if scoring_data.get("game")
        else None
    )


def parse_scoring(scoring_data: Mapping[str, Any], hand_count: int) -> Scoring:
    """Parse rules of scoring for a number of hands in each round; raise UnreadableDrive."""
    return parse_score_terms(scoring_data).to_scoring(hand_count)
