"""Decides by cutting cards who plays, who are partners, who deals, and who leaves the table.

The ace is the lowest card. Players with equal cards cut again only if the order between them
matters. The second cut changes only their order. Source: rules W11.
"""

import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from rubbers.rubber.dummy import DUMMY_NAME, MIN_PLAYERS, seat_with_dummy
from rubbers.rubber.errors import UnreadableRubber

PLAYERS_PER_TABLE = 4
MAX_MEMBERS = 6
"""The maximum number of members of a table."""
HIGHEST_RANK = 13
SUIT_COUNT = 4

Cut = Mapping[str, int]
"""The rank of each player's card, from 1 (ace) to 13 (king)."""
Groups = list[list[str]]
"""Players in the order of their cards; players with equal cards are in one group."""


@dataclass(frozen=True, kw_only=True)
class CutTable:
    """The result of the cuts so far. Undecided values are None.

    The first partnership is the dealer's, with the dealer first. The players in `cutters` have
    to cut next.
    """

    seated_players: tuple[str, ...] | None
    partnerships: tuple[tuple[str, str], tuple[str, str]] | None
    dealer: str | None
    cutters: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LeavingPlayers:
    """The players who leave the table; empty as long as the players in `cutters` must cut."""

    players: tuple[str, ...]
    cutters: tuple[str, ...]


def decide_seats(players: Sequence[str], cuts: Sequence[Cut]) -> CutTable:
    """Decide which of 2 to 6 players play, the partnerships, and the dealer.

    The players with the four lowest cards play. They cut again: the two lowest play against the
    two highest, and the lowest deals. Two or three players play with dummies. The player with
    the lowest card has the dummy that deals first. Raises UnreadableRubber with the number of
    the invalid cut.
    """
    if len(set(players)) < len(players) or not MIN_PLAYERS <= len(players) <= MAX_MEMBERS:
        message = _("%(least)s to %(most)s different players must cut for a table")
        raise UnreadableRubber.create_at_place(
            _("players"), message % {"least": MIN_PLAYERS, "most": MAX_MEMBERS}
        )
    if len(players) < PLAYERS_PER_TABLE:
        return _order_for_dummy(players, cuts)
    groups, cutters, cuts_used = _break_ties([list(players)], {PLAYERS_PER_TABLE}, cuts)
    if cutters:
        return CutTable(seated_players=None, partnerships=None, dealer=None, cutters=cutters)
    lowest_players = [name for group in groups for name in group][:PLAYERS_PER_TABLE]
    seated_players = [name for name in players if name in lowest_players]
    groups, cutters, cuts_used = _break_ties([seated_players], {1, 2}, cuts, cuts_used)
    _check_all_used(cuts, cuts_used)
    if cutters:
        return CutTable(
            seated_players=tuple(seated_players),
            partnerships=None,
            dealer=None,
            cutters=cutters,
        )
    dealer, partner, third, fourth = (name for group in groups for name in group)
    return CutTable(
        seated_players=tuple(seated_players),
        partnerships=((dealer, partner), (third, fourth)),
        dealer=dealer,
        cutters=(),
    )


def _order_for_dummy(players: Sequence[str], cuts: Sequence[Cut]) -> CutTable:
    """Seat two or three players with dummies, by the order of their cards."""
    groups, cutters, cuts_used = _break_ties([list(players)], {1, 2}, cuts)
    _check_all_used(cuts, cuts_used)
    if cutters:
        return CutTable(
            seated_players=tuple(players), partnerships=None, dealer=None, cutters=cutters
        )
    one, two, three, four = seat_with_dummy([name for group in groups for name in group])
    return CutTable(
        seated_players=tuple(players),
        partnerships=((one, two), (three, four)),
        dealer=DUMMY_NAME,
        cutters=(),
    )


def decide_leaving_players(
    unbroken_counts: Mapping[str, int], leaving_count: int, cuts: Sequence[Cut]
) -> LeavingPlayers:
    """Return the `leaving_count` players who have played longest without a break.

    `unbroken_counts` has the number of rubbers or games that each player has played without a
    break. If numbers are equal, the players with the highest cards leave. Raises
    UnreadableRubber with the number of the invalid cut.
    """
    names_by_units = sorted(unbroken_counts, key=lambda name: -unbroken_counts[name])
    groups = [
        list(tied_names)
        for _count, tied_names in groupby(names_by_units, unbroken_counts.__getitem__)
    ]
    groups, cutters, cuts_used = _break_ties(
        groups, {leaving_count}, cuts, is_highest_first=True
    )
    _check_all_used(cuts, cuts_used)
    if cutters:
        return LeavingPlayers(players=(), cutters=cutters)
    return LeavingPlayers(
        players=tuple(name for group in groups for name in group)[:leaving_count], cutters=()
    )


def draw_cards(secret: bytes, label: str, player_names: Sequence[str]) -> dict[str, int]:
    """Draw a card from one pack for each of at most 52 names, using a sealed secret.

    The cards, numbered from 0 to 51, are sorted by the HMAC-SHA-256 of "label:number" with the
    secret as key. Card n has the rank n % 13 + 1, where 1 is the ace. With the secret, anyone
    can repeat the draw.
    """

    def compute_sort_key(card: int) -> bytes:
        return hmac.new(secret, f"{label}:{card}".encode(), "sha256").digest()

    pack = sorted(range(HIGHEST_RANK * SUIT_COUNT), key=compute_sort_key)
    return {
        player_name: card % HIGHEST_RANK + 1
        for player_name, card in zip(player_names, pack, strict=False)
    }


def _break_ties(
    groups: Groups,
    borders: Collection[int],
    cuts: Sequence[Cut],
    cuts_used: int = 0,
    *,
    is_highest_first: bool = False,
) -> tuple[Groups, tuple[str, ...], int]:
    """Break ties between players on both sides of a border, one cut at a time.

    A border is an index in the order of players: border 4 separates the fourth from the fifth.
    Returns the groups, the players who still have to cut, and the number of cuts used.
    """
    while (divided_group := _find_divided_group(groups, borders)) is not None:
        tied_names = groups[divided_group]
        if cuts_used == len(cuts):
            return groups, tuple(tied_names), cuts_used
        cut = cuts[cuts_used]
        cuts_used += 1
        _check_cut(cut, tied_names, cuts_used)
        split_group = _group_by_card(tied_names, cut, is_highest_first=is_highest_first)
        groups = [*groups[:divided_group], *split_group, *groups[divided_group + 1 :]]
    return groups, (), cuts_used


def _find_divided_group(groups: Groups, borders: Collection[int]) -> int | None:
    """Return the index of the first group that a border divides; None if there is none."""
    first_index = 0
    for group_index, group in enumerate(groups):
        if any(first_index < border < first_index + len(group) for border in borders):
            return group_index
        first_index += len(group)
    return None


def _group_by_card(tied_names: list[str], cut: Cut, *, is_highest_first: bool) -> Groups:
    ordered_names = sorted(tied_names, key=cut.__getitem__, reverse=is_highest_first)
    return [list(group) for _card, group in groupby(ordered_names, cut.__getitem__)]


def _check_cut(cut: Cut, tied_names: list[str], cut_number: int) -> None:
    cut_name = _("cut %s") % cut_number
    if set(cut) != set(tied_names):
        message = _("the players to cut are %(names)s")
        raise UnreadableRubber.create_at_place(
            cut_name, message % {"names": ", ".join(tied_names)}
        )
    cards = list(cut.values())
    if not all(1 <= card <= HIGHEST_RANK for card in cards):
        raise UnreadableRubber.create_at_place(
            cut_name, _("a card must be 1 (ace) to 13 (king)")
        )
    if any(cards.count(card) > SUIT_COUNT for card in cards):
        raise UnreadableRubber.create_at_place(cut_name, _("a pack has only four of each rank"))


def _check_all_used(cuts: Sequence[Cut], cuts_used: int) -> None:
    if cuts_used < len(cuts):
        problem = _("everything is decided, so no one cuts again")
        raise UnreadableRubber.create_at_place(_("cut %s") % (cuts_used + 1), problem)
