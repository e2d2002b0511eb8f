"""The effect of rulings in force on the results of a session."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.models import Ruling


class ChangedDealRuling(NamedTuple):
    """A ruling that the cards in a board's tray changed, with the play that it is about."""

    sitting_id: int  # the key of the sitting
    deal_number: int  # 1 for the original deal of the board, 2 for its first new deal
    is_new_deal: (
        bool  # True: redealt after this play. False: the cards are wrong from this play on.
    )


class PlayRuling(NamedTuple):
    """A ruling that is in force, with the play of a board that it applies to."""

    sitting_id: int  # the key of the sitting
    board_number: int
    deal_number: int  # 1 for the original deal of the board, 2 for its first new deal
    ruling_kind: str


class RuledPlays(NamedTuple):
    """The plays of a session that rulings affect, grouped by effect.

    A play is a tuple of the key of a sitting and the number of a board. `settled_plays` have
    an average or an adjusted score. `deal_rulings_by_board` maps the number of a board to its
    rulings.
    """

    settled_plays: set[tuple[int, int]]
    plays_awaiting_new_deal: set[tuple[int, int]]
    plays_with_new_deal: set[tuple[int, int]]
    deal_rulings_by_board: dict[int, list[ChangedDealRuling]]


def classify_rulings(
    rulings: Iterable[PlayRuling], latest_deal_numbers_by_play: Mapping[tuple[int, int], int]
) -> RuledPlays:
    """Group rulings by effect; `latest_deal_numbers_by_play` has the last one with a result."""
    ruled_plays = RuledPlays(set(), set(), set(), {})
    for sitting_id, board_number, deal_number, ruling_kind in rulings:
        is_new_deal = ruling_kind == Ruling.Kind.NEW_DEAL
        if ruling_kind in (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED):
            ruled_plays.settled_plays.add((sitting_id, board_number))
        if is_new_deal or ruling_kind == Ruling.Kind.FOULED_BOARD:
            ruled_plays.deal_rulings_by_board.setdefault(board_number, []).append(
                ChangedDealRuling(sitting_id, deal_number, is_new_deal)
            )
        if is_new_deal:
            ruled_plays.plays_with_new_deal.add((sitting_id, board_number))
            if latest_deal_numbers_by_play.get((sitting_id, board_number)) == deal_number:
                ruled_plays.plays_awaiting_new_deal.add((sitting_id, board_number))
    return ruled_plays
