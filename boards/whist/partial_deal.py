"""A deal whose hands several helpers enter at the same time."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _

from boards.whist.cards import PACK, Card
from boards.whist.deals import Deal, format_problems
from boards.whist.seats import Seat


@dataclass(frozen=True, slots=True)
class PartialDeal:
    """The hands of one deal entered so far, and the turn-up that each helper entered."""

    dealer: Seat
    hands: Mapping[Seat, frozenset[Card]]
    turn_ups: Mapping[Seat, Card]
    is_turned: bool = True  # whether a card is turned up; otherwise trumps are declared

    @property
    def follows(self) -> Seat | None:
        """The seat whose hand follows from the other three; None until those are entered."""
        missing_seats = [seat for seat in Seat if seat not in self.hands]
        return missing_seats[0] if len(missing_seats) == 1 and not self._doubled else None

    @property
    def turn_up(self) -> Card | None:
        """The turn-up; None if it is not entered, or if helpers entered different cards."""
        if not self.is_turned:
            return None
        codes = set(self.turn_ups.values())
        return codes.pop() if len(codes) == 1 else None

    @property
    def faults(self) -> list[str]:
        """The contradictions as sentences: a repeated card, or two turn-ups (rules B4)."""
        return [_format_sentence(fault) for fault in self._doubled or self._wrong_turn_up()]

    def deal(self) -> Deal | None:
        """Return the deal, or None while it is incomplete or has contradictions.

        It needs three hands and the turn-up. If trumps are declared, it needs only the hands
        (Law IV §11).
        """
        turn_up = self.turn_up
        all_hands = dict(self.hands)
        if self.follows is not None:
            entered_cards = frozenset().union(*all_hands.values())
            all_hands[self.follows] = frozenset(PACK) - entered_cards
        if self.faults or len(all_hands) < 4:
            return None
        if not self.is_turned:
            return Deal(all_hands, self.dealer, None)
        if turn_up is None:
            return None
        return (
            Deal(all_hands, self.dealer, turn_up) if turn_up in all_hands[self.dealer] else None
        )

    @property
    def _doubled(self) -> list[str]:
        return [
            fault
            for one, other in combinations([seat for seat in Seat if seat in self.hands], 2)
            for fault in _format_common_cards(
                one, other, sorted(self.hands[one] & self.hands[other])
            )
        ]

    def _wrong_turn_up(self) -> list[str]:
        if not self.is_turned:
            return []
        codes = sorted(set(self.turn_ups.values()))
        if len(codes) > 1:
            cards = ", ".join(card.word for card in codes)
            message = _("there are different turn-ups (%(cards)s): check the trump slip")
            return [message % {"cards": cards}]
        for seat, hand in self.hands.items():
            if seat is not self.dealer and codes and codes[0] in hand:
                message = _(
                    "the turn-up, the %(card)s, is in %(seat)s's hand, but %(dealer)s dealt"
                )
                return [
                    message
                    % {"card": codes[0].word, "seat": seat.word, "dealer": self.dealer.word}
                ]
        dealers = self.hands.get(self.dealer)
        if codes and dealers is not None and codes[0] not in dealers:
            message = _("the turn-up, the %(card)s, is not in %(seat)s's hand")
            return [message % {"card": codes[0].word, "seat": self.dealer.word}]
        return []


_MAX_LISTED_CARDS = 3  # above this number, cards in two hands are counted instead of listed


def _format_common_cards(seat: Seat, other: Seat, cards: list[Card]) -> list[str]:
    seats = {"one": seat.word, "other": other.word}
    if len(cards) > _MAX_LISTED_CARDS:
        message = _("%(one)s's hand and %(other)s's have %(count)s cards in common")
        return [message % {**seats, "count": len(cards)}]
    message = _("the %(card)s is in %(one)s's hand and in %(other)s's")
    return [message % {**seats, "card": card.word} for card in cards]


def _format_sentence(fault: str) -> str:
    return format_problems([fault])
