"""What pages say of rubber nights."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.http import HttpRequest

from clubs.models import Club
from drives.templatetags.drives import MAX_EVENINGS, scored_clubs
from rubbers.models import RubberNight

register = template.Library()


@register.simple_tag
def own_rubbers(request: HttpRequest, club: Club | None = None) -> list[RubberNight]:
    """The newest rubber nights whose hands the request's login may mark, of one club or all."""
    found = RubberNight.objects.listed().filter(club__in=scored_clubs(request, club))
    return list(found.select_related("evening")[:MAX_EVENINGS])


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
