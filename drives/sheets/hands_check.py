"""Checks the hands of a game with contracts: missing and unusual hands, and wrong sums."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import ngettext

from drives.games.contracts import PointsTable
from drives.games.mistakes import find_mistakes
from drives.hand_points import collect_hints_by_hand, format_hand_label
from drives.models import CardTotal, Sheet
from drives.scores.score_format import format_score
from drives.sheets.people import Person, build_person
from drives.snapshot import DriveSnapshot, RoundSnapshot
from drives.visibility import NameFormatter

MAX_LINES = 20
"""The maximum number of unusual hands, and of cards with wrong sums, on a page."""


@dataclass(frozen=True, slots=True)
class CardWithDifference:
    """A card whose total differs from the sum of the player's hands, with possible mistakes."""

    person: Person
    written_total: int
    computed_total: int
    mistakes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandsReport:
    """The hands and cards to check before the close. All fields are empty if all is well."""

    missing_hands: tuple[str, ...]
    unbalanced_hands: tuple[str, ...]
    cards: tuple[CardWithDifference, ...]
    hints: tuple[str, ...]


class _PlayerHand(NamedTuple):
    """A player's points in a hand, or in a round that was entered as one score."""

    place_text: str
    points: int


def build_hands_report(
    snapshot: DriveSnapshot, format_name: NameFormatter
) -> HandsReport | None:
    """Check the hands of a drive with contracts, without queries; None for other drives."""
    points_table = snapshot.worded_points_table
    if points_table is None:
        return None
    begun_rounds = [
        round_
        for round_number, round_ in sorted(snapshot.round_by_number.items())
        if round_number <= snapshot.drive.at_round
    ]
    return HandsReport(
        missing_hands=tuple(
            message
            for round_ in begun_rounds
            for message in _iter_missing_hands(round_, snapshot.drive.hands)
        ),
        unbalanced_hands=tuple(
            format_hand_label(round_.number, sheet.table, sheet.hand)
            for round_ in begun_rounds
            for sheet in _list_sheets(round_)
            if sum(sheet.score)
        ),
        cards=tuple(_iter_differing_cards(snapshot, format_name))[:MAX_LINES],
        hints=tuple(
            hint for round_ in begun_rounds for hint in _iter_hints(round_, points_table)
        )[:MAX_LINES],
    )


def _list_sheets(round_: RoundSnapshot) -> list[Sheet]:
    """Return the sheets of a round that have a score, in order of table and hand."""
    return [
        sheet
        for _table_and_hand, sheet in sorted(round_.sheet_by_table_and_hand.items())
        if sheet.score
    ]


def _iter_missing_hands(round_: RoundSnapshot, hand_count: int) -> Iterator[str]:
    for table_number in round_.seats_by_table:
        entered_count = round_.count_hands_entered(table_number, hand_count)
        if entered_count < hand_count:
            message = ngettext(
                "%(where)s: %(entered)s of %(hands)s hand",
                "%(where)s: %(entered)s of %(hands)s hands",
                hand_count,
            )
            place_text = format_hand_label(round_.number, table_number, 0)
            yield message % {"where": place_text, "entered": entered_count, "hands": hand_count}


def _iter_hints(round_: RoundSnapshot, points_table: PointsTable) -> Iterator[str]:
    for table_number, table_sheets in groupby(
        _list_sheets(round_), key=lambda sheet: sheet.table
    ):
        contract_by_hand = {sheet.hand: sheet.contract for sheet in table_sheets}
        for hand_number, hints in collect_hints_by_hand(points_table, contract_by_hand).items():
            place_text = format_hand_label(round_.number, table_number, hand_number)
            yield from (f"{place_text}: {hint}" for hint in hints)


def _iter_differing_cards(
    snapshot: DriveSnapshot, format_name: NameFormatter
) -> Iterator[CardWithDifference]:
    for card in snapshot.card_totals:
        hands = list(_iter_hands(snapshot, card))
        computed_total = sum(hand.points for hand in hands)
        if card.total is None or not hands or card.total == computed_total:
            continue
        person = build_person(snapshot, card.player.number, format_name)
        place_texts = [hand.place_text for hand in hands]
        points_texts = [format_score([hand.points]) for hand in hands]
        mistake_texts = tuple(
            mistake.format(place_texts, points_texts)
            for mistake in find_mistakes([hand.points for hand in hands], card.total)
        )
        yield CardWithDifference(person, card.total, computed_total, mistake_texts)


def _iter_hands(snapshot: DriveSnapshot, card: CardTotal) -> Iterator[_PlayerHand]:
    """Yield the entered hands of the card's player: all hands, or those of the card's half."""
    rounds_per_half = (snapshot.drive.rounds or 0) // 2
    for round_number, round_ in sorted(snapshot.round_by_number.items()):
        table_and_seat = round_.find_seat(card.player.number)
        if table_and_seat is None or (
            snapshot.drive.halves and (round_number > rounds_per_half) != (card.part == 2)
        ):
            continue
        for sheet in _list_sheets(round_):
            if sheet.table == table_and_seat[0]:
                place_text = format_hand_label(round_number, sheet.table, sheet.hand)
                yield _PlayerHand(place_text, sheet.score[table_and_seat[1] - 1])
