"""Decides by cutting cards who plays, who are partners, who deals, and who leaves the table.

The ace is the lowest card. Players with equal cards cut again only if the order between them
matters. The second cut changes only their order. Source: rules W11.
"""

import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from rubbers.rubber.dummy import DUMMY_NAME, MIN_PLAYERS, seat_players_with_dummy
from rubbers.rubber.errors import UnreadableRubber

PLAYERS_PER_TABLE = 4
MAX_TABLE_MEMBERS = 6
"""The maximum number of members of a table."""
HIGHEST_RANK = 13
SUIT_COUNT = 4

Cut = Mapping[str, int]
"""The rank of each player's card, from 1 (ace) to 13 (king)."""
TiedGroups = list[list[str]]
"""Players in the order of their cards; players with equal cards are in one group."""


@dataclass(frozen=True, kw_only=True)
class CutResult:
    """The result of the cuts so far. Undecided values are None.

    The first partnership is the dealer's, with the dealer first. Then the
    `players_to_cut` have to cut.
    """

    seated_players: tuple[str, ...] | None
    partnerships: tuple[tuple[str, str], tuple[str, str]] | None
    dealer: str | None
    players_to_cut: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LeavingPlayers:
    """The players who leave the table; empty while `players_to_cut` is not."""

    players: tuple[str, ...]
    players_to_cut: tuple[str, ...]


def decide_seats(players: Sequence[str], cuts: Sequence[Cut]) -> CutResult:
    """Decide which of 2 to 6 players play, the partnerships, and the dealer.

    The players with the four lowest cards play. They cut again: the two lowest play against the
    two highest, and the lowest deals. Two or three players play with dummies. The player with
    the lowest card has the dummy that deals first. Raises UnreadableRubber with the number of
    the invalid cut.
    """
    if len(set(players)) < len(players) or not MIN_PLAYERS <= len(players) <= MAX_TABLE_MEMBERS:
        message = _("%(least)s to %(most)s different players must cut for a table")
        raise UnreadableRubber.create_at_path(
            _("players"), message % {"least": MIN_PLAYERS, "most": MAX_TABLE_MEMBERS}
        )
    if len(players) < PLAYERS_PER_TABLE:
        return _seat_with_dummy_by_cuts(players, cuts)
    tied_groups, players_to_cut, used_cut_count = _break_ties(
        [list(players)], {PLAYERS_PER_TABLE}, cuts
    )
    if players_to_cut:
        return CutResult(
            seated_players=None, partnerships=None, dealer=None, players_to_cut=players_to_cut
        )
    lowest_card_players = [name for group in tied_groups for name in group][:PLAYERS_PER_TABLE]
    seated_players = [name for name in players if name in lowest_card_players]
    tied_groups, players_to_cut, used_cut_count = _break_ties(
        [seated_players], {1, 2}, cuts, used_cut_count
    )
    _check_all_cuts_used(cuts, used_cut_count)
    if players_to_cut:
        return CutResult(
            seated_players=tuple(seated_players),
            partnerships=None,
            dealer=None,
            players_to_cut=players_to_cut,
        )
    dealer, partner, player_3, player_4 = (name for group in tied_groups for name in group)
    return CutResult(
        seated_players=tuple(seated_players),
        partnerships=((dealer, partner), (player_3, player_4)),
        dealer=dealer,
        players_to_cut=(),
    )


def _seat_with_dummy_by_cuts(players: Sequence[str], cuts: Sequence[Cut]) -> CutResult:
    """Seat two or three players with dummies, by the order of their cards."""
    tied_groups, players_to_cut, used_cut_count = _break_ties([list(players)], {1, 2}, cuts)
    _check_all_cuts_used(cuts, used_cut_count)
    if players_to_cut:
        return CutResult(
            seated_players=tuple(players),
            partnerships=None,
            dealer=None,
            players_to_cut=players_to_cut,
        )
    player_1, player_2, player_3, player_4 = seat_players_with_dummy(
        [name for group in tied_groups for name in group]
    )
    return CutResult(
        seated_players=tuple(players),
        partnerships=((player_1, player_2), (player_3, player_4)),
        dealer=DUMMY_NAME,
        players_to_cut=(),
    )


def decide_leaving_players(
    consecutive_play_counts: Mapping[str, int], leaving_count: int, cuts: Sequence[Cut]
) -> LeavingPlayers:
    """Return the `leaving_count` players who have played longest without a break.

    `consecutive_play_counts` has the number of rubbers or games that each player has played
    without a break. If numbers are equal, the players with the highest cards leave. Raises
    UnreadableRubber with the number of the invalid cut.
    """
    names_in_descending_order = sorted(
        consecutive_play_counts, key=lambda name: -consecutive_play_counts[name]
    )
    tied_groups = [
        list(tied_names)
        for _count, tied_names in groupby(
            names_in_descending_order, consecutive_play_counts.__getitem__
        )
    ]
    tied_groups, players_to_cut, used_cut_count = _break_ties(
        tied_groups, {leaving_count}, cuts, is_highest_first=True
    )
    _check_all_cuts_used(cuts, used_cut_count)
    if players_to_cut:
        return LeavingPlayers(players=(), players_to_cut=players_to_cut)
    return LeavingPlayers(
        players=tuple(name for group in tied_groups for name in group)[:leaving_count],
        players_to_cut=(),
    )


def draw_cards(secret: bytes, draw_label: str, player_names: Sequence[str]) -> dict[str, int]:
    """Draw a card from one pack for each of at most 52 names, using a sealed secret.

    The cards, numbered from 0 to 51, are sorted by the HMAC-SHA-256 of "label:number" with the
    secret as key. Card n has the rank n % 13 + 1, where 1 is the ace. With the secret, anyone
    can repeat the draw.
    """

    def compute_sort_key(card_number: int) -> bytes:
        return hmac.new(secret, f"{draw_label}:{card_number}".encode(), "sha256").digest()

    shuffled_cards = sorted(range(HIGHEST_RANK * SUIT_COUNT), key=compute_sort_key)
    return {
        player_name: card_number % HIGHEST_RANK + 1
        for player_name, card_number in zip(player_names, shuffled_cards, strict=False)
    }


def _break_ties(
    tied_groups: TiedGroups,
    boundary_positions: Collection[int],
    cuts: Sequence[Cut],
    used_cut_count: int = 0,
    *,
    is_highest_first: bool = False,
) -> tuple[TiedGroups, tuple[str, ...], int]:
    """Break ties between players on both sides of a boundary, one cut at a time.

    A boundary is an index in the order of players: boundary 4 separates the fourth player from
    the fifth.
    Returns the groups, the players who still have to cut, and the number of cuts used.
    """
    while (
        divided_group_index := _find_divided_group(tied_groups, boundary_positions)
    ) is not None:
        tied_names = tied_groups[divided_group_index]
        if used_cut_count == len(cuts):
            return tied_groups, tuple(tied_names), used_cut_count
        cut = cuts[used_cut_count]
        used_cut_count += 1
        _check_cut(cut, tied_names, used_cut_count)
        subgroups = _group_by_card(tied_names, cut, is_highest_first=is_highest_first)
        tied_groups = [
            *tied_groups[:divided_group_index],
            *subgroups,
            *tied_groups[divided_group_index + 1 :],
        ]
    return tied_groups, (), used_cut_count


def _find_divided_group(
    tied_groups: TiedGroups, boundary_positions: Collection[int]
) -> int | None:
    """Return the index of the first group that a boundary divides; None if there is none."""
    first_index = 0
    for group_index, group in enumerate(tied_groups):
        if any(
            first_index < boundary < first_index + len(group) for boundary in boundary_positions
        ):
            return group_index
        first_index += len(group)
    return None


def _group_by_card(tied_names: list[str], cut: Cut, *, is_highest_first: bool) -> TiedGroups:
    ordered_names = sorted(tied_names, key=cut.__getitem__, reverse=is_highest_first)
    return [list(group) for _card, group in groupby(ordered_names, cut.__getitem__)]


def _check_cut(cut: Cut, tied_names: list[str], cut_number: int) -> None:
    cut_label = _("cut %s") % cut_number
    if set(cut) != set(tied_names):
        message = _("the players to cut are %(names)s")
        raise UnreadableRubber.create_at_path(
            cut_label, message % {"names": ", ".join(tied_names)}
        )
    cards = list(cut.values())
    if not all(1 <= card <= HIGHEST_RANK for card in cards):
        raise UnreadableRubber.create_at_path(
            cut_label, _("a card must be 1 (ace) to 13 (king)")
        )
    if any(cards.count(card) > SUIT_COUNT for card in cards):
        raise UnreadableRubber.create_at_path(cut_label, _("a pack has only four of each rank"))


def _check_all_cuts_used(cuts: Sequence[Cut], used_cut_count: int) -> None:
    if used_cut_count < len(cuts):
        problem = _("everything is decided, so no one cuts again")
        raise UnreadableRubber.create_at_path(_("cut %s") % (used_cut_count + 1), problem)
