"""A director's pages of an evening: its bookings, attendance, and the table money."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs import audit
from clubs.errors import BookingRefused
from clubs.evenings import services
from clubs.evenings.services import BookingOptions
from clubs.inverses import EVENING_INVERSES
from clubs.models import Attendance, Fixture
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo, undo_act_with_message
from exchange.data_tables import encode_csv
from printing.identity import use_identity
from printing.paper import parse_paper_size
from seasons.calendar.booking_people import partner_of
from seasons.calendar.papers import draw
from seasons.calendar.services import enter_bookings, event_of, note_seated
from seasons.calendar.sheets.evening import attendance_sheet, attendance_table, evening_bookings
from seasons.calendar.views.desk import own_fixture
from server.downloads import CSV, PDF, file_response
from server.numbers import number_or_zero
from server.refusals import PageMissing

Act = Callable[[HttpRequest, Fixture], str]


@require_safe
def fixture_desk(request: HttpRequest, fixture: str) -> HttpResponse:
    """Show the bookings of an evening: places, waiting list, and singles."""
    found = own_fixture(request, fixture)
    names = found.club.players.exclude(kind="past").order_by("name")
    context = {
        "club": found.club,
        "fixture": found,
        "evening": found.evening,
        "bookings": evening_bookings(found),
        "event": event_of(found),
        "names": names.values_list("name", flat=True),
    }
    return render(request, "seasons/fixture_desk.html", context)


@require_POST
def fixture_act(request: HttpRequest, fixture: str) -> HttpResponse:
    """Apply one action to an evening's bookings, and show a link to undo it."""
    found = own_fixture(request, fixture)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise PageMissing(_("There is no such thing to do here."))
    with show_errors_as_messages(request):
        words = act(request, found)
        acts = audit.list_acts(found).filter(action__startswith="booking")
        offer_undo(request, words, acts, reverse("fixture_desk", args=[found.uid]))
    return redirect("fixture_desk", found.uid)


@require_POST
def fixture_enter(request: HttpRequest, fixture: str) -> HttpResponse:
    """Create tonight's entries from the bookings, and show the bookings left over."""
    found = own_fixture(request, fixture)
    with show_errors_as_messages(request):
        done = enter_bookings(fixture=found, by=request.user)
        words = ngettext("%(count)s new entry.", "%(count)s new entries.", done.new)
        messages.success(request, words % {"count": done.new})
        for each in done.left:
            messages.warning(request, f"{each.names}: {each.why}")
    return redirect("fixture_desk", found.uid)


@require_POST
def fixture_act_undo(request: HttpRequest, fixture: str, pk: int) -> HttpResponse:
    """Undo one action of an evening."""
    found = own_fixture(request, fixture)
    act = undo_act_with_message(request, pk, EVENING_INVERSES, fixture=found)
    back = "fixture_money" if act.action.startswith("attendance") else "fixture_desk"
    return redirect(back, found.uid)


def _book(request: HttpRequest, found: Fixture) -> str:
    typed = [request.POST.get(key, "").strip() for key in ("name", "partner")]
    if not typed[0]:
        raise BookingRefused(_("Write who comes."))
    people = [partner_of(found, each, is_director=True) for each in typed if each]
    wishes = BookingOptions(
        sits_north="sits_north" in request.POST,
        is_host="is_host" in request.POST,
        seeks=len(people) == 1 and "is_host" not in request.POST,
    )
    row = services.create_booking(
        fixture=found, people=people, wishes=wishes, is_director=True, by=request.user
    )
    names = " & ".join(each.full_name for each in people)
    words = _("%(names)s: booked.") if row.has_place else _("%(names)s: on the waiting list.")
    return words % {"names": names}


def _leave(request: HttpRequest, found: Fixture) -> str:
    services.leave_booking(
        fixture=found, person=request.POST.get("person", ""), is_director=True, by=request.user
    )
    return _("Taken out.")


def _promote(request: HttpRequest, found: Fixture) -> str:
    booking = number_or_zero(request.POST.get("booking"))
    services.promote_booking(fixture=found, booking=booking, by=request.user)
    return _("Let in.")


def _pair(request: HttpRequest, found: Fixture) -> str:
    one, other = (number_or_zero(request.POST.get(key)) for key in ("one", "other"))
    services.pair_singles(fixture=found, one=one, other=other, by=request.user)
    return _("The two are now a pair.")


_ACTS: dict[str, Act] = {"book": _book, "leave": _leave, "promote": _promote, "pair": _pair}


@require_safe
def fixture_money(request: HttpRequest, fixture: str) -> HttpResponse:
    """Show the attendance and payments of an evening."""
    found = own_fixture(request, fixture)
    context = {
        "club": found.club,
        "fixture": found,
        "evening": found.evening,
        "sheet": attendance_sheet(found),
        "kinds": Attendance.Kind.choices,
    }
    return render(request, "seasons/fixture_money.html", context)


@require_POST
def fixture_money_act(request: HttpRequest, fixture: str) -> HttpResponse:
    """Apply one change to the list: paid, free, owing, another kind, present or absent."""
    found = own_fixture(request, fixture)
    with show_errors_as_messages(request):
        words = _done(request, found)
        acts = audit.list_acts(found).filter(action__startswith="attendance")
        offer_undo(request, words, acts, reverse("fixture_money", args=[found.uid]))
    return redirect("fixture_money", found.uid)


def _done(request: HttpRequest, found: Fixture) -> str:
    act, by = request.POST.get("act", ""), request.user
    if act == "fill":
        count = note_seated(fixture=found, by=by)
        return ngettext("%(n)s person added.", "%(n)s people added.", count) % {"n": count}
    if act == "add":
        who = partner_of(found, request.POST.get("name", ""), is_director=True)
        if who.player is None:
            raise BookingRefused(
                _("The club has no player called %(name)s.") % {"name": who.name or "–"}
            )
        services.record_attendance(fixture=found, players=[who.player], by=by)
        return _("%(name)s came.") % {"name": who.player.name}
    rows = Attendance.objects.select_related("player", "fixture__evening__club")
    row = get_object_or_404(
        rows,
        pk=number_or_zero(request.POST.get("person")),
        fixture__evening__club=found.evening.club_id,
    )
    name = {"name": row.player.name}
    if act in Attendance.Settled.values:
        services.record_payment(attendance=row, how=act, on=found, by=by)
        return _("%(name)s: noted.") % name
    if act in Attendance.Kind.values:
        services.change_attendance_kind(attendance=row, kind=act, by=by)
        return _("%(name)s: noted.") % name
    if act == "drop":
        services.delete_attendance(attendance=row, by=by)
        return _("%(name)s did not come.") % name
    raise PageMissing(_("There is no such thing to do here."))


@require_safe
def fixture_money_csv(request: HttpRequest, fixture: str) -> HttpResponse:
    """Return the attendance list as a CSV file."""
    found = own_fixture(request, fixture)
    return file_response(encode_csv(attendance_table(found)), CSV, _file_name(found, "csv"))


@require_safe
def fixture_money_pdf(request: HttpRequest, fixture: str) -> HttpResponse:
    """Return the attendance list as a PDF to tick by hand."""
    found = own_fixture(request, fixture)
    with use_identity(*found.club.paper_mark):
        content = draw(attendance_sheet(found), size=parse_paper_size(request))
    return file_response(content, PDF, _file_name(found, "pdf"))


def _file_name(found: Fixture, ending: str) -> str:
    return f"attendance-{found.evening.date.isoformat()}.{ending}"
