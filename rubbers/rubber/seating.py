"""The seats of the next spell: who leaves the table, who comes in, and the cut for seats.

Cards are cut in two stages: `out` for who leaves the table among equals, `in` for the seats. A
result names the players who still have to cut. The lot cuts until all is settled; its cards
follow from a secret and a label, so the draw can be repeated with both.

Source: rules W11.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from django.utils.translation import gettext as _

from rubbers.rubber.cuts import PLAYERS_PER_TABLE, Cut, decide_seats, draw_cards
from rubbers.rubber.dummy import DUMMY_NAME, MIN_PLAYERS, remove_dummies, seat_next_in_turn
from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Side
from rubbers.rubber.night import (
    LeavingMember,
    Night,
    compute_turnover,
    list_members,
    rank_members,
)
from rubbers.rubber.spell_score import ScoredHand, score_hands
from rubbers.rubber.terms import TurnUnit
from server.json_reader.formats import Key, list_of, mapping_of
from server.json_reader.values import whole_number

NumberedCards = Annotated[Cut, mapping_of(whole_number(0, 13))]
"""Cards in the format of rows and files: 1 is the ace, 13 the king."""
Seats = tuple[str, str, str, str]
"""Side A's two players, then side B's."""


SEATS_CLOCKWISE = (0, 2, 1, 3)
"""The indexes of the seats in their order round the table, to the left."""


class CutPurpose(StrEnum):
    """The purpose of a cut."""

    OUT = "out"
    IN = "in"


@dataclass(frozen=True, kw_only=True)
class Seating:
    """The seats of the next spell; None while players have to cut.

    `cutters` have to cut for the `stage`.
    """

    seats: Seats | None
    dealer: str
    leaving: tuple[LeavingMember, ...]
    stage: CutPurpose
    cutters: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Cuts:
    """The cards that were cut, by stage."""

    out: tuple[NumberedCards, ...] = ()
    into: Annotated[tuple[NumberedCards, ...], Key("in"), list_of(NumberedCards)] = ()

    def with_cut(self, stage: CutPurpose, cut: Cut) -> "Cuts":
        """Return the cuts with one added."""
        if stage is CutPurpose.OUT:
            return Cuts(out=(*self.out, cut), into=self.into)
        return Cuts(out=self.out, into=(*self.into, cut))


def decide_seating(night: Night, cuts: Cuts) -> Seating:
    """Decide the seats of the next spell, as far as the cuts allow.

    Three play dummy and two double dummy: they cut once, and then have the dummy in turn.
    Raises UnplayableHand where there are fewer than two, UnreadableRubber for an impossible
    cut.
    """
    present_members = list_members(night, len(night.spells) + 1)
    if len(present_members) < MIN_PLAYERS:
        message = _("A table needs at least two players, not %(count)s.")
        raise UnplayableHand(message % {"count": len(present_members)})
    if (turn := seat_in_turn(night)) is not None and not cuts.out and not cuts.into:
        return Seating(
            seats=turn, dealer=DUMMY_NAME, leaving=(), stage=CutPurpose.IN, cutters=()
        )
    out: tuple[LeavingMember, ...] = ()
    if len(present_members) >= PLAYERS_PER_TABLE and any(
        name in present_members for name in _list_seated(night)
    ):
        turnover = compute_turnover(night, cuts.out)
        if turnover.cutters:
            return Seating(
                seats=None,
                dealer="",
                leaving=(),
                stage=CutPurpose.OUT,
                cutters=turnover.cutters,
            )
        out = turnover.leaving
    leaving = {cut.player for cut in out}
    table = decide_seats([name for name in present_members if name not in leaving], cuts.into)
    if table.partners is None:
        return Seating(
            seats=None, dealer="", leaving=out, stage=CutPurpose.IN, cutters=table.cutters
        )
    (first_a, second_a), (first_b, second_b) = table.partners
    return Seating(
        seats=(first_a, second_a, first_b, second_b),
        dealer=table.dealer or first_a,
        leaving=out,
        stage=CutPurpose.IN,
        cutters=(),
    )


def seat_in_turn(night: Night) -> Seats | None:
    """Return the next seats in the turns of the dummy; None if the members have changed."""
    present_members = list_members(night, len(night.spells) + 1)
    seated = _list_seated(night)
    if DUMMY_NAME not in seated or set(remove_dummies(seated)) != set(present_members):
        return None
    return seat_next_in_turn(seated)


def decide_by_lot(night: Night, secret: bytes, label: str) -> tuple[Seating, Cuts]:
    """Decide the seats by drawing lots; the label of each cut is "label:stage:number"."""
    cuts = Cuts()
    while (seating := decide_seating(night, cuts)).cutters:
        number = len(cuts.out if seating.stage is CutPurpose.OUT else cuts.into) + 1
        cut = draw_cards(
            secret,
            f"{label}:{seating.stage}:{number}",
            sorted(seating.cutters, key=_build_sort_key),
        )
        cuts = cuts.with_cut(seating.stage, cut)
    return seating, cuts


def is_spell_over(night: Night, last: ScoredHand | None) -> bool:
    """Return whether the spell is over with its last hand; pass None if it has no hand.

    The end of a rubber always requires the next seats. The end of a game does where games are
    played before a member leaves the table, and a member waits. Where no rubbers are played,
    dummy passes on with each game.
    """
    if last is None or not last.game:
        return False
    seated = _list_seated(night)
    if last.rubber or (DUMMY_NAME in seated and night.terms.best_of is None):
        return True
    has_waiting_member = len(list_members(night, len(night.spells) + 1)) > len(
        remove_dummies(seated)
    )
    by_game = night.terms.goes_out is TurnUnit.GAME or night.terms.best_of is None
    return by_game and has_waiting_member


def compute_drive_score(night: Night, *, is_settled: bool) -> list[int]:
    """Return the drive score of the two sides of a table; [] while its rubber is in play.

    A settled table has its score although its rubber is not over.
    """
    if not night.spells:
        return []
    spell = night.spells[-1]
    hands = score_hands(night.terms, spell.hands).hands
    if not (is_settled or is_spell_over(night, hands[-1] if hands else None)):
        return []
    points = {member.player: member.points for member in rank_members(night)}
    side_points = points[spell.sides[Side.A][0]]
    return [side_points, -side_points]


def find_dealer_seat(seats: Sequence[str], first: str, number: int) -> int:
    """Return the index, in the seats, of the dealer of a hand of a spell.

    The deal rotates to the left. The partners face each other: the order round the table is A,
    B, A, B. A dummy that deals first is on side A.
    """
    return SEATS_CLOCKWISE[
        (SEATS_CLOCKWISE.index(seats.index(first)) + number - 1) % PLAYERS_PER_TABLE
    ]


def _list_seated(night: Night) -> list[str]:
    if not night.spells:
        return []
    return [name for side in Side for name in night.spells[-1].sides[side]]


def _build_sort_key(name: str) -> tuple[int, str]:
    """Return a key that sorts names as numbers, for a lot independent of their order."""
    return (int(name), name) if name.isdigit() else (0, name)
