"""The content of a ladder for pages, PDFs, the API and files, with names and sorted lines."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction

from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.name_folding import fold_name
from clubs.privacy import has_public_page
from drives.models import Drive
from exchange.data_tables import Cell, DataTable, ExactNumber
from rubbers.models import RubberNight
from seasons.ladders.evenings_without_trays import find_activity_slug
from seasons.ladders.models import Ladder
from seasons.ladders.rules import EveningValue, LadderRow, LadderTable
from seasons.ladders.rules.rule import MEAN, PERCENT
from seasons.ladders.rules.words import (
    describe_games,
    describe_rule,
    explain_total,
    explain_value,
    format_exact,
    format_measure,
)
from seasons.ladders.season_tables import load_ladder_table
from server import formatting

COUNTS, DROPPED, ABSENT, CANNOT_COUNT = "●", "○", "·", "×"
"""The marks of a value: it counts, is dropped, is missing (absence), or cannot count."""
MAX_INITIAL_LINES = 10
"""The number of lines of a long ladder that a page shows before it is expanded."""


@dataclass(frozen=True, slots=True)
class LadderValue:
    """The value of one evening in a ladder's line, with an explanation of its computation."""

    day: Date
    name: str
    value: Fraction | None
    mark: str
    how: str
    slug: str  # the event's slug for a link; "" if the evening is no event
    drive: str  # the drive's slug, or ""
    rubbers: str  # the rubber night's slug, or ""
    number: int

    @property
    def written(self) -> str:
        """The value as text, in brackets if it cannot count, or "–" if it is unknown."""
        if self.value is None:
            return "–"
        text = format_exact(self.value)
        return f"({text})" if self.mark == CANNOT_COUNT else text


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A line of a ladder with the names that may be shown.

    `key` is empty if a name in the line is hidden.
    """

    who: tuple[str, ...]
    rank: int
    tied: bool
    evenings: int
    counted: int
    total: Fraction
    needs: int
    key: str = ""
    marks: str = ""
    player: int | None = None  # the primary key of a player with a public page

    @property
    def names(self) -> str:
        """The names of the line's people, joined to one text."""
        return " & ".join(self.who)

    @property
    def place(self) -> str:
        """The rank as text; "" if the line is below the minimum of evenings."""
        return formatting.format_rank(self.rank, tied=self.tied) if self.rank else ""


@dataclass(frozen=True, slots=True)
class LadderSheet:
    """The content of a ladder's page: its rule in words, and its lines with names."""

    row: Ladder
    rule: str
    heading: str  # the heading of the totals column
    ranked: tuple[LadderLine, ...]
    unranked: tuple[LadderLine, ...]
    evenings: int
    signed: bool
    latest: Date | None
    warning: str  # about points of different games, or ""

    @property
    def lines(self) -> tuple[LadderLine, ...]:
        """All lines: the ranked ones, then those below the minimum of evenings."""
        return self.ranked + self.unranked

    @property
    def is_long(self) -> bool:
        """Whether a page shows only the top lines until the reader expands the ladder."""
        return len(self.lines) > MAX_INITIAL_LINES

    def find_lines(self, sought: str) -> list[LadderLine]:
        """Return the lines whose shown names contain all words of the search text.

        Case and accents are ignored.
        """
        words = fold_name(sought).split()
        return [
            line
            for line in self.lines
            if words and all(word in fold_name(line.names) for word in words)
        ]


def build_ladder_sheet(
    row: Ladder, table: LadderTable | None = None, *, in_full: bool = False
) -> LadderSheet:
    """Return a ladder with public names, or with all names if `in_full` is set.

    Directors of the club see all names. A line with a hidden name has no key and no marks,
    because these would reveal on which evenings the person played.
    """
    table = load_ladder_table(row) if table is None else table
    people = load_ladder_people(table)
    days = sorted(
        {
            evening_value.evening.order
            for line in table.rows
            for evening_value in line.evening_values
        }
    )
    ranked_lines = [_build_line(row_, people, days, in_full=in_full) for row_ in table.ranked]
    unranked = [_build_line(row_, people, days, in_full=in_full) for row_ in table.unranked]
    return LadderSheet(
        row=row,
        rule=describe_rule(table.rule),
        warning=describe_games(table),
        heading=_format_heading(table),
        ranked=tuple(
            sorted(ranked_lines, key=lambda line: (line.rank, _build_sort_key(line, in_full)))
        ),
        unranked=tuple(sorted(unranked, key=lambda line: _build_sort_key(line, in_full))),
        evenings=len(days),
        signed=any(line.total < 0 for line in ranked_lines),
        latest=Date.fromisoformat(days[-1][0]) if days else None,
    )


def find_ladder_line(
    row: Ladder, key: str, *, in_full: bool = False
) -> tuple[LadderLine, tuple[LadderValue, ...], str] | None:
    """Return a ladder's line by its key, with its evening values and the explanation of the
    total.

    Returns None if the ladder has no line with this key.
    """
    table = load_ladder_table(row)
    people = load_ladder_people(table)
    for row_ in table.rows:
        line = _build_line(row_, people, [], in_full=in_full)
        if key and line.key == key:
            values = tuple(
                _build_value(evening_value, number in row_.counted, table)
                for number, evening_value in enumerate(row_.evening_values)
            )
            return line, values, explain_total(row_, table.rule)
    return None


def _format_heading(table: LadderTable) -> str:
    name = format_measure(table.rule.measure)
    if table.rule.combine == MEAN and table.rule.measure != PERCENT:
        return _("average %(measure)s") % {"measure": name}
    return name


def load_ladder_people(table: LadderTable) -> dict[int, Player]:
    return Player.objects.in_bulk({key for row in table.rows for key in row.people})


def _build_line(
    row: LadderRow,
    people: Mapping[int, Player],
    days: Iterable[tuple[str, str]],
    *,
    in_full: bool,
) -> LadderLine:
    line_people = [people[key] for key in row.people]
    is_open = in_full or all(has_public_page(player) for player in line_people)
    names = [player.name if in_full else player.shown_name for player in line_people]
    return LadderLine(
        who=(row.who,) if isinstance(row.who, str) else tuple(sorted(names)),
        rank=row.rank,
        tied=row.tied,
        evenings=row.evenings,
        counted=len(row.counted),
        total=row.total,
        needs=row.needs,
        key=row.key if is_open else "",
        marks=_format_marks(row, days) if is_open else "",
        player=line_people[0].pk if is_open and len(line_people) == 1 else None,
    )


def _format_marks(row: LadderRow, days: Iterable[tuple[str, str]]) -> str:
    values_by_evening = {
        evening_value.evening.order: _format_mark(evening_value, number in row.counted)
        for number, evening_value in enumerate(row.evening_values)
    }
    return "".join(values_by_evening.get(day, ABSENT) for day in days)


def _format_mark(evening_value: EveningValue, is_counted: bool) -> str:
    if not evening_value.counts:
        return CANNOT_COUNT
    return COUNTS if is_counted else DROPPED


def _build_value(
    evening_value: EveningValue, is_counted: bool, table: LadderTable
) -> LadderValue:
    drive = find_activity_slug(Drive, evening_value.evening)
    rubbers = find_activity_slug(RubberNight, evening_value.evening)
    is_other = bool(drive or rubbers) or evening_value.evening.is_from_elsewhere
    return LadderValue(
        day=Date.fromisoformat(evening_value.evening.day),
        name=evening_value.evening.name,
        value=evening_value.value,
        mark=_format_mark(evening_value, is_counted),
        how=explain_value(evening_value, table.rule),
        slug="" if is_other else evening_value.evening.key,
        drive=drive,
        rubbers=rubbers,
        number=evening_value.entry.number,
    )


def _build_sort_key(line: LadderLine, in_full: bool) -> tuple[bool, object]:
    """Return the sort key of a line: visible names in alphabetical order, then hidden names.

    With `in_full`, names are compared as plain strings, without special treatment of hidden
    names.
    """
    if in_full:
        return False, line.who
    return not line.key, [fold_name(name) for name in line.who]


def format_ladder(sheet: LadderSheet) -> list[str]:
    """Return a ladder as lines of plain text."""
    widest = max((len(line.names) for line in sheet.lines), default=0)
    total_format = formatting.choose_column_format(
        (line.total for line in sheet.lines), with_sign=sheet.signed
    )
    lines = [str(sheet.row), sheet.rule]
    for line in sheet.lines:
        place, total = line.place or "–", total_format.write(line.total)
        lines.append(f"{place:>4}  {line.names:<{widest}}  {line.evenings:>3}  {total:>10}")
    return lines


def build_ladder_table(sheet: LadderSheet) -> DataTable:
    """Return a ladder as a table for file export, with exact and rounded totals."""
    keys = ("rank", "tied", "who", "evenings", "counted", "needs", "value", "value_exact")
    rows: list[list[Cell]] = [
        [
            line.rank or None,
            "yes" if line.tied else "no",
            line.names,
            line.evenings,
            line.counted,
            line.needs,
            line.total,
            ExactNumber(line.total),
        ]
        for line in sheet.lines
    ]
    return DataTable(name=sheet.row.name, keys=keys, rows=rows)
