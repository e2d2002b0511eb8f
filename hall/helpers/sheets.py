"""The progress of a session's helpers: which hands are typed, without their cards."""

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

    number: int
    dealer: Seat
    hands: tuple[tuple[Seat, str], ...]  # "in", "follows" or ""
    contradictions: tuple[str, ...]
    needs_turn_up: bool  # whether only the turn-up is missing
    is_known: bool  # whether its deal is stored, from any source
    can_be_typed: bool

    @property
    def is_complete(self) -> bool:
        """Whether the board has nothing left to type."""
        return self.is_known and not self.contradictions

    def needs_hand(self, seat: Seat) -> bool:
        """Return whether the helper for a seat still has to type something for this board."""
        is_open = self.can_be_typed and not self.is_complete
        return is_open and (dict(self.hands)[seat] == "" or self.needs_turn_up)


def load_typed_boards(link: HandLink) -> list[TypedBoard]:
    """Return the progress of each board of the link's session."""
    return build_typed_boards(
        load_session_snapshot(link.session), by_outsiders=link.are_outsiders
    )


def build_typed_boards(snapshot: SessionSnapshot, *, by_outsiders: bool) -> list[TypedBoard]:
    """Return the progress of each board, and whether the link's helpers may type it now."""
    if not snapshot.tables:  # the movement has been undone since
        return []
    session = snapshot.session
    rows: dict[int, list[TypedHand]] = defaultdict(list)
    for row in session.typed_hands.all():
        rows[row.board].append(row)
    board_set = session.board_set
    boards_with_deals = (
        set(board_set.boards.values_list("number", flat=True)) if board_set else set()
    )
    dealers = session.dealers_of(range(1, count_boards(session) + 1))
    enterable_boards = list_boards_to_enter(snapshot, by_outsiders=by_outsiders)
    return [
        _build_board(
            number,
            combine_hands(dealers[number], rows[number], is_turned=session.event.turns_a_card),
            is_known=number in boards_with_deals,
            may_be_typed=number in enterable_boards,
        )
        for number in dealers
    ]


def _build_board(
    number: int, deal: PartialDeal, *, is_known: bool, may_be_typed: bool
) -> TypedBoard:
    implied_seat = deal.follows
    return TypedBoard(
        number=number,
        dealer=deal.dealer,
        hands=tuple(
            (seat, "in" if seat in deal.hands else "follows" if seat is implied_seat else "")
            for seat in Seat
        ),
        contradictions=tuple(deal.faults),
        needs_turn_up=deal.is_turned and len(deal.hands) >= 3 and not deal.turn_ups,
        is_known=is_known,
        can_be_typed=may_be_typed,
    )
