"""The page of the standings: leaders, bars on one scale, and charts of running scores."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.name_folding import fold_name
from scoring.drawing.scales import Bar, build_bar, find_largest_absolute_value
from scoring.drawing.score_chart import EntryScores, ScoreChart, draw_score_chart
from scoring.methods import METHODS_BY_NAME
from scoring.sheets.field_lists import StratumTable, build_strata_tables
from scoring.sheets.ranks import index_rank_rows
from scoring.sheets.short_names import (
    get_first_surname,
    join_words_to_length,
    shorten_to_surnames,
)
from scoring.sheets.values import RankedGroup, RankRow, RankTable
from scoring.standings_engine.running_scores import RunningScores, load_running_scores
from server import formatting
from tournaments.models import Event

MAX_EXPANDED_ROWS = 10
"""The number of rows of a field that a page shows; the others are folded."""
MAX_LABEL_LETTERS, MAX_SHORT_LABEL_LETTERS = 21, 11
"""The maximum letters of the labels of a chart, on a wide and on a narrow screen."""
MAX_NAMED_LEADERS = 3
"""If more entries share the first place, they are counted instead of named."""


@dataclass(frozen=True, slots=True)
class StandingsPageRow:
    """One entry's rank, its bar, and whether the reader's search found it."""

    rank: RankRow
    number: str
    side_text: str  # "N-S", shown after `number`; "" if there is only one field
    bar: Bar | None
    is_mine: bool
    score_per_board: Fraction | None  # see `_get_score_per_board`


@dataclass(frozen=True, slots=True)
class StandingsPageField:
    """One field: its leaders, its rows, and the chart of its running scores."""

    ranked_group: RankedGroup
    rows: tuple[StandingsPageRow, ...]
    leaders: tuple[RankRow, ...]
    score_chart: ScoreChart | None
    score_chart_text: str  # the chart in a sentence
    is_long: bool
    is_expanded: bool  # whether the rows after `MAX_EXPANDED_ROWS` are shown

    @property
    def placings(self) -> tuple[RankRow, ...]:
        """All rows of the field."""
        return self.ranked_group.rows

    @property
    def is_shared(self) -> bool:
        """Whether several entries share the first place."""
        return len(self.leaders) > 1

    @property
    def has_too_many_leaders(self) -> bool:
        """Whether too many entries share the first place to name them."""
        return len(self.leaders) > MAX_NAMED_LEADERS


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The content of the page: all fields, and the result of the reader's search."""

    fields: tuple[StandingsPageField, ...]
    search_text: str = ""
    matching_rows: tuple[RankRow, ...] = ()
    stratum_tables: tuple[StratumTable, ...] = ()

    @property
    def has_score_charts(self) -> bool:
        """Whether any field has a chart of running scores."""
        return any(shown_field.score_chart for shown_field in self.fields)

    @property
    def is_long(self) -> bool:
        """Whether the page has more than two fields and needs links to them."""
        return len(self.fields) > 2


def build_standings_page(
    event: Event,
    rank_table: RankTable | None,
    search_text: str = "",
    *,
    should_include_hidden_results: bool = False,
) -> StandingsPage | None:
    """Build the page of the standings; None if they are hidden."""
    if rank_table is None:
        return None
    row_by_entry = index_rank_rows(rank_table)
    score_by_entry = {entry_number: row.score for entry_number, row in row_by_entry.items()}
    running_scores = load_running_scores(
        event, score_by_entry, should_include_hidden_results=should_include_hidden_results
    )
    matching_rows = find_entry_rows(row_by_entry.values(), search_text)
    stratum_tables = build_strata_tables(event, rank_table) if rank_table.has_begun else ()
    return replace(
        lay_out_standings(rank_table, running_scores, search_text, matching_rows),
        stratum_tables=stratum_tables,
    )


def lay_out_standings(
    rank_table: RankTable,
    running_scores: RunningScores,
    search_text: str = "",
    matching_rows: Sequence[RankRow] = (),
) -> StandingsPage:
    """Build the page of given standings with running scores; mark the matching rows."""
    matching_entry_numbers = {row.entry for row in matching_rows}
    differences_by_entry = {
        row.entry: _compute_difference_from_average(row, ranked_group, rank_table.method)
        for ranked_group, row in _iter_field_rows(rank_table)
    }
    largest_difference = find_largest_absolute_value(differences_by_entry.values())
    page_fields = tuple(
        _build_shown_field(
            ranked_group,
            rank_table,
            running_scores,
            matching_entry_numbers,
            differences_by_entry,
            largest_difference,
        )
        for ranked_group in rank_table.fields
    )
    return StandingsPage(page_fields, search_text, tuple(matching_rows))


class SearchableRow(Protocol):
    """Protocol of rows that can be found by name or number."""

    @property
    def entry(self) -> int: ...
    @property
    def label(self) -> str: ...
    @property
    def name(self) -> str: ...


SearchableRowType = TypeVar("SearchableRowType", bound=SearchableRow)


def find_entry_rows(
    rows: Iterable[SearchableRowType], search_text: str
) -> list[SearchableRowType]:
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


def _iter_field_rows(rank_table: RankTable) -> Iterable[tuple[RankedGroup, RankRow]]:
    return (
        (ranked_group, row) for ranked_group in rank_table.fields for row in ranked_group.rows
    )


def _compute_difference_from_average(
    row: RankRow, ranked_group: RankedGroup, method: str
) -> Fraction:
    """Return how far the value that ranks an entry is above the average of its field."""
    if row.percent is not None:
        return row.percent - Fraction(1, 2)
    ranking_values = [rank_row.ranking_value for rank_row in ranked_group.rows]
    if METHODS_BY_NAME[method].is_signed:
        return row.ranking_value
    return row.ranking_value - sum(ranking_values, Fraction()) / len(ranking_values)


def _build_shown_field(
    ranked_group: RankedGroup,
    rank_table: RankTable,
    running_scores: RunningScores,
    own_entry_numbers: Collection[int],
    differences_by_entry: dict[int, Fraction],
    largest_difference: Fraction,
) -> StandingsPageField:
    has_begun = rank_table.has_begun
    leaders = tuple(row for row in ranked_group.rows if row.rank == 1 and row.boards)
    chart = draw_score_chart(
        _build_entry_scores(ranked_group, rank_table, running_scores, own_entry_numbers),
        list(map(str, running_scores.rounds)),
    )
    collapsed_entry_numbers = {row.entry for row in ranked_group.rows[MAX_EXPANDED_ROWS:]}
    return StandingsPageField(
        ranked_group=ranked_group,
        rows=tuple(
            StandingsPageRow(
                rank=row,
                number=row.label.partition(" ")[0],
                side_text=row.label.partition(" ")[2],
                bar=build_bar(differences_by_entry[row.entry], largest_difference)
                if has_begun
                else None,
                is_mine=row.entry in own_entry_numbers,
                score_per_board=_get_score_per_board(row, ranked_group, rank_table),
            )
            for row in ranked_group.rows
        ),
        leaders=leaders if has_begun else (),
        score_chart=chart,
        score_chart_text=_describe_running_scores(ranked_group, running_scores)
        if chart
        else "",
        is_long=bool(collapsed_entry_numbers),
        is_expanded=bool(collapsed_entry_numbers & set(own_entry_numbers)),
    )


def _get_score_per_board(
    row: RankRow, ranked_group: RankedGroup, rank_table: RankTable
) -> Fraction | None:
    """Return the score per board that the standings show, or None.

    It is shown in two cases:

    * It decides the rank.
    * Entries of the field played different numbers of boards. Exceptions: the method ranks by
      percentage, or earlier sessions count in part and the score does not match `boards`.
    """
    is_ranked_by_percentage = (
        METHODS_BY_NAME[rank_table.method].compute_available_points is not None
    )
    if (
        row.a_board is not None
        or ranked_group.is_level
        or is_ranked_by_percentage
        or rank_table.has_partial_carry_over
    ):
        return row.a_board
    return row.score / row.boards if row.boards else Fraction()


def _build_entry_scores(
    ranked_group: RankedGroup,
    rank_table: RankTable,
    running_scores: RunningScores,
    own_entry_numbers: Collection[int],
) -> list[EntryScores]:
    """Return the running scores of a field; unsigned scores are relative to the average."""
    scored_rows = [
        row for row in ranked_group.rows if row.entry in running_scores.sums_by_entry
    ]
    if not scored_rows or not rank_table.has_begun:
        return []
    running_scores_of_rows = [running_scores.sums_by_entry[row.entry] for row in scored_rows]
    field_averages = [Fraction()] * len(running_scores_of_rows[0])
    if not METHODS_BY_NAME[rank_table.method].is_signed:
        field_averages = [
            sum(scores_after_round, Fraction()) / len(running_scores_of_rows)
            for scores_after_round in zip(*running_scores_of_rows, strict=True)
        ]
    surnames_by_name = shorten_to_surnames(row.name for row in scored_rows)
    second_rank = min((row.rank for row in scored_rows if row.rank > 1), default=0)
    highlight_by_rank = {1: "first", second_rank: "second"}
    entry_scores = []
    for row, entry_running_scores in zip(scored_rows, running_scores_of_rows, strict=True):
        entry_label, name = row.label.partition(" ")[0], surnames_by_name[row.name]
        entry_scores.append(
            EntryScores(
                label=join_words_to_length((entry_label, name), MAX_LABEL_LETTERS),
                short_name=join_words_to_length(
                    (entry_label, get_first_surname(name)), MAX_SHORT_LABEL_LETTERS
                ),
                running_scores=tuple(
                    score - field_average
                    for score, field_average in zip(
                        entry_running_scores, field_averages, strict=True
                    )
                ),
                kind=highlight_by_rank.get(row.rank, ""),
                is_mine=row.entry in own_entry_numbers,
            )
        )
    return entry_scores


def _describe_running_scores(ranked_group: RankedGroup, running_scores: RunningScores) -> str:
    """Describe the running scores: the number of rounds, and the scores of the leaders."""
    leader_texts = []
    for row in ranked_group.rows[:MAX_NAMED_LEADERS]:
        entry_running_scores = running_scores.sums_by_entry.get(row.entry)
        if entry_running_scores:
            leader_texts.append(
                _("%(who)s: %(figures)s")
                % {
                    "who": row.name,
                    "figures": ", ".join(
                        formatting.format_numbers_consistently(
                            entry_running_scores[1:], has_sign=True
                        )
                    ),
                }
            )
    round_count = len(running_scores.rounds)
    sentence = ngettext(
        "Scores over %(rounds)s round, top %(count)s.",
        "Scores over %(rounds)s rounds, top %(count)s.",
        round_count,
    ) % {"rounds": round_count, "count": len(leader_texts)}
    return " ".join([sentence, "; ".join(leader_texts)])
