"""The terms on which rubbers are scored: what the four codes differ in, changed one by one.

"A club may make its own rules for scoring" (American Whist League, rule 40), so every row in
which the books differ is a term with a name, and a wrong one is refused with a sentence.
Source: rules W1–W10, W15.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from boards.whist.words import gettext as _
from drives.rubber.errors import UnplayableHand
from drives.rubber.hands import Penalty
from server.json_reader.problems import shown

LONGEST_GAME = 100
MOST_GAMES = 9


class Worth(StrEnum):
    """What a game is worth to its winners."""

    TREBLE = "treble"
    """Three if the losers have nothing, two below half of the game, one above."""
    MARGIN = "margin"
    """The game less the losers' score."""
    GAMES = "games"
    """No points: games are counted."""


class First(StrEnum):
    """What is scored first after the revokes."""

    TRICKS = "tricks"
    HONOURS = "honours"


class Both(StrEnum):
    """What becomes of the revokes when both sides have revoked."""

    EACH = "each"
    """Each is punished."""
    CANCEL = "cancel"
    """One is set against one; only what a side has more is punished."""


class Unfinished(StrEnum):
    """What a rubber that is not finished at closing time is worth."""

    DIFFERENCE = "difference"
    """The values of the games won so far, one side's less the other's, and no bonus."""
    VOID = "void"


class Unit(StrEnum):
    """What is played before somebody goes out."""

    RUBBER = "rubber"
    GAME = "game"


@dataclass(frozen=True, kw_only=True)
class RubberTerms:
    """Everything that the scorer asks of a code; none has a default."""

    game: int
    """The points that win a game."""
    trick: int
    """What each trick over six counts."""
    four_honours: int
    """What all four honours count; 0 where honours are not played."""
    three_honours: int
    honours_bar: int | None
    """A side that begins the deal at this score, or above it, scores no honours."""
    first: First
    worth: Worth
    best_of: int | None
    """An odd number of games, or None: no rubbers, every game for itself."""
    bonus: int
    """What winning the rubber adds to its games."""
    losers_off: bool
    """Whether the losers' games are taken off."""
    penalties: tuple[Penalty, ...]
    """What the other side may choose for a revoke; one alone needs no choosing."""
    penalty_tricks: int
    penalty_points: int
    revokers_may_win: bool
    """Whether a side that revoked can win the game on that hand; else it stops one short."""
    both_revoke: Both
    made_tricks_count: bool
    """Whether revokers who lose the game by the penalty score the tricks that they made."""
    calling_at: int | None
    """The score at which honours may be called before the first trick; None: never."""
    unfinished: Unfinished
    goes_out: Unit


def changed(terms: RubberTerms, changes: Mapping[str, object]) -> RubberTerms:
    """Change terms one by one, by the names of their fields, to values as a file has them.

    Raises UnplayableHand, whose text begins with the name of the term.
    """
    for name in changes:
        if name not in _KINDS:
            raise UnplayableHand(_("there is no term %(name)s") % {"name": shown(name)})
    read = {name: _KINDS[name](name, value) for name, value in changes.items()}
    return dataclasses.replace(terms, **read)


def as_data(terms: RubberTerms) -> dict[str, object]:
    """Write terms as a file has them; `changed` reads them again."""
    return {
        field.name: list(value) if isinstance(value, tuple) else value
        for field in dataclasses.fields(terms)
        for value in [getattr(terms, field.name)]
    }


Read = Callable[[str, object], Any]


def _refused(name: str, wanted: str) -> UnplayableHand:
    return UnplayableHand(_("%(name)s is %(wanted)s") % {"name": name, "wanted": wanted})


def _whole(least: int, most: int, *, odd: bool = False, none: bool = False) -> Read:
    """Read a whole number; with `none` also nothing."""

    def read(name: str, value: object) -> int | None:
        if value is None and none:
            return None
        number = None if isinstance(value, bool) or not isinstance(value, int) else value
        if number is not None and least <= number <= most and (number % 2 or not odd):
            return number
        if odd:
            wanted = _("an odd number from %(least)s to %(most)s, or null")
        elif none:
            wanted = _("a whole number from %(least)s to %(most)s, or null")
        else:
            wanted = _("a whole number from %(least)s to %(most)s")
        raise _refused(name, wanted % {"least": least, "most": most})

    return read


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _refused(name, _("true or false"))
    return value


def _one_of(choices: type[StrEnum]) -> Read:
    def read(name: str, value: object) -> StrEnum:
        if not isinstance(value, str) or value not in list(choices):
            raise _refused(name, _("one of: %(names)s") % {"names": ", ".join(choices)})
        return choices(value)

    return read


def _penalties(name: str, value: object) -> tuple[Penalty, ...]:
    read = _one_of(Penalty)
    if isinstance(value, list | tuple) and value:
        chosen = tuple(read(name, each) for each in value)
        if len(set(chosen)) == len(chosen):
            return chosen
    raise _refused(name, _("a list of: %(names)s") % {"names": ", ".join(Penalty)})


_KINDS: dict[str, Read] = {
    "game": _whole(1, LONGEST_GAME),
    "trick": _whole(0, LONGEST_GAME),
    "four_honours": _whole(0, LONGEST_GAME),
    "three_honours": _whole(0, LONGEST_GAME),
    "honours_bar": _whole(0, LONGEST_GAME, none=True),
    "first": _one_of(First),
    "worth": _one_of(Worth),
    "best_of": _whole(1, MOST_GAMES, odd=True, none=True),
    "bonus": _whole(0, LONGEST_GAME),
    "losers_off": _flag,
    "penalties": _penalties,
    "penalty_tricks": _whole(0, 13),
    "penalty_points": _whole(0, LONGEST_GAME),
    "revokers_may_win": _flag,
    "both_revoke": _one_of(Both),
    "made_tricks_count": _flag,
    "calling_at": _whole(1, LONGEST_GAME, none=True),
    "unfinished": _one_of(Unfinished),
    "goes_out": _one_of(Unit),
}
