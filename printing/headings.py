"""The heading of every paper: the club, the event and the date."""

from io import BytesIO

from django.utils.translation import gettext as _
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from boards.whist.seats import Seat
from printing import tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT, SANS_FONT, SERIF_FONT, measure_width, replace_unprintable
from printing.identity import get_current_logo, get_current_short_name
from printing.paper import THICK_LINE_POINTS
from printing.pictures import convert_to_grey
from printing.text_boxes import write_text
from printing.values import Heading
from server.dates import format_date

PAGE_TITLE_HEIGHT = 24 * MM  # the height of the title in points
LOGO_SIZE = 12 * MM  # the width and height of the logo in points


def format_date_and_session(heading: Heading) -> str:
    """Format the date, with the session and section if there are several."""
    text_parts = [format_date(heading.date, "DATE")]
    if heading.session_count > 1:
        text_parts.append(
            _("session %(session)d of %(sessions)d")
            % {"session": heading.session_number, "sessions": heading.session_count}
        )
    if heading.section_letter:
        text_parts.append(_("section %(section)s") % {"section": heading.section_letter})
    return ", ".join(text_parts)


def format_seat(seat: Seat) -> str:
    """Return the full name of a seat."""
    return {
        Seat.NORTH: _("North"),
        Seat.EAST: _("East"),
        Seat.SOUTH: _("South"),
        Seat.WEST: _("West"),
    }[seat]


def choose_club_name(name: str, box: Box, type_size: float) -> str:
    """Return a club's name, or its short name if its name does not fit on one line."""
    short_name = get_current_short_name()
    is_full_name_fitting = (
        measure_width(replace_unprintable(name, SANS_FONT), SANS_FONT) * type_size <= box.width
    )
    return name if is_full_name_fitting or not short_name else short_name


def draw_slip_heading(canvas: Canvas, box: Box, heading: Heading, *, scale: float = 1) -> None:
    """Write the heading of a slip: the club, the event in larger type, and the date."""
    club_box, event_box, date_box = (
        box.get_top_strip(box.height * 0.26),
        box.exclude_top(box.height * 0.26).exclude_bottom(box.height * 0.26),
        box.get_bottom_strip(box.height * 0.26),
    )
    write_text(
        canvas,
        choose_club_name(heading.club_name, club_box, 8.5 * scale),
        club_box,
        size=8.5 * scale,
    )
    write_text(
        canvas,
        heading.event_name,
        event_box,
        font=SERIF_FONT,
        size=13 * scale,
        min_size=9 * scale,
    )
    write_text(canvas, format_date_and_session(heading), date_box, size=8.5 * scale)


def draw_big_number(
    canvas: Canvas, box: Box, number_text: str, text_above: str, text_below: str = ""
) -> None:
    """Write a number as large as possible in a thick frame, with a text above and below."""
    canvas.setLineWidth(THICK_LINE_POINTS)
    canvas.rect(box.left, box.bottom, box.width, box.height)
    label_height, note_height = 0.2 * box.height, 0.26 * box.height if text_below else 0
    inner_box = box.inset(1.2 * MM, 0)
    number_box = inner_box.exclude_top(label_height).exclude_bottom(note_height)
    number_box = number_box.inset(0, -0.14 * number_box.height)
    with tags.open_element(canvas, "H1"):
        write_text(
            canvas,
            text_above,
            inner_box.get_top_strip(label_height),
            size=0.72 * label_height,
            align="centre",
        )
        write_text(
            canvas,
            number_text,
            number_box,
            font=BOLD_FONT,
            size=number_box.height,
            align="centre",
        )
        write_text(
            canvas,
            text_below,
            inner_box.get_bottom_strip(note_height),
            font=BOLD_FONT,
            size=0.65 * note_height,
            align="centre",
        )


def draw_logo(canvas: Canvas, logo: bytes, box: Box) -> None:
    """Draw a club's logo in grey, for printers without colours."""
    canvas.drawImage(
        ImageReader(BytesIO(convert_to_grey(logo))), box.left, box.bottom, box.width, box.height
    )


def draw_page_title(
    canvas: Canvas, page: Box, heading: Heading, title: str, *, page_number: int = 1
) -> None:
    """Write the head of a page: title and event on the left, the club on the right.

    Every page has this head, but only that of page 1 is tagged for screen readers.
    """
    box = page.get_top_strip(PAGE_TITLE_HEIGHT).exclude_bottom(3 * MM)
    left_box, _gap, right_box = box.split_columns(60, 3, 37)
    with tags.mark_artifact(canvas, is_artifact=page_number > 1):
        with tags.open_element(canvas, "H1"):
            write_text(
                canvas,
                title,
                left_box.get_top_strip(12 * MM),
                font=SERIF_FONT,
                size=22,
                min_size=12,
            )
        write_text(
            canvas,
            heading.event_name,
            left_box.get_bottom_strip(8 * MM),
            font=BOLD_FONT,
            size=13,
            min_size=9,
        )
        club_box = right_box.get_top_strip(12 * MM)
        if logo := get_current_logo():
            club_box = Box(
                club_box.left,
                club_box.bottom,
                club_box.width - LOGO_SIZE - 2 * MM,
                club_box.height,
            )
            draw_logo(
                canvas,
                logo,
                Box(club_box.right + 2 * MM, club_box.bottom, LOGO_SIZE, LOGO_SIZE),
            )
        write_text(
            canvas,
            choose_club_name(heading.club_name, club_box, 11),
            club_box,
            size=11,
            align="right",
        )
        write_text(
            canvas,
            format_date_and_session(heading),
            right_box.get_bottom_strip(8 * MM),
            size=11,
            align="right",
        )
    canvas.setLineWidth(THICK_LINE_POINTS)
    canvas.line(page.left, box.bottom - 1 * MM, page.right, box.bottom - 1 * MM)
