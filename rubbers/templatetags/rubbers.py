"""Template tags for rubber nights."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.http import HttpRequest

from clubs.models import Club
from drives.templatetags.drives import MAX_EVENINGS, query_scored_clubs
from rubbers.models import RubberNight

register = template.Library()


@register.simple_tag
def own_rubbers(request: HttpRequest, club: Club | None = None) -> list[RubberNight]:
    """Return the newest rubber nights that the request's login may mark, of one club or all."""
    nights = RubberNight.objects.exclude_hidden().filter(
        club__in=query_scored_clubs(request, club)
    )
    return list(nights.select_related("evening")[:MAX_EVENINGS])


@register.filter
def revoke_name(side: Mapping[str, Any], at: int) -> str:
    """Return the name of the form field of a side's revoke."""
    return f"revoke-{side['side']}{at}"


@register.filter
def at(posted: Mapping[str, str] | None, name: str) -> str:
    """Return a posted value by the name of its form field."""
    return (posted or {}).get(name, "")


@register.filter
def add_text(text: str, suffix: object) -> str:
    """Concatenate two texts."""
    return f"{text}{suffix}"
