"""A person's own evenings: booked without a login at `/me/`, and as an own calendar."""

from hashlib import sha256

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from boards.whist import WhistError
from clubs import own_address
from clubs.evenings.services import Who
from clubs.models import PersonLink, Player
from seasons.calendar.sheets.bookings import own_booking
from seasons.calendar.views.own_booking import OwnBooker, act_on
from seasons.calendar.views.public import fixture_of
from seasons.people.sheets.own_calendar import own_calendar_file
from seasons.people.views.me import own
from server.refusals import Missing


@require_http_methods(["GET", "POST"])
@own
def me_booking(request: HttpRequest, link: PersonLink, fixture: str) -> HttpResponse:
    """Show a person the own booking of an evening, and take what is to be changed."""
    player = link.player
    found = fixture_of(player.club.slug, fixture)
    booker = OwnBooker(found, Who(player=player))
    problem = ""
    if request.method == "POST":
        try:
            act_on(request, booker)
            return redirect("me_booking", found.uid)
        except WhistError as refused:
            problem = str(refused)
    context = {
        "club": player.club,
        "fixture": found,
        "evening": found.evening,
        "name": player.name,
        "own": own_booking(found, booker.key),
        "problem": problem,
        "typed": request.POST,
        "is_me": True,
    }
    return render(request, "seasons/booking_own.html", context, status=400 if problem else 200)


@require_safe
@own
def me_calendar(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Show the secret address of the own calendar, which a telephone asks by itself."""
    token = own_address.token_at_hand(request)
    path = f"/me/{token}/calendar.ics"
    address = request.build_absolute_uri(path)
    context = {"club": link.player.club, "player": link.player, "address": address}
    return render(request, "seasons/me_calendar.html", context)


@require_safe
@own
def me_calendar_file(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Hand out the own calendar once, as a file."""
    return _file(request, link.player)


@login_not_required
@require_safe
def me_calendar_ics(request: HttpRequest, token: str) -> HttpResponse:
    """The own calendar at its secret address: what asks for it bears no cookie."""
    link = own_address.link_of(token)
    if link is None:
        raise Missing(_("This address is not in use."))
    link.note_visit()
    timezone.activate(link.player.club.zone)
    return _file(request, link.player)


def _file(request: HttpRequest, player: Player) -> HttpResponse:
    base = request.build_absolute_uri("/").rstrip("/")
    content = own_calendar_file(player, base)
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match", "") == tag:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = HttpResponse(content, content_type="text/calendar; charset=utf-8")
        answer["Content-Disposition"] = 'inline; filename="my-evenings.ics"'
    answer["ETag"] = tag
    answer["Cache-Control"] = "private, no-cache"
    answer["Referrer-Policy"] = "no-referrer"
    return answer
