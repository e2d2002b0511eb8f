"""Builds the grid in which scorers enter a table's hands of a round: one row for each hand."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from clubs.activities.secrecy import format_full_name
from drives.errors import InvalidHand, UnreadableDrive
from drives.games.contracts import PointsTable
from drives.games.hand_rows import RowTexts, format_row
from drives.games.settling import sum_points
from drives.hand_points import collect_hints_by_hand, explain_contract, settle_stored_hand
from drives.models import Drive, Seat, Sheet, SheetVersion
from drives.sheets.contract_phone import find_dealer
from drives.sheets.people import Person, build_person
from drives.snapshot import load_players_snapshot
from drives.table_authors import describe_table_author
from server.formatting import format_signed
from server.json_reader.decoder import decode_json


class ShownHand(NamedTuple):
    """The values that the page showed in a row before the scorer changed the row."""

    score: list[int]
    contract: dict[str, Any]


@dataclass(frozen=True, slots=True)
class GridHandVersion:
    """A present or earlier value of a hand, with its author."""

    text: str
    texts: RowTexts
    by: str
    entered_at: datetime

    @property
    def texts_json(self) -> str:
        """The text for each input box as JSON, for the page's script."""
        return json.dumps(self.texts._asdict())


@dataclass(frozen=True, kw_only=True, slots=True)
class HandRow:
    """A row of the grid; `score` and `contract` are empty if no hand is stored.

    If a typed hand was not accepted, `problem` is the error, `place` is the name of the invalid
    input box, and `shown_texts` are the typed texts. If another person has entered the hand in
    the meantime, `conflict_text` is that person's hand.
    """

    hand_number: int
    dealer_seat: int
    score: tuple[int, ...]
    contract: Mapping[str, Any]
    shown_texts: RowTexts
    stored_texts: RowTexts
    explanation: tuple[str, ...]
    hints: tuple[str, ...]
    versions: tuple[GridHandVersion, ...]
    problem: str = ""
    place: str = ""
    conflict_text: str = ""

    @property
    def stored_score_json(self) -> str:
        """The stored score and contract as JSON, which the page sends back with a typed row."""
        return json.dumps([list(self.score), dict(self.contract)]) if self.score else ""

    @property
    def texts_json(self) -> str:
        """The stored hand's text for each input box as JSON, for the page's script."""
        return json.dumps(self.stored_texts._asdict())

    @property
    def points(self) -> list[str]:
        """The points as texts, in seat order."""
        return [format_signed(points) for points in self.score]


@dataclass(frozen=True, kw_only=True)
class HandGrid:
    """The hands of one table in one round.

    `round_score` is the score of the whole round if it was entered as one score.
    `entered_counts_by_table` is the number of hands entered for each table of the round.
    """

    round_number: int
    table_number: int
    people: tuple[Person, ...]
    rows: tuple[HandRow, ...]
    round_score: tuple[int, ...]
    points: PointsTable
    entered_counts_by_table: Mapping[int, int] = field(default_factory=dict)

    @property
    def sums(self) -> list[int]:
        """The sums of the four players' points, in seat order."""
        return sum_points(row.score for row in self.rows if row.score)

    @property
    def signed_sums(self) -> list[str]:
        """The sums as texts."""
        return [format_signed(points_sum) for points_sum in self.sums]

    @property
    def missing_hands(self) -> list[int]:
        """The numbers of the hands without a score."""
        return [row.hand_number for row in self.rows if not row.score]

    @property
    def previous_table(self) -> int | None:
        """The number of the table before this one, or None."""
        return max(
            (number for number in self.entered_counts_by_table if number < self.table_number),
            default=None,
        )

    @property
    def next_table(self) -> int | None:
        """The number of the table after this one, or None."""
        return min(
            (number for number in self.entered_counts_by_table if number > self.table_number),
            default=None,
        )


def load_hand_grid(drive: Drive, round_number: int, table_number: int) -> HandGrid | None:
    """Load the hands of a table; None if no one is seated there.

    The number of queries does not depend on the number of hands, tables or players.
    """
    seats = Seat.objects.filter(
        round__drive=drive, round__number=round_number, table__isnull=False
    )
    seated_players = [
        (seat_table_number or 0, player_number)
        for seat_table_number, player_number in seats.values_list("table", "player__number")
    ]
    player_numbers = [
        player_number
        for seat_table_number, player_number in seated_players
        if seat_table_number == table_number
    ]
    if not player_numbers:
        return None
    snapshot = load_players_snapshot(drive, player_numbers, rounds=(round_number,))
    points_table = snapshot.worded_points_table
    assert points_table is not None  # only drives with a game have this page
    round_ = snapshot.round_by_number[round_number]
    people = tuple(
        build_person(snapshot, player_number, format_full_name)
        for player_number in round_.seats_by_table[table_number]
    )
    sheet_by_hand = {
        hand_number: sheet
        for (seat_table_number, hand_number), sheet in round_.sheet_by_table_and_hand.items()
        if seat_table_number == table_number
    }
    round_sheet = sheet_by_hand.get(0) if drive.hands > 1 else None
    if drive.hands == 1 and 0 in sheet_by_hand:
        sheet_by_hand[1] = sheet_by_hand[0]
    return HandGrid(
        round_number=round_number,
        table_number=table_number,
        people=people,
        rows=_build_hand_rows(
            points_table, sheet_by_hand, drive.hands, [person.name for person in people]
        ),
        round_score=tuple(round_sheet.score) if round_sheet else (),
        points=points_table,
        entered_counts_by_table=_count_entered_hands(
            drive,
            round_number,
            {seat_table_number for seat_table_number, _number in seated_players},
        ),
    )


def _count_entered_hands(drive: Drive, round_number: int, tables: set[int]) -> dict[int, int]:
    count_by_table = dict.fromkeys(sorted(tables), 0)
    round_sheets = Sheet.objects.filter(round__drive=drive, round__number=round_number)
    for table_number, hand_number in round_sheets.exclude(score=[]).values_list(
        "table", "hand"
    ):
        if table_number in count_by_table:
            count_by_table[table_number] += 1 if hand_number else drive.hands
    return count_by_table


def _build_hand_rows(
    points_table: PointsTable,
    sheet_by_hand: Mapping[int, Sheet],
    hand_count: int,
    player_names: Sequence[str],
) -> tuple[HandRow, ...]:
    contract_by_hand = {
        hand_number: sheet.contract
        for hand_number, sheet in sheet_by_hand.items()
        if hand_number and sheet.score
    }
    hints_by_hand = collect_hints_by_hand(points_table, contract_by_hand)
    versions_by_sheet = _load_hand_versions(points_table, sheet_by_hand)
    rows = []
    for hand_number in range(1, hand_count + 1):
        sheet = sheet_by_hand.get(hand_number)
        score = tuple(sheet.score) if sheet else ()
        contract = contract_by_hand.get(hand_number, {})
        row_texts = format_row(points_table, contract, score)
        rows.append(
            HandRow(
                hand_number=hand_number,
                dealer_seat=find_dealer(points_table, contract_by_hand, hand_number),
                score=score,
                contract=contract,
                shown_texts=row_texts,
                stored_texts=row_texts,
                explanation=tuple(explain_contract(points_table, contract, player_names)),
                hints=tuple(hints_by_hand.get(hand_number, ())),
                versions=versions_by_sheet.get(sheet.pk, ()) if sheet else (),
            )
        )
    return tuple(rows)


def _load_hand_versions(
    points_table: PointsTable, sheet_by_hand: Mapping[int, Sheet]
) -> dict[int, tuple[GridHandVersion, ...]]:
    """Load all values of each hand, the newest first, by the primary key of its sheet."""
    versions_by_sheet: dict[int, list[GridHandVersion]] = {}
    sheet_versions = SheetVersion.objects.filter(
        sheet__in=[sheet.pk for sheet in sheet_by_hand.values()]
    )
    for sheet_version in sheet_versions.order_by("-pk"):
        hand_version = GridHandVersion(
            text=format_hand(points_table, sheet_version.contract, sheet_version.score),
            texts=format_row(points_table, sheet_version.contract, sheet_version.score),
            by=describe_table_author(sheet_version.entered_by, has_sides=False),
            entered_at=sheet_version.entered_at,
        )
        versions_by_sheet.setdefault(sheet_version.sheet_id, []).append(hand_version)
    return {sheet_id: tuple(versions) for sheet_id, versions in versions_by_sheet.items()}


def format_hand(
    points_table: PointsTable, hand_data: Mapping[str, Any], seat_scores: Sequence[int]
) -> str:
    """Return a hand as text, e.g. "t8 13 9: +3 −3 +3 −3".

    The example is contract t8 by seats 1 and 3 with 9 tricks, and each seat's points.
    """
    if not seat_scores:
        return _("no score")
    points = " ".join(map(format_signed, seat_scores))
    row_texts = format_row(points_table, hand_data, seat_scores)._replace(scores="")
    passed_text = _("passed deals: %(n)s") % {"n": row_texts.passed} if row_texts.passed else ""
    detail_texts = [
        row_texts.contract,
        row_texts.players,
        row_texts.tricks,
        passed_text,
        row_texts.other,
    ]
    hand_text = " ".join(filter(None, detail_texts))
    return f"{hand_text}: {points}" if hand_text else points


def parse_shown_hand(points_table: PointsTable, shown_score_json: str) -> ShownHand:
    """Parse `HandRow.stored_score_json`, which the page has sent back; invalid texts are
    ignored.
    """
    try:
        score_and_contract = (
            decode_json(shown_score_json, UnreadableDrive) if shown_score_json else []
        )
        score, contract = (
            score_and_contract
            if isinstance(score_and_contract, list) and len(score_and_contract) == 2
            else ([], {})
        )
        if contract:
            settle_stored_hand(points_table, contract)
    except (UnreadableDrive, InvalidHand):
        return ShownHand([], {})
    is_valid_score = isinstance(score, list) and all(type(points) is int for points in score)
    return ShownHand(score, contract or {}) if is_valid_score else ShownHand([], {})
