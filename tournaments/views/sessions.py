"""Views that add a session to an event, change its day, or remove the last session."""

from datetime import date as Date
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from boards.whist import WhistError
from clubs import audit
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from tournaments import event_access, services
from tournaments.addresses import format_event_address
from tournaments.errors import InvalidDay

MAX_SHOWN_DATE_LENGTH = 20
"""The maximum number of characters of an invalid typed day that the page shows again."""


@require_POST
def add_session(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a session to the event and redirect to its page."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    with show_errors_as_messages(request):
        date = _read_date(request)
        new_session = services.add_session(event=event, date=date, by=request.user)
        messages.success(
            request, _("Session %(number)s created.") % {"number": new_session.number}
        )
        return redirect("event_desk", format_event_address(event.slug, new_session.number))
    return redirect("event_desk", slug)


@require_POST
def change_session_date(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the day of a session after the first; an invalid value stays in its field."""
    access = event_access.load_director_event(request, slug)
    try:
        if (date := _read_date(request)) is not None:
            services.set_session_date(
                session=event_access.load_session(access), date=date, by=request.user
            )
            messages.success(request, _("Session date changed."))
    except WhistError as error:
        messages.error(request, str(error))
        query_string = urlencode({"date": request.POST.get("date", "")[:MAX_SHOWN_DATE_LENGTH]})
        return redirect(f"{reverse('event_desk', args=[slug])}?{query_string}")
    return redirect("event_desk", slug)


def _read_date(request: HttpRequest) -> Date | None:
    """Return the submitted day, or None if empty; raise InvalidDay for an invalid one."""
    date_text = request.POST.get("date", "").strip()
    try:
        return Date.fromisoformat(date_text) if date_text else None
    except ValueError:
        message = _("“%(text)s” isn’t a date. Enter it as 2026-12-31.")
        raise InvalidDay(message % {"text": date_text[:MAX_SHOWN_DATE_LENGTH]}) from None


@require_POST
def delete_session(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove the last session while it has no setup."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    session = event_access.load_session(access)
    with show_errors_as_messages(request):
        services.remove_session(session=session, by=request.user)
        message = _("Session %(number)s removed.") % {"number": session.number}
        acts = audit.list_acts(event).filter(action="session.removed")
        offer_undo(request, message, acts, reverse("event_desk", args=[event.slug]))
        return redirect("event_desk", event.slug)
    return redirect("event_desk", slug)
