"""The bracket of a knock-out for the wall, with the rounds next to one another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD, SANS
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import OutdatedBy, PaperGroup, PaperKind, ShownCards
from printing.paper import THIN
from printing.text_boxes import write_text
from scoring.papers.conditions import describe_wait_for_bracket, has_bracket
from scoring.sheets import brackets
from scoring.sheets.brackets import BracketMatch, BracketRound, BracketSheet, BracketSide

MAX_FIRST_ROUND_MATCHES = 8  # matches of its first round on a page
_TITLE_TYPE_SIZE, _NOTE_LINE_HEIGHT, _GAP = 8 * MM, 9 * MM, 4 * MM
_MIN_NAME_TYPE_SIZE = 7.5  # points; a longer name takes two lines


@dataclass(frozen=True, slots=True)
class BracketPart:
    """The content of one page: some rounds, each with the matches shown on this page."""

    rounds: tuple[BracketRound, ...]
    matches: tuple[tuple[BracketMatch, ...], ...]


def split_bracket(rounds: Sequence[BracketRound]) -> list[BracketPart]:
    """Divide a bracket into pages: groups of the first rounds, then rounds that join them."""
    if not rounds:
        return []
    first = len(rounds[0].matches)
    if first <= MAX_FIRST_ROUND_MATCHES:
        return [
            BracketPart(tuple(rounds), tuple(bracket_round.matches for bracket_round in rounds))
        ]
    if rounds[0].has_two_advancing:  # words replace lines, so its matches need no neighbours
        rows = [
            rounds[0].matches[start : start + MAX_FIRST_ROUND_MATCHES]
            for start in range(0, first, MAX_FIRST_ROUND_MATCHES)
        ]
        return [
            *(BracketPart((rounds[0],), (row,)) for row in rows),
            *split_bracket(rounds[1:]),
        ]
    columns_per_page = MAX_FIRST_ROUND_MATCHES.bit_length()
    groups = first // MAX_FIRST_ROUND_MATCHES
    own_rounds = rounds[:columns_per_page]
    parts = [
        BracketPart(
            tuple(own_rounds),
            tuple(
                bracket_round.matches[
                    group * len(bracket_round.matches) // groups : (group + 1)
                    * len(bracket_round.matches)
                    // groups
                ]
                for bracket_round in own_rounds
            ),
        )
        for group in range(groups)
    ]
    return [*parts, *split_bracket(rounds[columns_per_page:])]


def draw_pdf(sheets: Sequence[BracketSheet], *, size: paper.Size = "A4") -> bytes:
    """Print the bracket on as many pages as it needs."""
    canvas = paper.start_canvas(size, _("Bracket"), [sheet.heading for sheet in sheets])
    for sheet in sheets:
        parts = split_bracket(sheet.rounds)
        for number, part in enumerate(parts, start=1):
            _draw_page(canvas, sheet, part, number, len(parts), size)
    return paper.finish_canvas(canvas)


def _draw_page(
    canvas: Canvas,
    sheet: BracketSheet,
    part: BracketPart,
    number: int,
    pages: int,
    size: paper.Size,
) -> None:
    page = paper.get_page_box(size)
    inner = page.inset(paper.PAGE_MARGIN)
    draw_page_title(canvas, inner, sheet.heading, _("Bracket"), number=number)
    box = inner.without_top(PAGE_TITLE_HEIGHT).without_bottom(10 * MM)
    columns = box.split_columns(*([1] * len(part.rounds)))
    middles_below: dict[int, float] = {}
    for column, round_, matches in zip(columns, part.rounds, part.matches, strict=True):
        column_box = Box(column.left, column.bottom, column.width - _GAP, column.height)
        write_text(
            canvas,
            round_.title,
            column_box.top_strip(_TITLE_TYPE_SIZE),
            font=BOLD,
            size=11,
            align="left",
        )
        middles_below = _draw_round(
            canvas, column_box.without_top(_TITLE_TYPE_SIZE), matches, middles_below
        )
    note = ""
    if sheet.champion and number == pages:
        note = _("Won by %(name)s") % {"name": sheet.champion}
    paper.draw_footer(canvas, page, note, number, pages)
    canvas.showPage()


def _draw_round(
    canvas: Canvas, box: Box, matches: Sequence[BracketMatch], feeding: Mapping[int, float]
) -> dict[int, float]:
    """Draw the matches of a round next to the matches that lead to them.

    Returns the vertical middles of matches from which one entry advances, by their place in the
    next
    round. If two entries advance, text replaces the lines.
    """
    step = box.height / len(matches)
    line = min(
        _NOTE_LINE_HEIGHT, step / (3.6 if any(match.third for match in matches) else 2.6)
    )
    has_named_places = any(match.places > 1 for match in matches)
    canvas.setLineWidth(THIN)
    middles: dict[int, float] = {}
    for index, match in enumerate(matches):
        middle = box.top - (index + 0.5) * step
        sides = 2 if match.is_bye else len(match.sides)
        match_box = Box(box.left, middle - line * sides / 2, box.width, line * sides)
        first = 2 * (match.number - 1)
        feeding_middles = [feeding[place] for place in (first, first + 1) if place in feeding]
        with tags.mark_artifact(canvas):
            _draw_join(canvas, match_box.left, middle, feeding_middles)
        _draw_match(canvas, match, match_box, line)
        if has_named_places:
            title = _("Match %(match)s") % {"match": match.number}
            title_box = Box(
                match_box.left,
                match_box.top,
                match_box.width,
                min(4 * MM, step - match_box.height),
            )
            write_text(canvas, title, title_box, size=7, align="left", floor=5)
        if match.places == 1:
            middles[match.leads_to[0]] = middle
    return middles


def _draw_match(canvas: Canvas, match: BracketMatch, own: Box, line: float) -> None:
    sides = 2 if match.is_bye else len(match.sides)
    rows = [
        Box(own.left, own.top - (row_index + 1) * line, own.width, line)
        for row_index in range(sides)
    ]
    with tags.mark_artifact(canvas):
        canvas.rect(own.left, own.bottom, own.width, own.height)
        for row in rows[:-1]:
            canvas.line(own.left, row.bottom, own.right, row.bottom)
    if match.is_bye:
        _write_side(canvas, match.one, rows[0])
        write_text(canvas, _("bye"), rows[1].inset(1 * MM, 0), size=9, align="left", floor=6)
        return
    for side, row in zip(match.sides, rows, strict=True):
        _write_side(canvas, side, row)


def _draw_join(
    canvas: Canvas, left: float, middle: float, feeding_middles: Sequence[float]
) -> None:
    """Draw the lines from the matches that lead to one match."""
    turn_x = left - _GAP / 2
    for feeding_y in feeding_middles:
        canvas.line(left - _GAP, feeding_y, turn_x, feeding_y)
        canvas.line(turn_x, feeding_y, turn_x, middle)
        canvas.line(turn_x, middle, left, middle)


def _write_side(canvas: Canvas, side: BracketSide, box: Box) -> None:
    inner = box.inset(1 * MM, 0.3 * MM)
    if side.entry is None:
        if side.awaited_text:
            write_text(canvas, side.awaited_text, inner, size=9, floor=_MIN_NAME_TYPE_SIZE)
        return
    font = BOLD if side.is_winner else SANS
    name, _gap, margin = inner.split_columns(20, 1, 4) if side.margin else (inner, None, None)
    seeded_name = f"{side.shown_seed} {side.name}".strip()
    write_text(canvas, seeded_name, name, font=font, size=10, floor=_MIN_NAME_TYPE_SIZE)
    if margin is not None:
        write_text(canvas, side.margin, margin, font=font, size=9, align="right", floor=6)


PAPER = PaperKind(
    name="bracket",
    title=gettext_lazy("Bracket"),
    blurb=gettext_lazy("The knock-out bracket, to hang up."),
    group=PaperGroup.RESULTS,
    build_sheet=brackets.list_brackets,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.NAMES,
    is_offered=has_bracket,
    describe_wait=describe_wait_for_bracket,
    on_request=True,
)
