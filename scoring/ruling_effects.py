"""The effect of rulings in force on the results of a session."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.models import Ruling


class ChangedDealRuling(NamedTuple):
    """A ruling that the cards in a board's tray changed, with the play that it is about."""

    sitting: int  # the key of the sitting
    deal: int  # 1 for the original deal of the board, 2 for its first new deal
    is_new_deal: (
        bool  # True: redealt after this play. False: the cards are wrong from this play on.
    )


class PlayRuling(NamedTuple):
    """A ruling that is in force, with the play of a board that it applies to."""

    sitting: int  # the key of the sitting
    board: int
    deal: int  # 1 for the original deal of the board, 2 for its first new deal
    kind: str


class RuledPlays(NamedTuple):
    """The plays of a session that rulings affect, grouped by effect.

    A play is a tuple of the key of a sitting and the number of a board. `settled_plays` have
    an average or an adjusted score. `other_deals` maps the number of a board to its rulings.
    """

    settled_plays: set[tuple[int, int]]
    plays_awaiting_new_deal: set[tuple[int, int]]
    plays_with_new_deal: set[tuple[int, int]]
    other_deals: dict[int, list[ChangedDealRuling]]


def classify_rulings(
    rulings: Iterable[PlayRuling], latest_deals: Mapping[tuple[int, int], int]
) -> RuledPlays:
    """Group rulings by effect; `latest_deals` maps each play to its last deal with a result."""
    ruled_plays = RuledPlays(set(), set(), set(), {})
    for sitting, board, deal, kind in rulings:
        is_new_deal = kind == Ruling.Kind.NEW_DEAL
        if kind in (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED):
            ruled_plays.settled_plays.add((sitting, board))
        if is_new_deal or kind == Ruling.Kind.FOULED_BOARD:
            ruled_plays.other_deals.setdefault(board, []).append(
                ChangedDealRuling(sitting, deal, is_new_deal)
            )
        if is_new_deal:
            ruled_plays.plays_with_new_deal.add((sitting, board))
            if latest_deals.get((sitting, board)) == deal:
                ruled_plays.plays_awaiting_new_deal.add((sitting, board))
    return ruled_plays
