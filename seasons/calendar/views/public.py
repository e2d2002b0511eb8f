"""The club's calendar for everybody: the evenings to come, one of them, and as iCalendar."""

from hashlib import sha256

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from boards.whist import WhistError
from clubs.audit import Guest
from clubs.evenings.services import Wishes, book, own_link
from clubs.models import Club, Fixture, Series
from seasons.calendar.booking_people import partner_of, who_books
from seasons.calendar.services import event_of
from seasons.calendar.sheets.bookings import numbers_of
from seasons.calendar.sheets.calendar import calendar_file, coming, places_in_words
from server.refusals import Missing

PERSON = Guest(Guest.Kind.PERSON, "")
"""Who books without a login, as the history has it."""


@login_not_required
@require_safe
def calendar(request: HttpRequest, club: str) -> HttpResponse:
    """The evenings of a year to come."""
    found = club_named(club)
    timezone.activate(found.zone)
    context = {"club": found, "lines": coming(found), "series": found.series.all()}
    return render(request, "seasons/calendar.html", context)


@login_not_required
@require_safe
def calendar_ics(request: HttpRequest, club: str, series: str = "") -> HttpResponse:
    """The calendar, or one series of it, for the calendars of phones and computers."""
    found = club_named(club)
    one = get_object_or_404(Series, club=found, slug=series) if series else None
    base = request.build_absolute_uri("/").rstrip("/")
    content = calendar_file(found, base, one)
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match", "") == tag:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = HttpResponse(content, content_type="text/calendar; charset=utf-8")
        answer["Content-Disposition"] = f'inline; filename="{found.slug}.ics"'
    answer["ETag"] = tag
    patch_cache_control(answer, max_age=300)
    return answer


# Who books shows a number and no cookie: no other site can make a browser speak for somebody.
@csrf_exempt
@login_not_required
@require_http_methods(["GET", "POST"])
def fixture(request: HttpRequest, club: str, fixture: str) -> HttpResponse:
    """One evening: when and where it is, how many places are left, and booking it."""
    found = fixture_of(club, fixture)
    timezone.activate(found.club.zone)
    problem = ""
    if request.method == "POST":
        try:
            return redirect(_booked(request, found))
        except WhistError as refused:
            problem = str(refused)
    numbers = numbers_of(found)
    context = {
        "club": found.club,
        "fixture": found,
        "evening": found.evening,
        "numbers": numbers,
        "places": places_in_words(numbers.left, found.unit) if found.places else "",
        "event": event_of(found),
        "problem": problem,
        "typed": request.POST,
    }
    return render(request, "seasons/fixture.html", context, status=400 if problem else 200)


def _booked(request: HttpRequest, found: Fixture) -> str:
    """Book as the form says, or find the booking that stands; return its own address."""
    data = request.POST
    who = who_books(request, found, data.get("name", ""), data.get("number", ""))
    if data.get("act") != "look":
        people = [who]
        if data.get("partner", "").strip():
            people.append(partner_of(found, data["partner"]))
        wishes = Wishes(
            sits_north="sits_north" in data,
            needs_host="needs_host" in data,
            seeks="seeks" in data,
        )
        book(fixture=found, people=people, wishes=wishes, by=PERSON)
    path = own_link(fixture=found, who=who, by=PERSON).path
    if not path:
        raise Missing(_("This address is not in use any more."))
    return path


def club_named(slug: str) -> Club:
    """A club by its address."""
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise Missing(_("Club not found."))
    return found


def fixture_of(club: str, uid: str) -> Fixture:
    """An evening in a club's calendar by its address."""
    rows = Fixture.objects.select_related("evening__club", "series")
    found = rows.filter(evening__club__slug=club, uid=uid).first()
    if found is None:
        raise Missing(_("There is no such evening in the calendar."))
    return found
