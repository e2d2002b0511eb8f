"""The page of the rubbers of a drive."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from clubs.activities.secrecy import format_full_name
from clubs.views.error_messages import show_errors_as_messages
from drives import drive_access
from rubbers.models import RubberNight
from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.services import change_night, enable_rubbers
from rubbers.sheets.night import build_night_sheet
from rubbers.sheets.terms import build_term_fields, parse_terms
from rubbers.snapshot import load_night


@require_http_methods(["GET", "POST"])
def edit_drive_rubbers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rubbers of a drive's tables, and the form that enables or changes them."""
    access = drive_access.load_scorer_drive_access(request, slug)
    if request.method == "POST":
        access = drive_access.load_director_drive_access(request, slug)
        code, terms = request.POST.get("code", ""), parse_terms(request.POST)
        with show_errors_as_messages(request):
            new_night = enable_rubbers(
                drive=access.drive, code=code, terms=terms, by=request.user
            )
            change_night(night=new_night, code=code, terms=terms, by=request.user)
        return redirect("drive_rubbers", slug)
    nights = RubberNight.objects.select_related("club", "drive__club", "drive__evening")
    night = nights.filter(drive=access.drive).first()
    snapshot = load_night(night) if night else None
    context = access.context | {
        "night": night,
        "sheet": build_night_sheet(snapshot, format_full_name) if snapshot else None,
        "codes": list(LAW_CODES_BY_NAME.values()),
        "terms": build_term_fields(night.code if night else "", night.terms if night else {}),
        "is_open": snapshot is None
        or not any(any(table.stored_hands) for table in snapshot.tables.values()),
    }
    return render(request, "rubbers/drive.html", context)
