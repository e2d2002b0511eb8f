"""Tricks and play: the turn to play, legal cards, winners and revokes."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist.cards import Card, Suit
from boards.whist.deals import Deal
from boards.whist.errors import IllegalPlay
from boards.whist.seats import Seat, Side


@dataclass(frozen=True, slots=True)
class Trick:
    """One to four cards of a trick in order of play, beginning with the leader's."""

    leader: Seat
    cards: tuple[Card, ...]

    @property
    def is_complete(self) -> bool:
        """Whether all four seats have played."""
        return len(self.cards) == 4

    @property
    def suit_led(self) -> Suit:
        """The suit that players must follow."""
        return self.cards[0].suit

    @property
    def cards_by_seat(self) -> dict[Seat, Card]:
        """The cards of the trick by seat, in order of play."""
        cards_by_seat, seat = {}, self.leader
        for card in self.cards:
            cards_by_seat[seat] = card
            seat = seat.left_neighbour
        return cards_by_seat

    def find_winner(self, trumps: Suit | None) -> Seat:
        """Return the seat with the highest trump, or else the highest card of the suit led.

        Source: rules B7.
        """
        cards_by_seat = self.cards_by_seat

        def rank_card(seat: Seat) -> tuple[bool, bool, int]:
            card = cards_by_seat[seat]
            return card.suit is trumps, card.suit is self.suit_led, card.rank

        return max(cards_by_seat, key=rank_card)


@dataclass(frozen=True, slots=True)
class Revoke:
    """A card that did not follow suit although its player could (Definitions (g)).

    `suit_led_cards` are the cards of the suit led that the player had.
    """

    trick_number: int
    seat: Seat
    card: Card
    suit_led_cards: frozenset[Card]

    def __str__(self) -> str:
        suit_led_cards_text = ", ".join(str(card) for card in sorted(self.suit_led_cards))
        return _("Trick %(trick)s: %(seat)s played %(card)s but held %(held)s.") % {
            "trick": self.trick_number,
            "seat": self.seat.word,
            "card": self.card,
            "held": suit_led_cards_text,
        }


@dataclass(frozen=True, slots=True)
class Play:
    """A deal and its cards played so far, in order of play."""

    deal: Deal
    cards: tuple[Card, ...] = ()

    @classmethod
    def from_cards(cls, deal: Deal, cards: Iterable[Card]) -> "Play":
        """Return the play of a deal with all given cards, including revokes.

        Raises IllegalPlay, with the number of the trick, for the first card that the player
        does not have.
        """
        play = cls(deal)
        for card in cards:
            play = play.record_card(card)
        return play

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks of the play, of which the last may be incomplete."""
        tricks: list[Trick] = []
        leader = self.deal.leader
        for trick_start in range(0, len(self.cards), 4):
            tricks.append(Trick(leader, self.cards[trick_start : trick_start + 4]))
            leader = tricks[-1].find_winner(self.deal.trumps)
        return tuple(tricks)

    @property
    def is_over(self) -> bool:
        """Whether all thirteen tricks are complete."""
        return len(self.cards) == 52

    @property
    def turn(self) -> Seat | None:
        """The seat that plays next, or None after the last trick."""
        tricks = self.tricks
        if self.is_over:
            return None
        if not tricks:
            return self.deal.leader
        last_trick = tricks[-1]
        return (
            last_trick.find_winner(self.deal.trumps)
            if last_trick.is_complete
            else list(last_trick.cards_by_seat)[-1].left_neighbour
        )

    @property
    def tricks_won(self) -> dict[Side, int]:
        """The number of complete tricks won by each side, in total 13 at the end (rules J2)."""
        tricks_by_side = {Side.NS: 0, Side.EW: 0}
        for trick in self.tricks:
            if trick.is_complete:
                tricks_by_side[trick.find_winner(self.deal.trumps).side] += 1
        return tricks_by_side

    @property
    def revokes(self) -> tuple[Revoke, ...]:
        """All uncorrected revokes in order of play (Law X)."""
        revokes = []
        remaining_hands_by_seat = {seat: set(hand) for seat, hand in self.deal.hands.items()}
        for trick_number, trick in enumerate(self.tricks, start=1):
            for seat, card in trick.cards_by_seat.items():
                suit_cards = _select_cards_of_suit(
                    remaining_hands_by_seat[seat], trick.suit_led
                )
                if suit_cards and card.suit is not trick.suit_led:
                    revokes.append(Revoke(trick_number, seat, card, suit_cards))
                remaining_hands_by_seat[seat].discard(card)
        return tuple(revokes)

    def get_remaining_hand(self, seat: Seat) -> frozenset[Card]:
        """Return the cards that a seat has not played yet."""
        return self.deal.hands[seat].difference(self.cards)

    def list_legal_cards(self) -> frozenset[Card]:
        """Return the cards that may be played now.

        These are the cards of the suit led, or the whole hand if the player has none.

        Source: rules B7.
        """
        if self.turn is None:
            return frozenset()
        hand = self.get_remaining_hand(self.turn)
        if len(self.cards) % 4 == 0:
            return hand
        return _select_cards_of_suit(hand, self.tricks[-1].suit_led) or hand

    def play(self, card: Card) -> "Play":
        """Return a copy of the play with a legal card added.

        Raises IllegalPlay, which names the seat and card, if the card is not legal.
        """
        extended_play = self.record_card(card)
        legal_cards = self.list_legal_cards()
        if card not in legal_cards:
            legal_cards_text = ", ".join(str(legal_card) for legal_card in sorted(legal_cards))
            message = _(
                "Trick %(trick)s: %(seat)s must follow suit and can’t play %(card)s. "
                "Allowed: %(legal)s."
            )
            raise IllegalPlay(
                message % {**self._build_placeholders(card), "legal": legal_cards_text}
            )
        return extended_play

    def record_card(self, card: Card) -> "Play":
        """Return a copy of the play with any card of the player's hand added, even a revoke.

        Raises IllegalPlay if the player does not have the card.
        """
        if self.is_over:
            message = _("All 13 tricks have been played. %(card)s is one too many.")
            raise IllegalPlay(message % {"card": card})
        if card not in self.get_remaining_hand(self._get_seat_to_play()):
            raise IllegalPlay(self._explain_illegal_card(card))
        return Play(self.deal, (*self.cards, card))

    def _get_seat_to_play(self) -> Seat:
        assert self.turn is not None
        return self.turn

    def _build_placeholders(self, card: Card) -> dict[str, object]:
        return {
            "trick": len(self.cards) // 4 + 1,
            "seat": self._get_seat_to_play().word,
            "card": card,
        }

    def _explain_illegal_card(self, card: Card) -> str:
        if card in self.cards:
            message = _(
                "Trick %(trick)s: it’s %(seat)s’s turn, but %(card)s was already played at "
                "trick %(before)s."
            )
            return message % {
                **self._build_placeholders(card),
                "before": self.cards.index(card) // 4 + 1,
            }
        holder = next(seat for seat in Seat if card in self.deal.hands[seat])
        message = _(
            "Trick %(trick)s: it’s %(seat)s’s turn, but %(card)s is in %(holder)s’s hand."
        )
        return message % {**self._build_placeholders(card), "holder": holder.word}


def _select_cards_of_suit(cards: Iterable[Card], suit: Suit) -> frozenset[Card]:
    return frozenset(card for card in cards if card.suit is suit)
