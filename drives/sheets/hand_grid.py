"""The organiser's grid of one table's round in a game with contracts: a row for each hand."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.secrecy import format_full_name
from drives.errors import HandRefused, UnreadableDrive
from drives.games.contracts import PointsTable
from drives.games.explaining import explain_hand
from drives.games.hand_rows import RowTexts, format_row
from drives.games.hints import find_hints
from drives.games.settling import SEATS, Settlement
from drives.hand_points import settle_stored
from drives.models import Drive, Seat, Sheet, SheetVersion
from drives.sheets.contract_phone import find_dealer
from drives.sheets.people import Person, build_person
from drives.snapshot import load_drive_part
from server.formatting import format_signed
from server.json_reader.decoder import decode_json


class SeenHand(NamedTuple):
    """The values of a hand that a page showed."""

    score: list[int]
    contract: dict[str, Any]


@dataclass(frozen=True, slots=True)
class HandVersion:
    """An earlier or the present value of a hand, with its author."""

    text: str
    texts: RowTexts
    by: str
    at: datetime

    @property
    def json(self) -> str:
        """The texts by box, for the page's script."""
        return json.dumps(self.texts._asdict())


@dataclass(frozen=True, kw_only=True, slots=True)
class HandRow:
    """A row of the grid; `score` and `contract` are the stored hand, both empty without one.

    `problem` and its `place`, the name of a box, are those of a refused entry, whose typed
    texts stay in the row. After a conflict `stored` is the hand that someone else entered.
    """

    hand: int
    dealer: int
    score: tuple[int, ...]
    contract: Mapping[str, Any]
    texts: RowTexts
    stored_texts: RowTexts
    told: tuple[str, ...]
    hints: tuple[str, ...]
    versions: tuple[HandVersion, ...]
    problem: str = ""
    place: str = ""
    stored: str = ""

    @property
    def seen(self) -> str:
        """The stored values as text, which an entry sends back."""
        return json.dumps([list(self.score), dict(self.contract)]) if self.score else ""

    @property
    def json(self) -> str:
        """The texts of the stored hand by box, for the page's script."""
        return json.dumps(self.stored_texts._asdict())

    @property
    def points(self) -> list[str]:
        """The points as the page shows them, in seat order."""
        return [format_signed(each) for each in self.score]


@dataclass(frozen=True, kw_only=True)
class HandGrid:
    """The hands of one table in one round; `whole` is a score of the whole round, if any.

    `entered` has the hands entered of each table of the round.
    """

    round: int
    table: int
    people: tuple[Person, ...]
    rows: tuple[HandRow, ...]
    whole: tuple[int, ...]
    points: PointsTable
    entered: Mapping[int, int] = field(default_factory=dict)

    @property
    def sums(self) -> list[int]:
        """The sums of the four players' points."""
        scores = [row.score for row in self.rows if row.score]
        return [sum(column) for column in zip(*scores, strict=True)] or [0] * len(SEATS)

    @property
    def signed_sums(self) -> list[str]:
        """The sums as the page shows them."""
        return [format_signed(each) for each in self.sums]

    @property
    def missing(self) -> list[int]:
        """The hands without a score."""
        return [row.hand for row in self.rows if not row.score]

    @property
    def previous_table(self) -> int | None:
        """The table before this one."""
        return max((each for each in self.entered if each < self.table), default=None)

    @property
    def next_table(self) -> int | None:
        """The table after this one."""
        return min((each for each in self.entered if each > self.table), default=None)


def load_hand_grid(drive: Drive, round_number: int, table: int) -> HandGrid | None:
    """Load the hands of a table; None if no one is seated there.

    The number of queries does not depend on the number of hands, tables or players.
    """
    seats = Seat.objects.filter(
        round__drive=drive, round__number=round_number, table__isnull=False
    )
    places = [(at or 0, number) for at, number in seats.values_list("table", "player__number")]
    players = [number for at, number in places if at == table]
    if not players:
        return None
    snapshot = load_drive_part(drive, players, rounds=(round_number,))
    points_table = snapshot.points_table
    assert points_table is not None  # only drives with a game have this page
    round_ = snapshot.rounds[round_number]
    people = tuple(
        build_person(snapshot, number, format_full_name) for number in round_.tables[table]
    )
    sheets = {hand: sheet for (at, hand), sheet in round_.sheets.items() if at == table}
    whole = sheets.get(0) if drive.hands > 1 else None
    if drive.hands == 1 and 0 in sheets:
        sheets[1] = sheets[0]
    return HandGrid(
        round=round_number,
        table=table,
        people=people,
        rows=_build_rows(points_table, sheets, drive.hands, [each.name for each in people]),
        whole=tuple(whole.score) if whole else (),
        points=points_table,
        entered=_count_entered(drive, round_number, {at for at, _number in places}),
    )


def _count_entered(drive: Drive, round_number: int, tables: set[int]) -> dict[int, int]:
    counts = dict.fromkeys(sorted(tables), 0)
    rows = Sheet.objects.filter(round__drive=drive, round__number=round_number)
    for table, hand in rows.exclude(score=[]).values_list("table", "hand"):
        if table in counts:
            counts[table] += 1 if hand else drive.hands
    return counts


@dataclass(frozen=True, slots=True)
class _DealtHand:
    """A hand and its contract, on which the dealers of later hands depend."""

    hand: int
    contract: Mapping[str, Any]


def _build_rows(
    table: PointsTable, sheets: Mapping[int, Sheet], hands: int, names: Sequence[str]
) -> tuple[HandRow, ...]:
    dealt = [_DealtHand(hand, sheet.contract) for hand, sheet in sheets.items()]
    versions = _load_versions(table, sheets)
    rows = []
    previous: Settlement | None = None
    for hand in range(1, hands + 1):
        sheet = sheets.get(hand)
        stored = sheet if sheet and sheet.score else None
        settled = _settle(table, stored)
        told = explain_hand(table, settled, names) if settled else []
        hints = find_hints(settled, previous) if settled else []
        texts = format_row(table, stored.contract, stored.score) if stored else RowTexts()
        rows.append(
            HandRow(
                hand=hand,
                dealer=find_dealer(table, dealt, hand),
                score=tuple(stored.score) if stored else (),
                contract=stored.contract if stored else {},
                texts=texts,
                stored_texts=texts,
                told=tuple(told),
                hints=tuple(hints),
                versions=versions.get(sheet.pk, ()) if sheet else (),
            )
        )
        previous = settled if stored else previous
    return tuple(rows)


def _settle(table: PointsTable, sheet: Sheet | None) -> Settlement | None:
    if sheet is None or not sheet.contract:
        return None
    try:
        return settle_stored(table, sheet)
    except HandRefused:  # the points changed without this hand
        return None


def _load_versions(
    table: PointsTable, sheets: Mapping[int, Sheet]
) -> dict[int, tuple[HandVersion, ...]]:
    """Load the values that each hand had, the newest first, by the key of its sheet."""
    found: dict[int, list[HandVersion]] = {}
    rows = SheetVersion.objects.filter(sheet__in=[each.pk for each in sheets.values()])
    for row in rows.order_by("-pk"):
        texts = format_row(table, row.contract, row.score) if row.score else RowTexts()
        version = HandVersion(
            text=format_hand(table, row.contract, row.score),
            texts=texts,
            by=audit.describe_author(row.entered_by),
            at=row.entered_at,
        )
        found.setdefault(row.sheet_id, []).append(version)
    return {key: tuple(each) for key, each in found.items()}


def format_hand(table: PointsTable, contract: Mapping[str, Any], score: Sequence[int]) -> str:
    """Return a hand on one line: "t8 13 9: +3 −3 +3 −3"."""
    if not score:
        return _("no score")
    points = " ".join(map(format_signed, score))
    texts = format_row(table, contract, list(score))._replace(scores="")
    passed = _("passed deals: %(n)s") % {"n": texts.passed} if texts.passed else ""
    boxes = [texts.contract, texts.players, texts.tricks, passed, texts.other]
    hand = " ".join(filter(None, boxes))
    return f"{hand}: {points}" if hand else points


def parse_seen(text: str) -> SeenHand:
    """Read the values that a page showed; anything malformed counts as no score."""
    try:
        found = decode_json(text, UnreadableDrive) if text else []
    except UnreadableDrive:
        return SeenHand([], {})
    if not isinstance(found, list) or len(found) != 2:
        return SeenHand([], {})
    score, contract = found
    is_read = isinstance(score, list) and all(type(each) is int for each in score)
    if not is_read or not isinstance(contract, dict):
        return SeenHand([], {})
    return SeenHand(score, contract)
