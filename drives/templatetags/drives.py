"""What pages of other rooms say of drives."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.http import HttpRequest

from clubs.access import scored_clubs_of
from drives.models import Drive, RubberNight

register = template.Library()
MOST = 6


@register.simple_tag
def own_drives(request: HttpRequest) -> list[Drive]:
    """The newest drives whose scores the request's login may enter, rehearsals too."""
    found = Drive.objects.filter(put_away_at=None, club__in=scored_clubs_of(request))
    return list(found.select_related("evening")[:MOST])


@register.simple_tag
def own_rubbers(request: HttpRequest) -> list[RubberNight]:
    """The newest rubber nights whose hands the request's login may mark."""
    found = RubberNight.objects.listed().filter(club__in=scored_clubs_of(request))
    return list(found.select_related("evening")[:MOST])


@register.filter
def revoke_name(side: Mapping[str, Any], at: int) -> str:
    """The name of the field for a side's revoke."""
    return f"revoke-{side['side']}{at}"


@register.filter
def at(given: Mapping[str, str] | None, name: str) -> str:
    """What a field was filled in with."""
    return (given or {}).get(name, "")


@register.filter
def add_text(text: str, more: object) -> str:
    """One text after another."""
    return f"{text}{more}"


@register.filter
def table_address(round_: int, table: int) -> str:
    """What the address of a drive's marker ends with: "2-3" in the second round."""
    return f"{round_}-{table}"
