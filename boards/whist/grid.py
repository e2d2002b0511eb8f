"""A play as whist books print it: a grid with thirteen rows and a column for each seat."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.cards import Card
from boards.whist.deals import Deal
from boards.whist.errors import IllegalPlay, UnreadableCard
from boards.whist.play import Play
from boards.whist.seats import Seat

GridRow = Mapping[Seat, str]
"""One trick of a grid: the text of each seat's card, e.g. "H6"."""


def read_grid(deal: Deal, rows: Sequence[GridRow]) -> Play:
    """Return the play that a grid shows, with one row for each trick.

    The winner of a trick leads to the next one. Empty rows at the end are tricks that were not
    played. Revokes are recorded. Raises IllegalPlay for the first card that is missing,
    unreadable or impossible; the error names the trick and seat.

    Source: *The Standard Hoyle*, Duplicate Whist; rules Q5.
    """
    play = read_incomplete_grid(deal, rows)
    if len(play.cards) % 4 and play.turn is not None:
        raise _create_missing_card_error(len(play.cards) // 4 + 1, play.turn)
    return play


def read_incomplete_grid(deal: Deal, rows: Sequence[GridRow]) -> Play:
    """Return a play that is still being entered, whose last trick may be incomplete."""
    play, remaining_cell_count = (
        Play(deal),
        sum(bool(cell_text.strip()) for row in rows for cell_text in row.values()),
    )
    for trick_number, row in enumerate(rows, start=1):
        for _turn in Seat:
            seat = play.turn
            if not remaining_cell_count:
                return play
            if seat is None:
                raise IllegalPlay(
                    _("Trick %(trick)s is one too many. A hand has 13 cards.")
                    % {"trick": trick_number}
                )
            play = play.record_card(_parse_card(row.get(seat, ""), trick_number, seat))
            remaining_cell_count -= 1
    return play


def read_play_line(deal: Deal, play_text: str) -> Play:
    """Return a play from its cards in order, such as "SK S5 S6 SJ" or with commas."""
    play = Play(deal)
    for card_index, card_text in enumerate(
        play_text.replace(",", " ").replace(";", " ").split()
    ):
        if play.turn is None:
            raise IllegalPlay(_("Enter 52 cards at most. A deal has 13 tricks."))
        play = play.record_card(_parse_card(card_text, card_index // 4 + 1, play.turn))
    last_trick_card_count = len(play.cards) % 4
    if last_trick_card_count:
        message = ngettext(
            "The last trick has %(count)s card. It needs four.",
            "The last trick has %(count)s cards. It needs four.",
            last_trick_card_count,
        )
        raise IllegalPlay(message % {"count": last_trick_card_count})
    return play


def build_grid(play: Play) -> list[dict[Seat, Card]]:
    """Return the tricks of a play as grid rows, each with the card of each seat."""
    return [{seat: trick.cards_by_seat[seat] for seat in Seat} for trick in play.tricks]


def _create_missing_card_error(trick_number: int, seat: Seat) -> IllegalPlay:
    return IllegalPlay(
        _("Trick %(trick)s: %(seat)s’s card is missing.")
        % {"trick": trick_number, "seat": seat.word}
    )


def _parse_card(cell_text: str, trick_number: int, seat: Seat) -> Card:
    if not cell_text.strip():
        raise _create_missing_card_error(trick_number, seat)
    try:
        return Card.parse(cell_text)
    except UnreadableCard as problem:
        raise IllegalPlay(
            _("Trick %(trick)s, %(seat)s: %(problem)s")
            % {"trick": trick_number, "seat": seat.word, "problem": problem}
        ) from None
