"""The play of a deal for a replay page, trick by trick, compared with best play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from boards.whist import Card, Deal, Play, Seat, Side
from boards.worked_hands import WorkedHand
from clubs.models import Player
from scoring.models import PlayRecord
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import SessionSnapshot


@dataclass(frozen=True, slots=True)
class ReplayTrick:
    """One trick: its cards by seat, leader and winner, and the tricks won after it."""

    trick_number: int
    cards: tuple[tuple[Seat, Card | None], ...]  # North, East, South, West
    leader: Seat
    winner: Seat | None  # None if the trick is unfinished
    ns_tricks_won: int
    ew_tricks_won: int
    best_ns_tricks: int | None  # the total tricks of N-S with best play from here
    ns_tricks_change: int | None  # tricks that N-S gained or lost here, against best play
    # Seats whose card the book does not print: the card was chosen, or was the only legal one.
    chosen_card_seats: frozenset[Seat] = frozenset()
    forced_seats: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class ReplayHand:
    """One hand at the table, suit by suit."""

    seat: Seat
    player_name: str
    is_dealer: bool
    suits: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """The play of a whole deal, trick by trick, for a replay page."""

    title: str
    source: str
    deal: Deal
    hands: tuple[ReplayHand, ...]
    tricks: tuple[ReplayTrick, ...]
    revokes: tuple[str, ...]
    best_ns_tricks: int | None  # the tricks of N-S with best play from the start
    ns_tricks_won: int
    ew_tricks_won: int

    @property
    def has_reconstructed_cards(self) -> bool:
        """Whether some cards of the play were added, because the book does not print them."""
        return any(trick.chosen_card_seats or trick.forced_seats for trick in self.tricks)

    @property
    def play_steps(self) -> list[dict[str, Any]]:
        """The cards in order of play, as data for the script that shows the play."""
        return [
            {
                "trick": trick.trick_number,
                "seat": seat.value,
                "card": card.code,
                "text": str(card),
                "words": f"{seat.word}: {card.word}",
                "winner": trick.winner.word if trick.winner else "",
                "ns": trick.ns_tricks_won,
                "ew": trick.ew_tricks_won,
                "best": trick.best_ns_tricks,
            }
            for trick in self.tricks
            for seat, card in _order_cards(trick)
        ]


def build_worked_replay(hand: WorkedHand) -> Replay:
    """Build the replay of a hand from a book, with the result as the book prints it."""
    replay = _build_replay(hand.play, hand.title, hand.source, {}, hand.best_play_trick_totals)
    tricks = tuple(
        replace(
            trick,
            chosen_card_seats=_find_seats(hand.chosen_card_positions, hand.play, trick_index),
            forced_seats=_find_seats(
                hand.positions_with_one_possible_card, hand.play, trick_index
            ),
        )
        for trick_index, trick in enumerate(replay.tricks)
    )
    return replace(
        replay, tricks=tricks, ns_tricks_won=hand.ns_tricks, ew_tricks_won=13 - hand.ns_tricks
    )


def _find_seats(
    play_positions: frozenset[int], play: Play, trick_index: int
) -> frozenset[Seat]:
    """Return the seats of one trick whose cards are at these positions of the play."""
    seats = tuple(play.tricks[trick_index].cards_by_seat)
    return frozenset(
        seats[position - 4 * trick_index]
        for position in play_positions
        if position // 4 == trick_index
    )


def build_record_replay(play_record: PlayRecord) -> Replay:
    """Build the replay of a play record; the caller must check `can_show_record` first."""
    return _build_replay(
        play_record.build_play(),
        play_record.title,
        "",
        _load_player_names(play_record),
        play_record.best,
    )


def build_hands(deal: Deal) -> tuple[ReplayHand, ...]:
    """Return the four hands of a deal, without players' names."""
    return tuple(_build_hand(deal, seat, "") for seat in Seat)


def can_show_record(play_record: PlayRecord) -> bool:
    """Return whether a play record, which reveals the cards of its deal, may be shown."""
    return play_record.session is None or can_see_hands(play_record.session)


def load_play_records(snapshot: SessionSnapshot, board_number: int) -> list[PlayRecord]:
    """Return the play records of one board, oldest first; empty while they are secret."""
    if not can_see_hands(snapshot.session):
        return []
    play_records = snapshot.session.play_records.exclude_undone().filter(board=board_number)
    return list(play_records.order_by("round", "table", "pk"))


def _load_player_names(play_record: PlayRecord) -> dict[Seat, str]:
    """Return the players by seat, with the public names of the club's list."""
    shown_names = {
        player.name: player.shown_name
        for player in play_record.club.players.exclude(shown=Player.Shown.NAME)
    }
    return {seat: shown_names.get(name, name) for seat, name in play_record.players.items()}


def _build_replay(
    play: Play,
    title: str,
    source: str,
    names_by_seat: Mapping[Seat, str],
    best_ns_tricks: Sequence[int],
) -> Replay:
    tricks_won_by_side = play.tricks_won
    return Replay(
        title=title,
        source=source,
        deal=play.deal,
        hands=tuple(_build_hand(play.deal, seat, names_by_seat.get(seat, "")) for seat in Seat),
        tricks=tuple(_build_tricks(play, best_ns_tricks)),
        revokes=tuple(str(revoke) for revoke in play.revokes),
        best_ns_tricks=best_ns_tricks[0] if best_ns_tricks else None,
        ns_tricks_won=tricks_won_by_side[Side.NS],
        ew_tricks_won=tricks_won_by_side[Side.EW],
    )


def _build_hand(deal: Deal, seat: Seat, player_name: str) -> ReplayHand:
    seat_cards = sorted(deal.hands[seat])
    distinct_suits = dict.fromkeys(card.suit for card in seat_cards)
    return ReplayHand(
        seat=seat,
        player_name=player_name,
        is_dealer=seat is deal.dealer,
        suits=tuple(
            tuple(card for card in seat_cards if card.suit is suit) for suit in distinct_suits
        ),
    )


def _build_tricks(play: Play, best_ns_tricks: Sequence[int]) -> list[ReplayTrick]:
    replay_tricks, tricks_won_by_side = [], {Side.NS: 0, Side.EW: 0}
    for trick_number, trick in enumerate(play.tricks, start=1):
        winner = trick.find_winner(play.deal.trumps) if trick.is_complete else None
        if winner is not None:
            tricks_won_by_side[winner.side] += 1
        is_analysed = trick_number < len(best_ns_tricks) and winner is not None
        replay_tricks.append(
            ReplayTrick(
                trick_number=trick_number,
                cards=tuple((seat, trick.cards_by_seat.get(seat)) for seat in Seat),
                leader=trick.leader,
                winner=winner,
                ns_tricks_won=tricks_won_by_side[Side.NS],
                ew_tricks_won=tricks_won_by_side[Side.EW],
                best_ns_tricks=best_ns_tricks[trick_number] if is_analysed else None,
                ns_tricks_change=best_ns_tricks[trick_number] - best_ns_tricks[trick_number - 1]
                if is_analysed
                else None,
            )
        )
    return replay_tricks


def _order_cards(trick: ReplayTrick) -> list[tuple[Seat, Card]]:
    cards_by_seat, seat, ordered_cards = dict(trick.cards), trick.leader, []
    for _turn in Seat:
        card = cards_by_seat[seat]
        if card is not None:
            ordered_cards.append((seat, card))
        seat = seat.left_neighbour
    return ordered_cards
