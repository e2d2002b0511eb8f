"""The points table of a game with contracts, as the club plays it, for the wall."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.games.contracts import Contract, Goal, PointsTable
from drives.games.term_sentences import list_term_sentences
from drives.sheets.on_paper import DriveOnPaper
from printing import grid, lists, pages
from printing.box import MM, Box
from printing.fonts import BOLD, LEADING_RATIO, SANS
from printing.grid import Column
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages
from printing.text_boxes import wrap_text, write_paragraph
from printing.values import Heading

_ROW_HEIGHT, _MAX_ROW_HEIGHT = 5 * MM, 8.7 * MM
_TEXT_SIZE, _GAP = 11, 4 * MM


@dataclass(frozen=True)
class HousePoster:
    """A club's own points table, without a drive."""

    heading: Heading
    points: PointsTable


def lay_out_pages(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the contracts that are played, their points, and the terms in sentences."""
    if drive.points is None:
        return lists.lay_out_bodies(drive, _("Points"), size, ())
    return _lay_out(drive, drive.points, size)


def draw_house_poster(poster: HousePoster, *, size: pages.Size) -> bytes:
    """Draw a club's own points table."""
    laid = _lay_out(poster, poster.points, size)
    return pages.draw_pages(poster, _("Points"), laid, size)


def _lay_out(sheet: pages.Headed, table: PointsTable, size: pages.Size) -> Pages:
    columns = [
        Column(_("Key"), 10, font=BOLD, size=12),
        Column(_("Contract"), 44, align="left", font=BOLD, size=11, is_row_header=True),
        Column(_("Tricks"), 16, size=11),
        Column(_("Made"), 44, align="left", size=11),
        Column(_("Lost"), 30, align="left", size=11),
    ]
    rows = [_format_poster_row(each) for each in table.played]
    sentences = list_term_sentences(table)
    available = lists.compute_rows_height(size)
    texts_height = _compute_height(sentences, lists.get_inner_box(size).width)
    parts = _split_rows(rows, available, texts_height)
    row = grid.compute_row_height(
        available - texts_height,
        max(map(len, parts)),
        least=_ROW_HEIGHT,
        most=_MAX_ROW_HEIGHT,
    )
    bodies = [
        partial(_draw_body, columns, part, row, () if part is not parts[-1] else sentences)
        for part in parts
    ]
    return lists.lay_out_bodies(sheet, _("Points"), size, bodies)


def _format_poster_row(contract: Contract) -> list[str]:
    key, name, *points = format_row(contract)
    return [key, name, format_wanted_tricks(contract), *points]


def format_row(contract: Contract) -> list[str]:
    """Return a contract's key, name and points as texts."""
    rule = contract.rule
    return [
        contract.label.key,
        str(contract.label.local),
        format_points(rule.made, rule.made_step),
        format_points(rule.lost, rule.lost_step),
    ]


def _compute_height(sentences: Sequence[str], width: float) -> float:
    lines = sum(len(wrap_text(each, SANS, _TEXT_SIZE, width)) for each in sentences)
    return lines * _TEXT_SIZE * LEADING_RATIO + _GAP


def _split_rows(
    rows: Sequence[list[str]], available: float, texts_height: float
) -> list[Sequence[list[str]]]:
    """Split the rows over the fewest pages, with the sentences on the last one."""
    most = int((available - texts_height) / _ROW_HEIGHT)
    return grid.split_rows(rows, most)


def _draw_body(
    columns: Sequence[Column],
    rows: Sequence[list[str]],
    row: float,
    sentences: Sequence[str],
    canvas: Canvas,
    box: Box,
) -> None:
    lower = grid.draw_grid(
        canvas, box, columns, rows, head=lists.TITLES_HEIGHT, row=row, title_size=10
    )
    top = lower - _GAP
    for sentence in sentences:
        space = Box(box.left, box.bottom, box.width, top - box.bottom)
        top = write_paragraph(canvas, sentence, space, size=_TEXT_SIZE)


def has_contracts(drive: DriveOnPaper) -> bool:
    """Return whether the points of a drive follow from contracts."""
    return drive.points is not None


def format_wanted_tricks(contract: Contract) -> str:
    """Return the tricks that make a contract: "8 +", "0", "0–1"; "" if none count."""
    target, goal = contract.rule.wants, contract.rule.how
    if target is None:
        return ""
    if goal is Goal.AT_LEAST:
        return f"{target} +" if target < 13 else "13"
    return f"0–{target}" if goal is Goal.AT_MOST and target else str(target)


def format_points(points: Sequence[int], step: int) -> str:
    """Return points and their step as text: "8 11 14, then +3"."""
    listed = "  ".join(map(str, points))
    if not step:
        return listed
    return _("%(points)s, then +%(step)s") % {"points": listed, "step": step}


PAPER = pages.create_kind_without_cards(
    name="points_poster",
    title=gettext_lazy("Points table"),
    heading=gettext_lazy("Points"),
    blurb=gettext_lazy("All contracts of the game and their points, for the wall."),
    group=PaperGroup.TABLES,
    outdated_by=OutdatedBy.NOTHING,
    lay_out=lay_out_pages,
    is_offered=has_contracts,
    on_request=True,
)
