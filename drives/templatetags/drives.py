"""Template tags and filters about drives."""

from fractions import Fraction

from django import template
from django.db.models import QuerySet
from django.http import HttpRequest

from clubs.models import Club
from clubs.permissions import list_scorable_clubs
from drives.models import Drive

register = template.Library()
MAX_LISTED_DRIVES = 6
FRACTION_SYMBOLS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


@register.simple_tag
def list_own_drives(request: HttpRequest, club: Club | None = None) -> list[Drive]:
    """Return the newest drives whose scores the user may enter, including rehearsals.

    If `club` is given, only the drives of that club are returned.
    """
    drives = Drive.objects.filter(
        put_away_at=None, club__in=query_scorable_clubs(request, club)
    )
    return list(drives.select_related("evening")[:MAX_LISTED_DRIVES])


def query_scorable_clubs(request: HttpRequest, club: Club | None) -> QuerySet[Club]:
    """Return the clubs whose scores the user may enter, filtered by `club` if it is given."""
    clubs = list_scorable_clubs(request)
    return clubs.filter(pk=club.pk) if club else clubs


@register.filter
def build_marker_path(round_number: int, table_number: int) -> str:
    """Return the last part of the URL of a marker's page, e.g. "2-3" for round 2, table 3."""
    return f"{round_number}-{table_number}"


@register.filter
def format_mixed_number(number: Fraction) -> str:
    """Return a fraction as text for users, e.g. "101", "101½" or "101 9/16"."""
    whole_part, fraction = divmod(abs(number), 1)
    sign = "−" if number < 0 else ""
    if not fraction:
        return f"{sign}{whole_part}"
    fraction_text = FRACTION_SYMBOLS.get(
        fraction, f" {fraction}" if whole_part else str(fraction)
    )
    return f"{sign}{whole_part or ''}{fraction_text}"


@register.filter
def format_signed_mixed_number(number: Fraction) -> str:
    """Return such a number with its sign, also if it is positive: +4."""
    return f"{'+' if number > 0 else ''}{format_mixed_number(number)}"


@register.filter
def format_total(points: Fraction, drive: Drive) -> str:
    """Return a player's points; they have a sign if the drive's game has contracts."""
    return (
        format_signed_mixed_number(points)
        if drive.score.get("game")
        else format_mixed_number(points)
    )
