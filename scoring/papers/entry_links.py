"""Slips with an entry's link: a QR code to scan after play, the name, and instructions."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import OutdatingChanges, PageLink, PaperGroup, PaperKind, ShownCards
from printing.qr_drawing import draw_qr_code
from printing.text_boxes import write_paragraph, write_text
from scoring.papers.conditions import describe_step_before_entry_links
from scoring.sheets import entry_links
from scoring.sheets.entry_links import EntryLinkSlip
from server.hall_network import is_in_local_network

_SLIP_MARGIN = 5 * MM
_HEADING_HEIGHT = 15 * MM
_NAME_HEIGHT = 9 * MM
_QR_CODE_WIDTH = 40 * MM


def draw_pdf(link_slips: Sequence[EntryLinkSlip], *, paper_size: paper.Size = "A4") -> bytes:
    """Print a slip for each entry, eight to a page, with marks to cut along."""
    canvas = paper.start_canvas(
        paper_size, _("Personal QR codes"), [link_slip.heading for link_slip in link_slips]
    )
    page = paper.get_page_box(paper_size)
    paper.draw_slips(
        canvas, page, link_slips, partial(_draw_slip, canvas), column_count=2, row_count=4
    )
    return paper.finish_canvas(canvas)


def _draw_slip(canvas: Canvas, link_slip: EntryLinkSlip, tile: Box) -> None:
    inner_box = tile.inset(_SLIP_MARGIN)
    number_box, heading_box = inner_box.get_top_strip(_HEADING_HEIGHT).split_columns(
        16, inner_box.width / MM - 16
    )
    if link_slip.label:
        draw_big_number(
            canvas, number_box, link_slip.label, link_slip.heading.entry_kind or _("Pair")
        )
    else:
        draw_big_number(canvas, number_box, str(link_slip.entry_number), _("No."))
    draw_slip_heading(
        canvas, heading_box.inset(2.5 * MM, 0.5 * MM), link_slip.heading, scale=0.85
    )
    name_box = inner_box.exclude_top(_HEADING_HEIGHT + 1 * MM).get_top_strip(_NAME_HEIGHT)
    write_text(canvas, link_slip.name, name_box, font=BOLD_FONT, size=11, min_size=7)
    body_box = inner_box.exclude_top(_HEADING_HEIGHT + _NAME_HEIGHT + 2 * MM).exclude_bottom(
        5 * MM
    )
    qr_code_width = min(_QR_CODE_WIDTH, body_box.height)
    code_box, text_box = body_box.split_columns(qr_code_width, body_box.width - qr_code_width)
    draw_qr_code(canvas, link_slip.qr_code, code_box)
    note_top = write_paragraph(
        canvas,
        _("Private. Keep this slip."),
        text_box.inset(2 * MM, 0),
        font=BOLD_FONT,
        size=10,
    )
    note_box = Box(
        text_box.left + 2 * MM,
        text_box.bottom,
        text_box.width - 4 * MM,
        note_top - text_box.bottom,
    )
    write_paragraph(canvas, _choose_instructions(link_slip), note_box, size=9.5)
    write_text(
        canvas,
        link_slip.url,
        inner_box.get_bottom_strip(4.5 * MM),
        size=7.5,
        align="centre",
        min_size=5.5,
    )


def _choose_instructions(link_slip: EntryLinkSlip) -> str:
    return (
        format_hall_instructions(link_slip.score_query_hours)
        if is_in_local_network(link_slip.url)
        else format_link_instructions(link_slip.score_query_hours)
    )


def format_hall_instructions(score_query_hours: int) -> str:
    """Return the instructions for a link that opens only in the hall's network.

    `score_query_hours` is how many hours after play a player may query a score; 0 if never.
    """
    if not score_query_hours:
        return _(
            "After the session, scan this to see your results. It only "
            "works in the hall, so look before you leave."
        )
    return _(
        "After the session, scan this to see your results. It only "
        "works in the hall, so look before you leave. Wrong score? "
        "Query it there."
    )


def format_link_instructions(score_query_hours: int) -> str:
    """Return the instructions for a link that opens anywhere.

    `score_query_hours` is how many hours after play a player may query a score; 0 if never.
    """
    if not score_query_hours:
        return _("After the session, scan this to see your results.")
    return ngettext(
        "After the session, scan this to see your results. Wrong "
        "score? Query it within %(hours)d hour.",
        "After the session, scan this to see your results. Wrong "
        "score? Query it within %(hours)d hours.",
        score_query_hours,
    ) % {"hours": score_query_hours}


PAPER_KIND = PaperKind(
    name="entry_links",
    title=gettext_lazy("Personal QR codes"),
    blurb=gettext_lazy("One slip for each pair or player, to see results and query scores."),
    group=PaperGroup.RESULTS,
    build_sheet=entry_links.build_entry_link_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    describe_required_step=describe_step_before_entry_links,
    is_on_request=True,
    links_page=PageLink("challenges", gettext_lazy("Create links")),
)
