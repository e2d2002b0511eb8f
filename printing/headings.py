"""The heading of every paper: the club, the event and the date."""

from io import BytesIO

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from boards.whist.seats import Seat
from printing import tags
from printing.box import MM, Box
from printing.fonts import BOLD, SANS, SERIF, printable, width_of
from printing.identity import logo_now, short_name_now
from printing.lettering import write
from printing.paper import THICK
from printing.pictures import in_black
from printing.values import Heading

PAGE_TITLE = 24 * MM  # height
LOGO = 12 * MM  # width and height


def when(heading: Heading) -> str:
    """Return the date, and the session and section if there are several, in words."""
    words = [date_format(heading.date, "j F Y")]
    if heading.sessions > 1:
        words.append(
            _("session %(session)d of %(sessions)d")
            % {"session": heading.session, "sessions": heading.sessions}
        )
    if heading.section:
        words.append(_("section %(section)s") % {"section": heading.section})
    return ", ".join(words)


def seat_name(seat: Seat) -> str:
    """Return the full name of a seat."""
    return {
        Seat.NORTH: _("North"),
        Seat.EAST: _("East"),
        Seat.SOUTH: _("South"),
        Seat.WEST: _("West"),
    }[seat]


def club_name(name: str, box: Box, size: float) -> str:
    """Return a club's name, or its short name if the full one does not fit a line at `size`."""
    short = short_name_now()
    fits = width_of(printable(name, SANS), SANS) * size <= box.width
    return name if fits or not short else short


def slip_heading(canvas: Canvas, box: Box, heading: Heading, *, scale: float = 1) -> None:
    """Write the heading of a slip: the event's name between two small lines."""
    club, event, date = (
        box.head(box.height * 0.26),
        box.below(box.height * 0.26).above(box.height * 0.26),
        box.foot(box.height * 0.26),
    )
    write(canvas, club_name(heading.club, club, 8.5 * scale), club, size=8.5 * scale)
    write(canvas, heading.event, event, font=SERIF, size=13 * scale, floor=9 * scale)
    write(canvas, when(heading), date, size=8.5 * scale)


def big_number(canvas: Canvas, box: Box, number: str, above: str, below: str = "") -> None:
    """Write a number in a thick frame, as large as possible, with text above and below."""
    canvas.setLineWidth(THICK)
    canvas.rect(box.left, box.bottom, box.width, box.height)
    label, note = 0.2 * box.height, 0.26 * box.height if below else 0
    inner = box.inset(1.2 * MM, 0)
    middle = inner.below(label).above(note)
    middle = middle.inset(0, -0.14 * middle.height)
    with tags.part(canvas, "H1"):
        write(canvas, above, inner.head(label), size=0.7 * label, align="centre")
        write(canvas, number, middle, font=BOLD, size=middle.height, align="centre")
        write(canvas, below, inner.foot(note), font=BOLD, size=0.65 * note, align="centre")


def emblem(canvas: Canvas, logo: bytes, box: Box) -> None:
    """Draw a club's logo in grey; its name is next to it."""
    canvas.drawImage(
        ImageReader(BytesIO(in_black(logo))), box.left, box.bottom, box.width, box.height
    )


def page_title(
    canvas: Canvas, page: Box, heading: Heading, title: str, *, number: int = 1
) -> None:
    """Write the head of a page: title and event on the left, the club on the right.

    It is drawn on every page of a paper, but tagged for reading only on the first.
    """
    box = page.head(PAGE_TITLE).above(3 * MM)
    left, _gap, right = box.columns(60, 3, 37)
    with tags.nobodys(canvas, when=number > 1):
        with tags.part(canvas, "H1"):
            write(canvas, title, left.head(12 * MM), font=SERIF, size=22, floor=12)
        write(canvas, heading.event, left.foot(8 * MM), font=BOLD, size=13, floor=9)
        club = right.head(12 * MM)
        if logo := logo_now():
            club = Box(club.left, club.bottom, club.width - LOGO - 2 * MM, club.height)
            emblem(canvas, logo, Box(club.right + 2 * MM, club.bottom, LOGO, LOGO))
        write(canvas, club_name(heading.club, club, 11), club, size=11, align="right")
        write(canvas, when(heading), right.foot(8 * MM), size=11, align="right")
    canvas.setLineWidth(THICK)
    canvas.line(page.left, box.bottom - 1 * MM, page.right, box.bottom - 1 * MM)
