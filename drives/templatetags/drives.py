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
def own_drives(request: HttpRequest, club: Club | None = None) -> list[Drive]:
    """Return the newest drives, with rehearsals, that the request's login may score.

    A page about one of several clubs names it, and gets only that club's drives.
    """
    found = Drive.objects.filter(put_away_at=None, club__in=query_scored_clubs(request, club))
    return list(found.select_related("evening")[:MAX_EVENINGS])


def query_scored_clubs(request: HttpRequest, club: Club | None) -> QuerySet[Club]:
    """Return the clubs whose scores the request's login may enter; given a club, only it."""
    found = list_scored_clubs(request)
    return found.filter(pk=club.pk) if club else found


@register.filter
def table_address(round_: int, table: int) -> str:
    """Return the last part of a marker page's URL: "2-3" for table 3 in round 2."""
    return f"{round_}-{table}"


@register.filter
def mixed(number: Fraction) -> str:
    """Return an exact number as text for people: 101, 101½, or 101 9/16."""
    whole, rest = divmod(abs(number), 1)
    sign = "−" if number < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    part = FRACTION_SYMBOLS.get(rest, f" {rest}" if whole else str(rest))
    return f"{sign}{whole or ''}{part}"
