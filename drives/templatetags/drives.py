"""What pages of other rooms say of drives."""

from fractions import Fraction

from django import template
from django.db.models import QuerySet
from django.http import HttpRequest

from clubs.access import scored_clubs_of
from clubs.models import Club
from drives.models import Drive

register = template.Library()
MAX_EVENINGS = 6
ONE_LETTER = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


@register.simple_tag
def own_drives(request: HttpRequest, club: Club | None = None) -> list[Drive]:
    """The newest drives whose scores the request's login may enter, rehearsals too.

    A page that is about one of several clubs names it, and shows nothing of the others.
    """
    found = Drive.objects.filter(put_away_at=None, club__in=scored_clubs(request, club))
    return list(found.select_related("evening")[:MAX_EVENINGS])


def scored_clubs(request: HttpRequest, club: Club | None) -> QuerySet[Club]:
    """Return the clubs whose scores the request's login may enter; given a club, only it."""
    found = scored_clubs_of(request)
    return found.filter(pk=club.pk) if club else found


@register.filter
def table_address(round_: int, table: int) -> str:
    """What the address of a drive's marker ends with: "2-3" in the second round."""
    return f"{round_}-{table}"


@register.filter
def mixed(number: Fraction) -> str:
    """Write an exact number as people read it: 101, 101½, or 101 9/16."""
    whole, rest = divmod(abs(number), 1)
    sign = "−" if number < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    part = ONE_LETTER.get(rest, f" {rest}" if whole else str(rest))
    return f"{sign}{whole or ''}{part}"
