"""What pages of other rooms say of drives."""

from django import template
from django.http import HttpRequest

from clubs.access import scored_clubs_of
from drives.models import Drive

register = template.Library()
MOST = 6


@register.simple_tag
def own_drives(request: HttpRequest) -> list[Drive]:
    """The newest drives whose scores the request's login may enter, rehearsals too."""
    found = Drive.objects.filter(put_away_at=None, club__in=scored_clubs_of(request))
    return list(found.select_related("evening")[:MOST])
