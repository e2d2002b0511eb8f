"""Decides the seats of the next spell: who leaves, who comes in, and who sits where.

Cards are cut in two stages. The cuts of stage `out` decide who leaves the table if several
players have played equally long. The cuts of stage `in` decide the seats. Source: rules W11.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from django.utils.translation import gettext as _

from rubbers.rubber.cuts import PLAYERS_PER_TABLE, Cut, decide_seats, draw_cards
from rubbers.rubber.dummy import (
    DUMMY_NAME,
    MIN_PLAYERS,
    remove_dummies,
    seat_next_dummy_rubber,
)
from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Side
from rubbers.rubber.night import (
    LeavingMember,
    Night,
    compute_member_turnover,
    list_members,
    rank_members,
)
from rubbers.rubber.spell_score import ScoredHand, score_hands
from rubbers.rubber.terms import ReplacementUnit
from server.json_reader.formats import JsonKey, build_list_reader, build_mapping_reader
from server.json_reader.values import build_whole_number_reader

CardRanksByPlayer = Annotated[Cut, build_mapping_reader(build_whole_number_reader(0, 13))]
"""The rank of each player's card, by player number: 1 is the ace, 13 the king."""
Seats = tuple[str, str, str, str]
"""The names of side A's two players, then of side B's."""


SEATS_CLOCKWISE = (0, 2, 1, 3)
"""The indexes in `Seats` in the order in which the players sit round the table, to the left."""


class CutPurpose(StrEnum):
    """The purpose of a cut: it decides who leaves the table, or who sits where."""

    OUT = "out"
    IN = "in"


@dataclass(frozen=True, kw_only=True)
class Seating:
    """The seats of the next spell, as far as the cuts so far decide them."""

    seats: Seats | None
    """The seats; None as long as players have to cut."""
    dealer: str
    leaving_members: tuple[LeavingMember, ...]
    cut_purpose: CutPurpose
    """The purpose of the next cut."""
    players_to_cut: tuple[str, ...]
    """The players who have to cut next."""


@dataclass(frozen=True, kw_only=True)
class Cuts:
    """The cards that were cut: `leaving_cuts` decides who leaves the table, `seat_cuts` who
    sits where.
    """

    leaving_cuts: Annotated[
        tuple[CardRanksByPlayer, ...], JsonKey("out"), build_list_reader(CardRanksByPlayer)
    ] = ()
    seat_cuts: Annotated[
        tuple[CardRanksByPlayer, ...], JsonKey("in"), build_list_reader(CardRanksByPlayer)
    ] = ()

    def with_cut(self, cut_purpose: CutPurpose, cut: Cut) -> "Cuts":
        """Return a copy with one more cut."""
        if cut_purpose is CutPurpose.OUT:
            return Cuts(leaving_cuts=(*self.leaving_cuts, cut), seat_cuts=self.seat_cuts)
        return Cuts(leaving_cuts=self.leaving_cuts, seat_cuts=(*self.seat_cuts, cut))


def decide_seating(night: Night, cuts: Cuts) -> Seating:
    """Decide the seats of the next spell, as far as the cuts allow.

    Three players play dummy and two play double dummy. They cut only before the first rubber,
    and then have the dummy in turn. Raises UnplayableHand if there are fewer than two players,
    and UnreadableRubber for an invalid cut.
    """
    present_members = list_members(night, len(night.spells) + 1)
    if len(present_members) < MIN_PLAYERS:
        message = _("A table needs at least two players, not %(count)s.")
        raise UnplayableHand(message % {"count": len(present_members)})
    if (
        (next_dummy_seats := find_next_dummy_seats(night)) is not None
        and not cuts.leaving_cuts
        and not cuts.seat_cuts
    ):
        return Seating(
            seats=next_dummy_seats,
            dealer=DUMMY_NAME,
            leaving_members=(),
            cut_purpose=CutPurpose.IN,
            players_to_cut=(),
        )
    leaving_members: tuple[LeavingMember, ...] = ()
    if len(present_members) >= PLAYERS_PER_TABLE and any(
        name in present_members for name in _list_seated_players(night)
    ):
        turnover = compute_member_turnover(night, cuts.leaving_cuts)
        if turnover.players_to_cut:
            return Seating(
                seats=None,
                dealer="",
                leaving_members=(),
                cut_purpose=CutPurpose.OUT,
                players_to_cut=turnover.players_to_cut,
            )
        leaving_members = turnover.leaving_members
    leaving_players = {leaving_member.player_key for leaving_member in leaving_members}
    cut_result = decide_seats(
        [name for name in present_members if name not in leaving_players], cuts.seat_cuts
    )
    if cut_result.partnerships is None:
        return Seating(
            seats=None,
            dealer="",
            leaving_members=leaving_members,
            cut_purpose=CutPurpose.IN,
            players_to_cut=cut_result.players_to_cut,
        )
    (first_player_a, second_player_a), (first_player_b, second_player_b) = (
        cut_result.partnerships
    )
    return Seating(
        seats=(first_player_a, second_player_a, first_player_b, second_player_b),
        dealer=cut_result.dealer or first_player_a,
        leaving_members=leaving_members,
        cut_purpose=CutPurpose.IN,
        players_to_cut=(),
    )


def find_next_dummy_seats(night: Night) -> Seats | None:
    """Return the next seats if the same players continue to play with a dummy, else None."""
    present_members = list_members(night, len(night.spells) + 1)
    seated_players = _list_seated_players(night)
    if DUMMY_NAME not in seated_players or set(remove_dummies(seated_players)) != set(
        present_members
    ):
        return None
    return seat_next_dummy_rubber(seated_players)


def decide_seats_by_draw(night: Night, secret: bytes, lot_label: str) -> tuple[Seating, Cuts]:
    """Decide the seats by random cuts that are derived from a secret.

    Each cut has the label "lot_label:stage:number". Anyone who knows the secret and `lot_label`
    can repeat the cuts.
    """
    cuts = Cuts()
    while (seating := decide_seating(night, cuts)).players_to_cut:
        cut_number = (
            len(cuts.leaving_cuts if seating.cut_purpose is CutPurpose.OUT else cuts.seat_cuts)
            + 1
        )
        cut = draw_cards(
            secret,
            f"{lot_label}:{seating.cut_purpose}:{cut_number}",
            sorted(seating.players_to_cut, key=_build_sort_key),
        )
        cuts = cuts.with_cut(seating.cut_purpose, cut)
    return seating, cuts


def is_spell_over(night: Night, last_hand: ScoredHand | None) -> bool:
    """Return whether the spell is over after `last_hand`; None means that it has no hand yet.

    A spell always ends with a rubber. It also ends with a game if another member is waiting and
    players leave after games. If no rubbers are played and there is a dummy, it also ends with
    a game, because the next player then has the dummy.
    """
    if last_hand is None or not last_hand.won_game:
        return False
    seated_players = _list_seated_players(night)
    if last_hand.won_rubber or (DUMMY_NAME in seated_players and night.terms.best_of is None):
        return True
    has_waiting_member = len(list_members(night, len(night.spells) + 1)) > len(
        remove_dummies(seated_players)
    )
    are_games_counted = (
        night.terms.replacement_unit is ReplacementUnit.GAME or night.terms.best_of is None
    )
    return are_games_counted and has_waiting_member


def compute_drive_score(night: Night, *, should_count_unfinished: bool) -> list[int]:
    """Return the scores of a table's two sides in a drive; [] while its rubber is in play.

    If `should_count_unfinished` is true, the table has a score although its rubber is not over.
    """
    if not night.spells:
        return []
    last_spell = night.spells[-1]
    hands = score_hands(night.terms, last_spell.hands).hands
    if not (should_count_unfinished or is_spell_over(night, hands[-1] if hands else None)):
        return []
    points_by_player = {member.player_key: member.points for member in rank_members(night)}
    side_points = points_by_player[last_spell.sides[Side.A][0]]
    return [side_points, -side_points]


def find_dealer_seat(seats: Sequence[str], first_dealer: str, hand_number: int) -> int:
    """Return the index in `seats` of the player who deals a hand.

    The deal passes to the left. Partners face each other, so the order round the table is
    A, B, A, B. A dummy that deals first is on side A.
    """
    return SEATS_CLOCKWISE[
        (SEATS_CLOCKWISE.index(seats.index(first_dealer)) + hand_number - 1) % PLAYERS_PER_TABLE
    ]


def _list_seated_players(night: Night) -> list[str]:
    if not night.spells:
        return []
    return [name for side in Side for name in night.spells[-1].sides[side]]


def _build_sort_key(name: str) -> tuple[int, str]:
    """Return a key that sorts player numbers numerically, so that 10 comes after 9."""
    return (int(name), name) if name.isdigit() else (0, name)
