"""A night at one table of two to six members: their standings, and who leaves the table next.

The data are the members, with their first and last spells, and the spells. A spell is the hands
of the same four players in the same partnerships. A substitute plays for a member, so sides
name only members. The terms decide whether a rubber or a game is played before a member leaves
the table; where there are no rubbers, it is always a game. The members with the longest
unbroken play leave first. Equals cut, and the highest card leaves.

Our interpretations:

* A rubber that was broken off because a member left counts as one played without a break, and
  has the points of an unfinished one.
* Where only games are counted, a rubber won is one point.
* Equals by points, rubbers won and games won share the rank.

Guarantee: the points of all members add up to 0.

Source: rules W11; docs/rubber.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from rubbers.rubber.cuts import PLAYERS_PER_TABLE, Cut, decide_leaving
from rubbers.rubber.dummy import check_revokes, compute_stake, is_seating, remove_dummies
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand, Side
from rubbers.rubber.spell_score import (
    Game,
    Rubber,
    ScoredSpell,
    compute_unfinished,
    score_hands,
)
from rubbers.rubber.terms import RubberTerms, TurnUnit

Sides = Mapping[Side, tuple[str, str]]


class TableMembership(NamedTuple):
    """A member of a table, with the first spell and, after leaving, the last one.

    Spells are numbered from 1. A member who left and came back counts as present in between. So
    an earlier spell may seem to have more members than a full table.
    """

    player: str
    first_spell: int = 1
    last_spell: int | None = None


@dataclass(frozen=True, kw_only=True)
class Spell:
    """The hands that four members played in the same partnerships."""

    sides: Sides
    hands: tuple[Hand, ...] = ()

    @classmethod
    def from_seats(cls, seats: Sequence[int], hands: Iterable[Hand]) -> "Spell":
        """Return the spell of four numbers: side A's two players, then side B's."""
        first, second, third, fourth = map(str, seats)
        return cls(sides={Side.A: (first, second), Side.B: (third, fourth)}, hands=tuple(hands))


@dataclass(frozen=True, kw_only=True)
class Night:
    """The data of a night at one table. Raises UnreadableRubber with the place."""

    terms: RubberTerms
    members: tuple[TableMembership, ...]
    spells: tuple[Spell, ...] = ()
    closed: bool = False
    """Whether an unfinished last rubber is settled at its present score."""

    def __post_init__(self) -> None:
        if len({member.player for member in self.members}) < len(self.members):
            raise UnreadableRubber.at_place(
                _("members"), _("each player can be at a table only once")
            )
        for number, spell in enumerate(self.spells, start=1):
            _check_spell(_("partnership %s") % number, spell, list_members(self, number))


class MemberTotals(NamedTuple):
    """A member's rank and totals. Members who tie on all three totals share the better rank."""

    player: str
    rank: int
    tied: bool
    points: int
    """Points won less points lost; those of all members add up to 0."""
    rubbers_won: int
    rubbers: int
    games_won: int
    games: int


class LeavingMember(NamedTuple):
    """A member who leaves the table.

    `unbroken_count` is the number of rubbers or games played without a break; `is_by_cut` is
    whether a cut decided.
    """

    player: str
    unbroken_count: int
    is_by_cut: bool


@dataclass(frozen=True, kw_only=True)
class Turnover:
    """The members who leave the table, and those who replace them, after the current rubber or
    game.

    While there are `cutters`, they cut first and no one has left yet; before the first spell of
    more than four they cut for the table. `missing_players` is the number that the table lacks.
    """

    leaving: tuple[LeavingMember, ...]
    arriving: tuple[str, ...]
    cutters: tuple[str, ...]
    missing_players: int


def list_members(night: Night, spell: int) -> tuple[str, ...]:
    """List the members of the table in a spell, in the order of arrival."""
    return tuple(
        member.player
        for member in night.members
        if member.first_spell <= spell
        and (member.last_spell is None or spell <= member.last_spell)
    )


def rank_members(night: Night) -> list[MemberTotals]:
    """Rank all members by points, rubbers won and games won. Raises UnreadableRubber."""
    sums = {member.player: [0] * 5 for member in night.members}
    for spell, reckoning, is_last in _iter_scored_spells(night):
        for side in Side:
            side_sums = _sum_side(night, reckoning, side, settled=night.closed or not is_last)
            side_sums = (side_sums[0] * compute_stake(spell.sides, side), *side_sums[1:])
            for player in remove_dummies(spell.sides[side]):
                sums[player] = [
                    old_value + added_value
                    for old_value, added_value in zip(sums[player], side_sums, strict=True)
                ]
    return _rank_sums(sums)


def rank_tables_together(tables: Iterable[Sequence[MemberTotals]]) -> list[MemberTotals]:
    """Rank the members of several tables together; players at two tables have the sum."""
    sums: dict[str, list[int]] = {}
    for total in (tally for tallies in tables for tally in tallies):
        earlier_sums = sums.get(total.player, [0] * 5)
        sums[total.player] = [
            first_value + second_value
            for first_value, second_value in zip(earlier_sums, total[3:], strict=True)
        ]
    return _rank_sums(sums)


def _rank_sums(sums: Mapping[str, Sequence[int]]) -> list[MemberTotals]:
    order = sorted(sums, key=lambda player: _build_rank_key(sums[player]), reverse=True)
    keys = [_build_rank_key(sums[player]) for player in order]
    return [
        MemberTotals(player, keys.index(key) + 1, keys.count(key) > 1, *sums[player])
        for player, key in zip(order, keys, strict=True)
    ]


def compute_turnover(night: Night, cuts: Sequence[Cut] = ()) -> Turnover:
    """Compute which members leave and which replace them once the current rubber or game is
    over.

    All who wait come in, and as many members leave as necessary. Raises UnreadableRubber.
    """
    present_members = list_members(night, len(night.spells) + 1)
    counts = _count_unbroken(night)
    seated = [
        name
        for name in present_members
        if night.spells and name in _list_players(night.spells[-1])
    ]
    waiting_members = tuple(name for name in present_members if name not in seated)
    free_places = PLAYERS_PER_TABLE - len(seated)
    if len(waiting_members) <= free_places:
        return Turnover(
            leaving=(),
            arriving=waiting_members,
            cutters=(),
            missing_players=free_places - len(waiting_members),
        )
    if not seated:
        return Turnover(leaving=(), arriving=(), cutters=waiting_members, missing_players=0)
    number = len(waiting_members) - free_places
    leaving_players = decide_leaving({name: counts[name] for name in seated}, number, cuts)
    return Turnover(
        leaving=tuple(
            LeavingMember(
                name, counts[name], _is_equal(counts, seated, leaving_players.leaving, name)
            )
            for name in leaving_players.leaving
        ),
        arriving=waiting_members if leaving_players.leaving else (),
        cutters=leaving_players.cutters,
        missing_players=0,
    )


def format_reason(leaving: LeavingMember) -> str:
    """Return a sentence with the reason why a member leaves the table."""
    if leaving.is_by_cut:
        message = _("%(name)s goes out (played %(count)s in a row, cut the highest card).")
    else:
        message = _("%(name)s goes out (played %(count)s in a row, the most).")
    return message % {"name": leaving.player, "count": leaving.unbroken_count}


def _check_spell(place: str, spell: Spell, members: Sequence[str]) -> None:
    players = _list_players(spell)
    if set(spell.sides) != set(Side) or not is_seating(
        [name for side in Side for name in spell.sides[side]]
    ):
        raise UnreadableRubber.at_place(place, _("each side needs two different players"))
    for number, hand in enumerate(spell.hands, start=1):
        try:
            check_revokes(spell.sides, hand)
        except UnplayableHand as problem:
            words = _("hand %s") % number
            raise UnreadableRubber.at_place(f"{place}, {words}", problem) from None
    strangers = [name for name in players if name not in members]
    if strangers:
        words = _("%(name)s isn't at the table at that time")
        raise UnreadableRubber.at_place(place, words % {"name": strangers[0]})


def _list_players(spell: Spell) -> list[str]:
    """List the players, without dummies."""
    return remove_dummies(name for pair in spell.sides.values() for name in pair)


def _iter_scored_spells(night: Night) -> Iterator[tuple[Spell, ScoredSpell, bool]]:
    """Yield the scored spells in order, and whether each is the last."""
    for number, spell in enumerate(night.spells, start=1):
        try:
            reckoning = score_hands(night.terms, spell.hands)
        except UnreadableRubber as problem:
            raise UnreadableRubber.at_place(_("partnership %s") % number, problem) from None
        yield spell, reckoning, number == len(night.spells)


def _sum_side(
    night: Night, reckoning: ScoredSpell, side: Side, *, settled: bool
) -> tuple[int, int, int, int, int]:
    """Return one side's points, rubbers won and played, games won and played, of a spell."""
    rubbers, games = reckoning.rubbers, reckoning.games
    counted_items: Sequence[Rubber | Game] = games if night.terms.best_of is None else rubbers
    points = sum(_with_sign(item.winner, side, _get_points(item)) for item in counted_items)
    unfinished = compute_unfinished(night.terms, reckoning) if settled else None
    if unfinished and unfinished.winner:
        points += _with_sign(unfinished.winner, side, unfinished.points or 0)
    return (
        points,
        sum(rubber.winner is side for rubber in rubbers),
        len(rubbers),
        sum(game.winner is side for game in games),
        len(games),
    )


def _get_points(won: Rubber | Game) -> int:
    points = won.points if isinstance(won, Rubber) else won.value
    return 1 if points is None else points


def _with_sign(winner: Side, side: Side, points: int) -> int:
    return points if winner is side else -points


def _build_rank_key(sums: Sequence[int]) -> tuple[int, int, int]:
    points, rubbers_won, _rubbers, games_won, _games = sums
    return points, rubbers_won, games_won


def _count_unbroken(night: Night) -> dict[str, int]:
    """Count each player's rubbers or games without a break, including the present one."""
    counts = {member.player: 0 for member in night.members}
    for spell, reckoning, is_last in _iter_scored_spells(night):
        players = set(_list_players(spell))
        units = _count_units(night, reckoning, is_last=is_last)
        for name in counts:
            if name in players:
                counts[name] += units
            elif units:
                counts[name] = 0
    return counts


def _count_units(night: Night, reckoning: ScoredSpell, *, is_last: bool) -> int:
    """Count the rubbers or games of a spell: finished ones, and one broken off or in play."""
    by_game = night.terms.goes_out is TurnUnit.GAME or night.terms.best_of is None
    finished = len(reckoning.games if by_game else reckoning.rubbers)
    ends = [hand.game if by_game else hand.rubber for hand in reckoning.hands]
    has_unit_in_play = bool(ends) and not ends[-1]
    return finished + (has_unit_in_play or (is_last and not finished))


def _is_equal(
    counts: Mapping[str, int], seated: Sequence[str], out: Sequence[str], name: str
) -> bool:
    """Return whether a member who stays has played as many rubbers without a break as one who
    leaves.
    """
    return any(counts[other] == counts[name] for other in seated if other not in out)
