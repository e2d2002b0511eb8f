"""The page of an entry's scorecard: its rank, a chart over the boards, its rounds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.drawing.area_chart import AreaChart, draw_area_chart
from scoring.drawing.scales import Bar, build_bar, find_largest_absolute_value
from scoring.methods import METHODS_BY_NAME
from scoring.methods.method import Method
from scoring.sheets.next_moves import format_short_seat
from scoring.sheets.short_names import shorten_to_surnames
from scoring.sheets.values import RankRow, Scorecard, ScorecardLine
from server import formatting


@dataclass(frozen=True, slots=True)
class ScorecardHighlight:
    """One highlight of a scorecard: a number and its meaning."""

    title: str
    value_text: str
    note: str
    board: int | None = None


@dataclass(frozen=True, slots=True)
class ScorecardBoard:
    """One board of a round, with its distance from the average."""

    line: ScorecardLine
    bar: Bar | None
    difference_from_average: Fraction | None


@dataclass(frozen=True, slots=True)
class ScorecardRound:
    """One round: the opponents, the total, and its boards; a sit-out has no boards."""

    number: int
    table_number: int
    table_label: str  # the displayed table
    direction: str  # the displayed direction; "" in a sit-out
    opponents: str
    opponent_surnames: str  # the opponents by surname
    opponents_label: str
    opponents_entry: int | None  # None if the opponents are several entries
    total: Fraction | None
    boards: tuple[ScorecardBoard, ...]
    partner: str = ""  # the partner of a single player
    is_expanded: bool = False

    @property
    def is_sit_out(self) -> bool:
        """Whether the entry had no table."""
        return not self.boards


@dataclass(frozen=True, slots=True)
class ScorecardPage:
    """The content of the page of a scorecard."""

    rank_text: str  # "2nd of 7"; empty while standings are not shown
    chart: AreaChart | None
    chart_text: str  # the chart in a sentence
    highlights: tuple[ScorecardHighlight, ...]
    rounds: tuple[ScorecardRound, ...]
    is_in_tricks: bool  # whether boards are shown as tricks above the average


def build_card_page(scorecard: Scorecard, *, is_expanded: bool = False) -> ScorecardPage:
    """Build the page of a scorecard; with `is_expanded` all rounds are unfolded."""
    differences = [
        _compute_difference_from_average(line, scorecard.method) for line in scorecard.lines
    ]
    largest_difference = find_largest_absolute_value(
        difference for difference in differences if difference is not None
    )
    boards = [
        ScorecardBoard(
            line,
            None if difference is None else build_bar(difference, largest_difference),
            difference,
        )
        for line, difference in zip(scorecard.lines, differences, strict=True)
    ]
    rounds = tuple(_iter_rounds(scorecard, boards, is_expanded))
    chart = draw_area_chart(list(_iter_differences(rounds)))
    return ScorecardPage(
        rank_text=format_row_place(scorecard.rank, len(scorecard.placings))
        if scorecard.rank and scorecard.rank.boards
        else "",
        chart=chart,
        chart_text=_describe_totals(rounds) if chart else "",
        highlights=tuple(_iter_highlights(scorecard, boards)),
        rounds=rounds,
        is_in_tricks=not METHODS_BY_NAME[scorecard.method].is_signed,
    )


def format_row_place(rank_row: RankRow, entry_count: int) -> str:
    """Format the place of a row among `entry_count` entries: "2nd of 7", "=3rd of 26"."""
    return format_place(rank_row.rank, entry_count, is_tied=rank_row.tied)


def format_place(rank: int, entry_count: int, *, is_tied: bool) -> str:
    """Format a place among `entry_count` entries: "2nd of 7", "=3rd of 26"."""
    tie_mark = "=" if is_tied else ""
    return _("%(place)s of %(count)s") % {
        "place": tie_mark + format_ordinal(rank),
        "count": entry_count,
    }


def format_ordinal(number: int) -> str:
    """Return a number as an ordinal: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    template_by_last_digit = {1: _("%(number)sst"), 2: _("%(number)snd"), 3: _("%(number)srd")}
    other_ordinal = _("%(number)sth")
    last_digit = 0 if number % 100 in (11, 12, 13) else number % 10
    return template_by_last_digit.get(last_digit, other_ordinal) % {"number": number}


def _compute_difference_from_average(line: ScorecardLine, method: str) -> Fraction | None:
    """Return how far a board's score is from the average; None if either is unknown.

    For a method with signed scores, this is the score; otherwise it is in tricks or points.
    """
    if METHODS_BY_NAME[method].is_signed and line.score is not None:
        return line.score
    compared_value = (
        line.counted_tricks if line.counted_tricks is not None else line.compared_value
    )
    if compared_value is None or line.average is None:
        return None
    return Fraction(compared_value) - line.average


def _iter_rounds(
    scorecard: Scorecard, boards: Sequence[ScorecardBoard], is_expanded: bool
) -> Iterator[ScorecardRound]:
    """Group the boards by round, with the sit-outs between them."""
    is_signed = METHODS_BY_NAME[scorecard.method].is_signed
    total_by_round_and_table = {
        (round_number, table_number): round_total
        for round_number, table_number, round_total in scorecard.round_totals
        if is_signed
    }
    surnames_by_name = shorten_to_surnames(line.opponents for line in scorecard.lines)
    card_rounds = [
        _build_round(
            round_number,
            table_number,
            list(round_boards),
            total_by_round_and_table,
            surnames_by_name,
        )
        for (round_number, table_number), round_boards in groupby(
            sorted(
                boards,
                key=lambda scorecard_board: (
                    scorecard_board.line.round,
                    scorecard_board.line.table,
                    scorecard_board.line.board,
                ),
            ),
            key=lambda scorecard_board: (
                scorecard_board.line.round,
                scorecard_board.line.table,
            ),
        )
    ]
    card_rounds += [
        ScorecardRound(sit_out_round, 0, "", "", "", "", "", None, None, ())
        for sit_out_round in scorecard.sit_outs
    ]
    first_round_number = next(
        (
            card_round.number
            for card_round in sorted(card_rounds, key=_get_sort_key)
            if card_round.boards
        ),
        0,
    )
    for card_round in sorted(card_rounds, key=_get_sort_key):
        yield replace(
            card_round, is_expanded=is_expanded or card_round.number == first_round_number
        )


def _get_sort_key(card_round: ScorecardRound) -> tuple[int, int]:
    return card_round.number, card_round.table_number


def _build_round(
    round_number: int,
    table_number: int,
    boards: Sequence[ScorecardBoard],
    total_by_round_and_table: dict[tuple[int, int], Fraction],
    surnames_by_name: dict[str, str],
) -> ScorecardRound:
    first_line = boards[0].line
    known_differences = [
        board.difference_from_average
        for board in boards
        if board.difference_from_average is not None
    ]
    total = (
        sum(known_differences, Fraction())
        if len(known_differences) == len(boards)
        else total_by_round_and_table.get((round_number, table_number))
    )
    return ScorecardRound(
        number=round_number,
        table_number=table_number,
        table_label=first_line.table_label,
        direction=format_short_seat(first_line.direction) if first_line.direction else "",
        opponents=first_line.opponents,
        opponent_surnames=surnames_by_name[first_line.opponents],
        opponents_label=first_line.opponents_label,
        opponents_entry=first_line.opponents_entry,
        total=total,
        boards=tuple(boards),
        partner=first_line.partner,
    )


def _iter_differences(rounds: Iterable[ScorecardRound]) -> Iterator[tuple[str, int, Fraction]]:
    """Yield for each board: its round, 1, and its difference from the average.

    For a round with hidden boards, yield once: the round, its number of boards, its total.
    """
    for card_round in rounds:
        differences = [
            card_board.difference_from_average
            for card_board in card_round.boards
            if card_board.difference_from_average is not None
        ]
        if len(differences) == len(card_round.boards):
            yield from ((str(card_round.number), 1, difference) for difference in differences)
        elif card_round.total is not None:
            yield str(card_round.number), len(card_round.boards), card_round.total


def _iter_highlights(
    scorecard: Scorecard, boards: Sequence[ScorecardBoard]
) -> Iterator[ScorecardHighlight]:
    differences_and_boards = [
        (board.difference_from_average, board.line.board)
        for board in boards
        if board.difference_from_average is not None
    ]
    if differences_and_boards:
        above_average_count = sum(
            difference > 0 for difference, _board in differences_and_boards
        )
        board_count_text = ngettext(
            "of %(count)s board", "of %(count)s boards", len(differences_and_boards)
        )
        yield ScorecardHighlight(
            _("Above average"),
            str(above_average_count),
            board_count_text % {"count": len(differences_and_boards)},
        )
        best_difference_and_board, worst_difference_and_board = (
            max(differences_and_boards, key=_get_difference_sort_key),
            min(differences_and_boards, key=_get_difference_sort_key),
        )
        if best_difference_and_board[0] > 0:
            yield ScorecardHighlight(
                _("Best board"),
                str(best_difference_and_board[1]),
                formatting.format_signed(best_difference_and_board[0]),
                best_difference_and_board[1],
            )
        if worst_difference_and_board[0] < 0:
            worst_difference_text = formatting.format_signed(worst_difference_and_board[0])
            yield ScorecardHighlight(
                _("Worst board"),
                str(worst_difference_and_board[1]),
                worst_difference_text,
                worst_difference_and_board[1],
            )
    if scorecard.rank and scorecard.rank.boards:
        yield from _iter_distance_highlights(scorecard, scorecard.rank)


def _get_difference_sort_key(
    difference_and_board: tuple[Fraction, int],
) -> tuple[Fraction, int]:
    return difference_and_board[0], -difference_and_board[1]


def _iter_distance_highlights(
    scorecard: Scorecard, own_row: RankRow
) -> Iterator[ScorecardHighlight]:
    """Yield how far the entry is behind the first place, or ahead of the next entry."""
    other_rows = [row for row in scorecard.placings if row.entry != own_row.entry]
    leading_row = next((row for row in other_rows if row.rank == 1), None)
    next_row = next((row for row in other_rows if row.rank > own_row.rank), None)
    if own_row.tied and own_row.rank == 1:
        tied_count = sum(row.rank == 1 for row in other_rows)
        others_text = ngettext("with %(count)s other", "with %(count)s others", tied_count)
        yield ScorecardHighlight(
            _("First place"), _("shared"), others_text % {"count": tied_count}
        )
    elif own_row.rank > 1 and leading_row is not None:
        yield ScorecardHighlight(
            _("Behind first"), *_format_distance(leading_row, own_row, scorecard.method)
        )
    elif next_row is not None:
        yield ScorecardHighlight(
            _("Ahead of next"), *_format_distance(own_row, next_row, scorecard.method)
        )


def _format_distance(
    leading_row: RankRow, following_row: RankRow, method: str
) -> tuple[str, str]:
    if leading_row.percent is not None and following_row.percent is not None:
        gap = (leading_row.percent - following_row.percent) * 100
        return formatting.localize_decimal(formatting.format_two_decimals(gap)), _("per cent")
    gap = leading_row.ranking_value - following_row.ranking_value
    if leading_row.a_board is not None and not leading_row.by_corrected:
        return formatting.format_plain(gap), _("per board")
    scoring_method = METHODS_BY_NAME[method]
    return formatting.format_plain(gap), _format_unit(scoring_method, 1 if gap == 1 else 2)


def _format_unit(method: Method, plural_number: int) -> str:
    """Return the unit of a method's score: tricks, matches or points."""
    if method.code == "matches":
        return ngettext("match", "matches", plural_number)
    if not method.is_in_points and (method.is_signed or method.is_score_total):
        return ngettext("trick", "tricks", plural_number)
    return ngettext("point", "points", plural_number)


def _describe_totals(rounds: Iterable[ScorecardRound]) -> str:
    """Describe the total of each round in a sentence."""
    known_totals = [
        (card_round.number, card_round.total)
        for card_round in rounds
        if card_round.total is not None
    ]
    total_format = formatting.choose_column_format(
        (total for _number, total in known_totals), has_sign=True
    )
    round_texts = [
        _("round %(round)s %(figure)s")
        % {"round": round_number, "figure": total_format.format_number(total)}
        for round_number, total in known_totals
    ]
    return _("Plus/minus board by board: %(rounds)s.") % {"rounds": ", ".join(round_texts)}
