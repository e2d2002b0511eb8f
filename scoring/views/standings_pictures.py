"""The leaders of an event as a picture, for previews of links in messages."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from printing.fonts import BOLD_FONT, SANS_FONT, SERIF_FONT
from printing.pictures import Picture
from scoring import page_loaders
from scoring.sheets.values import RankRow, RankTable
from scoring.templatetags.scoring import get_field_title
from scoring.views.cached_pages import FRAGMENT_CACHE_SECONDS, cache_event_page
from scoring.views.card_pictures import (
    BACKGROUND_COLOUR,
    EDGE_COLOUR,
    LEFT_MARGIN_PIXELS,
    PICTURE_HEIGHT_PIXELS,
    PICTURE_WIDTH_PIXELS,
    SECONDARY_TEXT_COLOUR,
    TEXT_COLOUR,
    format_rank_score,
)
from scoring.views.public import load_visible_standings
from server.dates import format_date
from tournaments.event_access import EventAccess

MAX_LEADERS = 4
LINE_HEIGHT_PIXELS = 84
TEXT_WIDTH_PIXELS = PICTURE_WIDTH_PIXELS - 2 * LEFT_MARGIN_PIXELS


@login_not_required
@require_safe
@cache_event_page(FRAGMENT_CACHE_SECONDS)
def show_standings_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw an event's name, day and leaders; no leaders while the standings are hidden."""
    access = page_loaders.load_public_event(slug)
    png = draw_standings_png(access, load_visible_standings(access.event))
    response = HttpResponse(png, content_type="image/png")
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


def draw_standings_png(access: EventAccess, rank_table: RankTable | None) -> bytes:
    """Return the preview of an event as a PNG of 1200 by 630 pixels."""
    event, left_margin = access.event, LEFT_MARGIN_PIXELS
    picture = Picture(PICTURE_WIDTH_PIXELS, PICTURE_HEIGHT_PIXELS, BACKGROUND_COLOUR)
    picture.fill_box((0, 0), (PICTURE_WIDTH_PIXELS, 14), TEXT_COLOUR)
    subtitle = f"{event.club.name} · {format_date(access.day, 'DATE')}"
    picture.write_line(
        subtitle,
        (left_margin, 88),
        font=SANS_FONT,
        size=30,
        colour=SECONDARY_TEXT_COLOUR,
        max_width=TEXT_WIDTH_PIXELS,
    )
    picture.write_line(
        event.name,
        (left_margin, 172),
        font=SERIF_FONT,
        size=60,
        colour=TEXT_COLOUR,
        max_width=TEXT_WIDTH_PIXELS,
    )
    if rank_table is not None and rank_table.has_begun:
        picture.draw_line(
            [(left_margin, 210), (PICTURE_WIDTH_PIXELS - left_margin, 210)], EDGE_COLOUR, 2
        )
        for line_index, (title, row) in enumerate(select_leaders(rank_table)):
            y = 280 + line_index * LINE_HEIGHT_PIXELS
            _write_leader(picture, rank_table.method, row, y)
            picture.write_line(
                title,
                (left_margin + 90, y + 33),
                font=SANS_FONT,
                size=24,
                colour=SECONDARY_TEXT_COLOUR,
            )
    return picture.encode_png()


def select_leaders(rank_table: RankTable) -> list[tuple[str, RankRow]]:
    """Return (title, row) for the best rows of each field, at most four rows in all.

    A field is a group of entries that are ranked together. The title is "" if there is only one
    field.
    """
    ranked_groups = [ranked_group for ranked_group in rank_table.fields if ranked_group.rows][
        :MAX_LEADERS
    ]
    max_rows_per_group = MAX_LEADERS // max(len(ranked_groups), 1)
    return [
        (get_field_title(ranked_group, rank_table) if len(ranked_groups) > 1 else "", row)
        for ranked_group in ranked_groups
        for row in ranked_group.rows[:max_rows_per_group]
    ]


def _write_leader(picture: Picture, method: str, row: RankRow, y: float) -> None:
    left_margin = LEFT_MARGIN_PIXELS
    score_text, score_colour = format_rank_score(method, row)
    picture.write_line(
        str(row.rank),
        (left_margin, y),
        font=BOLD_FONT,
        size=40,
        colour=SECONDARY_TEXT_COLOUR,
        max_width=70,
    )
    picture.write_line(
        row.name,
        (left_margin + 90, y),
        font=SANS_FONT,
        size=40,
        colour=TEXT_COLOUR,
        max_width=700,
    )
    picture.write_line(
        score_text,
        (left_margin + 830, y),
        font=BOLD_FONT,
        size=44,
        colour=score_colour,
        max_width=220,
    )
