"""Views of a drive's clock: the page for a screen in the hall, its JSON data, its buttons."""

from collections.abc import Callable, Mapping
from dataclasses import asdict

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.audit import Actor
from clubs.errors import ActionUnavailable
from clubs.languages import activate_language
from clubs.views.error_messages import show_errors_as_messages
from drives import drive_access
from drives.models import Drive
from drives.services import clock as services
from drives.sheets.clock import load_clock
from server.numbers import parse_whole_number


@login_not_required
@require_safe
def show_clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page for a screen in the hall: the remaining time and the next moves."""
    drive = _load_screen_drive(slug)
    drive_clock = load_clock(drive)
    context = {
        "drive": drive,
        "club": drive.club,
        "face": drive_clock,
        "data": asdict(drive_clock),
        "room_url": drive_access.find_room_url(request, drive),
    }
    return render(request, "drives/clock.html", context)


@login_not_required
@require_safe
def show_clock_state(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the clock as JSON, with the server's time."""
    response = JsonResponse(asdict(load_clock(_load_screen_drive(slug))))
    response["Cache-Control"] = "no-store"
    return response


def _load_screen_drive(slug: str) -> Drive:
    """Return the drive of a public page, and activate the language of its club."""
    drive = drive_access.load_public_drive_access(slug).drive
    activate_language(drive.club.language)
    return drive


@require_POST
def change_clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Perform the act of a button: start, pause or stop the clock, or change its minutes."""
    access = drive_access.load_scorer_drive_access(request, slug)
    with show_errors_as_messages(request):
        _perform_act(access.drive, request.POST, request.user)
    return redirect("drive_desk", slug)


def _perform_act(drive: Drive, form_input: Mapping[str, str], by: Actor) -> None:
    perform_act = ACT_FUNCTIONS_BY_NAME.get(form_input.get("act", ""))
    if perform_act is not None:
        perform_act(drive, by)
        return
    minutes = parse_whole_number(form_input.get("minutes"), maximum=1000)
    if form_input.get("act") != "set" or minutes is None:
        raise ActionUnavailable(_("Enter the minutes per round."))
    services.set_round_minutes(drive=drive, minutes=minutes, by=by)


ACT_FUNCTIONS_BY_NAME: Mapping[str, Callable[[Drive, Actor], object]] = {
    "start": lambda drive, by: services.start_clock(drive=drive, by=by),
    "pause": lambda drive, by: services.pause_clock(drive=drive, by=by),
    "more": lambda drive, by: services.add_minutes(drive=drive, minutes=1, by=by),
    "less": lambda drive, by: services.add_minutes(drive=drive, minutes=-1, by=by),
    "stop": lambda drive, by: services.stop_clock(drive=drive, by=by),
}
"""The acts of the clock's buttons, except the act that sets the minutes of a round."""
