"""The heading of every paper: the club, the event and the date."""

from io import BytesIO

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from boards.whist.seats import Seat
from printing import tags
from printing.box import MM, Box
from printing.fonts import BOLD, SANS, SERIF, measure_width, replace_unprintable
from printing.identity import get_current_logo, get_current_short_name
from printing.paper import THICK
from printing.pictures import convert_to_grey
from printing.text_boxes import write_text
from printing.values import Heading

PAGE_TITLE_HEIGHT = 24 * MM  # the height of the title in points
LOGO_SIZE = 12 * MM  # the width and height of the logo in points


def format_date_and_session(heading: Heading) -> str:
    """Format the date, with the session and section if there are several."""
    parts = [date_format(heading.date, "j F Y")]
    if heading.sessions > 1:
        parts.append(
            _("session %(session)d of %(sessions)d")
            % {"session": heading.session, "sessions": heading.sessions}
        )
    if heading.section:
        parts.append(_("section %(section)s") % {"section": heading.section})
    return ", ".join(parts)


def format_seat(seat: Seat) -> str:
    """Return the full name of a seat."""
    return {
        Seat.NORTH: _("North"),
        Seat.EAST: _("East"),
        Seat.SOUTH: _("South"),
        Seat.WEST: _("West"),
    }[seat]


def choose_club_name(name: str, box: Box, size: float) -> str:
    """Return a club's name, or its short name if the full one does not fit a line at `size`."""
    short_name = get_current_short_name()
    is_full_name_fitting = (
        measure_width(replace_unprintable(name, SANS), SANS) * size <= box.width
    )
    return name if is_full_name_fitting or not short_name else short_name


def draw_slip_heading(canvas: Canvas, box: Box, heading: Heading, *, scale: float = 1) -> None:
    """Write the heading of a slip: the event's name between two small lines."""
    club, event, date = (
        box.top_strip(box.height * 0.26),
        box.without_top(box.height * 0.26).without_bottom(box.height * 0.26),
        box.bottom_strip(box.height * 0.26),
    )
    write_text(
        canvas, choose_club_name(heading.club, club, 8.5 * scale), club, size=8.5 * scale
    )
    write_text(canvas, heading.event, event, font=SERIF, size=13 * scale, floor=9 * scale)
    write_text(canvas, format_date_and_session(heading), date, size=8.5 * scale)


def draw_big_number(canvas: Canvas, box: Box, number: str, above: str, below: str = "") -> None:
    """Write a number as large as possible in a thick frame, with a text above and below."""
    canvas.setLineWidth(THICK)
    canvas.rect(box.left, box.bottom, box.width, box.height)
    label, note = 0.2 * box.height, 0.26 * box.height if below else 0
    inner_box = box.inset(1.2 * MM, 0)
    middle = inner_box.without_top(label).without_bottom(note)
    middle = middle.inset(0, -0.14 * middle.height)
    with tags.open_element(canvas, "H1"):
        write_text(canvas, above, inner_box.top_strip(label), size=0.7 * label, align="centre")
        write_text(canvas, number, middle, font=BOLD, size=middle.height, align="centre")
        write_text(
            canvas,
            below,
            inner_box.bottom_strip(note),
            font=BOLD,
            size=0.65 * note,
            align="centre",
        )


def draw_logo(canvas: Canvas, logo: bytes, box: Box) -> None:
    """Draw a club's logo in grey; its name is next to it."""
    canvas.drawImage(
        ImageReader(BytesIO(convert_to_grey(logo))), box.left, box.bottom, box.width, box.height
    )


def draw_page_title(
    canvas: Canvas, page: Box, heading: Heading, title: str, *, number: int = 1
) -> None:
    """Write the head of a page: title and event on the left, the club on the right.

    It is drawn on every page, but tagged for screen readers only on the first.
    """
    box = page.top_strip(PAGE_TITLE_HEIGHT).without_bottom(3 * MM)
    left, _gap, right = box.split_columns(60, 3, 37)
    with tags.mark_artifact(canvas, is_artifact=number > 1):
        with tags.open_element(canvas, "H1"):
            write_text(canvas, title, left.top_strip(12 * MM), font=SERIF, size=22, floor=12)
        write_text(
            canvas, heading.event, left.bottom_strip(8 * MM), font=BOLD, size=13, floor=9
        )
        club = right.top_strip(12 * MM)
        if logo := get_current_logo():
            club = Box(club.left, club.bottom, club.width - LOGO_SIZE - 2 * MM, club.height)
            draw_logo(canvas, logo, Box(club.right + 2 * MM, club.bottom, LOGO_SIZE, LOGO_SIZE))
        write_text(
            canvas, choose_club_name(heading.club, club, 11), club, size=11, align="right"
        )
        write_text(
            canvas,
            format_date_and_session(heading),
            right.bottom_strip(8 * MM),
            size=11,
            align="right",
        )
    canvas.setLineWidth(THICK)
    canvas.line(page.left, box.bottom - 1 * MM, page.right, box.bottom - 1 * MM)
