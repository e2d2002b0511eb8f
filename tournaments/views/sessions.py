"""One more session for an event, or the last one taken away."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from boards.whist import WhistError
from tournaments import access, services
from tournaments.addresses import address


@require_POST
def session_add(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the event one more session and go to its evening."""
    event = access.director_event(request, slug)
    try:
        made = services.add_session(event=event, by=request.user)
    except WhistError as refused:
        messages.error(request, str(refused))
        return redirect("event_desk", slug)
    messages.success(
        request, _("Session %(number)s is there to be set up.") % {"number": made.number}
    )
    return redirect("event_desk", address(event.slug, made.number))


@require_POST
def session_remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the session away while nothing of it is set up."""
    event = access.director_event(request, slug)
    session = access.session_of(event)
    try:
        services.remove_session(session=session, by=request.user)
    except WhistError as refused:
        messages.error(request, str(refused))
        return redirect("event_desk", slug)
    messages.success(request, _("Session %(number)s is gone.") % {"number": session.number})
    return redirect("event_desk", event.slug)
