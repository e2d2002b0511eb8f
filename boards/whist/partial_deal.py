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
    has_turn_up: bool = True  # whether a card is turned up; otherwise trumps are declared

    @property
    def implied_seat(self) -> Seat | None:
        """The seat whose hand follows from the other three; None until three are entered."""
        missing_seats = [seat for seat in Seat if seat not in self.hands]
        return (
            missing_seats[0]
            if len(missing_seats) == 1 and not self._repeated_card_problems
            else None
        )

    @property
    def turn_up(self) -> Card | None:
        """The turn-up; None if it is not entered, or if helpers entered different cards."""
        if not self.has_turn_up:
            return None
        turn_up_cards = set(self.turn_ups.values())
        return turn_up_cards.pop() if len(turn_up_cards) == 1 else None

    @property
    def contradictions(self) -> list[str]:
        """The contradictions as sentences: a repeated card, or two turn-ups (rules B4)."""
        return [
            _format_sentence(problem)
            for problem in self._repeated_card_problems or self._list_turn_up_problems()
        ]

    def build_deal(self) -> Deal | None:
        """Return the deal, or None while it is incomplete or has contradictions.

        Three hands and the turn-up are enough. If trumps are declared, three hands are enough
        (Law IV §11).
        """
        turn_up = self.turn_up
        hands = dict(self.hands)
        if self.implied_seat is not None:
            entered_cards = frozenset().union(*hands.values())
            hands[self.implied_seat] = frozenset(PACK) - entered_cards
        if self.contradictions or len(hands) < 4:
            return None
        if not self.has_turn_up:
            return Deal(hands, self.dealer, None)
        if turn_up is None:
            return None
        return Deal(hands, self.dealer, turn_up) if turn_up in hands[self.dealer] else None

    @property
    def _repeated_card_problems(self) -> list[str]:
        return [
            problem
            for first_seat, second_seat in combinations(
                [seat for seat in Seat if seat in self.hands], 2
            )
            for problem in _format_common_cards(
                first_seat,
                second_seat,
                sorted(self.hands[first_seat] & self.hands[second_seat]),
            )
        ]

    def _list_turn_up_problems(self) -> list[str]:
        if not self.has_turn_up:
            return []
        distinct_turn_ups = sorted(set(self.turn_ups.values()))
        if len(distinct_turn_ups) > 1:
            cards_text = ", ".join(card.word for card in distinct_turn_ups)
            message = _("there are different turn-ups (%(cards)s): check the trump slip")
            return [message % {"cards": cards_text}]
        for seat, hand in self.hands.items():
            if seat is not self.dealer and distinct_turn_ups and distinct_turn_ups[0] in hand:
                message = _(
                    "the turn-up, the %(card)s, is in %(seat)s’s hand, but %(dealer)s dealt"
                )
                return [
                    message
                    % {
                        "card": distinct_turn_ups[0].word,
                        "seat": seat.word,
                        "dealer": self.dealer.word,
                    }
                ]
        dealer_hand = self.hands.get(self.dealer)
        if (
            distinct_turn_ups
            and dealer_hand is not None
            and distinct_turn_ups[0] not in dealer_hand
        ):
            message = _("the turn-up, the %(card)s, is not in %(seat)s’s hand")
            return [message % {"card": distinct_turn_ups[0].word, "seat": self.dealer.word}]
        return []


_MAX_LISTED_CARDS = 3  # above this number, cards in two hands are counted instead of listed


def _format_common_cards(seat: Seat, other_seat: Seat, cards: list[Card]) -> list[str]:
    seat_placeholders = {"one": seat.word, "other": other_seat.word}
    if len(cards) > _MAX_LISTED_CARDS:
        message = _("%(one)s’s and %(other)s’s hands have %(count)s cards in common")
        return [message % {**seat_placeholders, "count": len(cards)}]
    message = _("the %(card)s is in both %(one)s’s and %(other)s’s hands")
    return [message % {**seat_placeholders, "card": card.word} for card in cards]


def _format_sentence(problem: str) -> str:
    return format_problems([problem])
