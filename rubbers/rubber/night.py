"""A night at one table: the standings, and the members who leave next.

We assume that a rubber that was broken off because a member left counts as played. If only
games are counted, a rubber won is one point. Source: rules W11; docs/rubber.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from rubbers.rubber.cuts import PLAYERS_PER_TABLE, Cut, decide_leaving_players
from rubbers.rubber.dummy import check_revokes, compute_stake, is_valid_seating, remove_dummies
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
    """A member of a table, with the numbers of the first and, after leaving, the last spell.

    If a member left and came back, the gap is not recorded. Some earlier spells may therefore
    seem to have too many members.
    """

    player: str
    first_spell: int = 1
    last_spell: int | None = None


@dataclass(frozen=True, kw_only=True)
class Spell:
    """The hands that four members played in the same partnerships.

    A substitute plays for a member, so `sides` has only members and dummies.
    """

    sides: Sides
    hands: tuple[Hand, ...] = ()

    @classmethod
    def from_seats(cls, seats: Sequence[int], hands: Iterable[Hand]) -> "Spell":
        """Create a spell from player numbers: side A's two players, then side B's."""
        first, second, third, fourth = map(str, seats)
        return cls(sides={Side.A: (first, second), Side.B: (third, fourth)}, hands=tuple(hands))


@dataclass(frozen=True, kw_only=True)
class Night:
    """The members and spells of a night at one table.

    The constructor raises UnreadableRubber if they contradict each other.
    """

    terms: RubberTerms
    members: tuple[TableMembership, ...]
    spells: tuple[Spell, ...] = ()
    is_closed: bool = False
    """Whether an unfinished last rubber is settled at its present score."""

    def __post_init__(self) -> None:
        if len({member.player for member in self.members}) < len(self.members):
            raise UnreadableRubber.create_at_place(
                _("members"), _("each player can be at a table only once")
            )
        for number, spell in enumerate(self.spells, start=1):
            _check_spell(_("partnership %s") % number, spell, list_members(self, number))


class MemberTotals(NamedTuple):
    """A member's rank and totals.

    Members with equal points, rubbers won and games won share the better rank.
    """

    player: str
    rank: int
    is_tied: bool
    points: int
    """Points won less points lost; those of all members add up to 0."""
    rubbers_won: int
    rubbers: int
    games_won: int
    games: int


class LeavingMember(NamedTuple):
    """A member who leaves the table.

    `unbroken_count` is the number of rubbers or games that the member has played without a
    break.
    """

    player: str
    unbroken_count: int
    is_decided_by_cut: bool
    """Whether another player had the same count, so that a cut decided."""


@dataclass(frozen=True, kw_only=True)
class Turnover:
    """The members who leave the table, and those who replace them, after a rubber or game."""

    leaving_members: tuple[LeavingMember, ...]
    arriving_members: tuple[str, ...]
    cutters: tuple[str, ...]
    """The members who must cut before anyone leaves or plays; empty if all is decided."""
    missing_player_count: int
    """The number of players that the table lacks."""


def list_members(night: Night, spell_number: int) -> tuple[str, ...]:
    """List the members of the table during a spell, in the order of arrival."""
    return tuple(
        member.player
        for member in night.members
        if member.first_spell <= spell_number
        and (member.last_spell is None or spell_number <= member.last_spell)
    )


def rank_members(night: Night) -> list[MemberTotals]:
    """Rank all members by points, then rubbers won, then games won; the points add up to 0.

    Raises UnreadableRubber.
    """
    sums = {member.player: [0] * 5 for member in night.members}
    for spell, scored_spell, is_last in _iter_scored_spells(night):
        for side in Side:
            side_sums = _sum_side(
                night, scored_spell, side, is_settled=night.is_closed or not is_last
            )
            side_sums = (side_sums[0] * compute_stake(spell.sides, side), *side_sums[1:])
            for player in remove_dummies(spell.sides[side]):
                sums[player] = [
                    old_value + added_value
                    for old_value, added_value in zip(sums[player], side_sums, strict=True)
                ]
    return _rank_sums(sums)


def rank_tables_together(tables: Iterable[Sequence[MemberTotals]]) -> list[MemberTotals]:
    """Rank the members of several tables together. The totals of a player at two tables are
    added up.
    """
    sums: dict[str, list[int]] = {}
    for member_totals in (totals for table_totals in tables for totals in table_totals):
        earlier_sums = sums.get(member_totals.player, [0] * 5)
        sums[member_totals.player] = [
            first_value + second_value
            for first_value, second_value in zip(earlier_sums, member_totals[3:], strict=True)
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
    """Compute which members leave and which replace them after the current rubber or game.

    All waiting members come in. As many others leave as necessary: those with the longest
    unbroken play, and among equals those who cut the highest cards. Raises UnreadableRubber.
    """
    present_members = list_members(night, len(night.spells) + 1)
    unbroken_counts = _count_units_without_break(night)
    seated_players = [
        name
        for name in present_members
        if night.spells and name in _list_players(night.spells[-1])
    ]
    waiting_members = tuple(name for name in present_members if name not in seated_players)
    free_seat_count = PLAYERS_PER_TABLE - len(seated_players)
    if len(waiting_members) <= free_seat_count:
        return Turnover(
            leaving_members=(),
            arriving_members=waiting_members,
            cutters=(),
            missing_player_count=free_seat_count - len(waiting_members),
        )
    if not seated_players:
        return Turnover(
            leaving_members=(),
            arriving_members=(),
            cutters=waiting_members,
            missing_player_count=0,
        )
    leaving_count = len(waiting_members) - free_seat_count
    leaving_players = decide_leaving_players(
        {name: unbroken_counts[name] for name in seated_players}, leaving_count, cuts
    )
    return Turnover(
        leaving_members=tuple(
            LeavingMember(
                name,
                unbroken_counts[name],
                _has_equal_stayer(
                    unbroken_counts, seated_players, leaving_players.players, name
                ),
            )
            for name in leaving_players.players
        ),
        arriving_members=waiting_members if leaving_players.players else (),
        cutters=leaving_players.cutters,
        missing_player_count=0,
    )


def format_reason(leaving_member: LeavingMember) -> str:
    """Return a sentence with the reason why a member leaves the table."""
    if leaving_member.is_decided_by_cut:
        message = _("%(name)s goes out (played %(count)s in a row, cut the highest card).")
    else:
        message = _("%(name)s goes out (played %(count)s in a row, the most).")
    return message % {"name": leaving_member.player, "count": leaving_member.unbroken_count}


def _check_spell(spell_name: str, spell: Spell, members: Sequence[str]) -> None:
    players = _list_players(spell)
    if set(spell.sides) != set(Side) or not is_valid_seating(
        [name for side in Side for name in spell.sides[side]]
    ):
        raise UnreadableRubber.create_at_place(
            spell_name, _("each side needs two different players")
        )
    for number, hand in enumerate(spell.hands, start=1):
        try:
            check_revokes(spell.sides, hand)
        except UnplayableHand as problem:
            place_or_message = _("hand %s") % number
            raise UnreadableRubber.create_at_place(
                f"{spell_name}, {place_or_message}", problem
            ) from None
    unknown_players = [name for name in players if name not in members]
    if unknown_players:
        place_or_message = _("%(name)s isn’t at the table at that time")
        raise UnreadableRubber.create_at_place(
            spell_name, place_or_message % {"name": unknown_players[0]}
        )


def _list_players(spell: Spell) -> list[str]:
    """List the players, without dummies."""
    return remove_dummies(name for pair in spell.sides.values() for name in pair)


def _iter_scored_spells(night: Night) -> Iterator[tuple[Spell, ScoredSpell, bool]]:
    """Yield the scored spells in order, and whether each is the last."""
    for number, spell in enumerate(night.spells, start=1):
        try:
            scored_spell = score_hands(night.terms, spell.hands)
        except UnreadableRubber as problem:
            raise UnreadableRubber.create_at_place(
                _("partnership %s") % number, problem
            ) from None
        yield spell, scored_spell, number == len(night.spells)


def _sum_side(
    night: Night, scored_spell: ScoredSpell, side: Side, *, is_settled: bool
) -> tuple[int, int, int, int, int]:
    """Return the sums of one side in a spell: points, rubbers won, rubbers played, games won,
    and games played.
    """
    rubbers, games = scored_spell.rubbers, scored_spell.games
    counted_units: Sequence[Rubber | Game] = games if night.terms.best_of is None else rubbers
    points = sum(_sign_for_side(unit.winner, side, _get_points(unit)) for unit in counted_units)
    unfinished = compute_unfinished(night.terms, scored_spell) if is_settled else None
    if unfinished and unfinished.winner:
        points += _sign_for_side(unfinished.winner, side, unfinished.points or 0)
    return (
        points,
        sum(rubber.winner is side for rubber in rubbers),
        len(rubbers),
        sum(game.winner is side for game in games),
        len(games),
    )


def _get_points(won_unit: Rubber | Game) -> int:
    points = won_unit.points if isinstance(won_unit, Rubber) else won_unit.value
    return 1 if points is None else points


def _sign_for_side(winner: Side, side: Side, points: int) -> int:
    return points if winner is side else -points


def _build_rank_key(sums: Sequence[int]) -> tuple[int, int, int]:
    points, rubbers_won, _rubbers, games_won, _games = sums
    return points, rubbers_won, games_won


def _count_units_without_break(night: Night) -> dict[str, int]:
    """Count the rubbers or games that each player has played without a break, including the
    present one.
    """
    counts = {member.player: 0 for member in night.members}
    for spell, scored_spell, is_last in _iter_scored_spells(night):
        players = set(_list_players(spell))
        units = _count_units(night, scored_spell, is_last=is_last)
        for name in counts:
            if name in players:
                counts[name] += units
            elif units:
                counts[name] = 0
    return counts


def _count_units(night: Night, scored_spell: ScoredSpell, *, is_last: bool) -> int:
    """Count the rubbers or games of a spell, including one that was broken off or is in
    play.
    """
    counts_games = night.terms.turn_unit is TurnUnit.GAME or night.terms.best_of is None
    finished_count = len(scored_spell.games if counts_games else scored_spell.rubbers)
    ended_units = [hand.game if counts_games else hand.rubber for hand in scored_spell.hands]
    has_unit_in_play = bool(ended_units) and not ended_units[-1]
    return finished_count + (has_unit_in_play or (is_last and not finished_count))


def _has_equal_stayer(
    unbroken_counts: Mapping[str, int],
    seated_players: Sequence[str],
    leaving_players: Sequence[str],
    leaving_player: str,
) -> bool:
    """Return whether a staying player has the same count as `leaving_player`."""
    return any(
        unbroken_counts[other_player] == unbroken_counts[leaving_player]
        for other_player in seated_players
        if other_player not in leaving_players
    )
