"""Bookings imported from the club's server: by its address and a token, or from a file."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from boards.whist import WhistError
from clubs.evenings.services.fetching import Fetched
from clubs.models import Club
from clubs.today import today_at
from seasons.calendar.booking_fetches import order_fetch
from seasons.calendar.booking_file import MAX_BYTES, bookings_document, bring_bookings
from seasons.calendar.fetching import NotFetched
from seasons.calendar.models import BookingFetch
from seasons.calendar.sheets.booking_fetch import fetch_state, fetched_in_words
from seasons.calendar.views.desk import own_club
from server.fragments import part_of

SINCE = timedelta(days=2)
"""Bookings of evenings that are over by more are not handed out."""


@require_POST
def bookings_fetch(request: HttpRequest) -> HttpResponse:
    """Import a file of bookings, or have a worker fetch them from the club's server."""
    club = own_club(request)
    sent = request.FILES.get("file")
    try:
        if sent is not None:
            document: bytes = sent.read(MAX_BYTES + 1)
            _show(request, bring_bookings(document=document, club=club, by=request.user))
        else:
            _order(request, club)
    except WhistError as refused:
        for problem in (getattr(refused, "problems", None) or [str(refused)])[:5]:
            messages.error(request, problem)
    return redirect(f"{reverse('own_calendar')}?club={club.slug}")


@require_safe
@part_of("own_calendar")
def bookings_fetched(request: HttpRequest) -> HttpResponse:
    """Show how far the fetch is; the page loads this again until it is done."""
    club = own_club(request)
    found = BookingFetch.objects.filter(club=club).first()
    answer = render(
        request, "seasons/_booking_fetch.html", {"club": club, "fetch": fetch_state(found)}
    )
    if found is None or found.state != BookingFetch.State.WANTED:
        answer.headers["HX-Refresh"] = "true"  # the evenings above show the new bookings
    return answer


@require_safe
def bookings_file(request: HttpRequest) -> HttpResponse:
    """Hand out the bookings as a file, names in full: for the computer of the evening."""
    club = own_club(request)
    data = bookings_document(club, today_at(club) - SINCE)
    answer = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="bookings-{club.slug}.json"'
    return answer


def _show(request: HttpRequest, told: Fetched) -> None:
    messages.success(request, fetched_in_words(told.new, told.changed, told.gone))
    for names in told.skipped:
        messages.warning(request, _("%(names)s: booked here already.") % {"names": names})


def _order(request: HttpRequest, club: Club) -> None:
    server, token = (request.POST.get(key, "").strip() for key in ("server", "token"))
    if not server or not token:
        raise NotFetched(_("Choose a file, or enter the server's address and a token."))
    order_fetch(club=club, server=server[:200], token=token, by=request.user)
