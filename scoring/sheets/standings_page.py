"""The page of the standings: leaders, bars on one scale, and the course of the event."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.name_folding import fold_name
from scoring.drawing.scales import Bar, build_bar, find_largest_absolute
from scoring.drawing.score_chart import EntryScores, ScoreChart, draw_score_chart
from scoring.methods import METHODS
from scoring.sheets.field_lists import StratumTable, build_strata_tables
from scoring.sheets.ranks import index_rank_rows
from scoring.sheets.short_names import fit_words, get_first_surname, shorten_to_surnames
from scoring.sheets.values import RankField, RankRow, RankTable
from scoring.standings_engine.running_scores import RunningScores, load_running_scores
from server import formatting
from tournaments.models import Event

MAX_UNFOLDED_ROWS = 10
"""Lines of a field that a page shows before the rest is unfolded."""
MAX_LABEL_LETTERS, MAX_SHORT_LABEL_LETTERS = 21, 11  # letters of a name at the end of a line
MAX_NAMED_LEADERS = 3
"""If more entries share the first place, they are counted instead of named."""


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One entry's rank, its bar, and whether the reader's search found it."""

    rank: RankRow
    number: str
    side: str  # "N-S" after the number; "" with a single field
    bar: Bar | None
    is_mine: bool
    each: Fraction | None  # the score a board, if numbers of boards differ


@dataclass(frozen=True, slots=True)
class ShownField:
    """One field: its leaders, its rows, and the chart of its course."""

    field: RankField
    rows: tuple[ShownRow, ...]
    leaders: tuple[RankRow, ...]
    course: ScoreChart | None
    words: str  # the course in a sentence
    is_long: bool
    is_open: bool  # whether the lines below the first ones are unfolded

    @property
    def placings(self) -> tuple[RankRow, ...]:
        """All rows of the field."""
        return self.field.rows

    @property
    def is_shared(self) -> bool:
        """Whether several entries share the first place."""
        return len(self.leaders) > 1

    @property
    def is_crowded(self) -> bool:
        """Whether too many entries share the first place to name them."""
        return len(self.leaders) > MAX_NAMED_LEADERS


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The content of the page: all fields, and the result of the reader's search."""

    fields: tuple[ShownField, ...]
    search_text: str = ""
    matching_rows: tuple[RankRow, ...] = ()
    strata: tuple[StratumTable, ...] = ()

    @property
    def has_courses(self) -> bool:
        """Whether any field has a course to draw."""
        return any(shown_field.course for shown_field in self.fields)

    @property
    def is_long(self) -> bool:
        """Whether the page has more than two fields and needs links to them."""
        return len(self.fields) > 2


def build_standings_page(
    event: Event, table: RankTable | None, search_text: str = "", *, all_results: bool = False
) -> StandingsPage | None:
    """Build the page of the standings; None if they are hidden."""
    if table is None:
        return None
    rows = index_rank_rows(table)
    scores = {entry: row.score for entry, row in rows.items()}
    running_scores = load_running_scores(event, scores, all_results=all_results)
    matching_rows = find_rows(rows.values(), search_text)
    strata = build_strata_tables(event, table) if table.has_begun else ()
    return replace(
        lay_out_standings(table, running_scores, search_text, matching_rows), strata=strata
    )


def lay_out_standings(
    table: RankTable,
    running_scores: RunningScores,
    search_text: str = "",
    matching_rows: Sequence[RankRow] = (),
) -> StandingsPage:
    """Build the page of given standings with their course; mark the matching rows."""
    matching_entries = {row.entry for row in matching_rows}
    gaps = {
        row.entry: _compute_difference_from_average(row, field, table.method)
        for field, row in _iter_field_rows(table)
    }
    largest_gap = find_largest_absolute(gaps.values())
    fields = tuple(
        _build_shown_field(
            rank_field, table, running_scores, matching_entries, gaps, largest_gap
        )
        for rank_field in table.fields
    )
    return StandingsPage(fields, search_text, tuple(matching_rows))


class NamedRow(Protocol):
    """Protocol of rows that can be found by name or number."""

    @property
    def entry(self) -> int: ...
    @property
    def label(self) -> str: ...
    @property
    def name(self) -> str: ...


Line = TypeVar("Line", bound=NamedRow)


def find_rows(rows: Iterable[Line], search_text: str) -> list[Line]:
    """Find entries by a part of the name, ignoring case and accents, or by number."""
    search_words = fold_name(search_text).split()
    if not search_words:
        return []
    return [
        row
        for row in rows
        if all(search_word in fold_name(row.name) for search_word in search_words)
        or fold_name(search_text.strip()) in (fold_name(row.label), str(row.entry))
    ]


def _iter_field_rows(table: RankTable) -> Iterable[tuple[RankField, RankRow]]:
    return ((field, row) for field in table.fields for row in field.rows)


def _compute_difference_from_average(row: RankRow, field: RankField, method: str) -> Fraction:
    """Return the distance of an entry from its field's average, in the ranked value."""
    if row.percent is not None:
        return row.percent - Fraction(1, 2)
    ranking_values = [rank_row.ranking_value for rank_row in field.rows]
    if METHODS[method].signed:
        return row.ranking_value
    return row.ranking_value - sum(ranking_values, Fraction()) / len(ranking_values)


def _build_shown_field(
    field: RankField,
    table: RankTable,
    running_scores: RunningScores,
    own_entries: Collection[int],
    gaps: dict[int, Fraction],
    most: Fraction,
) -> ShownField:
    has_begun = table.has_begun
    leaders = tuple(row for row in field.rows if row.rank == 1 and row.boards)
    chart = draw_score_chart(
        _build_runs(field, table, running_scores, own_entries),
        list(map(str, running_scores.rounds)),
    )
    folded_entries = {row.entry for row in field.rows[MAX_UNFOLDED_ROWS:]}
    return ShownField(
        field=field,
        rows=tuple(
            ShownRow(
                rank=row,
                number=row.label.partition(" ")[0],
                side=row.label.partition(" ")[2],
                bar=build_bar(gaps[row.entry], most) if has_begun else None,
                is_mine=row.entry in own_entries,
                each=_get_score_a_board(row, field, table),
            )
            for row in field.rows
        ),
        leaders=leaders if has_begun else (),
        course=chart,
        words=_describe_course(field, running_scores) if chart else "",
        is_long=bool(folded_entries),
        is_open=bool(folded_entries & set(own_entries)),
    )


def _get_score_a_board(row: RankRow, field: RankField, table: RankTable) -> Fraction | None:
    """Return the score a board if the sums are not comparable, else None.

    None also if it does not decide the rank and earlier sessions count in part, because then
    the score belongs to fewer boards.
    """
    has_shares = METHODS[table.method].available is not None
    if row.a_board is not None or field.is_level or has_shares or table.counts_in_part:
        return row.a_board
    return row.score / row.boards if row.boards else Fraction()


def _build_runs(
    field: RankField,
    table: RankTable,
    running_scores: RunningScores,
    own_entries: Collection[int],
) -> list[EntryScores]:
    """Return the courses of a field; unsigned scores are relative to the field's average."""
    scored_rows = [row for row in field.rows if row.entry in running_scores.running_scores]
    if not scored_rows or not table.has_begun:
        return []
    scores_by_row = [running_scores.running_scores[row.entry] for row in scored_rows]
    levels = [Fraction()] * len(scores_by_row[0])
    if not METHODS[table.method].signed:
        levels = [
            sum(column, Fraction()) / len(scores_by_row)
            for column in zip(*scores_by_row, strict=True)
        ]
    short = shorten_to_surnames(row.name for row in scored_rows)
    second = min((row.rank for row in scored_rows if row.rank > 1), default=0)
    kinds = {1: "first", second: "second"}
    runs = []
    for row, scores in zip(scored_rows, scores_by_row, strict=True):
        number, name = row.label.partition(" ")[0], short[row.name]
        runs.append(
            EntryScores(
                label=fit_words((number, name), MAX_LABEL_LETTERS),
                short=fit_words((number, get_first_surname(name)), MAX_SHORT_LABEL_LETTERS),
                running_scores=tuple(
                    score - level_score
                    for score, level_score in zip(scores, levels, strict=True)
                ),
                kind=kinds.get(row.rank, ""),
                is_mine=row.entry in own_entries,
            )
        )
    return runs


def _describe_course(field: RankField, running_scores: RunningScores) -> str:
    """Describe a course: the number of rounds, and the scores of the leaders."""
    lines = []
    for row in field.rows[:MAX_NAMED_LEADERS]:
        scores = running_scores.running_scores.get(row.entry)
        if scores:
            lines.append(
                _("%(who)s: %(figures)s")
                % {
                    "who": row.name,
                    "figures": ", ".join(
                        formatting.format_consistently(scores[1:], with_sign=True)
                    ),
                }
            )
    rounds = len(running_scores.rounds)
    sentence = ngettext(
        "Scores over %(rounds)s round, top %(count)s.",
        "Scores over %(rounds)s rounds, top %(count)s.",
        rounds,
    ) % {"rounds": rounds, "count": len(lines)}
    return " ".join([sentence, "; ".join(lines)])
