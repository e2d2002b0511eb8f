"""The public pages of rubber nights, which need no login."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from clubs.activities.secrecy import format_public_name
from clubs.models import Club
from rubbers import rubber_access
from rubbers.models import RubberNight
from rubbers.sheets.example import build_scored_example
from rubbers.sheets.night import build_night_sheet
from rubbers.snapshot import load_night
from server.fragments import redirect_unless_htmx

MAX_LISTED_NIGHTS = 40


@login_not_required
@require_safe
def list_nights(request: HttpRequest) -> HttpResponse:
    """List the rubber nights of all clubs, newest first."""
    nights = RubberNight.objects.exclude_hidden().select_related("club", "evening")[
        :MAX_LISTED_NIGHTS
    ]
    club_count = Club.objects.filter(rubber_nights__in=list(nights)).distinct().count()
    context = {"nights": nights, "several": club_count > 1, "example": build_scored_example()}
    return render(request, "rubbers/nights.html", context)


@login_not_required
@require_safe
def show_rubber_night(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables, their hands and the standings, with names as each player prefers."""
    context = _build_context(slug)
    if context["night"].drive is not None:
        return redirect("drive", context["night"].drive.slug)
    return render(request, "rubbers/night.html", context)


@login_not_required
@require_safe
@redirect_unless_htmx("rubber_night")
def show_rubber_night_fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fragment of the public page that the page refreshes."""
    return render(request, "rubbers/_night.html", _build_context(slug))


def _build_context(slug: str) -> dict[str, Any]:
    access = rubber_access.load_public_night_access(slug)
    return access.context | {
        "sheet": build_night_sheet(load_night(access.night), format_public_name),
    }
