"""Views before play: a file for the dealing machine, and sealing of the boards."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

import tournaments.services
from clubs.views.refusals import refusals_as_messages
from exchange.formats import Place, formats, offered
from exchange.services import order_file, order_tables
from exchange.views.hands import file_answer
from scoring import visits


@require_POST
def machine_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the boards to the director for the dealing machine; recorded in the history."""
    visit = visits.director_event(request, slug)
    wanted = formats().get(request.POST.get("kind", ""))
    if wanted is None:
        kinds = _(" or ").join(
            str(each.title) for each, _words in offered(Place.MACHINE, visit.event)
        )
        messages.error(request, _("Choose %(kinds)s.") % {"kinds": kinds})
        return redirect("deals", slug)
    with refusals_as_messages(request):
        content = order_file(session=visits.session_of(visit), wanted=wanted, by=request.user)
        return file_answer(wanted, content, slug)
    return redirect("deals", slug)


@require_POST
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue the best-play tables that bridge programs show next to a board."""
    visit = visits.director_event(request, slug)
    with refusals_as_messages(request):
        order_tables(session=visits.session_of(visit), by=request.user)
    return redirect("deals", slug)


@require_POST
def seal(request: HttpRequest, slug: str) -> HttpResponse:
    """Hide the cards from everyone, including the director, until the session is closed."""
    visit = visits.director_event(request, slug)
    with refusals_as_messages(request):
        tournaments.services.seal_boards(session=visits.session_of(visit), by=request.user)
    return redirect("deals", slug)
