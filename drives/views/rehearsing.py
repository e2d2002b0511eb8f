"""Views of the rehearsal of a drive: create, refresh, advance, discard."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.views.refusals import refusals_as_messages
from drives import visits
from drives.services import rehearsing
from drives.views.desk import desk_context


@require_POST
def drive_rehearse(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the rehearsal of a drive, or redirect to the existing one."""
    visit = visits.director_drive(request, slug)
    with refusals_as_messages(request):
        made = rehearsing.rehearse_drive(drive=visit.drive, by=request.user)
        return redirect("drive_desk", made.slug)
    return redirect("drive_desk", slug)


@never_cache
@require_POST
def drive_rehearsal_tick(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter the results that are due, and return the fragment of the desk."""
    visit = visits.scorer_drive(request, slug)
    with refusals_as_messages(request):
        rehearsing.play_on(drive=visit.drive)
        if "HX-Request" not in request.headers:
            return redirect("drive_desk", slug)
        context = desk_context(visits.scorer_drive(request, slug))
        return render(request, "drives/_now.html", context)
    return redirect("drive_desk", slug)


@require_POST
def drive_rehearsal_act(request: HttpRequest, slug: str) -> HttpResponse:
    """Finish the round or the evening, or discard the rehearsal."""
    visit = visits.director_drive(request, slug)
    drive, act = visit.drive, request.POST.get("act", "")
    with refusals_as_messages(request):
        if act == "round":
            rehearsing.finish_round(drive=drive)
        elif act == "evening":
            rehearsing.finish_evening(drive=drive, by=request.user)
        elif act == "away":
            rehearsing.throw_drive_away(drive=drive, by=request.user)
            words = _("The rehearsal is discarded. The real drive is untouched.")
            messages.success(request, words)
            return redirect("desk")
    return redirect("drive_desk", slug)
