"""The origin of a session's deals: the commitment before play, and the proof after it."""

from dataclasses import dataclass

from boards import proof
from boards.models import BoardSet
from boards.whist import Deal
from scoring.secrecy import can_see_hands
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class PublishedBoardSet:
    """The data about one board set dealt from a secret, as far as it may be published now."""

    ordinal: int
    first: int
    last: int
    commitment: str  # 64 hexadecimal digits
    before: tuple[tuple[int, str], ...]  # last board and commitment, before boards were added
    awaits_public: bool
    public_value: str
    secret: str  # 64 hexadecimal digits; "" while anyone may still play these boards
    awaits_public_value: bool  # it waits for its public value


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a session's deals: its board set, and the sets that it replaced."""

    session: int
    played: PublishedBoardSet
    earlier: tuple[PublishedBoardSet, ...]
    may_be_proved: bool

    @property
    def board_set_count(self) -> int:
        """The number of board sets dealt for this session."""
        return self.played.ordinal


@dataclass(frozen=True, slots=True)
class VerifiedBoard:
    """One board, dealt again from the published secret and compared with the played deal."""

    number: int
    deal: Deal
    is_verified: bool
    replaced: bool  # redealt at the table later, which no secret can prove


@dataclass(frozen=True, slots=True)
class Verification:
    """The comparison of a whole board set with the deals of its secret."""

    commitment: str  # recomputed from the secret
    commitment_agrees: bool
    boards: tuple[VerifiedBoard, ...]

    @property
    def is_verified(self) -> bool:
        """Whether the commitment and every board match the secret."""
        return self.commitment_agrees and all(board.is_verified for board in self.boards)


def load_provenance(session: Session) -> Provenance | None:
    """Return the origin of a session's deals; None unless the program dealt them."""
    board_set = session.board_set
    if board_set is None or not board_set.commitment:
        return None
    is_visible = can_see_hands(session)
    return Provenance(
        session=session.number,
        played=_build_published_board_set(board_set, is_visible),
        earlier=tuple(
            _build_published_board_set(each, is_visible)
            for each in board_set.earlier()
            if each.commitment
        ),
        may_be_proved=is_visible and board_set.is_ready,
    )


def get_published_proof(session: Session) -> proof.Proof | None:
    """Return the data for dealing a session's boards again, once it may be published."""
    board_set = session.board_set
    if board_set is None or not board_set.is_ready or not can_see_hands(session):
        return None
    return board_set.proof()


def verify_session_deals(session: Session) -> Verification | None:
    """Deal a session's boards again from their secret and compare; None while it is secret."""
    published = get_published_proof(session)
    if published is None or session.board_set is None:
        return None
    recomputed_commitment = proof.compute_set_commitment(published, published.size)
    redealt_boards = set(
        session.board_set.boards.current()
        .filter(version__gt=1)
        .values_list("number", flat=True)
    )
    dealt = proof.deal_again(published)
    return Verification(
        commitment=recomputed_commitment,
        commitment_agrees=recomputed_commitment == published.commitment
        and all(
            proof.compute_set_commitment(published, size) == text
            for size, text in published.promised_before
        ),
        boards=tuple(
            VerifiedBoard(
                number, dealt[number], dealt[number] == deal, number in redealt_boards
            )
            for number, deal in published.boards.items()
        ),
    )


def _build_published_board_set(board_set: BoardSet, is_public: bool) -> PublishedBoardSet:
    return PublishedBoardSet(
        ordinal=board_set.ordinal,
        first=board_set.first,
        last=board_set.numbers[-1],
        commitment=board_set.commitment,
        before=tuple(
            (board_set.first + size - 1, text) for size, text in board_set.promised_before
        ),
        awaits_public=board_set.awaits_public,
        public_value=board_set.public_value,
        secret=bytes(board_set.secret or b"").hex() if is_public else "",
        awaits_public_value=board_set.is_waiting_for_public_value,
    )
