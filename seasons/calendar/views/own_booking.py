"""The page of one person's own booking, at a secret address: who comes with whom."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs.errors import BookingRefused
from clubs.evenings import services
from clubs.evenings.services import Who, Wishes
from clubs.models import BookingLink, Fixture
from seasons.calendar.booking_people import partner_of
from seasons.calendar.sheets.bookings import own_booking
from seasons.calendar.views.public import PERSON
from server.numbers import number_or_zero
from server.refusals import Missing


@dataclass(frozen=True, slots=True)
class OwnBooker:
    """Somebody at an evening, by whatever address he came."""

    fixture: Fixture
    who: Who

    @property
    def key(self) -> str:
        """Who it is, within the evening."""
        return self.who.key


Act = Callable[[HttpRequest, OwnBooker], None]


# As at a table's page, the secret in the address is all that the page goes by: there is no
# cookie and no login by which another site could make a browser speak for somebody.
@csrf_exempt
@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def booking_own(request: HttpRequest, token: str) -> HttpResponse:
    """Show somebody the own booking, and take what is to be changed."""
    link = BookingLink.find(token, "player", "fixture__evening__club", "fixture__series")
    if link is None or not link.is_live(timezone.now()):
        raise Missing(_("This address is not in use. Look for the evening in the calendar."))
    timezone.activate(link.fixture.club.zone)
    problem = ""
    if request.method == "POST":
        try:
            act_on(request, OwnBooker(link.fixture, Who(player=link.player, name=link.name)))
            return redirect(request.path)
        except WhistError as refused:
            problem = str(refused)
    context = {
        "club": link.fixture.club,
        "fixture": link.fixture,
        "evening": link.fixture.evening,
        "name": link.player.name if link.player else link.name,
        "own": own_booking(link.fixture, link.key),
        "problem": problem,
        "typed": request.POST,
    }
    return render(request, "seasons/booking_own.html", context, status=400 if problem else 200)


def act_on(request: HttpRequest, at: OwnBooker) -> None:
    """Do what was pressed on the page of an own booking."""
    _ACTS.get(request.POST.get("act", ""), _unknown)(request, at)


def _book(request: HttpRequest, at: OwnBooker) -> None:
    people = [at.who]
    if request.POST.get("partner", "").strip():
        people.append(partner_of(at.fixture, request.POST["partner"]))
    wishes = Wishes(
        sits_north="sits_north" in request.POST,
        needs_host="needs_host" in request.POST,
        seeks="seeks" in request.POST,
    )
    services.book(fixture=at.fixture, people=people, wishes=wishes, by=PERSON)


def _leave(request: HttpRequest, at: OwnBooker) -> None:
    both = request.POST["act"] == "leave_both"
    services.leave_booking(fixture=at.fixture, person=at.key, both=both, by=PERSON)


def _answer(request: HttpRequest, at: OwnBooker) -> None:
    comes = request.POST["act"] == "accept"
    services.answer_partner(fixture=at.fixture, person=at.key, comes=comes, by=PERSON)


def _seek(request: HttpRequest, at: OwnBooker) -> None:
    seeks = request.POST["act"] == "seek"
    services.seek_partner(fixture=at.fixture, person=at.key, seeks=seeks, by=PERSON)


def _ask(request: HttpRequest, at: OwnBooker) -> None:
    services.ask_partner(fixture=at.fixture, person=at.key, other=_other(request), by=PERSON)


def _answer_single(request: HttpRequest, at: OwnBooker) -> None:
    services.answer_single(
        fixture=at.fixture,
        person=at.key,
        other=_other(request),
        comes=request.POST["act"] == "yes",
        by=PERSON,
    )


def _unknown(request: HttpRequest, at: OwnBooker) -> None:
    raise BookingRefused(_("Choose what to do."))


def _other(request: HttpRequest) -> int:
    return number_or_zero(request.POST.get("other"))


_ACTS: dict[str, Act] = {
    "book": _book,
    "leave": _leave,
    "leave_both": _leave,
    "accept": _answer,
    "decline": _answer,
    "seek": _seek,
    "unseek": _seek,
    "ask": _ask,
    "yes": _answer_single,
    "no": _answer_single,
}
