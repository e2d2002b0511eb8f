"""The terms on which rubbers are scored: everything in which the four codes differ.

"A club may make its own rules for scoring" (American Whist League, rule 40), so every
difference between the books is a named term. An invalid value is refused with a sentence.

Source: rules W1–W10, W15.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Penalty
from server.json_reader.formats import list_of, read_document, report_duplicates
from server.json_reader.problems import JsonPlace, UnreadableJson, format_value
from server.json_reader.values import whole_number

MAX_GAME_POINTS = 100
MAX_GAMES = 9


class GameValueRule(StrEnum):
    """The rule for the value of a game to its winners."""

    TREBLE = "treble"
    """Three points if the losers have nothing, two if below half of the game, else one."""
    MARGIN = "margin"
    """The game less the losers' score."""
    GAMES = "games"
    """No points: games are counted."""


class FirstScored(StrEnum):
    """The item that is scored first after the revokes."""

    TRICKS = "tricks"
    HONOURS = "honours"


class BothRevokeRule(StrEnum):
    """The rule for revokes of both sides in one hand."""

    EACH = "each"
    """Each revoke is punished."""
    CANCEL = "cancel"
    """Revokes cancel one by one; only a side's surplus is punished."""


class UnfinishedRule(StrEnum):
    """The rule for the value of a rubber that is not finished at closing time."""

    DIFFERENCE = "difference"
    """The values of one side's games won so far less the other's, without a bonus."""
    VOID = "void"


class TurnUnit(StrEnum):
    """The unit (such as a rubber or a game) after which a waiting member replaces a player."""

    RUBBER = "rubber"
    GAME = "game"


Points = Annotated[int, whole_number(0, MAX_GAME_POINTS)]


def _read_best_of(value: Any, at: JsonPlace) -> Any:
    """Read the number of games of a rubber, which must be odd."""
    number = whole_number(1, MAX_GAMES)(value, at)
    if number and number % 2 == 0:
        return at.report(_("enter an odd number from 1 to %(most)s, or null."), most=MAX_GAMES)
    return number


def _read_penalties(value: Any, at: JsonPlace) -> Any:
    """Read the penalties from which the other side may choose: each at most once."""
    penalties = list_of(Penalty, min_length=1)(value, at)
    report_duplicates((at.item(n), penalty) for n, penalty in enumerate(penalties or ()))
    return penalties


@dataclass(frozen=True, kw_only=True)
class RubberTerms:
    """All settings of the scorer, which a code fixes; none has a default."""

    game: Annotated[int, whole_number(1, MAX_GAME_POINTS)]
    """The points that win a game."""
    trick: Points
    """The points of each trick over six."""
    four_honours: Points
    """The points of all four honours; 0 where honours are not played."""
    three_honours: Points
    honours_bar: Annotated[int | None, whole_number(0, MAX_GAME_POINTS)]
    """A side that begins the deal at this score, or above it, scores no honours."""
    first: FirstScored
    worth: GameValueRule
    best_of: Annotated[int | None, _read_best_of]
    """An odd number of games; None where there are no rubbers and every game counts separately.
    """
    bonus: Points
    """The points that winning the rubber adds to its games."""
    losers_off: bool
    """Whether the value of the losers' games is subtracted."""
    penalties: Annotated[tuple[Penalty, ...], _read_penalties]
    """The penalties from which the other side may choose; a single one needs no choice."""
    penalty_tricks: Annotated[int, whole_number(0, 13)]
    penalty_points: Points
    revokers_may_win: bool
    """Whether a side that revoked can win the game on that hand; else it stops one short."""
    both_revoke: BothRevokeRule
    made_tricks_count: bool
    """Whether revokers who lose the game by the penalty score the tricks that they made."""
    calling_at: Annotated[int | None, whole_number(1, MAX_GAME_POINTS)]
    """The score at which honours may be called before the first trick; None for never."""
    unfinished: UnfinishedRule
    goes_out: TurnUnit


def change_terms(terms: RubberTerms, changes: Mapping[str, object]) -> RubberTerms:
    """Return the terms with some replaced, by field name, with values in the format of files.

    Raises UnplayableHand, whose text begins with the name of the term.
    """
    for name in changes:
        if name not in RubberTerms.__dataclass_fields__:
            raise UnplayableHand(_("setting %(name)s not found") % {"name": format_value(name)})
    try:
        return read_document({**to_data(terms), **changes}, RubberTerms, UnreadableJson)
    except UnreadableJson as problem:
        raise UnplayableHand(problem.problems[0]) from None


def to_data(terms: RubberTerms) -> dict[str, object]:
    """Return the terms in the format of files, which `change_terms` reads."""
    return {
        field.name: list(value) if isinstance(value, tuple) else value
        for field in dataclasses.fields(terms)
        for value in [getattr(terms, field.name)]
    }
