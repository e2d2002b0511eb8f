"""Views that create, play and delete the rehearsal of a drive."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.views.error_messages import show_errors_as_messages
from drives import drive_access
from drives.services import rehearsal
from drives.views.desk import build_desk_context


@require_POST
def start_rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the rehearsal of a drive if there is none, and redirect to its desk."""
    access = drive_access.load_director_drive_access(request, slug)
    with show_errors_as_messages(request):
        rehearsal_drive = rehearsal.create_rehearsal(drive=access.drive, by=request.user)
        return redirect("drive_desk", rehearsal_drive.slug)
    return redirect("drive_desk", slug)


@never_cache
@require_POST
def advance_rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter the next hands of the rehearsal; return the HTML fragment of the drive's desk.

    Requests without HTMX are redirected to the desk.
    """
    access = drive_access.load_scorer_drive_access(request, slug)
    with show_errors_as_messages(request):
        rehearsal.enter_due_hands(drive=access.drive)
        if "HX-Request" not in request.headers:
            return redirect("drive_desk", slug)
        context = build_desk_context(drive_access.load_scorer_drive_access(request, slug))
        return render(request, "drives/_now.html", context)
    return redirect("drive_desk", slug)


@require_POST
def finish_or_discard_rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter all remaining scores of the round or the evening, or delete the rehearsal."""
    access = drive_access.load_director_drive_access(request, slug)
    drive, act_name = access.drive, request.POST.get("act", "")
    with show_errors_as_messages(request):
        if act_name == "round":
            rehearsal.finish_round(drive=drive)
        elif act_name == "evening":
            rehearsal.play_remaining_rounds(drive=drive, by=request.user)
        elif act_name == "away":
            rehearsal.delete_rehearsal(drive=drive, by=request.user)
            message = _("Rehearsal deleted. The real drive is unchanged.")
            messages.success(request, message)
            return redirect("desk")
    return redirect("drive_desk", slug)
