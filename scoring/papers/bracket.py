"""A PDF of a knock-out's bracket to hang on a wall, with a column for each round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT, SANS_FONT
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from printing.paper import THIN_LINE_POINTS
from printing.text_boxes import write_text
from scoring.papers.conditions import describe_step_before_bracket, has_bracket
from scoring.sheets import brackets
from scoring.sheets.brackets import BracketMatch, BracketRound, BracketSheet, BracketSide

MAX_FIRST_ROUND_MATCHES = 8  # in the first column of a page
_TITLE_HEIGHT, _MAX_SIDE_HEIGHT, _COLUMN_GAP = 8 * MM, 9 * MM, 4 * MM
_MIN_NAME_TYPE_SIZE = 7.5  # points; a longer name takes two lines


@dataclass(frozen=True, slots=True)
class BracketPage:
    """The content of one page: some rounds, each with the matches shown on this page."""

    rounds: tuple[BracketRound, ...]
    matches: tuple[tuple[BracketMatch, ...], ...]


def split_bracket_into_pages(rounds: Sequence[BracketRound]) -> list[BracketPage]:
    """Divide a bracket into pages: first the early rounds, split by matches, then the rest."""
    if not rounds:
        return []
    first_round_match_count = len(rounds[0].matches)
    if first_round_match_count <= MAX_FIRST_ROUND_MATCHES:
        return [
            BracketPage(tuple(rounds), tuple(bracket_round.matches for bracket_round in rounds))
        ]
    if rounds[0].has_two_advancing_sides:  # no lines join matches, so these can be on any page
        match_groups = [
            rounds[0].matches[start_index : start_index + MAX_FIRST_ROUND_MATCHES]
            for start_index in range(0, first_round_match_count, MAX_FIRST_ROUND_MATCHES)
        ]
        return [
            *(BracketPage((rounds[0],), (match_group,)) for match_group in match_groups),
            *split_bracket_into_pages(rounds[1:]),
        ]
    columns_per_page = MAX_FIRST_ROUND_MATCHES.bit_length()
    group_count = first_round_match_count // MAX_FIRST_ROUND_MATCHES
    first_rounds = rounds[:columns_per_page]
    bracket_pages = [
        BracketPage(
            tuple(first_rounds),
            tuple(
                bracket_round.matches[
                    group_index * len(bracket_round.matches) // group_count : (group_index + 1)
                    * len(bracket_round.matches)
                    // group_count
                ]
                for bracket_round in first_rounds
            ),
        )
        for group_index in range(group_count)
    ]
    return [*bracket_pages, *split_bracket_into_pages(rounds[columns_per_page:])]


def draw_pdf(bracket_sheets: Sequence[BracketSheet], *, paper_size: paper.Size = "A4") -> bytes:
    """Return a PDF of each bracket, on as many pages as it needs."""
    canvas = paper.start_canvas(
        paper_size, _("Bracket"), [bracket_sheet.heading for bracket_sheet in bracket_sheets]
    )
    for bracket_sheet in bracket_sheets:
        bracket_pages = split_bracket_into_pages(bracket_sheet.rounds)
        for page_number, bracket_page in enumerate(bracket_pages, start=1):
            _draw_page(
                canvas, bracket_sheet, bracket_page, page_number, len(bracket_pages), paper_size
            )
    return paper.finish_canvas(canvas)


def _draw_page(
    canvas: Canvas,
    bracket_sheet: BracketSheet,
    bracket_page: BracketPage,
    page_number: int,
    page_count: int,
    paper_size: paper.Size,
) -> None:
    page = paper.get_page_box(paper_size)
    inner_box = page.inset(paper.PAGE_MARGIN)
    draw_page_title(
        canvas, inner_box, bracket_sheet.heading, _("Bracket"), page_number=page_number
    )
    box = inner_box.exclude_top(PAGE_TITLE_HEIGHT).exclude_bottom(10 * MM)
    columns = box.split_columns(*([1] * len(bracket_page.rounds)))
    previous_match_y_by_place: dict[int, float] = {}
    for column, bracket_round, matches in zip(
        columns, bracket_page.rounds, bracket_page.matches, strict=True
    ):
        column_box = Box(column.left, column.bottom, column.width - _COLUMN_GAP, column.height)
        write_text(
            canvas,
            bracket_round.title,
            column_box.get_top_strip(_TITLE_HEIGHT),
            font=BOLD_FONT,
            size=11,
            align="left",
        )
        previous_match_y_by_place = _draw_round(
            canvas, column_box.exclude_top(_TITLE_HEIGHT), matches, previous_match_y_by_place
        )
    footer_text = ""
    if bracket_sheet.champion and page_number == page_count:
        footer_text = _("Won by %(name)s") % {"name": bracket_sheet.champion}
    paper.draw_footer(canvas, page, footer_text, page_number, page_count)
    canvas.showPage()


def _draw_round(
    canvas: Canvas,
    box: Box,
    matches: Sequence[BracketMatch],
    previous_match_y_by_place: Mapping[int, float],
) -> dict[int, float]:
    """Draw the matches of a round next to the matches that lead to them.

    Returns the y coordinates of the middles of matches from which one entry advances, by the
    entry's place in the next round. If two entries advance, text is written, not lines.
    """
    match_spacing = box.height / len(matches)
    line_height = min(
        _MAX_SIDE_HEIGHT,
        match_spacing / (3.6 if any(match.third for match in matches) else 2.6),
    )
    are_matches_numbered = any(match.advancing_side_count > 1 for match in matches)
    canvas.setLineWidth(THIN_LINE_POINTS)
    match_y_by_place: dict[int, float] = {}
    for index, match in enumerate(matches):
        match_y = box.top - (index + 0.5) * match_spacing
        side_count = 2 if match.is_bye else len(match.sides)
        match_box = Box(
            box.left,
            match_y - line_height * side_count / 2,
            box.width,
            line_height * side_count,
        )
        first_side_place = 2 * (match.number - 1)
        previous_match_ys = [
            previous_match_y_by_place[side_place]
            for side_place in (first_side_place, first_side_place + 1)
            if side_place in previous_match_y_by_place
        ]
        with tags.mark_artifact(canvas):
            _draw_joining_lines(canvas, match_box.left, match_y, previous_match_ys)
        _draw_match(canvas, match, match_box, line_height)
        if are_matches_numbered:
            title = _("Match %(match)s") % {"match": match.number}
            title_box = Box(
                match_box.left,
                match_box.top,
                match_box.width,
                min(4 * MM, match_spacing - match_box.height),
            )
            write_text(canvas, title, title_box, size=7, align="left", min_size=5)
        if match.advancing_side_count == 1:
            match_y_by_place[match.next_positions[0]] = match_y
    return match_y_by_place


def _draw_match(
    canvas: Canvas, match: BracketMatch, match_box: Box, line_height: float
) -> None:
    side_count = 2 if match.is_bye else len(match.sides)
    side_boxes = [
        Box(
            match_box.left,
            match_box.top - (side_index + 1) * line_height,
            match_box.width,
            line_height,
        )
        for side_index in range(side_count)
    ]
    with tags.mark_artifact(canvas):
        canvas.rect(match_box.left, match_box.bottom, match_box.width, match_box.height)
        for side_box in side_boxes[:-1]:
            canvas.line(match_box.left, side_box.bottom, match_box.right, side_box.bottom)
    if match.is_bye:
        _write_side(canvas, match.one, side_boxes[0])
        write_text(
            canvas, _("bye"), side_boxes[1].inset(1 * MM, 0), size=9, align="left", min_size=6
        )
        return
    for side, side_box in zip(match.sides, side_boxes, strict=True):
        _write_side(canvas, side, side_box)


def _draw_joining_lines(
    canvas: Canvas, left: float, match_y: float, previous_match_ys: Sequence[float]
) -> None:
    """Draw the lines from the matches that lead to one match."""
    bend_x = left - _COLUMN_GAP / 2
    for previous_match_y in previous_match_ys:
        canvas.line(left - _COLUMN_GAP, previous_match_y, bend_x, previous_match_y)
        canvas.line(bend_x, previous_match_y, bend_x, match_y)
        canvas.line(bend_x, match_y, left, match_y)


def _write_side(canvas: Canvas, side: BracketSide, box: Box) -> None:
    inner_box = box.inset(1 * MM, 0.3 * MM)
    if side.entry is None:
        if side.awaited_text:
            write_text(
                canvas, side.awaited_text, inner_box, size=9, min_size=_MIN_NAME_TYPE_SIZE
            )
        return
    font = BOLD_FONT if side.is_winner else SANS_FONT
    name_box, _gap_box, win_margin_box = (
        inner_box.split_columns(20, 1, 4) if side.margin else (inner_box, None, None)
    )
    name_with_seed = f"{side.seed_text} {side.name}".strip()
    write_text(
        canvas, name_with_seed, name_box, font=font, size=10, min_size=_MIN_NAME_TYPE_SIZE
    )
    if win_margin_box is not None:
        write_text(
            canvas, side.margin, win_margin_box, font=font, size=9, align="right", min_size=6
        )


PAPER_KIND = PaperKind(
    name="bracket",
    title=gettext_lazy("Bracket"),
    blurb=gettext_lazy("The knock-out bracket, to hang up."),
    group=PaperGroup.RESULTS,
    build_sheet=brackets.list_brackets,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NAMES,
    is_offered=has_bracket,
    describe_required_step=describe_step_before_bracket,
    is_on_request=True,
)
