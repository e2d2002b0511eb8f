"""The section of rubbers in a drive's file, validated against the drive's seats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

from django.utils.translation import gettext as _

from drives.draw.participants import Seats
from drives.errors import UnreadableDrive
from drives.files.drive_file import DriveFile
from rubbers.files.night_file import build_hand
from rubbers.files.rubber_file import parse_hand
from rubbers.rubber.codes import find_code
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand
from rubbers.rubber.night import Night, Spell, TableMembership
from rubbers.rubber.seating import compute_drive_score, is_spell_over
from rubbers.rubber.spell_score import score_hands
from rubbers.rubber.terms import RubberTerms, change_terms
from server.json_reader.formats import Key, list_of, report_duplicates
from server.json_reader.problems import JsonPlace, format_problem
from server.json_reader.values import whole_number

MAX_HANDS = 1000


@dataclass(frozen=True, kw_only=True)
class MarkedTable:
    """The validated hands of a table in a round; seats are side A's numbers, then side B's."""

    round: int
    table: int
    seats: tuple[int, int, int, int]
    settled: bool
    hands: tuple[Hand, ...]
    night: Night

    @property
    def stored_hands(self) -> list[dict[str, Any]]:
        """The hands in the format in which rows store them."""
        return [build_hand(hand) for hand in self.hands]

    @property
    def drive_score(self) -> list[int]:
        """The drive score of the two sides; empty while the rubber is in play."""
        return compute_drive_score(self.night, is_settled=self.settled)


@dataclass(frozen=True, kw_only=True)
class ParsedRubbers:
    """The validated rubbers of a drive: the code, the changed terms and the tables."""

    code: str
    terms: dict[str, Any]
    tables: tuple[MarkedTable, ...]


@dataclass(frozen=True, kw_only=True)
class FiledMarks:
    """The hands of one table in one round, as read from the file."""

    round: Annotated[int, whole_number(1, 1000)]
    table: Annotated[int, whole_number(1, 1000)]
    seats: tuple[int, int, int, int]
    hands: Annotated[tuple[Any, ...], list_of(Any, 1, MAX_HANDS)]
    settled: bool = False


@dataclass(frozen=True, kw_only=True)
class FiledRubbers:
    """A drive's rubbers as read from the file."""

    code: str
    terms: dict[str, Any] = field(default_factory=dict)
    tables: tuple[FiledMarks, ...] = ()

    def validate(self, at: JsonPlace) -> None:
        """Check that no table occurs twice in a round."""
        tables = at.items("tables", self.tables)
        report_duplicates(
            (place, (filed_table.round, filed_table.table)) for place, filed_table in tables
        )


def parse_rubbers(
    filed: FiledRubbers | None, rounds: Mapping[int, Mapping[int, Seats]]
) -> ParsedRubbers | None:
    """Validate a drive's rubbers against the seats of its `rounds`; None for a drive without
    rubbers.

    Raises UnreadableDrive with the place: a table that does not exist, seats that differ, an
    impossible hand, or a hand after the end of the rubber.
    """
    if filed is None:
        return None
    try:
        code = find_code(filed.code)
        terms = change_terms(code.terms, filed.terms)
    except UnplayableHand as problem:
        raise UnreadableDrive(format_problem("rubbers", str(problem))) from None
    tables = []
    for number, filed_table in enumerate(filed.tables):
        try:
            tables.append(
                _parse_table(
                    filed_table, terms, rounds.get(filed_table.round, {}).get(filed_table.table)
                )
            )
        except (UnreadableDrive, UnreadableRubber) as problem:
            raise UnreadableDrive(
                format_problem(f"rubbers.tables[{number}]", str(problem))
            ) from None
    return ParsedRubbers(code=code.name, terms=filed.terms, tables=tuple(tables))


def _parse_table(
    filed: FiledMarks, terms: RubberTerms, round_seats: Seats | None
) -> MarkedTable:
    if round_seats is None:
        raise UnreadableDrive(_("no one plays there."))
    if filed.seats != tuple(round_seats[at] for at in (0, 2, 1, 3)):
        raise UnreadableDrive(_("different players sit there."))
    hands = tuple(
        parse_hand(filed_hand, _("hand %s") % number)
        for number, filed_hand in enumerate(filed.hands, 1)
    )
    for count in range(1, len(hands)):
        last_hand = score_hands(terms, hands[:count]).hands[-1]
        partial_night = _build_night(terms, filed.seats, hands[:count], settled=False)
        if is_spell_over(partial_night, last_hand):
            raise UnreadableDrive(_("hand %s comes after the end of the rubber.") % (count + 1))
    score_hands(terms, hands)
    return MarkedTable(
        round=filed.round,
        table=filed.table,
        seats=filed.seats,
        settled=filed.settled,
        hands=hands,
        night=_build_night(terms, filed.seats, hands, settled=filed.settled),
    )


def _build_night(
    terms: RubberTerms, seats: Sequence[int], hands: tuple[Hand, ...], *, settled: bool
) -> Night:
    return Night(
        terms=terms,
        members=tuple(TableMembership(str(number)) for number in seats),
        spells=(Spell.from_seats(seats, hands),),
        closed=settled,
    )


@dataclass(frozen=True, kw_only=True)
class MarkedDriveFile(DriveFile):
    """A drive's file with the rubbers of its tables."""

    filed_rubbers: Annotated[FiledRubbers | None, Key("rubbers")]

    @cached_property
    def rubbers(self) -> ParsedRubbers | None:
        """The validated rubbers; raises UnreadableDrive."""
        seats = {filed_round.number: filed_round.tables for filed_round in self.filed_played}
        return parse_rubbers(self.filed_rubbers, seats)

    def validate(self, at: JsonPlace) -> None:
        """Check that the parts of the file are consistent, and validate the rubbers."""
        super().validate(at)
        try:
            _rubbers = self.rubbers
        except UnreadableDrive as problem:
            at.problems.append(str(problem))


def find_score_differences(file: MarkedDriveFile) -> list[str]:
    """Return a message for each table whose score in the file differs from its rubber."""
    scores = {
        (marked_table.number, sheet.table): list(sheet.score)
        for marked_table in file.played
        for sheet in marked_table.sheets
    }
    message = _("Round %(round)s, table %(table)s: the hands give a different score.")
    return [
        message % {"round": marked_table.round, "table": marked_table.table}
        for marked_table in (file.rubbers.tables if file.rubbers else ())
        if marked_table.drive_score != scores.get((marked_table.round, marked_table.table), [])
    ]
