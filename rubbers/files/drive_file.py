"""Reads the section `rubbers` of a drive file, which has the hands of each table and round.

The seats in this section must equal those in the other sections of the file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

from django.utils.translation import gettext as _

from drives.draw.participants import Seats
from drives.errors import UnreadableDrive
from drives.files.drive_file import DriveFile
from rubbers.files.night_file import build_hand_data
from rubbers.files.rubber_file import parse_hand
from rubbers.rubber.codes import find_law_code
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand
from rubbers.rubber.night import Night, Spell, TableMembership
from rubbers.rubber.seating import compute_drive_score, is_spell_over
from rubbers.rubber.spell_score import score_hands
from rubbers.rubber.terms import RubberTerms, change_terms
from server.json_reader.formats import JsonKey, build_list_reader, report_duplicates
from server.json_reader.problems import JsonPath, format_problem
from server.json_reader.values import build_whole_number_reader

MAX_HANDS = 1000


@dataclass(frozen=True, kw_only=True)
class ParsedTableHands:
    """The validated hands of a table in a round.

    `seats` contains the numbers of side A's two players, then of side B's.
    """

    round_number: int
    table_number: int
    seats: tuple[int, int, int, int]
    is_settled: bool
    hands: tuple[Hand, ...]
    night: Night

    @property
    def stored_hands(self) -> list[dict[str, Any]]:
        """The hands in the format of the database."""
        return [build_hand_data(hand) for hand in self.hands]

    @property
    def drive_score(self) -> list[int]:
        """The scores of the two sides in the drive; [] while the rubber is in play."""
        return compute_drive_score(self.night, should_count_unfinished=self.is_settled)


@dataclass(frozen=True, kw_only=True)
class RubberSection:
    """The validated rubbers of a drive: the code of laws, the changed terms and the tables."""

    code: str
    terms: dict[str, Any]
    tables: tuple[ParsedTableHands, ...]


@dataclass(frozen=True, kw_only=True)
class TableHandsInFile:
    """The hands of one table in one round, as read from the file."""

    round: Annotated[int, build_whole_number_reader(1, 1000)]
    table: Annotated[int, build_whole_number_reader(1, 1000)]
    seats: tuple[int, int, int, int]
    hands: Annotated[tuple[Any, ...], build_list_reader(Any, 1, MAX_HANDS)]
    is_settled: Annotated[bool, JsonKey("settled")] = False


@dataclass(frozen=True, kw_only=True)
class RubbersInFile:
    """A drive's rubbers as read from the file."""

    code: str
    terms: dict[str, Any] = field(default_factory=dict)
    tables: tuple[TableHandsInFile, ...] = ()

    def validate(self, json_path: JsonPath) -> None:
        """Report tables that occur twice in a round."""
        tables = json_path.iter_items("tables", self.tables)
        report_duplicates(
            (table_json_path, (table_in_file.round, table_in_file.table))
            for table_json_path, table_in_file in tables
        )


def parse_rubbers(
    rubbers_in_file: RubbersInFile | None, seats_by_round: Mapping[int, Mapping[int, Seats]]
) -> RubberSection | None:
    """Validate a drive's rubbers; return None for a drive without rubbers.

    `seats_by_round` has the seats of the drive by round and table. Raises UnreadableDrive for
    an unknown table, different seats, an impossible hand, or a hand after the end of the
    rubber.
    """
    if rubbers_in_file is None:
        return None
    try:
        code = find_law_code(rubbers_in_file.code)
        terms = change_terms(code.terms, rubbers_in_file.terms)
    except UnplayableHand as problem:
        raise UnreadableDrive(format_problem("rubbers", str(problem))) from None
    tables = []
    for table_index, table_in_file in enumerate(rubbers_in_file.tables):
        try:
            tables.append(
                _parse_table(
                    table_in_file,
                    terms,
                    seats_by_round.get(table_in_file.round, {}).get(table_in_file.table),
                )
            )
        except (UnreadableDrive, UnreadableRubber) as problem:
            raise UnreadableDrive(
                format_problem(f"rubbers.tables[{table_index}]", str(problem))
            ) from None
    return RubberSection(code=code.name, terms=rubbers_in_file.terms, tables=tuple(tables))


def _parse_table(
    table_in_file: TableHandsInFile, terms: RubberTerms, drive_seats: Seats | None
) -> ParsedTableHands:
    if drive_seats is None:
        raise UnreadableDrive(_("no one plays there."))
    if table_in_file.seats != tuple(drive_seats[seat_index] for seat_index in (0, 2, 1, 3)):
        raise UnreadableDrive(_("different players sit there."))
    hands = tuple(
        parse_hand(hand_in_file, _("hand %s") % hand_number)
        for hand_number, hand_in_file in enumerate(table_in_file.hands, 1)
    )
    for hand_count in range(1, len(hands)):
        last_hand = score_hands(terms, hands[:hand_count]).hands[-1]
        partial_night = _build_night(
            terms, table_in_file.seats, hands[:hand_count], is_closed=False
        )
        if is_spell_over(partial_night, last_hand):
            raise UnreadableDrive(
                _("hand %s comes after the end of the rubber.") % (hand_count + 1)
            )
    score_hands(terms, hands)
    return ParsedTableHands(
        round_number=table_in_file.round,
        table_number=table_in_file.table,
        seats=table_in_file.seats,
        is_settled=table_in_file.is_settled,
        hands=hands,
        night=_build_night(
            terms, table_in_file.seats, hands, is_closed=table_in_file.is_settled
        ),
    )


def _build_night(
    terms: RubberTerms, seats: Sequence[int], hands: tuple[Hand, ...], *, is_closed: bool
) -> Night:
    return Night(
        terms=terms,
        members=tuple(TableMembership(str(player_number)) for player_number in seats),
        spells=(Spell.from_seats(seats, hands),),
        is_closed=is_closed,
    )


@dataclass(frozen=True, kw_only=True)
class DriveFileWithRubbers(DriveFile):
    """A drive file with the rubbers of the tables."""

    rubbers_in_file: Annotated[RubbersInFile | None, JsonKey("rubbers")]

    @cached_property
    def rubbers(self) -> RubberSection | None:
        """The validated rubbers; raises UnreadableDrive."""
        seats_by_round = {
            round_in_file.number: round_in_file.tables
            for round_in_file in self.played_rounds_in_file
        }
        return parse_rubbers(self.rubbers_in_file, seats_by_round)

    def validate(self, json_path: JsonPath) -> None:
        """Report contradictions between the sections of the file, and invalid rubbers."""
        super().validate(json_path)
        try:
            _rubbers = self.rubbers
        except UnreadableDrive as problem:
            json_path.problems.append(str(problem))


def find_score_differences(drive_file: DriveFileWithRubbers) -> list[str]:
    """Return a message for each table whose score in the file differs from its rubber."""
    drive_scores_by_round_and_table = {
        (played_round.number, table_score.table_number): list(table_score.score)
        for played_round in drive_file.played_rounds
        for table_score in played_round.sheets
    }
    message = _("Round %(round)s, table %(table)s: the hands give a different score.")
    return [
        message % {"round": parsed_table.round_number, "table": parsed_table.table_number}
        for parsed_table in (drive_file.rubbers.tables if drive_file.rubbers else ())
        if parsed_table.drive_score
        != drive_scores_by_round_and_table.get(
            (parsed_table.round_number, parsed_table.table_number), []
        )
    ]
