"""The rules of scoring in the format of rows, forms and files."""

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
from server.json_reader.problems import JsonPlace
from server.json_reader.values import (
    anything,
    convert_with,
    known_code,
    text,
    whole_number,
)


def _read_rest(value: Any, at: JsonPlace) -> Any:
    if isinstance(value, str):
        return find_reader(RestRule)(value, at)
    points = whole_number()(value, at)
    return None if points is None else Fraction(points)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTerms:
    """The rules of scoring of a hand, and the tie-breaks, as stored.

    With a `game` the points of a hand follow from its contract. `custom` is a ready variant of
    the game's table of points, and `house` has the club's own changes.
    """

    kind: ScoreKind
    sum: int | None
    low: int | None
    high: int | None
    extras: Annotated[int | None, whole_number(1)]
    rest: Annotated[RestRule | Fraction, _read_rest] = RestRule.ROUND_AVERAGE
    step: Annotated[int, whole_number(1)] = 1
    ties: tuple[Annotated[str, known_code(find_tie_break)], ...] = ()
    game: Annotated[Game | None, convert_with(find_game, text())] = None
    custom: Annotated[str | None, text()] = None
    house: Annotated[Mapping[str, Any], anything] = field(default_factory=dict)

    def to_scoring(self, hands: int) -> Scoring:
        """Return the terms for a number of hands a round; raise UnreadableDrive."""
        return normalise_scoring(
            Scoring(
                kind=self.kind,
                hands=hands,
                total=self.sum,
                extras=self.extras,
                rest=self.rest,
                low=self.low,
                high=self.high,
                step=self.step,
            )
        )

    def build_points_table(self, at: JsonPlace | None = None) -> PointsTable | None:
        """Return the current points table of the game, or None if the drive has no game with
        contracts.

        Problems are reported at `at`. Without it UnreadableDrive is raised.
        """
        if self.game is None:
            return None
        return build_points_table(self.game, self.custom, self.house, at)

    def validate(self, at: JsonPlace) -> None:
        """Check that the terms do not contradict each other."""
        try:
            self.to_scoring(1)
        except UnreadableDrive as problem:
            at.report(str(problem))
        if self.game is not None:
            self._check_game(at)
        elif self.custom is not None or self.house:
            at.key("game").report(_("This is missing."))

    def _check_game(self, at: JsonPlace) -> None:
        """Check that a game has players' points that add up to 0, and a valid table."""
        bounds = (self.low, self.high, self.extras)
        is_plain = self.sum == 0 and self.step == 1 and all(bound is None for bound in bounds)
        if self.kind is not ScoreKind.PLAYER or not is_plain:
            at.report(_("a game needs the kind player and the sum 0, without limits."))
        self.build_points_table(at)


def parse_score_terms(score: Mapping[str, Any]) -> ScoreTerms:
    """Parse rules of scoring in the stored format; raise UnreadableDrive."""
    return read_document(
        dict(score), ScoreTerms, UnreadableDrive, at="score", allow_unknown_keys=True
    )


def parse_points_table(score: Mapping[str, Any]) -> PointsTable | None:
    """Parse the table of points of a drive's game; None for a drive without one."""
    return parse_score_terms(score).build_points_table() if score.get("game") else None


def parse_scoring(score: Mapping[str, Any], hands: int) -> Scoring:
    """Parse rules of scoring for a number of hands in each round; raise UnreadableDrive."""
    return parse_score_terms(score).to_scoring(hands)
