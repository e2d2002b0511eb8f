"""Hands that the books play out card by card, ready to be gone through again."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from boards.whist import CARDS, Card, Play, Seat
from boards.whist.notation import read_deal
from boards.whist.words import Told, gettext_noop

FILE = Path(__file__).parent / "worked_hands.json"
TITLES = {
    "pole-1": gettext_noop("A long plain suit, and a partner's long trumps"),
    "pole-2": gettext_noop("The same long suit, against strong trumps"),
    "pole-3": gettext_noop("The discard as information"),
}


@dataclass(frozen=True)
class WorkedHand:
    """One worked hand of a book."""

    slug: str
    source: str
    play: Play
    best: tuple[int, ...]  # the tricks N/S make in all with best play: deal, then each trick
    title: Told = Told()


@cache
def worked_hands() -> dict[str, WorkedHand]:
    """Return the worked hands by their names, in the order of the book."""
    document = json.loads(FILE.read_text("utf-8"))
    found = {}
    for row in document["hands"]:
        deal = read_deal(row["deal"], Seat(row["dealer"]), Card.parse(row["turn_up"]))
        cards = [CARDS[code] for trick in row["tricks"] for code in trick.split()]
        slug, best = row["slug"], tuple(row["best"])
        found[slug] = WorkedHand(slug, row["source"], Play.of(deal, cards), best, TITLES[slug])
    return found
