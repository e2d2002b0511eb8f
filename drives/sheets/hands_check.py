"""The check of hands in games with contracts: missing, unusual and wrongly added ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from drives.errors import HandRefused
from drives.games.contracts import PointsTable
from drives.games.hints import find_hints
from drives.games.slips import Slip, SlipKind, find_slips
from drives.hand_points import format_place, settle_stored
from drives.models import CardTotal, Sheet
from drives.scores.score_format import format_score
from drives.sheets.people import Person, build_person
from drives.snapshot import DriveSnapshot, RoundSnapshot
from drives.visibility import NameFormatter

MAX_LINES = 20
"""The maximum number of questions and differing cards on a page."""


@dataclass(frozen=True, slots=True)
class DifferingCard:
    """A card whose total differs from the player's hands, and what may explain it."""

    person: Person
    written: int
    computed: int
    slips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandsReport:
    """The hands to check before the close; everything is empty if nothing is unusual."""

    missing: tuple[str, ...]
    unbalanced: tuple[str, ...]
    cards: tuple[DifferingCard, ...]
    hints: tuple[str, ...]


class _PlayerHand(NamedTuple):
    """A player's points of a hand, or of a round that was entered as a whole."""

    place: str
    points: int


def build_hands_report(snapshot: DriveSnapshot, names: NameFormatter) -> HandsReport | None:
    """Check the hands of a game with contracts; None for any other drive.

    It makes no queries.
    """
    table = snapshot.worded_points_table
    if table is None:
        return None
    begun = [
        round_
        for number, round_ in sorted(snapshot.rounds.items())
        if number <= snapshot.drive.at_round
    ]
    return HandsReport(
        missing=tuple(
            line for round_ in begun for line in _list_missing(round_, snapshot.drive.hands)
        ),
        unbalanced=tuple(
            format_place(round_.number, sheet.table, sheet.hand)
            for round_ in begun
            for sheet in _list_sheets(round_)
            if sum(sheet.score)
        ),
        cards=tuple(_list_differing_cards(snapshot, names))[:MAX_LINES],
        hints=tuple(line for round_ in begun for line in _list_hints(round_, table))[
            :MAX_LINES
        ],
    )


def _list_sheets(round_: RoundSnapshot) -> list[Sheet]:
    """Return the sheets of a round that have a score, by table and hand."""
    return [sheet for _place, sheet in sorted(round_.sheets.items()) if sheet.score]


def _list_missing(round_: RoundSnapshot, hands: int) -> Iterator[str]:
    for table in round_.tables:
        entered = round_.count_hands_entered(table, hands)
        if entered < hands:
            words = _("%(where)s: %(entered)s of %(hands)s hands")
            where = format_place(round_.number, table, 0)
            yield words % {"where": where, "entered": entered, "hands": hands}


def _list_hints(round_: RoundSnapshot, table: PointsTable) -> Iterator[str]:
    previous, previous_table = None, 0
    for sheet in _list_sheets(round_):
        if not sheet.contract:
            previous = None
            continue
        try:
            settled = settle_stored(table, sheet)
        except HandRefused:  # the points changed without this hand
            previous = None
            continue
        where = format_place(round_.number, sheet.table, sheet.hand)
        before = previous if sheet.table == previous_table else None
        yield from (f"{where}: {hint}" for hint in find_hints(settled, before))
        previous, previous_table = settled, sheet.table


def _list_differing_cards(
    snapshot: DriveSnapshot, names: NameFormatter
) -> Iterator[DifferingCard]:
    for card in snapshot.totals:
        hands = list(_list_hands(snapshot, card))
        computed = sum(hand.points for hand in hands)
        if card.total is None or not hands or card.total == computed:
            continue
        slips = find_slips([hand.points for hand in hands], card.total)
        person = build_person(snapshot, card.player.number, names)
        words = tuple(_describe_slip(slip, hands) for slip in slips)
        yield DifferingCard(person, card.total, computed, words)


def _list_hands(snapshot: DriveSnapshot, card: CardTotal) -> Iterator[_PlayerHand]:
    """Yield the entered hands of a card's player, in the rounds of the card's part."""
    half = (snapshot.drive.rounds or 0) // 2
    for number, round_ in sorted(snapshot.rounds.items()):
        seat = round_.find_seat(card.player.number)
        if seat is None or (snapshot.drive.halves and (number > half) != (card.part == 2)):
            continue
        for sheet in _list_sheets(round_):
            if sheet.table == seat[0]:
                where = format_place(number, sheet.table, sheet.hand)
                yield _PlayerHand(where, sheet.score[seat[1] - 1])


def _describe_slip(slip: Slip, hands: list[_PlayerHand]) -> str:
    if slip.hand is None:
        return _("Digits swapped in the sum?")
    hand = hands[slip.hand - 1]
    words = {
        SlipKind.LEFT_OUT: _("%(where)s, %(points)s: left out?"),
        SlipKind.WRONG_SIGN: _("%(where)s, %(points)s: wrong sign?"),
        SlipKind.DIGITS: _("%(where)s, %(points)s: digits swapped?"),
    }[slip.kind]
    return words % {"where": hand.place, "points": format_score([hand.points])}
