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

    If no card is turned up, `declared` is the declared trump suit, or None if it is unknown.
    """

    hands: Mapping[Seat, frozenset[Card]]
    dealer: Seat
    turn_up: Card | None
    declared: Suit | None = None

    def __post_init__(self) -> None:
        if not self._is_sound():
            raise InvalidDeal(
                format_problems(list_problems(self.hands, self.dealer, self.turn_up))
            )

    def __hash__(self) -> int:
        hands = (self.hands[seat] for seat in Seat)
        return hash((*hands, self.dealer, self.turn_up, self.declared))

    @property
    def trumps(self) -> Suit | None:
        """The suit of the turn-up, or the declared suit; None if it is unknown (rules B8)."""
        return self.declared if self.turn_up is None else self.turn_up.suit

    @property
    def turned(self) -> Card:
        """The turn-up, for deals that always have one, such as those dealt from a secret."""
        assert self.turn_up is not None
        return self.turn_up

    def with_declared(self, suit: Suit | None) -> "Deal":
        """Return the same hands with declared trumps instead of a turn-up (Law IV §11)."""
        return Deal(self.hands, self.dealer, None, suit)

    @property
    def leader(self) -> Seat:
        """The seat on the dealer's left, who leads to the first trick (rules A9)."""
        return self.dealer.left

    def _is_sound(self) -> bool:
        hands = [self.hands.get(seat, frozenset()) for seat in Seat]
        return (
            [len(hand) for hand in hands] == [13, 13, 13, 13]
            and frozenset().union(*hands) == _WHOLE_PACK
            and (self.turn_up is None or self.turn_up in self.hands[self.dealer])
        )


def deal_out(pack: Sequence[Card], dealer: Seat) -> Deal:
    """Deal a pack card by card, beginning on the dealer's left; the last card is the turn-up.

    Raises InvalidDeal unless the pack has fifty-two different cards.

    Source: Law III §1; rules B2, B3.
    """
    if len(pack) != 52:
        raise InvalidDeal(_("A pack has 52 cards, not %(count)s.") % {"count": len(pack)})
    seats_in_order = (dealer.left, dealer.partner, dealer.right, dealer)
    hands = {seat: pack[first::4] for first, seat in enumerate(seats_in_order)}
    if len(set(pack)) != 52:
        raise InvalidDeal(format_problems(list_problems(hands, dealer, None)))
    return Deal({seat: frozenset(hands[seat]) for seat in Seat}, dealer, pack[51])


def list_problems(
    hands: Mapping[Seat, Collection[Card]], dealer: Seat, turn_up: Card | None
) -> list[str]:
    """Return all problems of four hands as phrases without full stops.

    Hands may be lists, in which a repeated card is found. If `turn_up` is None, it is not
    checked.

    Source: rules B4.
    """
    problems = [
        *_list_wrong_counts(hands),
        *_list_missing_cards(hands),
        *list_doubled_cards(hands),
    ]
    if turn_up is not None and turn_up not in hands.get(dealer, ()):
        problems.append(
            _("the turn-up, the %(card)s, is not in the hand of %(seat)s, the dealer")
            % {"card": turn_up.word, "seat": dealer.word}
        )
    return problems


def list_doubled_cards(hands: Mapping[Seat, Collection[Card]]) -> list[str]:
    """Return a phrase for every card that appears more than once, without full stops."""
    holders: dict[Card, list[Seat]] = {}
    for seat in Seat:
        for card in hands.get(seat, ()):
            holders.setdefault(card, []).append(seat)
    doubled = {card: holders[card] for card in sorted(holders) if len(holders[card]) > 1}
    if len(doubled) > _MAX_LISTED_CARDS:
        return [_("%(count)s cards appear more than once") % {"count": len(doubled)}]
    return [
        _format_doubled_card(card, [seat.word for seat in holders_of_card])
        for card, holders_of_card in doubled.items()
    ]


def format_problems(problems: Sequence[str]) -> str:
    """Return problems as one sentence, separated by semicolons."""
    text = "; ".join(problems) + "."
    return text[0].upper() + text[1:]


def format_wrong_count(seat: Seat, count: int) -> str:
    """Return a phrase about a hand with a wrong number of cards, without a full stop."""
    message = ngettext("%(seat)s has %(count)s card", "%(seat)s has %(count)s cards", count)
    return message % {"seat": seat.word, "count": count}


_WHOLE_PACK = frozenset(PACK)
_MAX_LISTED_CARDS = (
    6  # above this number, missing or doubled cards are counted instead of listed
)


def _list_wrong_counts(hands: Mapping[Seat, Collection[Card]]) -> list[str]:
    counts = {seat: len(hands.get(seat, ())) for seat in Seat}
    return [format_wrong_count(seat, count) for seat, count in counts.items() if count != 13]


def _list_missing_cards(hands: Mapping[Seat, Collection[Card]]) -> list[str]:
    dealt_cards = {card for hand in hands.values() for card in hand}
    missing = [card for card in PACK if card not in dealt_cards]
    if len(missing) > _MAX_LISTED_CARDS:
        return [_("%(count)s cards are missing") % {"count": len(missing)}]
    return [_("the %(card)s is missing") % {"card": card.word} for card in missing]


def _format_doubled_card(card: Card, seats: Sequence[str]) -> str:
    placeholders = {
        "card": card.word,
        "count": len(seats),
        "seats": ", ".join(dict.fromkeys(seats)),
    }
    if len(seats) == 2:
        return _("the %(card)s appears twice (%(seats)s)") % placeholders
    return _("the %(card)s appears %(count)s times (%(seats)s)") % placeholders
