"""Cut cards to decide who plays, the partnerships, the dealer, and who leaves the table.

The ace is the lowest card. If more than four cut, the four lowest play, and cut again for
partners: the two lowest play against the two highest. The lowest deals and chooses seats and
cards. Equals cut again only where it matters, and the second cut decides only between them: the
lowest of the first cut remains the dealer, even if a lower card is cut later. To leave the
table, the players with the longest unbroken play go first; equals cut, and the highest goes.

Cards come from one pack spread on the table, or from a sealed lot. Both give the same numbers,
1 for the ace to 13 for the king.

Source: rules W11. That four who cut fours at five or six places cannot be five is arithmetic.
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
"""The card of each player: 1 the ace, 13 the king."""
Groups = list[list[str]]
"""Players in order, with equals in one group."""


@dataclass(frozen=True, kw_only=True)
class CutTable:
    """The result of the cuts so far; undecided values are None, and `cutters` have to cut next.

    The dealer's side is first, with the dealer as its first player.
    """

    playing: tuple[str, ...] | None
    partners: tuple[tuple[str, str], tuple[str, str]] | None
    dealer: str | None
    cutters: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LeavingPlayers:
    """The players who leave the table; empty while players in `cutters` have to cut."""

    leaving: tuple[str, ...]
    cutters: tuple[str, ...]


def decide_seats(players: Sequence[str], cuts: Sequence[Cut]) -> CutTable:
    """Decide who plays, in which partnerships and who deals, for 2 to 6 players in any order.

    Two and three play with dummies: the lowest has the one that deals first. Raises
    UnreadableRubber, which names the cut.
    """
    if len(set(players)) < len(players) or not MIN_PLAYERS <= len(players) <= MAX_MEMBERS:
        message = _("%(least)s to %(most)s different players must cut for a table")
        raise UnreadableRubber.at_place(
            _("players"), message % {"least": MIN_PLAYERS, "most": MAX_MEMBERS}
        )
    if len(players) < PLAYERS_PER_TABLE:
        return _order_for_dummy(players, cuts)
    groups, cutters, cuts_used = _break_ties([list(players)], {PLAYERS_PER_TABLE}, cuts)
    if cutters:
        return CutTable(playing=None, partners=None, dealer=None, cutters=cutters)
    lowest_players = [name for group in groups for name in group][:PLAYERS_PER_TABLE]
    seated_players = [name for name in players if name in lowest_players]
    groups, cutters, cuts_used = _break_ties([seated_players], {1, 2}, cuts, cuts_used)
    _check_all_used(cuts, cuts_used)
    if cutters:
        return CutTable(
            playing=tuple(seated_players), partners=None, dealer=None, cutters=cutters
        )
    dealer, partner, third, fourth = (name for group in groups for name in group)
    return CutTable(
        playing=tuple(seated_players),
        partners=((dealer, partner), (third, fourth)),
        dealer=dealer,
        cutters=(),
    )


def _order_for_dummy(players: Sequence[str], cuts: Sequence[Cut]) -> CutTable:
    """Return the order in which two or three players have the dummy."""
    groups, cutters, cuts_used = _break_ties([list(players)], {1, 2}, cuts)
    _check_all_used(cuts, cuts_used)
    if cutters:
        return CutTable(playing=tuple(players), partners=None, dealer=None, cutters=cutters)
    one, two, three, four = seat_with_dummy([name for group in groups for name in group])
    return CutTable(
        playing=tuple(players),
        partners=((one, two), (three, four)),
        dealer=DUMMY_NAME,
        cutters=(),
    )


def decide_leaving(
    consecutive: Mapping[str, int], number: int, cuts: Sequence[Cut]
) -> LeavingPlayers:
    """Return the `number` players who leave the table: those who have played longest without a
    break.

    `consecutive` counts rubbers or games without a break. Raises UnreadableRubber, which names
    the cut.
    """
    most_first = sorted(consecutive, key=lambda name: -consecutive[name])
    groups = [
        list(tied_names) for _n, tied_names in groupby(most_first, consecutive.__getitem__)
    ]
    groups, cutters, cuts_used = _break_ties(groups, {number}, cuts, highest_first=True)
    _check_all_used(cuts, cuts_used)
    if cutters:
        return LeavingPlayers(leaving=(), cutters=cutters)
    return LeavingPlayers(
        leaving=tuple(name for group in groups for name in group)[:number], cutters=()
    )


def draw_cards(secret: bytes, label: str, names: Sequence[str]) -> dict[str, int]:
    """Draw a card for each of at most 52 names from one pack, by a sealed secret.

    Cards n = 0 to 51 are sorted by HMAC-SHA-256 of the secret and "label:n"; card n has the
    rank n modulo 13, from the ace. The draw can be repeated with the secret.
    """

    def place(card: int) -> bytes:
        return hmac.new(secret, f"{label}:{card}".encode(), "sha256").digest()

    pack = sorted(range(HIGHEST_RANK * SUIT_COUNT), key=place)
    return {name: card % HIGHEST_RANK + 1 for name, card in zip(names, pack, strict=False)}


def _break_ties(
    groups: Groups,
    borders: Collection[int],
    cuts: Sequence[Cut],
    cuts_used: int = 0,
    *,
    highest_first: bool = False,
) -> tuple[Groups, tuple[str, ...], int]:
    """Break the ties across the given borders, cut by cut.

    Return the groups, the players who still have to cut, and the number of cuts used.
    """
    while (divided_group := _find_divided_group(groups, borders)) is not None:
        tied_names = groups[divided_group]
        if cuts_used == len(cuts):
            return groups, tuple(tied_names), cuts_used
        cut = cuts[cuts_used]
        cuts_used += 1
        _check_cut(cut, tied_names, cuts_used)
        split_group = _group_by_card(tied_names, cut, highest_first=highest_first)
        groups = [*groups[:divided_group], *split_group, *groups[divided_group + 1 :]]
    return groups, (), cuts_used


def _find_divided_group(groups: Groups, borders: Collection[int]) -> int | None:
    """Find the first group that is divided by a border."""
    start = 0
    for place, group in enumerate(groups):
        if any(start < border < start + len(group) for border in borders):
            return place
        start += len(group)
    return None


def _group_by_card(tied_names: list[str], cut: Cut, *, highest_first: bool) -> Groups:
    ordered = sorted(tied_names, key=cut.__getitem__, reverse=highest_first)
    return [list(group) for _card, group in groupby(ordered, cut.__getitem__)]


def _check_cut(cut: Cut, tied_names: list[str], number: int) -> None:
    place = _("cut %s") % number
    if set(cut) != set(tied_names):
        message = _("the players to cut are %(names)s")
        raise UnreadableRubber.at_place(place, message % {"names": ", ".join(tied_names)})
    cards = list(cut.values())
    if not all(1 <= card <= HIGHEST_RANK for card in cards):
        raise UnreadableRubber.at_place(place, _("a card must be 1 (ace) to 13 (king)"))
    if any(cards.count(card) > SUIT_COUNT for card in cards):
        raise UnreadableRubber.at_place(place, _("a pack has only four of each rank"))


def _check_all_used(cuts: Sequence[Cut], used: int) -> None:
    if used < len(cuts):
        problem = _("everything is decided, so no one cuts again")
        raise UnreadableRubber.at_place(_("cut %s") % (used + 1), problem)
