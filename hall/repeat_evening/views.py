"""The views that create a new event for the same people."""

from datetime import date as Date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

import drives.drive_access
import scoring.page_loaders
from boards.whist import WhistError
from hall.repeat_evening import services
from tournaments.errors import InvalidRoster
from tournaments.models import Event


@require_POST
def repeat_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a copy of an event on another day, and redirect to its entries."""
    event = scoring.page_loaders.load_director_event(request, slug).event
    date = _parse_date(request.POST.get("date", ""))
    if date is None:
        messages.error(request, _("Enter the date of the new event."))
        return redirect("event_desk", slug)
    try:
        new_event = services.copy_event(event=event, date=date, by=request.user)
    except WhistError as error:
        messages.error(request, _format_error(error))
        return redirect("event_desk", slug)
    messages.success(request, _("Players copied. Add or remove pairs for this event."))
    return redirect("entries", new_event.slug)


@require_POST
def create_event_from_drive(request: HttpRequest, slug: str) -> HttpResponse:
    """Create an event for the players of a drive, and redirect to its entries."""
    drive = drives.drive_access.load_director_drive_access(request, slug).drive
    date = _parse_date(request.POST.get("date", ""))
    if date is None:
        messages.error(request, _("Enter the date of the new event."))
        return redirect("drive_closing", slug)
    try:
        event_from_drive = services.create_event_from_drive(
            drive=drive,
            date=date,
            contest=request.POST.get("contest", Event.Contest.INDIVIDUAL),
            by=request.user,
        )
    except WhistError as error:
        messages.error(request, _format_error(error))
        return redirect("drive_closing", slug)
    messages.success(request, _("Drive players added."))
    if event_from_drive.left_out_names:
        message = _("Not added yet: %(names)s.") % {
            "names": ", ".join(event_from_drive.left_out_names)
        }
        messages.warning(request, message)
    return redirect("entries", event_from_drive.event.slug)


def _format_error(error: WhistError) -> str:
    return " ".join(error.problems) if isinstance(error, InvalidRoster) else str(error)


def _parse_date(date_text: str) -> Date | None:
    """Parse a date from a form; None if it is not valid."""
    try:
        return parse_date(date_text)
    except ValueError:
        return None
