"""Who plays next, with whom and who deals: who goes out, who comes in, and the cut for seats.

The cards that are cut come in two stages: `out` for who goes out among equals, `in` for the
table. What is still wanted is told with the names of those who cut. The lot cuts until all is
settled; its cards follow from a secret and a label, so whoever has both can draw them again.
Source: rules W11.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from boards.whist.words import gettext as _
from drives.rubber.cutting import PLAYERS, Cut, cut_in, lot
from drives.rubber.errors import UnplayableHand
from drives.rubber.hands import Side
from drives.rubber.night import Leaving, Night, belonging, turnover
from drives.rubber.terms import Unit

Seats = tuple[str, str, str, str]
"""Side A's two players, then side B's."""


class Stage(StrEnum):
    """What is cut for."""

    OUT = "out"
    IN = "in"


@dataclass(frozen=True, kw_only=True)
class Seating:
    """Who sits down next; while `again` has names they cut for the `stage`, without seats."""

    seats: Seats | None
    dealer: str
    out: tuple[Leaving, ...]
    stage: Stage
    again: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Cuts:
    """The cards that were cut, stage by stage."""

    out: tuple[Cut, ...] = ()
    into: tuple[Cut, ...] = ()

    def more(self, stage: Stage, cut: Cut) -> "Cuts":
        """Return them with one more."""
        if stage is Stage.OUT:
            return Cuts(out=(*self.out, cut), into=self.into)
        return Cuts(out=self.out, into=(*self.into, cut))


def seating(night: Night, cuts: Cuts) -> Seating:
    """Tell what cuts say of the next spell.

    Raises UnplayableHand where there are fewer than four, UnreadableRubber for a cut that
    cannot be.
    """
    there = belonging(night, len(night.spells) + 1)
    if len(there) < PLAYERS:
        words = _("A table needs four players; %(count)s are here.")
        raise UnplayableHand(words % {"count": len(there)})
    out: tuple[Leaving, ...] = ()
    if any(name in there for name in _seated(night)):
        found = turnover(night, cuts.out)
        if found.again:
            return Seating(seats=None, dealer="", out=(), stage=Stage.OUT, again=found.again)
        out = found.out
    leaving = {each.player for each in out}
    table = cut_in([name for name in there if name not in leaving], cuts.into)
    if table.partners is None:
        return Seating(seats=None, dealer="", out=out, stage=Stage.IN, again=table.again)
    (one, two), (three, four) = table.partners
    return Seating(
        seats=(one, two, three, four),
        dealer=table.dealer or one,
        out=out,
        stage=Stage.IN,
        again=(),
    )


def by_lot(night: Night, secret: bytes, label: str) -> tuple[Seating, Cuts]:
    """Let the lot cut until all is settled; a label for each cut is "label:stage:number"."""
    cuts = Cuts()
    while (found := seating(night, cuts)).again:
        number = len(cuts.out if found.stage is Stage.OUT else cuts.into) + 1
        cut = lot(secret, f"{label}:{found.stage}:{number}", sorted(found.again, key=_order))
        cuts = cuts.more(found.stage, cut)
    return found, cuts


def is_over(night: Night, ended_game: bool, ended_rubber: bool) -> bool:
    """Tell whether the present spell is over by a hand that ended a game or a rubber.

    A rubber's end always asks who plays next. A game's end does where that is what is played
    before somebody goes out, and somebody waits.
    """
    if ended_rubber:
        return True
    waits = len(belonging(night, len(night.spells) + 1)) > PLAYERS
    by_game = night.terms.goes_out is Unit.GAME or night.terms.best_of is None
    return ended_game and by_game and waits


def dealer_of(seats: Sequence[str], first: str, number: int) -> str:
    """Tell who deals a hand of a spell, counted from 1: the deal goes round by the left.

    The partners sit opposite: the order round the table is A, B, A, B.
    """
    one, two, three, four = seats
    around = (one, three, two, four)
    return around[(around.index(first) + number - 1) % PLAYERS]


def _seated(night: Night) -> list[str]:
    if not night.spells:
        return []
    return [name for side in Side for name in night.spells[-1].sides[side]]


def _order(name: str) -> tuple[int, str]:
    """Numbers by their size, so that the lot does not hang on how names were gathered."""
    return (int(name), name) if name.isdigit() else (0, name)
