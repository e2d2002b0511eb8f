"""The public pages of rubber nights: the score and the tricks taken are no secret."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from clubs.activities.secrecy import shown
from clubs.models import Club
from rubbers import visits
from rubbers.held import read_night
from rubbers.models import RubberNight
from rubbers.sheets.example import scored_example
from rubbers.sheets.night import night_sheet
from server.fragments import fragment_of

NEWEST = 40


@login_not_required
@require_safe
def rubber_nights(request: HttpRequest) -> HttpResponse:
    """List the rubber nights of all clubs, newest first."""
    found = RubberNight.objects.listed().select_related("club", "evening")[:NEWEST]
    clubs = Club.objects.filter(rubber_nights__in=list(found)).distinct().count()
    context = {"nights": found, "several": clubs > 1, "example": scored_example()}
    return render(request, "rubbers/nights.html", context)


@login_not_required
@require_safe
def rubber_night(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables, their hands and the standings; names as each player wants them shown."""
    context = _context(slug)
    if context["night"].drive is not None:
        return redirect("drive", context["night"].drive.slug)
    return render(request, "rubbers/night.html", context)


@login_not_required
@require_safe
@fragment_of("rubber_night")
def rubber_night_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fragment that is refreshed as tables change."""
    return render(request, "rubbers/_night.html", _context(slug))


def _context(slug: str) -> dict[str, Any]:
    visit = visits.public_night(slug)
    return visit.context | {
        "sheet": night_sheet(read_night(visit.night), shown),
    }
