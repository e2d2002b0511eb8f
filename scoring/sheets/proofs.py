"""The origin of a session's deals: the commitment before play, and the proof after it."""

from dataclasses import dataclass

from boards import proof
from boards.models import BoardSet
from boards.whist import Deal
from scoring.secrecy import can_see_hands
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class PublishedBoardSet:
    """The data about one board set dealt from a secret that may be published now."""

    ordinal: int
    first_board_number: int
    last_board_number: int
    commitment: str  # 64 hexadecimal digits
    # The last board and the commitment of the set as it was before boards were added.
    previous_commitments: tuple[tuple[int, str], ...]
    is_public_value_required: bool
    public_value: str
    secret: str  # 64 hexadecimal digits; "" while anyone may still play these boards
    is_waiting_for_public_value: bool  # the public value is not known yet


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a session's deals: its board set, and the sets that it replaced."""

    session_number: int
    played_board_set: PublishedBoardSet
    earlier_sets: tuple[PublishedBoardSet, ...]
    can_be_proved: bool

    @property
    def board_set_count(self) -> int:
        """The number of board sets dealt for this session."""
        return self.played_board_set.ordinal


@dataclass(frozen=True, slots=True)
class BoardVerification:
    """One board, dealt again from the published secret and compared with the played deal."""

    board_number: int
    deal: Deal
    is_verified: bool
    is_redealt: bool  # redealt at the table later, which no secret can prove


@dataclass(frozen=True, slots=True)
class Verification:
    """The comparison of a whole board set with the deals of its secret."""

    commitment: str  # recomputed from the secret
    has_matching_commitment: bool
    boards: tuple[BoardVerification, ...]

    @property
    def is_verified(self) -> bool:
        """Whether the commitment and every board match the secret."""
        return self.has_matching_commitment and all(board.is_verified for board in self.boards)


def load_provenance(session: Session) -> Provenance | None:
    """Return the origin of a session's deals; None unless the program dealt them."""
    board_set = session.board_set
    if board_set is None or not board_set.commitment:
        return None
    can_publish = can_see_hands(session)
    return Provenance(
        session_number=session.number,
        played_board_set=_build_published_board_set(board_set, can_publish),
        earlier_sets=tuple(
            _build_published_board_set(earlier_set, can_publish)
            for earlier_set in board_set.list_earlier_sets()
            if earlier_set.commitment
        ),
        can_be_proved=can_publish and board_set.is_ready,
    )


def get_published_proof(session: Session) -> proof.Proof | None:
    """Return the data for dealing a session's boards again, once it may be published."""
    board_set = session.board_set
    if board_set is None or not board_set.is_ready or not can_see_hands(session):
        return None
    return board_set.build_proof()


def verify_session_deals(session: Session) -> Verification | None:
    """Deal a session's boards again from their secret, and compare them with those played.

    Returns None while the secret is not published.
    """
    published_proof = get_published_proof(session)
    if published_proof is None or session.board_set is None:
        return None
    recomputed_commitment = proof.compute_set_commitment(
        published_proof, published_proof.board_count
    )
    redealt_boards = set(
        session.board_set.boards.current()
        .filter(version__gt=1)
        .values_list("number", flat=True)
    )
    recomputed_deals_by_board = proof.redeal_boards(published_proof)
    return Verification(
        commitment=recomputed_commitment,
        has_matching_commitment=recomputed_commitment == published_proof.commitment
        and all(
            proof.compute_set_commitment(published_proof, board_count) == commitment
            for board_count, commitment in published_proof.previous_commitments
        ),
        boards=tuple(
            BoardVerification(
                board_number,
                recomputed_deals_by_board[board_number],
                recomputed_deals_by_board[board_number] == deal,
                board_number in redealt_boards,
            )
            for board_number, deal in published_proof.deals_by_board.items()
        ),
    )


def _build_published_board_set(board_set: BoardSet, is_public: bool) -> PublishedBoardSet:
    return PublishedBoardSet(
        ordinal=board_set.ordinal,
        first_board_number=board_set.first,
        last_board_number=board_set.board_numbers[-1],
        commitment=board_set.commitment,
        previous_commitments=tuple(
            (board_set.first + board_count - 1, commitment)
            for board_count, commitment in board_set.promised_before
        ),
        is_public_value_required=board_set.awaits_public,
        public_value=board_set.public_value,
        secret=bytes(board_set.secret or b"").hex() if is_public else "",
        is_waiting_for_public_value=board_set.is_waiting_for_public_value,
    )
