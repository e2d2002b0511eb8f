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
    def by_seat(self) -> dict[Seat, Card]:
        """The cards of the trick by seat, in order of play."""
        seats, seat = {}, self.leader
        for card in self.cards:
            seats[seat] = card
            seat = seat.left
        return seats

    def winner(self, trumps: Suit | None) -> Seat:
        """Return the seat with the highest trump, or else the highest card of the suit led.

        Source: rules B7.
        """
        played = self.by_seat

        def worth(seat: Seat) -> tuple[bool, bool, int]:
            card = played[seat]
            return card.suit is trumps, card.suit is self.suit_led, card.rank

        return max(played, key=worth)


@dataclass(frozen=True, slots=True)
class Revoke:
    """A card of another suit, played by someone who had the suit led (Definitions (g))."""

    trick: int
    seat: Seat
    card: Card
    held: frozenset[Card]

    def __str__(self) -> str:
        could = ", ".join(str(card) for card in sorted(self.held))
        return _("Trick %(trick)s: %(seat)s played %(card)s but held %(held)s.") % {
            "trick": self.trick,
            "seat": self.seat.word,
            "card": self.card,
            "held": could,
        }


@dataclass(frozen=True, slots=True)
class Play:
    """A deal and its cards played so far, in order of play."""

    deal: Deal
    cards: tuple[Card, ...] = ()

    @classmethod
    def of(cls, deal: Deal, cards: Iterable[Card]) -> "Play":
        """Return the play of a deal with all given cards, including revokes.

        Raises IllegalPlay, with the number of the trick, for the first card that the player
        does not have.
        """
        play = cls(deal)
        for card in cards:
            play = play.record(card)
        return play

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks of the play, of which the last may be incomplete."""
        tricks: list[Trick] = []
        leader = self.deal.leader
        for first in range(0, len(self.cards), 4):
            tricks.append(Trick(leader, self.cards[first : first + 4]))
            leader = tricks[-1].winner(self.deal.trumps)
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
        last = tricks[-1]
        return (
            last.winner(self.deal.trumps) if last.is_complete else list(last.by_seat)[-1].left
        )

    @property
    def won(self) -> dict[Side, int]:
        """The number of complete tricks won by each side, in total 13 at the end (rules J2)."""
        won = {Side.NS: 0, Side.EW: 0}
        for trick in self.tricks:
            if trick.is_complete:
                won[trick.winner(self.deal.trumps).side] += 1
        return won

    @property
    def revokes(self) -> tuple[Revoke, ...]:
        """All uncorrected revokes in order of play (Law X)."""
        revokes = []
        hands_left = {seat: set(hand) for seat, hand in self.deal.hands.items()}
        for number, trick in enumerate(self.tricks, start=1):
            for seat, card in trick.by_seat.items():
                suit_cards = _select_suit(hands_left[seat], trick.suit_led)
                if suit_cards and card.suit is not trick.suit_led:
                    revokes.append(Revoke(number, seat, card, suit_cards))
                hands_left[seat].discard(card)
        return tuple(revokes)

    def hand(self, seat: Seat) -> frozenset[Card]:
        """Return the cards that a seat has not played yet."""
        return self.deal.hands[seat].difference(self.cards)

    def legal(self) -> frozenset[Card]:
        """Return the cards that may be played now: of the suit led, or any if the hand has
        none.

        Source: rules B7.
        """
        if self.turn is None:
            return frozenset()
        hand = self.hand(self.turn)
        if len(self.cards) % 4 == 0:
            return hand
        return _select_suit(hand, self.tricks[-1].suit_led) or hand

    def play(self, card: Card) -> "Play":
        """Return a copy of the play with a legal card added.

        Raises IllegalPlay, which names the seat and card, if the card is not legal.
        """
        next_play = self.record(card)
        legal = self.legal()
        if card not in legal:
            could = ", ".join(str(each) for each in sorted(legal))
            message = _(
                "Trick %(trick)s: %(seat)s must follow suit and can't play "
                "%(card)s. Allowed: %(legal)s."
            )
            raise IllegalPlay(message % {**self._build_placeholders(card), "legal": could})
        return next_play

    def record(self, card: Card) -> "Play":
        """Return a copy of the play with any card of the player's hand added, even a revoke.

        Raises IllegalPlay if the player does not have the card.
        """
        if self.is_over:
            message = _("All 13 tricks have been played. %(card)s is one too many.")
            raise IllegalPlay(message % {"card": card})
        if card not in self.hand(self._get_seat_to_play()):
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
                "Trick %(trick)s: it is %(seat)s's turn, and %(card)s was played at trick "
                "%(before)s."
            )
            return message % {
                **self._build_placeholders(card),
                "before": self.cards.index(card) // 4 + 1,
            }
        holder = next(seat for seat in Seat if card in self.deal.hands[seat])
        message = _(
            "Trick %(trick)s: it is %(seat)s's turn, and %(card)s is in %(holder)s's hand."
        )
        return message % {**self._build_placeholders(card), "holder": holder.word}


def _select_suit(cards: Iterable[Card], suit: Suit) -> frozenset[Card]:
    return frozenset(card for card in cards if card.suit is suit)
