"""Template tags for drives, used by the pages of other apps."""

from fractions import Fraction

from django import template
from django.db.models import QuerySet
from django.http import HttpRequest

from clubs.access import list_scored_clubs
from clubs.models import Club
from drives.models import Drive

register = template.Library()
MAX_EVENINGS = 6
FRACTION_SYMBOLS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


@register.simple_tag
def list_own_drives(request: HttpRequest, club: Club | None = None) -> list[Drive]:
    """Return the newest drives, with rehearsals, that the user may score, of one club or all
    clubs.

    Pages about one of several clubs pass that club.
    """
    drives = Drive.objects.filter(put_away_at=None, club__in=query_scored_clubs(request, club))
    return list(drives.select_related("evening")[:MAX_EVENINGS])


def query_scored_clubs(request: HttpRequest, club: Club | None) -> QuerySet[Club]:
    """Return the clubs whose scores the request's login may enter; given a club, only it."""
    clubs = list_scored_clubs(request)
    return clubs.filter(pk=club.pk) if club else clubs


@register.filter
def marker_address(round_number: int, table: int) -> str:
    """Return the last part of a marker page's URL: "2-3" for table 3 in round 2."""
    return f"{round_number}-{table}"


@register.filter
def format_mixed(number: Fraction) -> str:
    """Return an exact number as text for people: 101, 101½, or 101 9/16."""
    whole_part, fraction = divmod(abs(number), 1)
    sign = "−" if number < 0 else ""
    if not fraction:
        return f"{sign}{whole_part}"
    fraction_text = FRACTION_SYMBOLS.get(
        fraction, f" {fraction}" if whole_part else str(fraction)
    )
    return f"{sign}{whole_part or ''}{fraction_text}"
