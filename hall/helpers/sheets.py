"""The progress of a session's helpers: which hands they have typed."""

from collections import defaultdict
from dataclasses import dataclass

from boards.whist import PartialDeal, Seat
from hall.helpers.hands import combine_hands
from hall.models import HandLink, TypedHand
from scoring.secrecy import list_boards_to_enter
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from tournaments.board_counts import count_boards


@dataclass(frozen=True, slots=True)
class TypedBoard:
    """The progress of one board: its typed hands, the implied fourth hand, and its errors."""

    board_number: int
    dealer: Seat
    hands: tuple[tuple[Seat, str], ...]  # "in" (typed), "follows" (implied by the others) or ""
    contradictions: tuple[str, ...]
    needs_turn_up: bool  # whether only the turn-up is missing
    is_known: bool  # whether its deal is stored, from any source
    can_be_typed: bool

    @property
    def is_complete(self) -> bool:
        """Whether the board has nothing left to type."""
        return self.is_known and not self.contradictions

    def is_hand_needed(self, seat: Seat) -> bool:
        """Return whether the helper for a seat still has to type something for this board."""
        is_open = self.can_be_typed and not self.is_complete
        return is_open and (dict(self.hands)[seat] == "" or self.needs_turn_up)


def load_typed_boards(link: HandLink) -> list[TypedBoard]:
    """Return the progress of each board of the link's session."""
    return build_typed_boards(
        load_session_snapshot(link.session), are_outsiders=link.are_outsiders
    )


def build_typed_boards(snapshot: SessionSnapshot, *, are_outsiders: bool) -> list[TypedBoard]:
    """Return the progress of each board, and whether the link's helpers may type it now."""
    if not snapshot.tables:  # the movement was removed after the link was created
        return []
    session = snapshot.session
    hands_by_board: dict[int, list[TypedHand]] = defaultdict(list)
    for typed_hand in session.typed_hands.all():
        hands_by_board[typed_hand.board].append(typed_hand)
    board_set = session.board_set
    boards_with_deals = (
        set(board_set.boards.values_list("number", flat=True)) if board_set else set()
    )
    dealers_by_board = session.load_dealers(range(1, count_boards(session) + 1))
    enterable_boards = list_boards_to_enter(snapshot, are_helpers_outsiders=are_outsiders)
    return [
        _build_board(
            board_number,
            combine_hands(
                dealers_by_board[board_number],
                hands_by_board[board_number],
                has_turn_up=session.event.has_turn_up,
            ),
            is_known=board_number in boards_with_deals,
            can_be_typed=board_number in enterable_boards,
        )
        for board_number in dealers_by_board
    ]


def _build_board(
    board_number: int, deal: PartialDeal, *, is_known: bool, can_be_typed: bool
) -> TypedBoard:
    implied_seat = deal.implied_seat
    return TypedBoard(
        board_number=board_number,
        dealer=deal.dealer,
        hands=tuple(
            (seat, "in" if seat in deal.hands else "follows" if seat is implied_seat else "")
            for seat in Seat
        ),
        contradictions=tuple(deal.contradictions),
        needs_turn_up=deal.has_turn_up and len(deal.hands) >= 3 and not deal.turn_ups,
        is_known=is_known,
        can_be_typed=can_be_typed,
    )
