"""The services for helpers who type the hands of boards on their own phones."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

import tournaments.services
from boards.models import BoardSet
from boards.whist import Card, InvalidDeal, PartialDeal, Seat
from boards.whist.notation import format_hand, read_hand
from clubs.audit import Actor, GuestAuthor, Undo
from hall.helpers.hands import load_typed_deal
from hall.models import HandLink, TypedHand
from scoring.secrecy import list_boards_to_enter
from scoring.session_snapshot import load_session_snapshot
from tournaments.board_counts import count_boards
from tournaments.errors import ActionUnavailable
from tournaments.models import Session
from tournaments.session_acts import record_session_act

LINK_LIFETIME = timedelta(hours=24)
"""The lifetime of the helpers' link, which covers an evening and the next morning."""


@transaction.atomic
def create_hand_link(*, session: Session, are_outsiders: bool = False, by: Actor) -> HandLink:
    """Return the link with which helpers type a session's hands; create it if necessary.

    `are_outsiders` is the director's statement that no user of the link plays these boards.
    Raises ActionUnavailable if the program already knows the cards, or before a movement is
    chosen.
    """
    session = _lock_session(session)
    check_can_type_hands(session)
    now = timezone.now()
    for link in session.hand_links.filter(revoked_at=None):
        is_matching_link = link.are_outsiders == are_outsiders and bool(link.path)
        if is_matching_link and link.is_live(now):
            return link
        link.revoke()
    new_link = HandLink.create_link(
        session=session,
        are_outsiders=are_outsiders,
        ends_at=now + LINK_LIFETIME,
    )
    undo = Undo(_build_subject(session), "hand_link.revoke", {"session": session.pk})
    new_values = {"outsiders": True} if are_outsiders else {}
    record_session_act(by, "hand_link.made", session, new_values=new_values, undo=undo)
    return new_link


@transaction.atomic
def revoke_hand_link(*, session: Session, by: Actor) -> None:
    """Revoke the helpers' link of a session; the hands already typed are not deleted."""
    session = _lock_session(session)
    links = list(session.hand_links.filter(revoked_at=None))
    for link in links:
        link.revoke()
    if links:
        record_session_act(by, "hand_link.revoked", session, undo=Undo(_build_subject(session)))


def find_hand_link(token: str) -> HandLink | None:
    """Return the helpers' link with the given token, even if expired, or None."""
    return HandLink.find_by_token(token, "session__event__club", "session__board_set")


@transaction.atomic
def record_hand(
    *,
    link: HandLink,
    board_number: int,
    seat: Seat,
    cards_text: str,
    turn_up: str = "",
    can_replace: bool = False,
) -> TypedHand:
    """Store one hand of a board; after the third hand, store the whole deal.

    An empty `cards_text` leaves the stored hand unchanged and adds the turn-up. A stored hand
    with other cards is replaced only if `can_replace` is True. Raises ActionUnavailable if this
    board cannot be typed now. Raises InvalidDeal or UnreadableCard for invalid cards.
    """
    session = _lock_session(link.session)  # three phones may send a board's last hands at once
    _check_can_type_board(link, session, board_number)
    existing_hand = session.typed_hands.filter(board=board_number, seat=seat.value).first()
    if not cards_text.strip() and existing_hand is not None:
        cards_code = existing_hand.cards
    else:
        cards_code = format_hand(read_hand(cards_text, seat))
    if existing_hand is not None and existing_hand.cards != cards_code and not can_replace:
        raise ActionUnavailable(
            _("Board %(board)s: %(seat)s’s hand is already in, with different cards.")
            % {"seat": seat.word, "board": board_number}
        )
    turn_up_code = _parse_turn_up(turn_up) or (existing_hand.turn_up if existing_hand else "")
    if session.event.has_turn_up:
        if seat is session.load_dealers([board_number])[board_number]:
            _check_turn_up(board_number, seat, cards_code, turn_up_code)
    else:
        turn_up_code = ""
    hand, _is_new = TypedHand.objects.update_or_create(
        session=session,
        board=board_number,
        seat=seat.value,
        defaults={"cards": cards_code, "turn_up": turn_up_code, "at": timezone.now()},
    )
    _store_complete_deal(session, board_number, seat)
    return hand


def check_can_type_hands(session: Session) -> None:
    """Raise ActionUnavailable if the session has no movement or has computer-dealt boards."""
    if not session.sections.exists():
        raise ActionUnavailable(_("Choose a movement first."))
    board_set = session.board_set
    if board_set is not None and board_set.source == BoardSet.Source.GENERATED:
        raise ActionUnavailable(_("These boards are computer-dealt, so their cards are known."))


def _check_can_type_board(link: HandLink, session: Session, board_number: int) -> None:
    """Raise ActionUnavailable unless the link is valid and this board may be typed now."""
    if not link.is_live(timezone.now()):
        raise ActionUnavailable(_("This link no longer works. Ask the director for a new one."))
    check_can_type_hands(session)
    if board_number not in range(1, count_boards(session) + 1):
        raise ActionUnavailable(_("Board %(number)s not found.") % {"number": board_number})
    if board_number not in list_boards_to_enter(
        load_session_snapshot(session), are_helpers_outsiders=link.are_outsiders
    ):
        raise ActionUnavailable(
            _("Board %(number)s is still in play. Wait until every table has played it.")
            % {"number": board_number}
        )


def _parse_turn_up(turn_up_text: str) -> str:
    return Card.parse(turn_up_text).code if turn_up_text.strip() else ""


def _check_turn_up(board_number: int, seat: Seat, cards_code: str, typed_turn_up: str) -> None:
    """Raise InvalidDeal unless the dealer's hand contains its turn-up (rules B3, B4)."""
    if not typed_turn_up:
        raise InvalidDeal(
            _("%(seat)s dealt board %(board)s. Enter the turn-up too, e.g. H6.")
            % {"seat": seat.word, "board": board_number}
        )
    card = Card.parse(typed_turn_up)
    if card not in read_hand(cards_code, seat):
        raise InvalidDeal(
            _("The turn-up (%(card)s) isn’t one of these cards.") % {"card": card.word}
        )


def _store_complete_deal(session: Session, board_number: int, seat: Seat) -> None:
    """Store the board's deal once its hands are complete, unless it is already stored."""
    partial_deal: PartialDeal = load_typed_deal(session, board_number)
    deal = partial_deal.build_deal()
    if deal is None:
        return
    known_deals_by_board = session.load_known_deals()
    if known_deals_by_board.get(board_number) != deal:
        tournaments.services.import_deals(
            session=session,
            deals_by_board={board_number: deal},
            source=BoardSet.Source.TYPED,
            by=GuestAuthor(GuestAuthor.Kind.HELPER, seat.value),
        )


def _lock_session(session: Session) -> Session:
    sessions = Session.objects.select_for_update(of=("self",)).select_related("board_set")
    return sessions.get(pk=session.pk)


def _build_subject(session: Session) -> tuple[str]:
    return (f"hand link {session.pk}",)
