"""The leaders of an event as a picture, for previews of links in messages."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from printing.fonts import BOLD, SANS, SERIF
from printing.pictures import Picture
from scoring import page_loaders
from scoring.sheets.values import RankRow, RankTable
from scoring.templatetags.scoring import field_title
from scoring.views.cached_pages import FRAGMENT_SECONDS, cache_event_page
from scoring.views.card_pictures import (
    BACKGROUND_COLOUR,
    EDGE_COLOUR,
    HEIGHT,
    LEFT_MARGIN_PIXELS,
    QUIET_COLOUR,
    TEXT_COLOUR,
    WIDTH,
    format_rank_score,
)
from scoring.views.public import load_visible_standings
from tournaments.visits import Visit

MAX_LINES = 4
LINE_PIXELS = 84
TEXT_WIDTH_PIXELS = WIDTH - 2 * LEFT_MARGIN_PIXELS


@login_not_required
@require_safe
@cache_event_page(FRAGMENT_SECONDS)
def show_standings_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw an event's name, day and leaders; no leaders while the standings are hidden."""
    visit = page_loaders.public_event(slug)
    png = draw_standings_png(visit, load_visible_standings(visit.event))
    response = HttpResponse(png, content_type="image/png")
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


def draw_standings_png(visit: Visit, table: RankTable | None) -> bytes:
    """Return the preview of an event as a PNG of 1200 by 630 pixels."""
    event, left = visit.event, LEFT_MARGIN_PIXELS
    picture = Picture(WIDTH, HEIGHT, BACKGROUND_COLOUR)
    picture.box((0, 0), (WIDTH, 14), TEXT_COLOUR)
    subtitle = f"{event.club.name} · {date_format(visit.day, 'j F Y')}"
    picture.write(
        subtitle,
        (left, 88),
        font=SANS,
        size=30,
        colour=QUIET_COLOUR,
        max_width=TEXT_WIDTH_PIXELS,
    )
    picture.write(
        event.name,
        (left, 172),
        font=SERIF,
        size=60,
        colour=TEXT_COLOUR,
        max_width=TEXT_WIDTH_PIXELS,
    )
    if table is not None and table.has_begun:
        picture.line([(left, 210), (WIDTH - left, 210)], EDGE_COLOUR, 2)
        for number, (title, row) in enumerate(select_leaders(table)):
            y = 280 + number * LINE_PIXELS
            _write_leader(picture, table.method, row, y)
            picture.write(title, (left + 90, y + 33), font=SANS, size=24, colour=QUIET_COLOUR)
    return picture.png()


def select_leaders(table: RankTable) -> list[tuple[str, RankRow]]:
    """Return the best rows of the first fields, at most four in all, with the field's title.

    The title is empty if there is only one field.
    """
    fields = [field for field in table.fields if field.rows][:MAX_LINES]
    lines_per_field = MAX_LINES // max(len(fields), 1)
    return [
        (field_title(field, table) if len(fields) > 1 else "", row)
        for field in fields
        for row in field.rows[:lines_per_field]
    ]


def _write_leader(picture: Picture, method: str, row: RankRow, y: float) -> None:
    left = LEFT_MARGIN_PIXELS
    figure, colour = format_rank_score(method, row)
    picture.write(
        str(row.rank), (left, y), font=BOLD, size=40, colour=QUIET_COLOUR, max_width=70
    )
    picture.write(
        row.name, (left + 90, y), font=SANS, size=40, colour=TEXT_COLOUR, max_width=700
    )
    picture.write(figure, (left + 830, y), font=BOLD, size=44, colour=colour, max_width=220)
