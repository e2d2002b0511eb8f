"""Who plays next, with whom and who deals: who goes out, who comes in, and the cut for seats.

The cards that are cut come in two stages: `out` for who goes out among equals, `in` for the
table. What is still wanted is told with the names of those who cut. The lot cuts until all is
settled; its cards follow from a secret and a label, so whoever has both can draw them again.
Source: rules W11.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from django.utils.translation import gettext as _

from rubbers.rubber.cutting import PLAYERS, Cut, cut_in, lot
from rubbers.rubber.dummy import DUMMY, MIN_PLAYERS, next_in_turn, players_of
from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Side
from rubbers.rubber.night import Leaving, Night, belonging, standing, turnover
from rubbers.rubber.reckoning import ScoredHand, reckon
from rubbers.rubber.terms import Unit
from server.json_reader.formats import Key, list_of, mapping_of
from server.json_reader.values import whole

NumberedCards = Annotated[Cut, mapping_of(whole(0, 13))]
"""Cards as rows and files have them: 1 is the ace, 13 the king."""
Seats = tuple[str, str, str, str]
"""Side A's two players, then side B's."""


AROUND = (0, 2, 1, 3)
"""The places of the seats as they are round the table, to the left."""


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

    out: tuple[NumberedCards, ...] = ()
    into: Annotated[tuple[NumberedCards, ...], Key("in"), list_of(NumberedCards)] = ()

    def more(self, stage: Stage, cut: Cut) -> "Cuts":
        """Return them with one more."""
        if stage is Stage.OUT:
            return Cuts(out=(*self.out, cut), into=self.into)
        return Cuts(out=self.out, into=(*self.into, cut))


def seating(night: Night, cuts: Cuts) -> Seating:
    """Tell what cuts say of the next spell.

    Three play dummy and two double dummy: they cut once, and then take dummy in turn.
    Raises UnplayableHand where there are fewer than two, UnreadableRubber for a cut that
    cannot be.
    """
    there = belonging(night, len(night.spells) + 1)
    if len(there) < MIN_PLAYERS:
        words = _("A table needs at least two players; %(count)s is here.")
        raise UnplayableHand(words % {"count": len(there)})
    if (turn := in_turn(night)) is not None and not cuts.out and not cuts.into:
        return Seating(seats=turn, dealer=DUMMY, out=(), stage=Stage.IN, again=())
    out: tuple[Leaving, ...] = ()
    if len(there) >= PLAYERS and any(name in there for name in _seated(night)):
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


def in_turn(night: Night) -> Seats | None:
    """Seat those who play with dummy for their next rubber; None where others are there now."""
    there = belonging(night, len(night.spells) + 1)
    seated = _seated(night)
    if DUMMY not in seated or set(players_of(seated)) != set(there):
        return None
    return next_in_turn(seated)


def by_lot(night: Night, secret: bytes, label: str) -> tuple[Seating, Cuts]:
    """Let the lot cut until all is settled; a label for each cut is "label:stage:number"."""
    cuts = Cuts()
    while (found := seating(night, cuts)).again:
        number = len(cuts.out if found.stage is Stage.OUT else cuts.into) + 1
        cut = lot(secret, f"{label}:{found.stage}:{number}", sorted(found.again, key=_order))
        cuts = cuts.more(found.stage, cut)
    return found, cuts


def is_over(night: Night, last: ScoredHand | None) -> bool:
    """Tell whether the present spell is over with its last hand; None if it has no hand.

    A rubber's end always asks who plays next. A game's end does where that is what is played
    before somebody goes out, and somebody waits. Where no rubbers are played, dummy passes on
    with each game.
    """
    if last is None or not last.game:
        return False
    seated = _seated(night)
    if last.rubber or (DUMMY in seated and night.terms.best_of is None):
        return True
    waits = len(belonging(night, len(night.spells) + 1)) > len(players_of(seated))
    by_game = night.terms.goes_out is Unit.GAME or night.terms.best_of is None
    return by_game and waits


def drive_score(night: Night, *, is_settled: bool) -> list[int]:
    """Return what a drive's table scores for its two sides; [] while its rubber is in play.

    A table that is settled has its score although its rubber is not over.
    """
    if not night.spells:
        return []
    spell = night.spells[-1]
    hands = reckon(night.terms, spell.hands).hands
    if not (is_settled or is_over(night, hands[-1] if hands else None)):
        return []
    points = {each.player: each.points for each in standing(night)}
    made = points[spell.sides[Side.A][0]]
    return [made, -made]


def dealing_place(seats: Sequence[str], first: str, number: int) -> int:
    """Return the place in the seats of who deals a hand of a spell, counted from 0.

    The deal goes round by the left. The partners sit opposite: the order round the table is
    A, B, A, B. A dummy that deals first is side A's.
    """
    return AROUND[(AROUND.index(seats.index(first)) + number - 1) % PLAYERS]


def _seated(night: Night) -> list[str]:
    if not night.spells:
        return []
    return [name for side in Side for name in night.spells[-1].sides[side]]


def _order(name: str) -> tuple[int, str]:
    """Numbers by their size, so that the lot does not hang on how names were gathered."""
    return (int(name), name) if name.isdigit() else (0, name)
