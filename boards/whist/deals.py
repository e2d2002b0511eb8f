"""The deal (four hands, the dealer and the turn-up), dealing a pack, and checks of hands."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.cards import PACK, Card, Suit
from boards.whist.errors import InvalidDeal
from boards.whist.seats import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """Four hands, the dealer, and the dealer's turned-up card, whose suit is trumps.

    If no card is turned up, `declared_trumps` is the declared trump suit, or None if it is
    unknown.
    """

    hands: Mapping[Seat, frozenset[Card]]
    dealer: Seat
    turn_up: Card | None
    declared_trumps: Suit | None = None

    def __post_init__(self) -> None:
        if not self._is_valid():
            raise InvalidDeal(
                format_problems(list_deal_problems(self.hands, self.dealer, self.turn_up))
            )

    def __hash__(self) -> int:
        hands = (self.hands[seat] for seat in Seat)
        return hash((*hands, self.dealer, self.turn_up, self.declared_trumps))

    @property
    def trumps(self) -> Suit | None:
        """The suit of the turn-up, or the declared suit; None if it is unknown (rules B8)."""
        return self.declared_trumps if self.turn_up is None else self.turn_up.suit

    @property
    def known_turn_up(self) -> Card:
        """The turn-up, for deals that always have one, such as those dealt from a secret."""
        assert self.turn_up is not None
        return self.turn_up

    def with_declared_trumps(self, suit: Suit | None) -> "Deal":
        """Return the same hands with declared trumps instead of a turn-up (Law IV §11)."""
        return Deal(self.hands, self.dealer, None, suit)

    @property
    def leader(self) -> Seat:
        """The seat on the dealer's left, who leads to the first trick (rules A9)."""
        return self.dealer.left_neighbour

    def _is_valid(self) -> bool:
        hands = [self.hands.get(seat, frozenset()) for seat in Seat]
        return (
            [len(hand) for hand in hands] == [13, 13, 13, 13]
            and frozenset().union(*hands) == _PACK_SET
            and (self.turn_up is None or self.turn_up in self.hands[self.dealer])
        )


def deal_pack(pack: Sequence[Card], dealer: Seat) -> Deal:
    """Deal a pack card by card, beginning on the dealer's left; the last card is the turn-up.

    Raises InvalidDeal unless the pack has fifty-two different cards.

    Source: Law III §1; rules B2, B3.
    """
    if len(pack) != 52:
        raise InvalidDeal(_("There are %(count)s cards. A pack has 52.") % {"count": len(pack)})
    seats_in_order = (dealer.left_neighbour, dealer.partner, dealer.right_neighbour, dealer)
    hands = {seat: pack[start::4] for start, seat in enumerate(seats_in_order)}
    if len(set(pack)) != 52:
        raise InvalidDeal(format_problems(list_deal_problems(hands, dealer, None)))
    return Deal({seat: frozenset(hands[seat]) for seat in Seat}, dealer, pack[51])


def list_deal_problems(
    hands: Mapping[Seat, Collection[Card]], dealer: Seat, turn_up: Card | None
) -> list[str]:
    """Return all problems of four hands as phrases without full stops.

    If a hand is a list, a repeated card is found too. If `turn_up` is None, the turn-up is not
    checked.

    Source: rules B4.
    """
    problems = [
        *_list_wrong_card_counts(hands),
        *_list_missing_cards(hands),
        *list_repeated_cards(hands),
    ]
    if turn_up is not None and turn_up not in hands.get(dealer, ()):
        problems.append(
            _("the turn-up, the %(card)s, is not in the hand of %(seat)s, the dealer")
            % {"card": turn_up.word, "seat": dealer.word}
        )
    return problems


def list_repeated_cards(hands: Mapping[Seat, Collection[Card]]) -> list[str]:
    """Return a phrase for every card that appears more than once, without full stops."""
    seats_by_card: dict[Card, list[Seat]] = {}
    for seat in Seat:
        for card in hands.get(seat, ()):
            seats_by_card.setdefault(card, []).append(seat)
    seats_by_repeated_card = {
        card: seats_by_card[card]
        for card in sorted(seats_by_card)
        if len(seats_by_card[card]) > 1
    }
    if len(seats_by_repeated_card) > _MAX_LISTED_CARDS:
        return [
            _("%(count)s cards appear more than once") % {"count": len(seats_by_repeated_card)}
        ]
    return [
        _format_repeated_card(card, [seat.word for seat in seats])
        for card, seats in seats_by_repeated_card.items()
    ]


def format_problems(problems: Sequence[str]) -> str:
    """Return problems as one sentence, separated by semicolons."""
    sentence = "; ".join(problems) + "."
    return sentence[0].upper() + sentence[1:]


def format_card_count_problem(seat: Seat, card_count: int) -> str:
    """Return a phrase about a hand with a wrong number of cards, without a full stop."""
    message = ngettext(
        "%(seat)s has %(count)s card", "%(seat)s has %(count)s cards", card_count
    )
    return message % {"seat": seat.word, "count": card_count}


_PACK_SET = frozenset(PACK)
_MAX_LISTED_CARDS = (
    6  # above this number, missing or doubled cards are counted instead of listed
)


def _list_wrong_card_counts(hands: Mapping[Seat, Collection[Card]]) -> list[str]:
    card_counts_by_seat = {seat: len(hands.get(seat, ())) for seat in Seat}
    return [
        format_card_count_problem(seat, card_count)
        for seat, card_count in card_counts_by_seat.items()
        if card_count != 13
    ]


def _list_missing_cards(hands: Mapping[Seat, Collection[Card]]) -> list[str]:
    dealt_cards = {card for hand in hands.values() for card in hand}
    missing_cards = [card for card in PACK if card not in dealt_cards]
    if len(missing_cards) > _MAX_LISTED_CARDS:
        return [_("%(count)s cards are missing") % {"count": len(missing_cards)}]
    return [_("the %(card)s is missing") % {"card": card.word} for card in missing_cards]


def _format_repeated_card(card: Card, seat_names: Sequence[str]) -> str:
    placeholders = {
        "card": card.word,
        "count": len(seat_names),
        "seats": ", ".join(dict.fromkeys(seat_names)),
    }
    if len(seat_names) == 2:
        return _("the %(card)s appears twice (%(seats)s)") % placeholders
    return _("the %(card)s appears %(count)s times (%(seats)s)") % placeholders
