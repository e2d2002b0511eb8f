"""The template tags for the link to congress features while they are switched off."""

from typing import Any

from django import template

from clubs import permissions
from clubs.models import Club

register = template.Library()


@register.inclusion_tag("components/congress.html", takes_context=True)
def congress_line(context: template.Context, club: Club | None) -> dict[str, Any]:
    """Render a line that offers congress features to a club, or nothing if they are switched
    on.
    """
    return _build_line_context(context, club)


@register.inclusion_tag("components/congress.html", takes_context=True)
def own_congress_line(context: template.Context) -> dict[str, Any]:
    """Render the line of `congress_line` for the user's current club, on pages without a
    club.
    """
    return _build_line_context(context, permissions.get_current_club(context["request"]))


def _build_line_context(context: template.Context, club: Club | None) -> dict[str, Any]:
    if club is None or club.has_congress_features:
        return {"club": None}
    owned_clubs = permissions.list_owned_clubs(context["request"])
    return {"club": club, "owns": owned_clubs.filter(pk=club.pk).exists()}
