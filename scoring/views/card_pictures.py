"""A scorecard as a picture, for previews of links in messages. It shows no hands."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from printing.fonts import BOLD_FONT, SANS_FONT, SERIF_FONT, measure_width
from printing.pictures import Picture, Point
from scoring import page_loaders
from scoring.drawing.area_chart import AreaChart
from scoring.drawing.score_chart import DIAGRAM_SIZE_UNITS
from scoring.methods import METHODS_BY_NAME
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.card_page import ScorecardPage, build_card_page
from scoring.sheets.short_names import split_partners
from scoring.sheets.travellers import load_scorecard
from scoring.sheets.values import RankRow, Scorecard
from scoring.views.cached_pages import FRAGMENT_CACHE_SECONDS, cache_event_page
from scoring.views.public import load_visible_standings
from server import formatting
from server.dates import format_date

PICTURE_WIDTH_PIXELS, PICTURE_HEIGHT_PIXELS = 1200, 630  # pixels
LEFT_MARGIN_PIXELS = 72
TEXT_COLOUR, SECONDARY_TEXT_COLOUR, BACKGROUND_COLOUR, GOLD_COLOUR, GOLD_BACKGROUND_COLOUR = (
    "#17211c",
    "#56605a",
    "#f7f5f0",
    "#7a5200",
    "#fcf1d0",
)
PLUS_COLOUR, MINUS_COLOUR, PLUS_AREA_COLOUR, MINUS_AREA_COLOUR = (
    "#1f5c99",
    "#a8480f",
    "#d9e8f7",
    "#fbe5d6",
)
ACCENT_COLOUR, EDGE_COLOUR = "#0c5a3c", "#7d867f"


@login_not_required
@require_safe
@cache_event_page(FRAGMENT_CACHE_SECONDS)
def show_card_picture(request: HttpRequest, slug: str, entry_number: int) -> HttpResponse:
    """Draw one entry's rank, score and chart, from public results."""
    access = page_loaders.load_public_event(slug)
    event = access.event
    entry = get_object_or_404(event.entries.select_related("event__club"), number=entry_number)
    session = page_loaders.load_session(access)
    scorecard = load_scorecard(
        load_session_snapshot(session), entry, load_visible_standings(event)
    )
    response = HttpResponse(draw_card_png(scorecard), content_type="image/png")
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


def draw_card_png(scorecard: Scorecard) -> bytes:
    """Return a card as a PNG of 1200 by 630 pixels."""
    page = build_card_page(scorecard)
    is_first = scorecard.rank is not None and scorecard.rank.rank == 1
    picture = Picture(
        PICTURE_WIDTH_PIXELS,
        PICTURE_HEIGHT_PIXELS,
        GOLD_BACKGROUND_COLOUR if is_first else BACKGROUND_COLOUR,
    )
    picture.fill_box((0, 0), (PICTURE_WIDTH_PIXELS, 14), TEXT_COLOUR)
    heading = scorecard.heading
    date_text = format_date(heading.date, "DATE")
    subtitle = f"{heading.club_name} · {heading.event_name}, {date_text}"
    max_width = PICTURE_WIDTH_PIXELS - 2 * LEFT_MARGIN_PIXELS
    picture.write_line(
        subtitle,
        (LEFT_MARGIN_PIXELS, 88),
        font=SANS_FONT,
        size=30,
        colour=SECONDARY_TEXT_COLOUR,
        max_width=max_width,
    )
    baseline = 100.0
    for text_line in _split_name(scorecard.name, max_width):
        baseline += 72
        picture.write_line(
            text_line,
            (LEFT_MARGIN_PIXELS, baseline),
            font=SERIF_FONT,
            size=60,
            colour=TEXT_COLOUR,
            max_width=max_width,
        )
    if scorecard.rank is not None:
        _draw_rank_and_score(picture, scorecard, scorecard.rank, page.rank_text)
    if page.chart is not None:
        _draw_chart(picture, page, page.chart, top=max(baseline + 70, 300))
    return picture.encode_png()


def _split_name(name: str, max_width: float) -> list[str]:
    """Return a name as one line if it fits, else its partners on two lines."""
    partner_names = list(split_partners(name))
    if measure_width(name, SERIF_FONT) * 60 <= max_width:
        return [name]
    first_line_partner_count = (len(partner_names) + 1) // 2
    return (
        [
            " ".join(partner_names[:first_line_partner_count]),
            " ".join(partner_names[first_line_partner_count:]),
        ]
        if len(partner_names) > 1
        else partner_names
    )


def _draw_rank_and_score(
    picture: Picture, scorecard: Scorecard, rank_row: RankRow, rank_text: str
) -> None:
    score_text, score_colour = format_rank_score(scorecard.method, rank_row)
    rank_colour = GOLD_COLOUR if rank_row.rank == 1 else TEXT_COLOUR
    picture.write_line(
        rank_text,
        (LEFT_MARGIN_PIXELS, 430),
        font=SERIF_FONT,
        size=56,
        colour=rank_colour,
        max_width=360,
    )
    picture.write_line(
        score_text,
        (LEFT_MARGIN_PIXELS, 550),
        font=SERIF_FONT,
        size=110,
        colour=score_colour,
        max_width=360,
    )


def format_rank_score(method: str, rank_row: RankRow) -> tuple[str, str]:
    """Return the score or percentage of a row as text, and the colour to draw it in."""
    is_signed = METHODS_BY_NAME[method].is_signed
    score_text = (
        formatting.format_signed(rank_row.score)
        if is_signed
        else formatting.format_plain(rank_row.score)
    )
    if rank_row.percent is not None:
        score_text = formatting.format_percent(rank_row.percent)
    if not is_signed or not rank_row.score:
        return score_text, TEXT_COLOUR
    return score_text, PLUS_COLOUR if rank_row.score > 0 else MINUS_COLOUR


def _draw_chart(
    picture: Picture, page: ScorecardPage, area_chart: AreaChart, *, top: float
) -> None:
    """Draw the same curve and areas as the chart of the scorecard's page."""
    left, right, bottom = 480, PICTURE_WIDTH_PIXELS - LEFT_MARGIN_PIXELS - 12, 560.0

    def scale_points(points_text: str) -> list[Point]:
        points = [point.split(",") for point in points_text.split()]
        return [
            (
                left + (right - left) * float(x) / DIAGRAM_SIZE_UNITS,
                top + (bottom - top) * float(y) / DIAGRAM_SIZE_UNITS,
            )
            for x, y in points
        ]

    picture.fill_polygon(scale_points(area_chart.positive_area_points), PLUS_AREA_COLOUR)
    picture.fill_polygon(scale_points(area_chart.negative_area_points), MINUS_AREA_COLOUR)
    zero_y = scale_points(area_chart.positive_area_points)[0][1]
    picture.draw_line([(left, zero_y), (right, zero_y)], EDGE_COLOUR, 2)
    curve_points = scale_points(area_chart.line)
    picture.draw_line(curve_points, ACCENT_COLOUR, 6)
    picture.fill_dot(curve_points[-1], 12, ACCENT_COLOUR)
    for round_label in area_chart.rounds:
        x = left + (right - left) * float(round_label.position) / 100
        picture.write_line(
            round_label.text,
            (x - 7, bottom + 40),
            font=BOLD_FONT,
            size=24,
            colour=SECONDARY_TEXT_COLOUR,
        )
