"""The rubbers in a drive's file: what its tables marked, proved by its seats and scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

from django.utils.translation import gettext as _

from drives.draw.company import Seats
from drives.errors import UnreadableDrive
from drives.files.drive_file import DriveFile
from rubbers.files.night_file import hand_data
from rubbers.files.rubber_file import read_hand
from rubbers.rubber.codes import code_named
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand
from rubbers.rubber.night import Belonging, Night, Spell
from rubbers.rubber.reckoning import reckon
from rubbers.rubber.seating import drive_score, is_over
from rubbers.rubber.terms import RubberTerms, changed
from server.json_reader.formats import Key, check_unique, list_of
from server.json_reader.problems import JsonPlace, said
from server.json_reader.values import whole

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
        return drive_score(self.night, is_settled=self.settled)


@dataclass(frozen=True, kw_only=True)
class RubbersTold:
    """By which code a drive's tables mark, and what they have marked."""

    code: str
    terms: dict[str, Any]
    tables: tuple[MarkedTable, ...]


@dataclass(frozen=True, kw_only=True)
class FiledMarks:
    """What one table marked in one round, as the file has it."""

    round: Annotated[int, whole(1, 1000)]
    table: Annotated[int, whole(1, 1000)]
    seats: tuple[int, int, int, int]
    hands: Annotated[tuple[Any, ...], list_of(Any, 1, MOST_HANDS)]
    settled: bool = False


@dataclass(frozen=True, kw_only=True)
class FiledRubbers:
    """A drive's rubbers as its file has them."""

    code: str
    terms: dict[str, Any] = field(default_factory=dict)
    tables: tuple[FiledMarks, ...] = ()

    def check(self, at: JsonPlace) -> None:
        """Check that no table is there twice in a round."""
        tables = at.items("tables", self.tables)
        check_unique((place, (each.round, each.table)) for place, each in tables)


def read_rubbers(
    filed: FiledRubbers | None, rounds: Mapping[int, Mapping[int, Seats]]
) -> RubbersTold | None:
    """Prove a drive's rubbers; `rounds` are the seats of those in play. None where it has none.

    UnreadableDrive names the place: a table that there is not, others than sit there, a hand
    that cannot be or comes after the rubber.
    """
    if filed is None:
        return None
    try:
        code = code_named(filed.code)
        terms = changed(code.terms, filed.terms)
    except UnplayableHand as problem:
        raise UnreadableDrive(said("rubbers", str(problem))) from None
    tables = []
    for number, each in enumerate(filed.tables):
        try:
            tables.append(_table(each, terms, rounds.get(each.round, {}).get(each.table)))
        except (UnreadableDrive, UnreadableRubber) as problem:
            raise UnreadableDrive(said(f"rubbers.tables[{number}]", str(problem))) from None
    return RubbersTold(code=code.name, terms=filed.terms, tables=tuple(tables))


def _table(filed: FiledMarks, terms: RubberTerms, four: Seats | None) -> MarkedTable:
    if four is None:
        raise UnreadableDrive(_("nobody plays there."))
    if filed.seats != tuple(four[at] for at in (0, 2, 1, 3)):
        raise UnreadableDrive(_("others sit there."))
    hands = tuple(
        read_hand(each, _("hand %s") % number) for number, each in enumerate(filed.hands, 1)
    )
    for count in range(1, len(hands)):
        part = reckon(terms, hands[:count]).hands[-1]
        so_far = _night(terms, filed.seats, hands[:count], settled=False)
        if is_over(so_far, part):
            raise UnreadableDrive(_("hand %s comes after the rubber.") % (count + 1))
    reckon(terms, hands)
    return MarkedTable(
        round=filed.round,
        table=filed.table,
        seats=filed.seats,
        settled=filed.settled,
        hands=hands,
        night=_night(terms, filed.seats, hands, settled=filed.settled),
    )


def _night(
    terms: RubberTerms, seats: Sequence[int], hands: tuple[Hand, ...], *, settled: bool
) -> Night:
    return Night(
        terms=terms,
        members=tuple(Belonging(str(number)) for number in seats),
        spells=(Spell.of(seats, hands),),
        closed=settled,
    )


@dataclass(frozen=True, kw_only=True)
class MarkedDriveFile(DriveFile):
    """A drive's file with the rubbers that its tables marked."""

    filed_rubbers: Annotated[FiledRubbers | None, Key("rubbers")]

    @cached_property
    def rubbers(self) -> RubbersTold | None:
        """What the tables marked, proved; raises UnreadableDrive."""
        seats = {each.number: each.tables for each in self.filed_played}
        return read_rubbers(self.filed_rubbers, seats)

    def check(self, at: JsonPlace) -> None:
        """Check what parts of the file say of each other, and the rubbers."""
        super().check(at)
        try:
            _rubbers = self.rubbers
        except UnreadableDrive as problem:
            at.problems.append(str(problem))


def rubber_differences(file: MarkedDriveFile) -> list[str]:
    """Name the tables whose score is not what their rubber made."""
    scores = {
        (each.number, sheet.table): list(sheet.score)
        for each in file.played
        for sheet in each.sheets
    }
    words = _("Round %(round)s, table %(table)s: its hands make another score.")
    return [
        words % {"round": each.round, "table": each.table}
        for each in (file.rubbers.tables if file.rubbers else ())
        if each.score != scores.get((each.round, each.table), [])
    ]
