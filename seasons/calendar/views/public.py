"""The public calendar pages and iCalendar files, and a person's own booking."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from boards.whist import WhistError
from clubs.audit import GuestAuthor
from clubs.errors import BookingRefused
from clubs.evenings import services
from clubs.evenings.services import (
    BookingOptions,
    NewCheckIn,
    NewPerson,
    get_or_create_booking_link,
)
from clubs.models import BookingLink, Evening, Fixture, Series
from clubs.permissions import get_club
from seasons.calendar.booking_people import find_booker, find_partner
from seasons.calendar.services import find_event
from seasons.calendar.sheets.calendar import (
    build_calendar_file,
    format_free_places,
    list_upcoming_summaries,
)
from seasons.calendar.sheets.evening import count_bookings, load_own_booking
from server.downloads import build_file_response
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero

ANONYMOUS_BOOKER = GuestAuthor(GuestAuthor.Kind.PERSON, "")
"""The author that the history records for a booking made without a login."""


@login_not_required
@require_safe
def show_calendar(request: HttpRequest, club: str) -> HttpResponse:
    """Show a club's evenings of the next year."""
    club_row = get_club(club)
    timezone.activate(club_row.zone)
    context = {
        "club": club_row,
        "lines": list_upcoming_summaries(club_row),
        "series": club_row.series.all(),
    }
    return render(request, "seasons/calendar.html", context)


@login_not_required
@require_safe
def download_calendar(request: HttpRequest, club: str, series: str = "") -> HttpResponse:
    """Return a club's calendar, or one series of it, as an iCalendar file."""
    club_row = get_club(club)
    series_row = get_object_or_404(Series, club=club_row, slug=series) if series else None
    base_url = request.build_absolute_uri("/").rstrip("/")
    calendar_bytes = build_calendar_file(club_row, base_url, series_row)
    response = build_calendar_response(request, calendar_bytes, f"{club_row.slug}.ics")
    patch_cache_control(response, max_age=300)
    return response


def build_calendar_response(
    request: HttpRequest, calendar_bytes: bytes, file_name: str
) -> HttpResponse:
    """Return a response with a calendar file; 304 if the client has this version (ETag)."""
    etag = f'"{sha256(calendar_bytes).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match", "") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    content_type = "text/calendar; charset=utf-8"
    response = build_file_response(calendar_bytes, content_type, file_name, is_inline=True)
    response["ETag"] = etag
    return response


# No CSRF check is needed: the membership number authorizes a booking, and not a cookie.
@csrf_exempt
@login_not_required
@require_http_methods(["GET", "POST"])
def show_fixture(request: HttpRequest, club: str, fixture: str) -> HttpResponse:
    """Show an evening with its date, place and free places (GET), or book it (POST)."""
    fixture_row = get_fixture(club, fixture)
    timezone.activate(fixture_row.club.zone)
    problem = ""
    if request.method == "POST":
        try:
            return redirect(_create_or_find_booking(request, fixture_row))
        except WhistError as error:
            problem = str(error)
    place_counts = count_bookings(fixture_row)
    context = {
        "club": fixture_row.club,
        "fixture": fixture_row,
        "evening": fixture_row.evening,
        "place_counts": place_counts,
        "places": format_free_places(place_counts.free_place_count, fixture_row.unit)
        if fixture_row.places
        else "",
        "event": find_event(fixture_row),
        "problem": problem,
        "typed": request.POST,
    }
    return render(request, "seasons/fixture.html", context, status=400 if problem else 200)


def _create_or_find_booking(request: HttpRequest, fixture: Fixture) -> str:
    """Create a booking from the form, or find the existing one; return the path of its page."""
    form_data = request.POST
    booker = find_booker(
        request, fixture, form_data.get("name", ""), form_data.get("number", "")
    )
    if form_data.get("act") != "look":
        _book_person(request, FixtureBooker(fixture, booker))
    path = get_or_create_booking_link(
        fixture=fixture, new_person=booker, by=ANONYMOUS_BOOKER
    ).path
    if not path:
        raise PageNotFound(_("This link is no longer in use."))
    return path


def get_fixture(club_slug: str, fixture_uid: str) -> Fixture:
    """Return the club's evening with this uid; raise PageNotFound for an unknown uid."""
    fixtures = Fixture.objects.select_related("evening__club", "series")
    fixture_row = fixtures.filter(evening__club__slug=club_slug, uid=fixture_uid).first()
    if fixture_row is None:
        raise PageNotFound(_("Evening not found."))
    return fixture_row


@dataclass(frozen=True, slots=True)
class FixtureBooker:
    """A person and the evening of the booking, found by a booking link or a personal link."""

    fixture: Fixture
    person: NewPerson

    @property
    def person_key(self) -> str:
        """The person's key among the bookings of the evening."""
        return self.person.key


BookingAction = Callable[[HttpRequest, FixtureBooker], None]


# As on a table's page, only the secret in the URL authorizes a request: there is no cookie and
# no login that another site could use to forge one (CSRF).
@csrf_exempt
@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def show_own_booking(request: HttpRequest, token: str) -> HttpResponse:
    """Show a person's own booking (GET), or change it (POST)."""
    link = BookingLink.find_by_token(
        token, "player", "fixture__evening__club", "fixture__series"
    )
    if link is None or not link.is_live(timezone.now()):
        raise PageNotFound(_("This link isn’t in use. Find the evening in the calendar."))
    timezone.activate(link.fixture.club.zone)
    booker = NewPerson(player=link.player, name=link.name)
    return handle_own_booking(request, FixtureBooker(link.fixture, booker))


def handle_own_booking(
    request: HttpRequest, booker: FixtureBooker, *, is_personal_page: bool = False
) -> HttpResponse:
    """Show a person's own booking (GET), or change it from the form (POST).

    `is_personal_page` is True for a request with a personal link, at /me/.
    """
    problem = ""
    if request.method == "POST":
        try:
            _ACTIONS_BY_NAME.get(request.POST.get("act", ""), _refuse_unknown_action)(
                request, booker
            )
            return redirect(request.path)
        except WhistError as error:
            problem = str(error)
    context = {
        "club": booker.fixture.club,
        "fixture": booker.fixture,
        "evening": booker.fixture.evening,
        "name": booker.person.player.name if booker.person.player else booker.person.name,
        "own": load_own_booking(booker.fixture, booker.person_key),
        "problem": problem,
        "typed": request.POST,
        "is_personal_page": is_personal_page,
        "has_checked_in": _has_checked_in(booker),
    }
    return render(request, "seasons/booking_own.html", context, status=400 if problem else 200)


def _has_checked_in(booker: FixtureBooker) -> bool | None:
    """Return whether the person has checked in; None unless check-in is open."""
    evening = booker.fixture.evening
    if evening.check_in_state != Evening.CheckInState.OPEN:
        return None
    check_ins = evening.check_ins.select_related("player")
    return any(check_in.key == booker.person_key for check_in in check_ins)


def _book_person(request: HttpRequest, booker: FixtureBooker) -> None:
    """Book the person with the partner and the options of the form."""
    people = [booker.person]
    if request.POST.get("partner", "").strip():
        people.append(find_partner(booker.fixture, request.POST["partner"]))
    options = BookingOptions(
        sits_north="sits_north" in request.POST,
        needs_host="needs_host" in request.POST,
        seeks="seeks" in request.POST,
    )
    services.create_booking(
        fixture=booker.fixture, people=people, options=options, by=ANONYMOUS_BOOKER
    )


def _check_in(_request: HttpRequest, booker: FixtureBooker) -> None:
    """Check in the booked person, who has come but has no seat yet."""
    event = find_event(booker.fixture)
    if event is None or not load_own_booking(booker.fixture, booker.person_key).is_booked:
        raise BookingRefused(_("Check-in isn’t open."))
    services.check_in_people(
        evening=booker.fixture.evening,
        people=[NewCheckIn(player=booker.person.player, name=booker.person.name)],
        subject=event,
        by=ANONYMOUS_BOOKER,
    )


def _cancel_booking(request: HttpRequest, booker: FixtureBooker) -> None:
    should_cancel_both_partners = request.POST["act"] == "leave_both"
    services.leave_booking(
        fixture=booker.fixture,
        person_key=booker.person_key,
        should_cancel_all=should_cancel_both_partners,
        by=ANONYMOUS_BOOKER,
    )


def _answer_partner_booking(request: HttpRequest, booker: FixtureBooker) -> None:
    is_accepted = request.POST["act"] == "accept"
    services.answer_partner_booking(
        fixture=booker.fixture,
        person_key=booker.person_key,
        is_accepting=is_accepted,
        by=ANONYMOUS_BOOKER,
    )


def _set_partner_search(request: HttpRequest, booker: FixtureBooker) -> None:
    is_seeking = request.POST["act"] == "seek"
    services.set_partner_search(
        fixture=booker.fixture,
        person_key=booker.person_key,
        is_seeking=is_seeking,
        by=ANONYMOUS_BOOKER,
    )


def _invite_partner(request: HttpRequest, booker: FixtureBooker) -> None:
    services.invite_partner(
        fixture=booker.fixture,
        person_key=booker.person_key,
        invited_booking_pk=_read_other_booking_pk(request),
        by=ANONYMOUS_BOOKER,
    )


def _answer_invitation(request: HttpRequest, booker: FixtureBooker) -> None:
    services.answer_invitation(
        fixture=booker.fixture,
        person_key=booker.person_key,
        inviting_booking_pk=_read_other_booking_pk(request),
        is_coming=request.POST["act"] == "yes",
        by=ANONYMOUS_BOOKER,
    )


def _refuse_unknown_action(request: HttpRequest, booker: FixtureBooker) -> None:
    raise BookingRefused(_("Choose an action."))


def _read_other_booking_pk(request: HttpRequest) -> int:
    return parse_number_or_zero(request.POST.get("other"))


_ACTIONS_BY_NAME: dict[str, BookingAction] = {
    "book": _book_person,
    "here": _check_in,
    "leave": _cancel_booking,
    "leave_both": _cancel_booking,
    "accept": _answer_partner_booking,
    "decline": _answer_partner_booking,
    "seek": _set_partner_search,
    "unseek": _set_partner_search,
    "ask": _invite_partner,
    "yes": _answer_invitation,
    "no": _answer_invitation,
}
