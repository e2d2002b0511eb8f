"""Bookings brought from the club's server, by its address and a token or by a file."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from boards.whist import WhistError
from clubs.evenings.services.fetching import Fetched
from clubs.models import Club
from clubs.today import today_at
from seasons.bookingfile import LARGEST, bookings_document, bring_bookings
from seasons.fetching import NotFetched, ask_server
from seasons.views.own_calendar import own_club

SINCE = timedelta(days=2)
"""Bookings of evenings that are over by more are not handed out."""


@require_POST
def bookings_fetch(request: HttpRequest) -> HttpResponse:
    """Bring bookings; the same again is nothing new. The token is used once and not kept."""
    club = own_club(request)
    try:
        document = _document(request, club)
        told = bring_bookings(document=document, club=club, by=request.user)
    except WhistError as refused:
        for problem in (getattr(refused, "problems", None) or [str(refused)])[:5]:
            messages.error(request, problem)
    else:
        messages.success(request, fetched_in_words(told))
        for names in told.skipped:
            messages.warning(request, _("%(names)s: booked here already.") % {"names": names})
    return redirect("own_calendar")


@require_safe
def bookings_file(request: HttpRequest) -> HttpResponse:
    """Hand out the bookings as a file, names in full: for the computer of the evening."""
    club = own_club(request)
    data = bookings_document(club, today_at(club) - SINCE)
    answer = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="bookings-{club.slug}.json"'
    return answer


def fetched_in_words(told: Fetched) -> str:
    """Say what came."""
    if not (told.new or told.changed or told.gone):
        return _("Nothing new.")
    words = _("%(new)s new, %(changed)s changed, %(gone)s taken back.")
    return words % {"new": told.new, "changed": told.changed, "gone": told.gone}


def _document(request: HttpRequest, club: Club) -> bytes:
    sent = request.FILES.get("file")
    if sent is not None:
        content: bytes = sent.read(LARGEST + 1)
        return content
    server, token = (request.POST.get(key, "").strip() for key in ("server", "token"))
    if not server or not token:
        raise NotFetched(_("Choose a file, or write the server's address and a token."))
    return ask_server(server, club.slug, token)
