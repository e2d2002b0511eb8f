"""Template tags for rubber nights."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.http import HttpRequest

from clubs.models import Club
from drives.templatetags.drives import MAX_LISTED_DRIVES, query_scorable_clubs
from rubbers.models import RubberNight

register = template.Library()


@register.simple_tag
def list_own_rubber_nights(request: HttpRequest, club: Club | None = None) -> list[RubberNight]:
    """Return the newest rubber nights for which the user may record hands.

    If `club` is given, only the nights of that club are returned.
    """
    nights = RubberNight.objects.exclude_hidden().filter(
        club__in=query_scorable_clubs(request, club)
    )
    return list(nights.select_related("evening")[:MAX_LISTED_DRIVES])


@register.filter(name="revoke_name")
def build_revoke_field_name(side_data: Mapping[str, Any], index: int) -> str:
    """Return the name of the form field for a side's revoke; `index` begins at 1."""
    return f"revoke-{side_data['side']}{index}"


@register.filter(name="at")
def get_field_value(form_data: Mapping[str, str] | None, name: str) -> str:
    """Return the posted value of a form field, or "" if none was posted."""
    return (form_data or {}).get(name, "")


@register.filter
def add_text(text: str, suffix: object) -> str:
    """Concatenate two texts."""
    return f"{text}{suffix}"
