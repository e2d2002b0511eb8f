"""A poster with the points table of a game with contracts, for the wall."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from reportlab.pdfgen.canvas import Canvas

from drives.games.contracts import (
    TRICKS_PER_DEAL,
    Contract,
    ContractRule,
    PointsTable,
    TrickGoal,
    format_points,
)
from drives.games.term_sentences import list_term_sentences
from drives.papers.points_strip import compute_text_height, write_sentences
from drives.sheets.on_paper import PrintedDrive
from printing import grid, lists, pages
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from printing.values import Heading

_MAX_ROW_HEIGHT = 12 * MM
# on A5, the name of a contract may need two lines of at least 6 points
_MIN_ROW_HEIGHT_BY_SIZE: dict[pages.Size, float] = {
    "A4": 5 * MM,
    "Letter": 5 * MM,
    "A5": 5.5 * MM,
}
_MIN_TYPE_SIZE, _MAX_TYPE_SIZE = 10, 15
_TEXT_SIZE, _TEXT_GAP = 12, 4 * MM


@dataclass(frozen=True)
class ClubPointsPoster:
    """The content of a poster with a club's own points table, without a drive."""

    heading: Heading
    points: PointsTable


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return pages with the contracts that may be bid, their points, and rules in sentences."""
    if drive.points is None:
        return lists.lay_out_page_bodies(drive, _("Points"), paper_size, ())
    return _lay_out_poster(drive, drive.points, paper_size)


def draw_club_points_poster(poster: ClubPointsPoster, *, paper_size: pages.Size) -> bytes:
    """Draw a club's own points table."""
    layout = _lay_out_poster(poster, poster.points, paper_size)
    return pages.draw_pages(poster, _("Points"), layout, paper_size)


def _lay_out_poster(
    sheet: pages.HeadedSheet, points_table: PointsTable, paper_size: pages.Size
) -> PageLayout:
    overtrick_range = range(1, _count_columns(points_table))
    rows = [
        _format_poster_row(contract, len(overtrick_range))
        for contract in points_table.playable_contracts
    ]
    sentences = [
        *_explain_columns(overtrick_range, points_table),
        *list_term_sentences(points_table),
    ]
    available_height = lists.compute_rows_height(paper_size)
    text_width = lists.get_inner_box(paper_size).width
    texts_height = compute_text_height(sentences, text_width, _TEXT_SIZE) + _TEXT_GAP
    min_row_height = _MIN_ROW_HEIGHT_BY_SIZE[paper_size]
    # each page has space for the sentences
    max_rows = int((available_height - texts_height) / min_row_height)
    rows_by_page = grid.split_rows(rows, max_rows)
    row_height = grid.compute_row_height(
        available_height - texts_height,
        max(map(len, rows_by_page)),
        min_height=min_row_height,
        max_height=_MAX_ROW_HEIGHT,
    )
    size_ratio = row_height / min_row_height
    columns = _build_columns(overtrick_range, min(_MAX_TYPE_SIZE, _MIN_TYPE_SIZE * size_ratio))
    body_drawings = [
        partial(
            _draw_body,
            columns,
            page_rows,
            row_height,
            () if page_rows is not rows_by_page[-1] else sentences,
        )
        for page_rows in rows_by_page
    ]
    return lists.lay_out_page_bodies(sheet, _("Points"), paper_size, body_drawings)


def _build_columns(overtrick_range: range, type_size: float) -> list[Column]:
    """Return the columns, among them one column of points for each further trick."""
    return [
        Column(_("Key"), 12.5, font=BOLD_FONT, size=type_size),
        Column(
            _("Contract"),
            48,
            align="left",
            font=BOLD_FONT,
            size=type_size,
            min_size=6,
            is_row_header=True,
        ),
        Column(_("Tricks"), 14, size=type_size),
        Column(_("Made"), 18, size=type_size),
        *(
            Column(f"+{overtrick_count}", 8, size=type_size)
            for overtrick_count in overtrick_range
        ),
        Column(pgettext("contract", "Lost"), 17, size=type_size),
        Column(_("Each more"), 16, size=type_size),
    ]


def _count_columns(points_table: PointsTable) -> int:
    """Return the maximum number of columns for the points of a made contract."""
    return max(
        (_count_made_point_values(contract) for contract in points_table.playable_contracts),
        default=1,
    )


def _count_made_point_values(contract: Contract) -> int:
    is_counted = contract.rule.goal is TrickGoal.AT_LEAST and not contract.rule.is_flat_rate
    return TRICKS_PER_DEAL + 1 - (contract.rule.wants or 0) if is_counted else 1


def _explain_columns(overtrick_range: range, points_table: PointsTable) -> Iterator[str]:
    if overtrick_range:
        yield _("Made: points for the tricks needed. Under +1, +2 … with 1, 2 … tricks more.")
    if any(
        _format_further_losses(contract.rule) for contract in points_table.playable_contracts
    ):
        yield _("Lost: points under Each more are added for each trick short after the first.")


def _format_further_losses(rule: ContractRule) -> str:
    """Return the points for two missing tricks and more; a plus sign marks points to add."""
    return format_points(rule.lost[1:], rule.lost_step)


def _format_poster_row(contract: Contract, max_overtrick_count: int) -> list[str]:
    rule = contract.rule
    made_points = [
        str(rule.compute_made_points(overtrick_count))
        for overtrick_count in range(_count_made_point_values(contract))
    ]
    if rule.goal is TrickGoal.ALWAYS_LOSES:
        made_points = ["–"]
    return [
        contract.label.key,
        str(contract.label.local),
        format_target_tricks(contract),
        *made_points,
        *[""] * (max_overtrick_count + 1 - len(made_points)),
        str(rule.compute_lost_points(1)),
        _format_further_losses(rule),
    ]


def _draw_body(
    columns: Sequence[Column],
    rows: Sequence[list[str]],
    row_height: float,
    sentences: Sequence[str],
    canvas: Canvas,
    box: Box,
) -> None:
    lower_edge = grid.draw_grid(
        canvas,
        box,
        columns,
        rows,
        head_height=lists.TITLES_HEIGHT,
        row_height=row_height,
        title_size=9,
    )
    text_box = Box(box.left, box.bottom, box.width, lower_edge - _TEXT_GAP - box.bottom)
    write_sentences(canvas, text_box, sentences, _TEXT_SIZE)


def has_contracts(drive: PrintedDrive) -> bool:
    """Return whether the points of a drive are computed from contracts."""
    return drive.points is not None


def format_target_tricks(contract: Contract) -> str:
    """Return the tricks that make a contract, e.g. "8 +", "0" or "0–1"; "" if none count."""
    target_tricks, goal = contract.rule.wants, contract.rule.goal
    if target_tricks is None:
        return ""
    if goal is TrickGoal.AT_LEAST:
        return f"{target_tricks} +" if target_tricks < 13 else "13"
    return (
        f"0–{target_tricks}"
        if goal is TrickGoal.AT_MOST and target_tricks
        else str(target_tricks)
    )


PAPER_KIND = pages.create_kind_without_cards(
    name="points_poster",
    title=gettext_lazy("Points table"),
    heading=gettext_lazy("Points"),
    blurb=gettext_lazy("All contracts of the game and their points, for the wall."),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.NOTHING,
    lay_out=lay_out_pages,
    is_offered=has_contracts,
    is_on_request=True,
)
