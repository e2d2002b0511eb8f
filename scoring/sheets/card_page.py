"""The page of an entry's scorecard: its rank, a chart over the boards, its rounds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.drawing.area_chart import AreaChart, draw_area_chart
from scoring.drawing.scales import Bar, build_bar, find_largest_absolute
from scoring.methods import METHODS
from scoring.methods.method import Method
from scoring.sheets.short_names import shorten_to_surnames
from scoring.sheets.values import CardLine, RankRow, Scorecard
from server import formatting


@dataclass(frozen=True, slots=True)
class CardHighlight:
    """One highlight of a scorecard: a number and its meaning."""

    title: str
    figure: str
    note: str
    board: int | None = None


@dataclass(frozen=True, slots=True)
class CardBoard:
    """One board of a round, with its distance from the average."""

    line: CardLine
    bar: Bar | None
    gap: Fraction | None


@dataclass(frozen=True, slots=True)
class CardRound:
    """One round: the opponents, the total, and its boards; a sit-out has no boards."""

    number: int
    table: int
    where: str  # the displayed table
    direction: str
    opponents: str
    short: str  # the opponents by surname
    label: str
    entry: int | None  # of the opponents; None if several
    total: Fraction | None
    boards: tuple[CardBoard, ...]
    partner: str = ""  # of a single player
    is_open: bool = False

    @property
    def is_sit_out(self) -> bool:
        """Whether the entry had no table."""
        return not self.boards


@dataclass(frozen=True, slots=True)
class CardPage:
    """The content of the page of a scorecard."""

    place: str  # "2nd of 7"; empty while standings are not shown
    area: AreaChart | None
    words: str  # the chart in a sentence
    facts: tuple[CardHighlight, ...]
    rounds: tuple[CardRound, ...]
    in_tricks: bool  # whether boards are shown in tricks above the average


def build_card_page(card: Scorecard, *, is_unfolded: bool = False) -> CardPage:
    """Build the page of a scorecard; with `is_unfolded` all rounds are unfolded."""
    gaps = [_compute_difference_from_average(line, card.method) for line in card.lines]
    largest_gap = find_largest_absolute(each for each in gaps if each is not None)
    boards = [
        CardBoard(line, None if gap is None else build_bar(gap, largest_gap), gap)
        for line, gap in zip(card.lines, gaps, strict=True)
    ]
    rounds = tuple(_iter_rounds(card, boards, is_unfolded))
    chart = draw_area_chart(list(_iter_gaps(rounds)))
    return CardPage(
        place=format_row_place(card.rank, len(card.placings))
        if card.rank and card.rank.boards
        else "",
        area=chart,
        words=_describe_totals(rounds) if chart else "",
        facts=tuple(_iter_highlights(card, boards)),
        rounds=rounds,
        in_tricks=not METHODS[card.method].signed,
    )


def format_row_place(row: RankRow, count: int) -> str:
    """Format the place of a row among `count` entries: "2nd of 7", "=3rd of 26"."""
    return format_place(row.rank, count, tied=row.tied)


def format_place(rank: int, count: int, *, tied: bool) -> str:
    """Format a place among `count` entries: "2nd of 7", "=3rd of 26"."""
    level = "=" if tied else ""
    return _("%(place)s of %(count)s") % {"place": level + format_ordinal(rank), "count": count}


def format_ordinal(number: int) -> str:
    """Return a number as an ordinal: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    ordinals = {1: _("%(number)sst"), 2: _("%(number)snd"), 3: _("%(number)srd")}
    other = _("%(number)sth")
    last = 0 if number % 100 in (11, 12, 13) else number % 10
    return ordinals.get(last, other) % {"number": number}


def _compute_difference_from_average(line: CardLine, method: str) -> Fraction | None:
    """Return how far a board's score is from the average; None if either is unknown.

    In score units for signed methods, otherwise in tricks.
    """
    if METHODS[method].signed and line.score is not None:
        return line.score
    value = line.counts if line.counts is not None else line.compared_value
    if value is None or line.average is None:
        return None
    return Fraction(value) - line.average


def _iter_rounds(
    card: Scorecard, boards: Sequence[CardBoard], is_unfolded: bool
) -> Iterator[CardRound]:
    """Group the boards by round, with the sit-outs between them."""
    is_signed = METHODS[card.method].signed
    texts_by_key = {
        (round_number, table): total
        for round_number, table, total in card.round_totals
        if is_signed
    }
    short = shorten_to_surnames(line.opponents for line in card.lines)
    card_rounds = [
        _build_round(number, table, list(group), texts_by_key, short)
        for (number, table), group in groupby(
            sorted(
                boards,
                key=lambda card_round: (
                    card_round.line.round,
                    card_round.line.table,
                    card_round.line.board,
                ),
            ),
            key=lambda card_round: (card_round.line.round, card_round.line.table),
        )
    ]
    card_rounds += [
        CardRound(sit_out, 0, "", "", "", "", "", None, None, ()) for sit_out in card.sit_outs
    ]
    first = next(
        (
            card_round.number
            for card_round in sorted(card_rounds, key=_get_sort_key)
            if card_round.boards
        ),
        0,
    )
    for each in sorted(card_rounds, key=_get_sort_key):
        yield replace(each, is_open=is_unfolded or each.number == first)


def _get_sort_key(card_round: CardRound) -> tuple[int, int]:
    return card_round.number, card_round.table


def _build_round(
    number: int,
    table: int,
    boards: Sequence[CardBoard],
    round_totals: dict[tuple[int, int], Fraction],
    short: dict[str, str],
) -> CardRound:
    line = boards[0].line
    known_gaps = [board.gap for board in boards if board.gap is not None]
    total = (
        sum(known_gaps, Fraction())
        if len(known_gaps) == len(boards)
        else round_totals.get((number, table))
    )
    return CardRound(
        number=number,
        table=table,
        where=line.place,
        direction=line.direction,
        opponents=line.opponents,
        short=short[line.opponents],
        label=line.opponents_label,
        entry=line.opponents_entry,
        total=total,
        boards=tuple(boards),
        partner=line.partner,
    )


def _iter_gaps(rounds: Iterable[CardRound]) -> Iterator[tuple[str, int, Fraction]]:
    """Yield the gap of each board, or of a whole round if some of its boards are hidden."""
    for card_round in rounds:
        gaps = [
            card_board.gap for card_board in card_round.boards if card_board.gap is not None
        ]
        if len(gaps) == len(card_round.boards):
            yield from ((str(card_round.number), 1, gap) for gap in gaps)
        elif card_round.total is not None:
            yield str(card_round.number), len(card_round.boards), card_round.total


def _iter_highlights(card: Scorecard, boards: Sequence[CardBoard]) -> Iterator[CardHighlight]:
    gaps = [(board.gap, board.line.board) for board in boards if board.gap is not None]
    if gaps:
        boards_above = sum(gap > 0 for gap, _board in gaps)
        board_count_text = ngettext("of %(count)s board", "of %(count)s boards", len(gaps))
        yield CardHighlight(
            _("Above average"), str(boards_above), board_count_text % {"count": len(gaps)}
        )
        best, lowest = max(gaps, key=_get_gap_sort_key), min(gaps, key=_get_gap_sort_key)
        if best[0] > 0:
            yield CardHighlight(
                _("Best board"), str(best[1]), formatting.format_signed(best[0]), best[1]
            )
        if lowest[0] < 0:
            lowest_text = formatting.format_signed(lowest[0])
            yield CardHighlight(_("Worst board"), str(lowest[1]), lowest_text, lowest[1])
    if card.rank and card.rank.boards:
        yield from _iter_distance_highlights(card, card.rank)


def _get_gap_sort_key(gap_on_board: tuple[Fraction, int]) -> tuple[Fraction, int]:
    return gap_on_board[0], -gap_on_board[1]


def _iter_distance_highlights(card: Scorecard, own_row: RankRow) -> Iterator[CardHighlight]:
    """Yield the distance to the first place, or the lead over the next."""
    other_rows = [row for row in card.placings if row.entry != own_row.entry]
    first = next((row for row in other_rows if row.rank == 1), None)
    after = next((row for row in other_rows if row.rank > own_row.rank), None)
    if own_row.tied and own_row.rank == 1:
        level = sum(row.rank == 1 for row in other_rows)
        others_text = ngettext("with %(count)s other", "with %(count)s others", level)
        yield CardHighlight(_("First place"), _("shared"), others_text % {"count": level})
    elif own_row.rank > 1 and first is not None:
        yield CardHighlight(_("Behind first"), *_format_distance(first, own_row, card.method))
    elif after is not None:
        yield CardHighlight(_("Ahead of next"), *_format_distance(own_row, after, card.method))


def _format_distance(leader: RankRow, follower: RankRow, method: str) -> tuple[str, str]:
    if leader.percent is not None and follower.percent is not None:
        return formatting.format_two_decimals((leader.percent - follower.percent) * 100), _(
            "per cent"
        )
    gap = leader.ranking_value - follower.ranking_value
    if leader.a_board is not None and not leader.by_corrected:
        return formatting.format_plain(gap), _("per board")
    scoring_method = METHODS[method]
    return formatting.format_plain(gap), _format_unit(scoring_method, 1 if gap == 1 else 2)


def _format_unit(method: Method, count: int) -> str:
    """Return the unit of a method's score: tricks, matches or points."""
    if method.code == "matches":
        return ngettext("match", "matches", count)
    if not method.is_in_points and (method.signed or method.is_total):
        return ngettext("trick", "tricks", count)
    return ngettext("point", "points", count)


def _describe_totals(rounds: Iterable[CardRound]) -> str:
    """Describe the total of each round in a sentence."""
    known_totals = [
        (card_round.number, card_round.total)
        for card_round in rounds
        if card_round.total is not None
    ]
    totals = formatting.choose_column_format(
        (total for _number, total in known_totals), with_sign=True
    )
    lines = [
        _("round %(round)s %(figure)s") % {"round": number, "figure": totals.write(total)}
        for number, total in known_totals
    ]
    return _("Plus/minus board by board: %(rounds)s.") % {"rounds": ", ".join(lines)}
