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
MAX_COLLAPSED_LINES = 10
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
    def value_text(self) -> str:
        """The value as text, in brackets if it cannot count, or "–" if it is unknown."""
        if self.value is None:
            return "–"
        value_text = format_exact(self.value)
        return f"({value_text})" if self.mark == UNCOUNTABLE_MARK else value_text


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A line of a ladder with the names that may be shown."""

    person_names: tuple[str, ...]
    rank: int
    is_tied: bool
    evening_count: int
    counted_evenings: int
    total: Fraction
    missing_evening_count: int
    row_key: str = ""  # the line in URLs; "" if a name in the line is hidden
    # one character for each evening: ● counts, ○ dropped, · absent, × cannot count
    marks: str = ""
    player_pk: int | None = None  # the primary key of a player with a public page

    @property
    def names(self) -> str:
        """The names of the line's people, joined to one text."""
        return " & ".join(self.person_names)

    @property
    def rank_text(self) -> str:
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
        return len(self.lines) > MAX_COLLAPSED_LINES

    def find_lines(self, search_text: str) -> list[LadderLine]:
        """Return the lines whose shown names contain all words of the search text.

        Case and accents are ignored.
        """
        folded_words = fold_name(search_text).split()
        return [
            ladder_line
            for ladder_line in self.lines
            if folded_words
            and all(folded_word in fold_name(ladder_line.names) for folded_word in folded_words)
        ]


def build_ladder_sheet(
    ladder: Ladder, table: LadderTable | None = None, *, has_full_names: bool = False
) -> LadderSheet:
    """Return a ladder with public names, or with all names if `has_full_names` is set.

    Directors of the club see all names. A line with a hidden name has no key and no marks,
    because these would reveal the evenings of that person.
    """
    table = load_ladder_table(ladder) if table is None else table
    players_by_pk = load_ladder_players(table)
    sort_keys = sorted(
        {
            evening_value.evening.sort_key
            for ladder_row in table.rows
            for evening_value in ladder_row.evening_values
        }
    )
    ranked_lines = [
        _build_line(ladder_row, players_by_pk, sort_keys, has_full_names=has_full_names)
        for ladder_row in table.ranked_rows
    ]
    unranked_lines = [
        _build_line(ladder_row, players_by_pk, sort_keys, has_full_names=has_full_names)
        for ladder_row in table.unranked_rows
    ]
    return LadderSheet(
        ladder=ladder,
        rule=describe_rule(table.rule),
        warning=describe_games(table),
        totals_heading=_format_totals_heading(table),
        ranked=tuple(
            sorted(
                ranked_lines,
                key=lambda line: (line.rank, _build_sort_key(line, has_full_names)),
            )
        ),
        unranked=tuple(
            sorted(unranked_lines, key=lambda line: _build_sort_key(line, has_full_names))
        ),
        evening_count=len(sort_keys),
        has_signed_totals=any(ladder_line.total < 0 for ladder_line in ranked_lines),
        latest_day=Date.fromisoformat(sort_keys[-1][0]) if sort_keys else None,
    )


def find_ladder_line(
    ladder: Ladder, row_key: str, *, has_full_names: bool = False
) -> tuple[LadderLine, tuple[LadderValue, ...], str] | None:
    """Return (line, evening values, calculation of the total) for the line with this key.

    Returns None if the ladder has no such line.
    """
    table = load_ladder_table(ladder)
    players_by_pk = load_ladder_players(table)
    for ladder_row in table.rows:
        ladder_line = _build_line(ladder_row, players_by_pk, [], has_full_names=has_full_names)
        if row_key and ladder_line.row_key == row_key:
            ladder_values = tuple(
                _build_value(evening_value, index in ladder_row.counted_indexes, table)
                for index, evening_value in enumerate(ladder_row.evening_values)
            )
            return ladder_line, ladder_values, explain_total(ladder_row, table.rule)
    return None


def _format_totals_heading(table: LadderTable) -> str:
    name = format_measure(table.rule.measure)
    if table.rule.combine == COMBINE_MEAN and table.rule.measure != MEASURE_PERCENT:
        return _("average %(measure)s") % {"measure": name}
    return name


def load_ladder_players(table: LadderTable) -> dict[int, Player]:
    """Return the players in the lines of a ladder by primary key, in one query."""
    return Player.objects.in_bulk(
        {player_pk for ladder_row in table.rows for player_pk in ladder_row.person_pks}
    )


def _build_line(
    ladder_row: LadderRow,
    players_by_pk: Mapping[int, Player],
    sort_keys: Iterable[tuple[str, str]],
    *,
    has_full_names: bool,
) -> LadderLine:
    line_players = [players_by_pk[player_pk] for player_pk in ladder_row.person_pks]
    can_show_details = has_full_names or all(has_public_page(player) for player in line_players)
    person_names = [
        player.name if has_full_names else player.shown_name for player in line_players
    ]
    return LadderLine(
        person_names=(ladder_row.subject,)
        if isinstance(ladder_row.subject, str)
        else tuple(sorted(person_names)),
        rank=ladder_row.rank,
        is_tied=ladder_row.is_tied,
        evening_count=ladder_row.evening_count,
        counted_evenings=len(ladder_row.counted_indexes),
        total=ladder_row.total,
        missing_evening_count=ladder_row.missing_evening_count,
        row_key=ladder_row.row_key if can_show_details else "",
        marks=_format_marks(ladder_row, sort_keys) if can_show_details else "",
        player_pk=line_players[0].pk if can_show_details and len(line_players) == 1 else None,
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
    if not evening_value.can_be_counted:
        return UNCOUNTABLE_MARK
    return COUNTED_MARK if is_counted else DROPPED_MARK


def _build_value(
    evening_value: EveningValue, is_counted: bool, table: LadderTable
) -> LadderValue:
    drive_slug = find_activity_slug(Drive, evening_value.evening)
    rubber_night_slug = find_activity_slug(RubberNight, evening_value.evening)
    has_no_event_page = (
        bool(drive_slug or rubber_night_slug) or evening_value.evening.is_imported
    )
    return LadderValue(
        day=Date.fromisoformat(evening_value.evening.day),
        name=evening_value.evening.name,
        value=evening_value.value,
        mark=_format_mark(evening_value, is_counted),
        explanation=explain_value(evening_value, table.rule),
        event_slug="" if has_no_event_page else evening_value.evening.key,
        drive_slug=drive_slug,
        rubber_night_slug=rubber_night_slug,
        entry_number=evening_value.entry.entry_number,
    )


def _build_sort_key(ladder_line: LadderLine, has_full_names: bool) -> tuple[bool, object]:
    """Return the sort key of a line: visible names in alphabetical order, then hidden names.

    With `has_full_names`, no name is hidden, and names are compared as plain strings.
    """
    if has_full_names:
        return False, ladder_line.person_names
    return not ladder_line.row_key, [fold_name(name) for name in ladder_line.person_names]


def format_ladder(ladder_sheet: LadderSheet) -> list[str]:
    """Return a ladder as lines of plain text."""
    name_width = max((len(ladder_line.names) for ladder_line in ladder_sheet.lines), default=0)
    total_format = formatting.choose_column_format(
        (ladder_line.total for ladder_line in ladder_sheet.lines),
        has_sign=ladder_sheet.has_signed_totals,
    )
    text_lines = [str(ladder_sheet.ladder), ladder_sheet.rule]
    for ladder_line in ladder_sheet.lines:
        total_text = total_format.format_number(ladder_line.total)
        text_lines.append(
            f"{ladder_line.rank_text or '–':>4}  {ladder_line.names:<{name_width}}"
            f"  {ladder_line.evening_count:>3}  {total_text:>10}"
        )
    return text_lines


def build_ladder_table(ladder_sheet: LadderSheet) -> DataTable:
    """Return a ladder as a table for file export, with exact and rounded totals."""
    column_keys = (
        "rank",
        "tied",
        "who",
        "evenings",
        "counted",
        "needs",
        "value",
        "value_exact",
    )
    rows: list[list[Cell]] = [
        [
            ladder_line.rank or None,
            "yes" if ladder_line.is_tied else "no",
            ladder_line.names,
            ladder_line.evening_count,
            ladder_line.counted_evenings,
            ladder_line.missing_evening_count,
            ladder_line.total,
            ExactNumber(ladder_line.total),
        ]
        for ladder_line in ladder_sheet.lines
    ]
    return DataTable(name=ladder_sheet.ladder.name, column_keys=column_keys, rows=rows)
