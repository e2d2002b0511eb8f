"""The page of a drive's tables that record rubbers, by round."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from clubs.activities.secrecy import full
from clubs.views.refusals import refusals_as_messages
from drives import visits
from rubbers.held import read_night
from rubbers.models import RubberNight
from rubbers.rubber.codes import CODES
from rubbers.services import change_rubbers, score_by_rubbers
from rubbers.sheets.night import night_sheet
from rubbers.sheets.terms import asked_terms, read_terms


@require_http_methods(["GET", "POST"])
def drive_rubbers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables that record rubbers; before that, the choice of a code."""
    visit = visits.scorer_drive(request, slug)
    if request.method == "POST":
        visit = visits.director_drive(request, slug)
        code, terms = request.POST.get("code", ""), read_terms(request.POST)
        with refusals_as_messages(request):
            made = score_by_rubbers(drive=visit.drive, code=code, terms=terms, by=request.user)
            change_rubbers(night=made, code=code, terms=terms, by=request.user)
        return redirect("drive_rubbers", slug)
    nights = RubberNight.objects.select_related("club", "drive__club", "drive__evening")
    night = nights.filter(drive=visit.drive).first()
    held = read_night(night) if night else None
    context = visit.context | {
        "night": night,
        "sheet": night_sheet(held, full) if held else None,
        "codes": list(CODES.values()),
        "terms": asked_terms(night.code if night else "", night.terms if night else {}),
        "is_open": held is None or not any(any(t.told) for t in held.tables.values()),
    }
    return render(request, "rubbers/drive.html", context)
