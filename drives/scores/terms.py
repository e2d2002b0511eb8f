"""The rules of scoring in the format of rows, forms and files."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from drives.errors import UnreadableDrive
from drives.scores.ranking import find_tie_break
from drives.scores.rules import RestRule, ScoreKind, Scoring, normalise_scoring
from server.json_reader.formats import find_reader, read_document
from server.json_reader.problems import JsonPlace
from server.json_reader.values import known_code, whole_number


def _read_rest(value: Any, at: JsonPlace) -> Any:
    if isinstance(value, str):
        return find_reader(RestRule)(value, at)
    points = whole_number()(value, at)
    return None if points is None else Fraction(points)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTerms:
    """The rules of scoring of a hand, and the tie-breaks, as stored."""

    kind: ScoreKind
    sum: int | None
    low: int | None
    high: int | None
    extras: Annotated[int | None, whole_number(1)]
    rest: Annotated[RestRule | Fraction, _read_rest] = RestRule.ROUND_AVERAGE
    step: Annotated[int, whole_number(1)] = 1
    ties: tuple[Annotated[str, known_code(find_tie_break)], ...] = ()

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

    def validate(self, at: JsonPlace) -> None:
        """Check that the terms do not contradict each other."""
        try:
            self.to_scoring(1)
        except UnreadableDrive as problem:
            at.report(str(problem))


def parse_score_terms(score: Mapping[str, Any]) -> ScoreTerms:
    """Parse rules of scoring in the stored format; raise UnreadableDrive."""
    return read_document(dict(score), ScoreTerms, UnreadableDrive, at="score", other_keys=True)


def parse_scoring(score: Mapping[str, Any], hands: int) -> Scoring:
    """Parse rules of scoring for a number of hands in each round; raise UnreadableDrive."""
    return parse_score_terms(score).to_scoring(hands)
