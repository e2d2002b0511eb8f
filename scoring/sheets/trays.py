"""The papers for the trays: labels, hand cards, and the list for the dealing machine."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist import Card, Deal, Seat, Suit
from boards.whist.second_suits import build_second_play_deal
from printing.values import Heading
from scoring.errors import PaperRefused
from scoring.second_plays import find_deal_as_played
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.headings import build_heading
from tournaments.models import Entry, Event


@dataclass(frozen=True, slots=True)
class TrayLabel:
    """The label of one board: its number and its dealer. It shows nothing secret."""

    heading: Heading
    board_number: int
    dealer: Seat


@dataclass(frozen=True, slots=True)
class HandCard:
    """One hand of a board on a card, for the pocket of the board or for the second play.

    Only the dealer's card shows `turn_up` (rules Q3).
    """

    heading: Heading
    board_number: int
    seat: Seat
    cards: tuple[Card, ...]  # spades, hearts, diamonds, clubs, each from the ace down
    dealer: Seat
    turn_up: Card | None
    title: str = ""  # "First round: Pole & Trist against Paine & Gale"
    player_name: str = ""
    trumps: str = ""  # the trumps in words; "" if a card is turned


@dataclass(frozen=True, slots=True)
class DealingMachineRow:
    """One row of the list for the operator of the dealing machine."""

    board_number: int
    dealer: Seat
    turn_up: Card | None  # None if trumps are declared
    suit_lengths: tuple[str, ...]  # cards in each suit, for North, East, South, West: "4-3-3-3"
    play_name: str = ""  # "Second play", if its suits differ from the first


@dataclass(frozen=True, slots=True)
class DealingMachineList:
    """The boards in the order of the dealing machine."""

    heading: Heading
    rows: tuple[DealingMachineRow, ...]


@dataclass(frozen=True, slots=True)
class ResultCard:
    """The score card of a memory duplicate, with a row for the odd tricks of each hand.

    Source: rules Q4.
    """

    heading: Heading
    sides: tuple[str, str]  # the pair that sits N-S in the first round, and the other pair
    boards: tuple[int, ...]


def build_tray_labels(snapshot: SessionSnapshot) -> list[TrayLabel]:
    """Return a label for each board (rules C1-C5, C8)."""
    heading = build_heading(snapshot.session)
    dealers_by_board = snapshot.session.load_dealers(snapshot.boards)
    return [
        TrayLabel(heading, board_number, dealers_by_board[board_number])
        for board_number in snapshot.boards
    ]


def build_curtain_cards(snapshot: SessionSnapshot) -> list[HandCard]:
    """Return four hand cards for each board, then four for a second play in other suits."""
    return [
        _build_hand_card(snapshot, board_number, deal, seat, play_name)
        for play_name, boards_and_deals in split_deals_by_play(
            snapshot.session.event, _load_deals(snapshot)
        )
        for board_number, deal in boards_and_deals
        for seat in Seat
    ]


def build_memory_cards(snapshot: SessionSnapshot) -> list[HandCard]:
    """Return a card of each player's hand, for every play of every board (rules Q2, Q3)."""
    deals_by_board = dict(_load_deals(snapshot))
    return [
        _build_hand_card(
            snapshot,
            board_number,
            find_deal_as_played(snapshot, table, board_number, deals_by_board[board_number]),
            seat,
            title,
            player_name,
        )
        for table in snapshot.tables
        if table.is_played
        for board_number in table.boards
        if board_number in deals_by_board
        for title in [_describe_round(table)]
        for seat, player_name in _find_players(snapshot, table).items()
    ]


def split_deals_by_play(
    event: Event, boards_and_deals: Sequence[tuple[int, Deal]]
) -> list[tuple[str, list[tuple[int, Deal]]]]:
    """Return the deals of each play, with the name of the play if there are two plays."""
    if not event.other_suits:
        return [("", list(boards_and_deals))]
    boards_and_second_deals = [
        (board_number, build_second_play_deal(deal)) for board_number, deal in boards_and_deals
    ]
    return [
        (_("First play"), list(boards_and_deals)),
        (_("Second play"), boards_and_second_deals),
    ]


def _describe_round(table: SeatedTable) -> str:
    """Return the round and the partnerships in it (rules Q3)."""
    round_names = {1: _("First round"), 2: _("Second round")}
    round_name = round_names.get(table.round, _("Round %(number)s") % {"number": table.round})
    return _("%(round)s: %(ns)s against %(ew)s") % {
        "round": round_name,
        "ns": table.ns.name,
        "ew": table.ew.name,
    }


def build_dealing_machine_list(snapshot: SessionSnapshot) -> DealingMachineList:
    """Return the boards with dealer, turn-up and suit lengths, to check the machine's deals."""
    return DealingMachineList(
        build_heading(snapshot.session),
        tuple(
            DealingMachineRow(
                board_number,
                deal.dealer,
                deal.turn_up,
                tuple(_format_suit_lengths(deal, seat) for seat in Seat),
                play_name,
            )
            for play_name, boards_and_deals in split_deals_by_play(
                snapshot.session.event, _load_deals(snapshot)
            )
            for board_number, deal in boards_and_deals
        ),
    )


def build_result_card(snapshot: SessionSnapshot) -> ResultCard:
    """Return the score card that the four players of a memory duplicate use for both plays."""
    table = next(
        (seated_table for seated_table in snapshot.tables if seated_table.is_played), None
    )
    if table is None:
        raise PaperRefused(_("No one is seated yet. Choose a movement first."))
    return ResultCard(
        build_heading(snapshot.session), (table.ns.name, table.ew.name), tuple(snapshot.boards)
    )


def _load_deals(snapshot: SessionSnapshot) -> list[tuple[int, Deal]]:
    boards_and_deals = list(snapshot.session.load_known_deals().items())
    if not boards_and_deals:
        raise PaperRefused(
            _("The cards of these boards aren’t recorded. Deal the boards or enter the cards.")
        )
    return boards_and_deals


def _build_hand_card(
    snapshot: SessionSnapshot,
    board_number: int,
    deal: Deal,
    seat: Seat,
    title: str = "",
    player_name: str = "",
) -> HandCard:
    return HandCard(
        heading=build_heading(snapshot.session),
        board_number=board_number,
        seat=seat,
        cards=tuple(sorted(deal.hands[seat])),
        dealer=deal.dealer,
        turn_up=deal.turn_up if seat is deal.dealer else None,
        trumps=_describe_card_trumps(snapshot.session.event, deal),
        title=title,
        player_name=player_name,
    )


def describe_trumps(event: Event) -> str:
    """Return "Trumps: hearts on every board"; "" if the event turns a card."""
    if event.has_turn_up:
        return ""
    return _("Trumps: %(what)s") % {"what": event.get_trumps_display()}


def _describe_card_trumps(event: Event, deal: Deal) -> str:
    """Return the trumps printed on a card; in the second play the suit may differ."""
    if event.other_suits and deal.declared_trumps:
        return _("Trumps: %(what)s") % {"what": deal.declared_trumps.word}
    return describe_trumps(event)


def _find_players(snapshot: SessionSnapshot, table: SeatedTable) -> dict[Seat, str]:
    """Return the players by seat: in a pair the first named sits North or East."""
    player_names_by_seat = dict.fromkeys(Seat, "")
    event = snapshot.session.event
    for seats, side in (
        ((Seat.NORTH, Seat.SOUTH), table.ns),
        ((Seat.EAST, Seat.WEST), table.ew),
    ):
        entries = Entry.objects.filter(event=event, number__in=side.entries)
        names_by_entry = {
            entry.number: [
                membership.player.shown_name for membership in entry.memberships.all()
            ]
            for entry in entries.prefetch_related("memberships__player")
        }
        player_names = [
            name
            for entry_number in side.entries
            for name in names_by_entry.get(entry_number, [])
        ]
        if event.contest == Event.Contest.TEAMS:
            player_names = [name for name in player_names if name in side.name.split(" & ")]
        player_names_by_seat |= dict(zip(seats, player_names, strict=False))
    return player_names_by_seat


def _format_suit_lengths(deal: Deal, seat: Seat) -> str:
    suits = [card.suit for card in deal.hands[seat]]
    return "-".join(str(suits.count(suit)) for suit in Suit)
