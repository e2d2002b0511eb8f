"""A night at one table: ranks its members, and decides who leaves the table next.

We assume that a rubber counts as played if it was broken off because a member left. If only
games are counted, a won rubber is one point. Source: rules W11; docs/rubber.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from rubbers.rubber.cuts import PLAYERS_PER_TABLE, Cut, decide_leaving_players
from rubbers.rubber.dummy import (
    check_revokes,
    compute_points_factor,
    is_valid_seating,
    remove_dummies,
)
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand, Side
from rubbers.rubber.spell_score import (
    Game,
    ScoredSpell,
    WonRubber,
    compute_unfinished_rubber,
    score_hands,
)
from rubbers.rubber.terms import ReplacementUnit, RubberTerms

PairsBySide = Mapping[Side, tuple[str, str]]
"""The names of each side's two players; a dummy is `DUMMY_NAME`."""


class TableMembership(NamedTuple):
    """A member of a table, with the numbers of the first and, after leaving, the last spell.

    If a member left and came back, the absence is not recorded. So the member seems to belong
    to the table during the spells of the absence too.
    """

    player_key: str
    first_spell_number: int = 1
    last_spell_number: int | None = None


@dataclass(frozen=True, kw_only=True)
class Spell:
    """The hands that four members played in the same partnerships.

    If a substitute plays, `sides` contains the member whom the substitute replaces.
    """

    sides: PairsBySide
    hands: tuple[Hand, ...] = ()

    @classmethod
    def from_seats(cls, seats: Sequence[int], hands: Iterable[Hand]) -> "Spell":
        """Create a spell from player numbers: side A's two players, then side B's."""
        player_1, player_2, player_3, player_4 = map(str, seats)
        return cls(
            sides={Side.A: (player_1, player_2), Side.B: (player_3, player_4)},
            hands=tuple(hands),
        )


@dataclass(frozen=True, kw_only=True)
class Night:
    """The members and spells of a night at one table.

    The constructor raises UnreadableRubber if they contradict each other.
    """

    terms: RubberTerms
    members: tuple[TableMembership, ...]
    spells: tuple[Spell, ...] = ()
    is_closed: bool = False
    """Whether an unfinished last rubber is scored as it is, because the night is over."""

    def __post_init__(self) -> None:
        if len({member.player_key for member in self.members}) < len(self.members):
            raise UnreadableRubber.create_at_path(
                _("members"), _("each player can be at a table only once")
            )
        for spell_number, spell in enumerate(self.spells, start=1):
            _check_spell(
                _("partnership %s") % spell_number, spell, list_members(self, spell_number)
            )


class MemberTotals(NamedTuple):
    """A member's rank and totals.

    Members with equal points, rubbers won and games won share the better rank.
    """

    player_key: str
    rank: int
    is_tied: bool
    points: int
    """The points won minus the points lost; the points of all members add up to 0."""
    rubbers_won: int
    rubbers: int
    games_won: int
    games: int


class LeavingMember(NamedTuple):
    """A member who leaves the table.

    `consecutive_play_count` is the number of rubbers or games that the member has played
    without a break.
    """

    player_key: str
    consecutive_play_count: int
    is_decided_by_cut: bool
    """Whether a cut decided, because another player had the same count and stayed."""


@dataclass(frozen=True, kw_only=True)
class MemberTurnover:
    """The members who leave the table, and those who replace them, after a rubber or game."""

    leaving_members: tuple[LeavingMember, ...]
    arriving_members: tuple[str, ...]
    players_to_cut: tuple[str, ...]
    """The members who must cut before anyone leaves or plays; empty if all is decided."""
    missing_player_count: int
    """The number of players whom the table needs in addition."""


def list_members(night: Night, spell_number: int) -> tuple[str, ...]:
    """Return the members of the table during a spell, in the order of arrival."""
    return tuple(
        member.player_key
        for member in night.members
        if member.first_spell_number <= spell_number
        and (member.last_spell_number is None or spell_number <= member.last_spell_number)
    )


def rank_members(night: Night) -> list[MemberTotals]:
    """Rank all members by points, then by rubbers won, then by games won.

    Raises UnreadableRubber.
    """
    result_sums_by_player = {member.player_key: [0] * 5 for member in night.members}
    for spell, scored_spell, is_last in _iter_scored_spells(night):
        for side in Side:
            side_sums = _sum_side_results(
                night,
                scored_spell,
                side,
                should_count_unfinished_rubber=night.is_closed or not is_last,
            )
            side_sums = (
                side_sums[0] * compute_points_factor(spell.sides, side),
                *side_sums[1:],
            )
            for player in remove_dummies(spell.sides[side]):
                result_sums_by_player[player] = [
                    old_sum + side_sum
                    for old_sum, side_sum in zip(
                        result_sums_by_player[player], side_sums, strict=True
                    )
                ]
    return _rank_members_by_sums(result_sums_by_player)


def rank_members_of_tables(
    totals_of_each_table: Iterable[Sequence[MemberTotals]],
) -> list[MemberTotals]:
    """Rank the members of several tables together.

    If a player was a member of two tables, the totals at both tables are added up.
    """
    result_sums_by_player: dict[str, list[int]] = {}
    for member_totals in (
        totals for table_totals in totals_of_each_table for totals in table_totals
    ):
        earlier_sums = result_sums_by_player.get(member_totals.player_key, [0] * 5)
        result_sums_by_player[member_totals.player_key] = [
            earlier_sum + added_total
            for earlier_sum, added_total in zip(earlier_sums, member_totals[3:], strict=True)
        ]
    return _rank_members_by_sums(result_sums_by_player)


def _rank_members_by_sums(
    result_sums_by_player: Mapping[str, Sequence[int]],
) -> list[MemberTotals]:
    ranked_players = sorted(
        result_sums_by_player,
        key=lambda player: _build_rank_key(result_sums_by_player[player]),
        reverse=True,
    )
    rank_keys = [_build_rank_key(result_sums_by_player[player]) for player in ranked_players]
    return [
        MemberTotals(
            player,
            rank_keys.index(rank_key) + 1,
            rank_keys.count(rank_key) > 1,
            *result_sums_by_player[player],
        )
        for player, rank_key in zip(ranked_players, rank_keys, strict=True)
    ]


def compute_member_turnover(night: Night, cuts: Sequence[Cut] = ()) -> MemberTurnover:
    """Compute which members leave and who replaces them after the current rubber or game.

    All waiting members come in, and as many players leave as necessary. The players leave who
    have played longest without a break. If these are too many, those with the highest cut cards
    leave. Raises UnreadableRubber.
    """
    present_members = list_members(night, len(night.spells) + 1)
    consecutive_play_counts = _count_consecutive_play(night)
    seated_players = [
        name
        for name in present_members
        if night.spells and name in _list_players(night.spells[-1])
    ]
    waiting_members = tuple(name for name in present_members if name not in seated_players)
    free_seat_count = PLAYERS_PER_TABLE - len(seated_players)
    if len(waiting_members) <= free_seat_count:
        return MemberTurnover(
            leaving_members=(),
            arriving_members=waiting_members,
            players_to_cut=(),
            missing_player_count=free_seat_count - len(waiting_members),
        )
    if not seated_players:
        return MemberTurnover(
            leaving_members=(),
            arriving_members=(),
            players_to_cut=waiting_members,
            missing_player_count=0,
        )
    leaving_count = len(waiting_members) - free_seat_count
    leaving_players = decide_leaving_players(
        {name: consecutive_play_counts[name] for name in seated_players}, leaving_count, cuts
    )
    return MemberTurnover(
        leaving_members=tuple(
            LeavingMember(
                name,
                consecutive_play_counts[name],
                _has_tied_staying_player(
                    consecutive_play_counts, seated_players, leaving_players.players, name
                ),
            )
            for name in leaving_players.players
        ),
        arriving_members=waiting_members if leaving_players.players else (),
        players_to_cut=leaving_players.players_to_cut,
        missing_player_count=0,
    )


def format_leaving_reason(leaving_member: LeavingMember) -> str:
    """Return a sentence that explains why a member leaves the table."""
    if leaving_member.is_decided_by_cut:
        message = _("%(name)s goes out (played %(count)s in a row, cut the highest card).")
    else:
        message = _("%(name)s goes out (played %(count)s in a row, the most).")
    return message % {
        "name": leaving_member.player_key,
        "count": leaving_member.consecutive_play_count,
    }


def _check_spell(spell_label: str, spell: Spell, members: Sequence[str]) -> None:
    players = _list_players(spell)
    if set(spell.sides) != set(Side) or not is_valid_seating(
        [name for side in Side for name in spell.sides[side]]
    ):
        raise UnreadableRubber.create_at_path(
            spell_label, _("each side needs two different players")
        )
    for hand_number, hand in enumerate(spell.hands, start=1):
        try:
            check_revokes(spell.sides, hand)
        except UnplayableHand as problem:
            hand_label = _("hand %s") % hand_number
            raise UnreadableRubber.create_at_path(
                f"{spell_label}, {hand_label}", problem
            ) from None
    unknown_players = [name for name in players if name not in members]
    if unknown_players:
        message = _("%(name)s isn’t at the table at that time")
        raise UnreadableRubber.create_at_path(
            spell_label, message % {"name": unknown_players[0]}
        )


def _list_players(spell: Spell) -> list[str]:
    """Return the players of a spell, without dummies."""
    return remove_dummies(name for partners in spell.sides.values() for name in partners)


def _iter_scored_spells(night: Night) -> Iterator[tuple[Spell, ScoredSpell, bool]]:
    """Yield (spell, scored spell, whether it is the last one) for each spell, in order."""
    for spell_number, spell in enumerate(night.spells, start=1):
        try:
            scored_spell = score_hands(night.terms, spell.hands)
        except UnreadableRubber as problem:
            raise UnreadableRubber.create_at_path(
                _("partnership %s") % spell_number, problem
            ) from None
        yield spell, scored_spell, spell_number == len(night.spells)


def _sum_side_results(
    night: Night, scored_spell: ScoredSpell, side: Side, *, should_count_unfinished_rubber: bool
) -> tuple[int, int, int, int, int]:
    """Return the sums of one side in a spell, in the order of the fields of `MemberTotals`.

    These are points, rubbers won, rubbers played, games won, and games played.
    """
    rubbers, games = scored_spell.rubbers, scored_spell.games
    counted_units: Sequence[WonRubber | Game] = (
        games if night.terms.best_of is None else rubbers
    )
    points = sum(
        _get_signed_points(counted_unit.winner, side, _get_points(counted_unit))
        for counted_unit in counted_units
    )
    unfinished_rubber = (
        compute_unfinished_rubber(night.terms, scored_spell)
        if should_count_unfinished_rubber
        else None
    )
    if unfinished_rubber and unfinished_rubber.winner:
        points += _get_signed_points(
            unfinished_rubber.winner, side, unfinished_rubber.points or 0
        )
    return (
        points,
        sum(rubber.winner is side for rubber in rubbers),
        len(rubbers),
        sum(game.winner is side for game in games),
        len(games),
    )


def _get_points(won_unit: WonRubber | Game) -> int:
    points = won_unit.points if isinstance(won_unit, WonRubber) else won_unit.value
    return 1 if points is None else points


def _get_signed_points(winner: Side, side: Side, points: int) -> int:
    return points if winner is side else -points


def _build_rank_key(sums: Sequence[int]) -> tuple[int, int, int]:
    points, rubbers_won, _rubbers, games_won, _games = sums
    return points, rubbers_won, games_won


def _count_consecutive_play(night: Night) -> dict[str, int]:
    """Count the rubbers or games that each member has played without a break.

    The rubber or game in play also counts.
    """
    count_by_player = {member.player_key: 0 for member in night.members}
    for spell, scored_spell, is_last in _iter_scored_spells(night):
        players = set(_list_players(spell))
        unit_count = _count_rubbers_or_games(night, scored_spell, is_last=is_last)
        for name in count_by_player:
            if name in players:
                count_by_player[name] += unit_count
            elif unit_count:
                count_by_player[name] = 0
    return count_by_player


def _count_rubbers_or_games(night: Night, scored_spell: ScoredSpell, *, is_last: bool) -> int:
    """Count the rubbers or games of a spell, including one in play or broken off."""
    are_games_counted = (
        night.terms.replacement_unit is ReplacementUnit.GAME or night.terms.best_of is None
    )
    finished_unit_count = len(scored_spell.games if are_games_counted else scored_spell.rubbers)
    won_unit_of_each_hand = [
        hand.won_game if are_games_counted else hand.won_rubber for hand in scored_spell.hands
    ]
    has_unit_in_play = bool(won_unit_of_each_hand) and not won_unit_of_each_hand[-1]
    return finished_unit_count + (has_unit_in_play or (is_last and not finished_unit_count))


def _has_tied_staying_player(
    consecutive_play_counts: Mapping[str, int],
    seated_players: Sequence[str],
    leaving_players: Sequence[str],
    leaving_player: str,
) -> bool:
    """Return whether a player who stays has the same count as `leaving_player`."""
    return any(
        consecutive_play_counts[other_player] == consecutive_play_counts[leaving_player]
        for other_player in seated_players
        if other_player not in leaving_players
    )
