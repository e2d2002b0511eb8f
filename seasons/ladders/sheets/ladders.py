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
from seasons.ladders.activity_evenings import find_activity_slug
from seasons.ladders.models import Ladder
from seasons.ladders.rules import EveningValue, LadderRow, LadderTable
from seasons.ladders.rules.rule import COMBINE_MEAN, MEASURE_PERCENT
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

COUNTED_MARK, DROPPED_MARK, ABSENT_MARK, UNCOUNTABLE_MARK = "●", "○", "·", "×"
"""The marks of an evening's value: counted, dropped, absent, or impossible to count."""
MAX_INITIAL_LINES = 10
"""The number of lines of a long ladder that a page shows before it is expanded."""


@dataclass(frozen=True, slots=True)
class LadderValue:
    """The value of one evening in a ladder's line, with an explanation of its computation."""

    day: Date
    name: str
    value: Fraction | None
    mark: str
    explanation: str
    event_slug: str  # the event's slug for a link; "" if the evening is no event
    drive_slug: str  # the drive's slug, or ""
    rubber_night_slug: str  # the rubber night's slug, or ""
    entry_number: int

    @property
    def is_imported(self) -> bool:
        """Whether the evening was imported and therefore has no page."""
        return not (self.event_slug or self.drive_slug or self.rubber_night_slug)

    @property
    def text(self) -> str:
        """The value as text, in brackets if it cannot count, or "–" if it is unknown."""
        if self.value is None:
            return "–"
        text = format_exact(self.value)
        return f"({text})" if self.mark == UNCOUNTABLE_MARK else text


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A line of a ladder with the names that may be shown."""

    person_names: tuple[str, ...]
    rank: int
    is_tied: bool
    evening_count: int
    counted_evenings: int
    total: Fraction
    missing_evenings: int
    key: str = ""  # the line in URLs; "" if a name in the line is hidden
    # one character for each evening: ● counts, ○ dropped, · absent, × cannot count
    marks: str = ""
    player: int | None = None  # the primary key of a player with a public page

    @property
    def names(self) -> str:
        """The names of the line's people, joined to one text."""
        return " & ".join(self.person_names)

    @property
    def place(self) -> str:
        """The rank as text; "" if the line is below the minimum of evenings."""
        return formatting.format_rank(self.rank, is_tied=self.is_tied) if self.rank else ""


@dataclass(frozen=True, slots=True)
class LadderSheet:
    """The content of a ladder's page: its rule in words, and its lines with names."""

    ladder: Ladder
    rule: str
    totals_heading: str  # the heading of the totals column
    ranked: tuple[LadderLine, ...]
    unranked: tuple[LadderLine, ...]
    evening_count: int
    has_signed_totals: bool
    latest_day: Date | None
    warning: str  # about points of different games, or ""

    @property
    def lines(self) -> tuple[LadderLine, ...]:
        """All lines: the ranked ones, then those below the minimum of evenings."""
        return self.ranked + self.unranked

    @property
    def is_long(self) -> bool:
        """Whether a page shows only the top lines until the reader expands the ladder."""
        return len(self.lines) > MAX_INITIAL_LINES

    def find_lines(self, search_text: str) -> list[LadderLine]:
        """Return the lines whose shown names contain all words of the search text.

        Case and accents are ignored.
        """
        folded_words = fold_name(search_text).split()
        return [
            line
            for line in self.lines
            if folded_words and all(word in fold_name(line.names) for word in folded_words)
        ]


def build_ladder_sheet(
    ladder: Ladder, table: LadderTable | None = None, *, in_full: bool = False
) -> LadderSheet:
    """Return a ladder with public names, or with all names if `in_full` is set.

    Directors of the club see all names. A line with a hidden name has no key and no marks,
    because these would reveal the evenings of that person.
    """
    table = load_ladder_table(ladder) if table is None else table
    players_by_key = load_ladder_players(table)
    sort_keys = sorted(
        {
            evening_value.evening.sort_key
            for ladder_row in table.rows
            for evening_value in ladder_row.evening_values
        }
    )
    ranked_lines = [
        _build_line(ladder_row, players_by_key, sort_keys, in_full=in_full)
        for ladder_row in table.ranked
    ]
    unranked_lines = [
        _build_line(ladder_row, players_by_key, sort_keys, in_full=in_full)
        for ladder_row in table.unranked
    ]
    return LadderSheet(
        ladder=ladder,
        rule=describe_rule(table.rule),
        warning=describe_games(table),
        totals_heading=_format_totals_heading(table),
        ranked=tuple(
            sorted(ranked_lines, key=lambda line: (line.rank, _build_sort_key(line, in_full)))
        ),
        unranked=tuple(sorted(unranked_lines, key=lambda line: _build_sort_key(line, in_full))),
        evening_count=len(sort_keys),
        has_signed_totals=any(line.total < 0 for line in ranked_lines),
        latest_day=Date.fromisoformat(sort_keys[-1][0]) if sort_keys else None,
    )


def find_ladder_line(
    ladder: Ladder, key: str, *, in_full: bool = False
) -> tuple[LadderLine, tuple[LadderValue, ...], str] | None:
    """Return (line, evening values, calculation of the total) for the line with this key.

    Returns None if the ladder has no such line.
    """
    table = load_ladder_table(ladder)
    players_by_key = load_ladder_players(table)
    for ladder_row in table.rows:
        line = _build_line(ladder_row, players_by_key, [], in_full=in_full)
        if key and line.key == key:
            values = tuple(
                _build_value(evening_value, index in ladder_row.counted_indexes, table)
                for index, evening_value in enumerate(ladder_row.evening_values)
            )
            return line, values, explain_total(ladder_row, table.rule)
    return None


def _format_totals_heading(table: LadderTable) -> str:
    name = format_measure(table.rule.measure)
    if table.rule.combine == COMBINE_MEAN and table.rule.measure != MEASURE_PERCENT:
        return _("average %(measure)s") % {"measure": name}
    return name


def load_ladder_players(table: LadderTable) -> dict[int, Player]:
    """Return the players in the lines of a ladder by primary key, in one query."""
    return Player.objects.in_bulk(
        {player_key for ladder_row in table.rows for player_key in ladder_row.people}
    )


def _build_line(
    ladder_row: LadderRow,
    players_by_key: Mapping[int, Player],
    sort_keys: Iterable[tuple[str, str]],
    *,
    in_full: bool,
) -> LadderLine:
    line_players = [players_by_key[player_key] for player_key in ladder_row.people]
    can_show_details = in_full or all(has_public_page(player) for player in line_players)
    names = [player.name if in_full else player.shown_name for player in line_players]
    return LadderLine(
        person_names=(ladder_row.subject,)
        if isinstance(ladder_row.subject, str)
        else tuple(sorted(names)),
        rank=ladder_row.rank,
        is_tied=ladder_row.is_tied,
        evening_count=ladder_row.evening_count,
        counted_evenings=len(ladder_row.counted_indexes),
        total=ladder_row.total,
        missing_evenings=ladder_row.missing_evenings,
        key=ladder_row.key if can_show_details else "",
        marks=_format_marks(ladder_row, sort_keys) if can_show_details else "",
        player=line_players[0].pk if can_show_details and len(line_players) == 1 else None,
    )


def _format_marks(ladder_row: LadderRow, sort_keys: Iterable[tuple[str, str]]) -> str:
    marks_by_sort_key = {
        evening_value.evening.sort_key: _format_mark(
            evening_value, index in ladder_row.counted_indexes
        )
        for index, evening_value in enumerate(ladder_row.evening_values)
    }
    return "".join(marks_by_sort_key.get(sort_key, ABSENT_MARK) for sort_key in sort_keys)


def _format_mark(evening_value: EveningValue, is_counted: bool) -> str:
    if not evening_value.can_count:
        return UNCOUNTABLE_MARK
    return COUNTED_MARK if is_counted else DROPPED_MARK


def _build_value(
    evening_value: EveningValue, is_counted: bool, table: LadderTable
) -> LadderValue:
    drive = find_activity_slug(Drive, evening_value.evening)
    rubbers = find_activity_slug(RubberNight, evening_value.evening)
    has_no_event_page = bool(drive or rubbers) or evening_value.evening.is_imported
    return LadderValue(
        day=Date.fromisoformat(evening_value.evening.day),
        name=evening_value.evening.name,
        value=evening_value.value,
        mark=_format_mark(evening_value, is_counted),
        explanation=explain_value(evening_value, table.rule),
        event_slug="" if has_no_event_page else evening_value.evening.key,
        drive_slug=drive,
        rubber_night_slug=rubbers,
        entry_number=evening_value.entry.number,
    )


def _build_sort_key(line: LadderLine, in_full: bool) -> tuple[bool, object]:
    """Return the sort key of a line: visible names in alphabetical order, then hidden names.

    With `in_full`, no name is hidden, and names are compared as plain strings.
    """
    if in_full:
        return False, line.person_names
    return not line.key, [fold_name(name) for name in line.person_names]


def format_ladder(sheet: LadderSheet) -> list[str]:
    """Return a ladder as lines of plain text."""
    name_width = max((len(line.names) for line in sheet.lines), default=0)
    total_format = formatting.choose_column_format(
        (line.total for line in sheet.lines), with_sign=sheet.has_signed_totals
    )
    text_lines = [str(sheet.ladder), sheet.rule]
    for line in sheet.lines:
        place, total = line.place or "–", total_format.format_number(line.total)
        text_lines.append(
            f"{place:>4}  {line.names:<{name_width}}  {line.evening_count:>3}  {total:>10}"
        )
    return text_lines


def build_ladder_table(sheet: LadderSheet) -> DataTable:
    """Return a ladder as a table for file export, with exact and rounded totals."""
    keys = ("rank", "tied", "who", "evenings", "counted", "needs", "value", "value_exact")
    rows: list[list[Cell]] = [
        [
            line.rank or None,
            "yes" if line.is_tied else "no",
            line.names,
            line.evening_count,
            line.counted_evenings,
            line.missing_evenings,
            line.total,
            ExactNumber(line.total),
        ]
        for line in sheet.lines
    ]
    return DataTable(name=sheet.ladder.name, keys=keys, rows=rows)
