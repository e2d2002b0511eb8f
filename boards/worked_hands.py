"""Hands from whist books, which print their play card by card."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from boards.whist import CARDS_BY_CODE, Card, Play, Seat
from boards.whist.notation import read_deal
from server.translation import TranslatedField, gettext_noop

HANDS_FILE = Path(__file__).parent / "worked_hands.json"
TITLES_BY_SLUG = {
    "pole-1": gettext_noop("A long plain suit, and a partner’s long trumps"),
    "pole-2": gettext_noop("The same long suit, against strong trumps"),
    "pole-3": gettext_noop("The discard as information"),
    "pole-4": gettext_noop("The right card to return"),
    "pole-5": gettext_noop("All the honours, and not one trick"),
    "cavendish-1": gettext_noop("The trump lead that came too late"),
}


@dataclass(frozen=True)
class WorkedHand:
    """A hand that a whist book prints as an example, with its play.

    `play` has no cards if the book's play is lost. `ns_tricks` is the printed result.
    `best_play_trick_totals` has N-S's total tricks with best play, from the deal and then after
    each trick.

    `positions_with_one_possible_card` and `chosen_card_positions` are positions in `play.cards`
    of cards that the book does not print. At the former, only one card was legal. At the
    latter, the card is our choice.
    """

    slug: str
    source: str
    play: Play
    ns_tricks: int
    best_play_trick_totals: tuple[int, ...]
    title: TranslatedField = TranslatedField()
    chosen_card_positions: frozenset[int] = frozenset()
    positions_with_one_possible_card: frozenset[int] = frozenset()


@cache
def read_worked_hands() -> dict[str, WorkedHand]:
    """Return the worked hands by slug, in the order of the books."""
    document = json.loads(HANDS_FILE.read_text("utf-8"))
    return {hand_json["slug"]: _parse_worked_hand(hand_json) for hand_json in document["hands"]}


def _parse_worked_hand(hand_json: dict[str, Any]) -> WorkedHand:
    deal = read_deal(
        hand_json["deal"], Seat(hand_json["dealer"]), Card.parse(hand_json["turn_up"])
    )
    cards = [
        CARDS_BY_CODE[code] for trick_text in hand_json["tricks"] for code in trick_text.split()
    ]
    play = Play.from_cards(deal, cards)
    printed_marks = "".join(hand_json.get("printed", ()))
    unprinted_positions = {
        position for position, mark in enumerate(printed_marks) if mark == "-"
    }
    positions_with_one_possible_card = {
        position
        for position in unprinted_positions
        if len(Play(deal, play.cards[:position]).list_legal_cards()) == 1
    }
    return WorkedHand(
        slug=hand_json["slug"],
        source=hand_json["source"],
        play=play,
        ns_tricks=hand_json["ns_tricks"],
        best_play_trick_totals=tuple(hand_json["best"]),
        chosen_card_positions=frozenset(unprinted_positions - positions_with_one_possible_card),
        positions_with_one_possible_card=frozenset(positions_with_one_possible_card),
        title=TITLES_BY_SLUG[hand_json["slug"]],
    )
