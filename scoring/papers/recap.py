"""The recap sheet: every entry's tricks on every board, on one grid."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper, tags
from printing.box import MM, Box
from printing.flow import Piece, roomiest
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import PAGE_TITLE, page_title
from printing.kinds import Cards, Follows, Group, PaperKind
from printing.lettering import write
from scoring.methods import METHODS
from scoring.papers.occasions import for_results_of_the_session
from scoring.papers.ranking import RankingFormats, field_name, figures
from scoring.sheets import papers
from scoring.sheets.standings_text import placed_by_words
from scoring.sheets.totals import average_words, in_points, total_title
from scoring.sheets.values import Recap, RecapField, RecapRow
from server.formatting import format_rank as written_rank

_ROWS = (8 * MM, 7.5 * MM, 7 * MM, 6.5 * MM)
_TITLES = 6 * MM
_FIELD = 8.5 * MM
_GAP = 3 * MM
_NAMES, _PAIR, _TRICKS, _SCORE, _RANK = 41, 13, 12, 14, 10  # mm
_LEAST_CELL = 6.0  # mm
_MOST_CELL = 12.0
_TWICE = 1.6  # a column of boards that are played twice: space for "10/13"
_RULED = 2.1  # a column with a ruling is wider than the others: space for "10→9 −R"


def draw(sheet: Recap, *, size: paper.Size = "A4") -> bytes:
    """Print the recap in landscape; boards that do not fit continue on further pages.

    Names and totals are on every page, so that each can be read separately.
    """
    title = _("Recap") if sheet.complete else _("Recap, provisional")
    canvas = paper.start(size, title, [sheet.heading], landscape=True)
    page = paper.page_box(size, landscape=True)
    inner = page.inset(paper.MARGIN)
    row, fields = roomiest(
        [len(field.rows) for field in sheet.fields],
        inner.height - PAGE_TITLE - 3 * MM,
        around=_FIELD + _TITLES + _GAP,
        rows=_ROWS,
    )
    pages = [(boards, pieces) for boards in _shares(sheet, inner.width) for pieces in fields]
    for number, (boards, pieces) in enumerate(pages, start=1):
        page_title(canvas, inner, sheet.heading, title, number=number)
        box = inner.below(PAGE_TITLE)
        for piece in pieces:
            lower = _draw_field(canvas, sheet, piece, boards, box, row)
            box = box.below(box.top - lower + _GAP)
        paper.footer(canvas, page, _legend(sheet), number, len(pages))
        canvas.showPage()
    return paper.finish(canvas)


def _legend(sheet: Recap) -> str:
    """Return the meaning of the marks, and of two numbers in one square."""
    words = _(
        "%(method)s. −R: revoked. +R: the opponents revoked. 6→5: made 6, counts 5.\n"
        "A: average. D: set by the director. V: void, a new deal was made. –: not played."
    ) % {"method": METHODS[sheet.method].caption}
    if sheet.plays_twice:
        words += " " + _("9/4: the two plays of a board; of a team N-S first.")
    if not sheet.complete:
        words += " " + _("Keep it from the players: boards are still to be played.")
    return words


def _fixed() -> float:
    return (_NAMES + _PAIR + _TRICKS + _SCORE + _RANK) * MM


def _shares(sheet: Recap, width: float) -> list[range]:
    """Return the boards of each page, as indices of the sheet's boards."""
    twice = _TWICE if sheet.plays_twice else 1
    least = _LEAST_CELL * max(_RULED if in_points(sheet.method) else 1, twice)
    most = int((width - _fixed()) / (least * MM))
    return grid.shares(len(sheet.boards), most)


def _draw_field(
    canvas: Canvas, sheet: Recap, piece: Piece, boards: range, box: Box, height: float
) -> float:
    field = sheet.fields[piece.table]
    left, right = box.head(_FIELD).above(1 * MM).columns(1, 1)
    with tags.part(canvas, "H2"):
        write(canvas, _title(sheet, field, boards), left, font=BOLD, size=12)
    words = placed_by_words(field.placings, sheet.method)
    if words or field.average is None:
        write(canvas, words, right, size=9, align="right")
    else:
        average = average_words(sheet.method, field.average)
        write(canvas, average, right, size=10, align="right")
    rows = field.rows[piece.rows.start : piece.rows.stop]
    written = figures(sheet.method, [row.rank for each in sheet.fields for row in each.rows])
    columns = _columns(sheet, boards, box.width)
    return grid.draw(
        canvas,
        box.below(_FIELD),
        columns,
        [_cells(row, boards, written) for row in rows],
        head=_TITLES,
        row=height,
    )


def _title(sheet: Recap, field: RecapField, boards: range) -> str:
    words = field_name(field, sheet.fields)
    if len(boards) == len(sheet.boards):
        return words
    first, last = sheet.boards[boards[0]], sheet.boards[boards[-1]]
    return f"{words}, " + _("boards %(first)d–%(last)d") % {"first": first, "last": last}


def _cells(row: RecapRow, boards: range, written: RankingFormats) -> Sequence[str]:
    rank = row.rank
    return [
        rank.label,
        rank.name,
        *(row.cells[place] for place in boards),
        written.tricks.write(rank.tricks),
        written.scores.write(rank.score),
        written_rank(rank.rank, tied=rank.tied, placed=rank.boards > 0),
    ]


def _weights(sheet: Recap, boards: range) -> list[float]:
    """Return the width of each board's column, relative to one with only a number."""
    rows = [row for field in sheet.fields for row in field.rows]
    ruled = {place for row in rows for place in boards if len(row.cells[place]) > 2}
    return [_RULED if place in ruled else 1.0 for place in boards]


def _columns(sheet: Recap, boards: range, width: float) -> list[Column]:
    room, weights = (width - _fixed()) / MM, _weights(sheet, boards)
    cell = min(_MOST_CELL, room / max(sum(weights), 1))
    names = _NAMES + room - cell * sum(weights)
    return [
        Column(sheet.heading.one or _("Pair"), _PAIR, size=9),
        Column(_("Names"), names, align="left", size=9, floor=7.5, heads=True),
        *(
            Column(str(sheet.boards[place]), cell * weight, size=9, floor=6)
            for place, weight in zip(boards, weights, strict=True)
        ),
        Column(total_title(sheet.method), _TRICKS, align="right", size=9.5),
        Column(METHODS[sheet.method].short_heading, _SCORE, align="right", font=BOLD, size=9.5),
        Column(_("Rank"), _RANK, align="right", font=BOLD, size=9.5),
    ]


PAPER = PaperKind(
    name="recap",
    title=gettext_lazy("Recap"),
    blurb=gettext_lazy("Everybody's tricks on every board, on one grid."),
    group=Group.RESULTS,
    sheet=papers.recap,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.NAMES,
    waits=for_results_of_the_session,
)
