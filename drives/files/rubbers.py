"""The rubbers in a drive's file: what its tables marked, proved by its seats and scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boards.whist.words import gettext as _
from drives.draw.company import Seats
from drives.files.drive_file import DriveFile
from drives.files.reading import Value
from drives.rubber.codes import code_named
from drives.rubber.errors import UnplayableHand, UnreadableRubber
from drives.rubber.files import read_hand
from drives.rubber.hands import Hand, Side
from drives.rubber.night import Belonging, Night, Spell, standing
from drives.rubber.night_file import hand_data
from drives.rubber.reckoning import reckon
from drives.rubber.seating import is_over
from drives.rubber.terms import RubberTerms, changed

MOST_HANDS = 1000


@dataclass(frozen=True, kw_only=True)
class MarkedTable:
    """One table of one round: side A's two numbers, then side B's, and the hands it marked."""

    round: int
    table: int
    seats: tuple[int, int, int, int]
    settled: bool
    hands: tuple[Hand, ...]
    night: Night

    @property
    def told(self) -> list[dict[str, Any]]:
        """The hands as rows keep them."""
        return [hand_data(hand) for hand in self.hands]

    @property
    def score(self) -> list[int]:
        """What the table gives its two sides in the drive; nothing while its rubber runs."""
        last = reckon(self.night.terms, self.hands).hands[-1]
        if not (self.settled or is_over(self.night, bool(last.game), bool(last.rubber))):
            return []
        points = {int(each.player): each.points for each in standing(self.night)}
        made = points[self.seats[0]]
        return [made, -made]


@dataclass(frozen=True, kw_only=True)
class RubbersTold:
    """By which code a drive's tables mark, and what they have marked."""

    code: str
    terms: dict[str, Any]
    tables: tuple[MarkedTable, ...]


def read_rubbers(value: Value, rounds: Mapping[int, Mapping[int, Seats]]) -> RubbersTold | None:
    """Read a drive's rubbers; `rounds` are the seats of those in play. None where it has none.

    UnreadableDrive names the place: a table that there is not, others than sit there, a hand
    that cannot be or comes after the rubber.
    """
    if value.is_missing:
        return None
    changes = value.get("terms").mapping()
    try:
        code = code_named(value.get("code").data)
        terms = changed(code.terms, changes)
    except UnplayableHand as problem:
        raise value.fault(str(problem)) from None
    tables: dict[tuple[int, int], MarkedTable] = {}
    for each in value.get("tables").items():
        found = _table(each, terms, rounds)
        if (found.round, found.table) in tables:
            raise each.fault(_("this table is given twice."))
        tables[found.round, found.table] = found
    return RubbersTold(code=code.name, terms=changes, tables=tuple(tables.values()))


def _table(
    value: Value, terms: RubberTerms, rounds: Mapping[int, Mapping[int, Seats]]
) -> MarkedTable:
    number, table = value.get("round").whole(1, 1000), value.get("table").whole(1, 1000)
    words = _("rubbers, round %(round)s, table %(table)s")
    value = value.named(words % {"round": number, "table": table})
    four = rounds.get(number, {}).get(table)
    if four is None:
        raise value.fault(_("nobody plays there."))
    seats = tuple(each.whole() for each in value.get("seats").items())
    if seats != tuple(four[at] for at in (0, 2, 1, 3)):
        raise value.fault(_("others sit there."))
    one, two, three, last = seats
    hands = _hands(value.get("hands"))
    settled = value.get("settled").truth()
    night = _night(terms, seats, hands, settled=settled)
    try:
        for count in range(1, len(hands)):
            part = reckon(terms, hands[:count]).hands[-1]
            so_far = _night(terms, seats, hands[:count], settled=False)
            if is_over(so_far, bool(part.game), bool(part.rubber)):
                raise value.fault(_("hand %s comes after the rubber.") % (count + 1))
        reckon(terms, hands)
    except UnreadableRubber as problem:
        raise value.fault(str(problem)) from None
    return MarkedTable(
        round=number,
        table=table,
        seats=(one, two, three, last),
        settled=settled,
        hands=hands,
        night=night,
    )


def _hands(value: Value) -> tuple[Hand, ...]:
    given = value.items()
    if not 0 < len(given) <= MOST_HANDS:
        raise value.fault(_("a table that marked has 1 to %s hands.") % MOST_HANDS)
    try:
        return tuple(
            read_hand(each.data, _("hand %s") % number)
            for number, each in enumerate(given, start=1)
        )
    except UnreadableRubber as problem:
        raise value.fault(str(problem)) from None


def _night(
    terms: RubberTerms, seats: Sequence[int], hands: tuple[Hand, ...], *, settled: bool
) -> Night:
    one, two, three, last = map(str, seats)
    return Night(
        terms=terms,
        members=tuple(Belonging(str(number)) for number in seats),
        spells=(Spell(sides={Side.A: (one, two), Side.B: (three, last)}, hands=hands),),
        closed=settled,
    )


def rubber_differences(
    rubbers: RubbersTold | None, scores: Mapping[tuple[int, int], Sequence[int]]
) -> list[str]:
    """Name the tables whose score, by round and table, is not what their rubber made."""
    words = _("Round %(round)s, table %(table)s: its hands make another score.")
    return [
        words % {"round": each.round, "table": each.table}
        for each in (rubbers.tables if rubbers else ())
        if each.score != list(scores.get((each.round, each.table), ()))
    ]


def scores_of(file: DriveFile) -> dict[tuple[int, int], Sequence[int]]:
    """The scores of a drive's tables, by round and table."""
    return {
        (each.number, sheet.table): sheet.score for each in file.played for sheet in each.sheets
    }
