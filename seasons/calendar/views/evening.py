"""The director's pages of one evening: bookings, attendance and table money."""

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
from clubs.name_order import get_sort_key
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo, undo_act_with_message
from exchange.data_tables import encode_csv
from printing.identity import use_club_identity
from printing.paper import parse_paper_size
from seasons.calendar.booking_people import find_partner
from seasons.calendar.papers import draw_attendance_list
from seasons.calendar.services import enter_bookings, find_event, record_expected_attendance
from seasons.calendar.sheets.evening import (
    build_attendance_table,
    load_attendance_sheet,
    load_evening_bookings,
)
from seasons.calendar.views.desk import get_directed_fixture
from server.downloads import CSV_CONTENT_TYPE, PDF_CONTENT_TYPE, build_file_response
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero

BookingAction = Callable[[HttpRequest, Fixture], str]


@require_safe
def show_fixture_bookings(request: HttpRequest, fixture: str) -> HttpResponse:
    """Show the bookings of an evening: those with a place, the waiting list, and singles."""
    fixture_row = get_directed_fixture(request, fixture)
    people = fixture_row.club.players.exclude(kind="past").order_by()
    context = {
        "club": fixture_row.club,
        "fixture": fixture_row,
        "evening": fixture_row.evening,
        "bookings": load_evening_bookings(fixture_row),
        "event": find_event(fixture_row),
        "names": sorted(people.values_list("name", flat=True), key=get_sort_key),
    }
    return render(request, "seasons/fixture_desk.html", context)


@require_POST
def change_bookings(request: HttpRequest, fixture: str) -> HttpResponse:
    """Apply one action to an evening's bookings, and offer to undo it."""
    fixture_row = get_directed_fixture(request, fixture)
    apply_action = _ACTIONS_BY_NAME.get(request.POST.get("act", ""))
    if apply_action is None:
        raise PageNotFound(_("Action not found."))
    with show_errors_as_messages(request):
        message = apply_action(request, fixture_row)
        acts = audit.list_acts(fixture_row).filter(action__startswith="booking")
        offer_undo(request, message, acts, reverse("fixture_desk", args=[fixture_row.uid]))
    return redirect("fixture_desk", fixture_row.uid)


@require_POST
def create_entries(request: HttpRequest, fixture: str) -> HttpResponse:
    """Create the event's entries from the bookings, and show the bookings without an entry."""
    fixture_row = get_directed_fixture(request, fixture)
    with show_errors_as_messages(request):
        result = enter_bookings(fixture=fixture_row, by=request.user)
        message = ngettext(
            "%(count)s added to the event.", "%(count)s added to the event.", result.new_count
        )
        messages.success(request, message % {"count": result.new_count})
        for left_over_booking in result.left_over_bookings:
            messages.warning(
                request, f"{left_over_booking.names_text}: {left_over_booking.reason}"
            )
    return redirect("fixture_desk", fixture_row.uid)


@require_POST
def undo_fixture_action(request: HttpRequest, fixture: str, pk: int) -> HttpResponse:
    """Undo one action of an evening; `pk` is the primary key of the action in the history."""
    fixture_row = get_directed_fixture(request, fixture)
    act = undo_act_with_message(request, pk, EVENING_INVERSES, fixture=fixture_row)
    view_name = "fixture_money" if act.action.startswith("attendance") else "fixture_desk"
    return redirect(view_name, fixture_row.uid)


def _book_people(request: HttpRequest, fixture: Fixture) -> str:
    typed_names = [
        request.POST.get(field_name, "").strip() for field_name in ("name", "partner")
    ]
    if not typed_names[0]:
        raise BookingRefused(_("Enter a name."))
    people = [
        find_partner(fixture, typed_name, is_director=True)
        for typed_name in typed_names
        if typed_name
    ]
    options = BookingOptions(
        sits_north="sits_north" in request.POST,
        is_host="is_host" in request.POST,
        seeks=len(people) == 1 and "is_host" not in request.POST,
    )
    booking = services.create_booking(
        fixture=fixture, people=people, options=options, is_director=True, by=request.user
    )
    names_text = " & ".join(person.full_name for person in people)
    message = (
        _("%(names)s: booked.") if booking.has_place else _("%(names)s: on the waiting list.")
    )
    return message % {"names": names_text}


def _cancel_booking(request: HttpRequest, fixture: Fixture) -> str:
    services.leave_booking(
        fixture=fixture,
        person_key=request.POST.get("person", ""),
        is_director=True,
        by=request.user,
    )
    return _("Booking removed.")


def _promote_booking(request: HttpRequest, fixture: Fixture) -> str:
    booking_pk = parse_number_or_zero(request.POST.get("booking"))
    services.promote_booking(fixture=fixture, booking_pk=booking_pk, by=request.user)
    return _("Place confirmed.")


def _pair_singles(request: HttpRequest, fixture: Fixture) -> str:
    first_booking_pk, second_booking_pk = (
        parse_number_or_zero(request.POST.get(field_name)) for field_name in ("one", "other")
    )
    services.pair_singles(
        fixture=fixture,
        first_booking_pk=first_booking_pk,
        second_booking_pk=second_booking_pk,
        by=request.user,
    )
    return _("Pair created.")


_ACTIONS_BY_NAME: dict[str, BookingAction] = {
    "book": _book_people,
    "leave": _cancel_booking,
    "promote": _promote_booking,
    "pair": _pair_singles,
}


@require_safe
def show_attendance(request: HttpRequest, fixture: str) -> HttpResponse:
    """Show the attendance and payments of an evening."""
    fixture_row = get_directed_fixture(request, fixture)
    context = {
        "club": fixture_row.club,
        "fixture": fixture_row,
        "evening": fixture_row.evening,
        "sheet": load_attendance_sheet(fixture_row),
        "kinds": Attendance.Kind.choices,
    }
    return render(request, "seasons/fixture_money.html", context)


@require_POST
def change_attendance(request: HttpRequest, fixture: str) -> HttpResponse:
    """Apply one change to the attendance list, such as paid, owing, present or absent."""
    fixture_row = get_directed_fixture(request, fixture)
    with show_errors_as_messages(request):
        message = _apply_attendance_change(request, fixture_row)
        acts = audit.list_acts(fixture_row).filter(action__startswith="attendance")
        offer_undo(request, message, acts, reverse("fixture_money", args=[fixture_row.uid]))
    return redirect("fixture_money", fixture_row.uid)


def _apply_attendance_change(request: HttpRequest, fixture: Fixture) -> str:
    action, by = request.POST.get("act", ""), request.user
    if action == "fill":
        added_count = record_expected_attendance(fixture=fixture, by=by)
        return ngettext("%(n)s person added.", "%(n)s people added.", added_count) % {
            "n": added_count
        }
    if action == "add":
        person = find_partner(fixture, request.POST.get("name", ""), is_director=True)
        if person.player is None:
            raise BookingRefused(_("Player %(name)s not found.") % {"name": person.name or "–"})
        services.record_attendance(fixture=fixture, players=[person.player], by=by)
        return _("%(name)s added.") % {"name": person.player.name}
    attendances = Attendance.objects.select_related("player", "fixture__evening__club")
    attendance = get_object_or_404(
        attendances,
        pk=parse_number_or_zero(request.POST.get("person")),
        fixture__evening__club=fixture.evening.club_id,
    )
    message_values = {"name": attendance.player.name}
    if action in Attendance.Settlement.values:
        services.record_payment(
            attendance=attendance, settlement=action, payment_fixture=fixture, by=by
        )
        return _("%(name)s saved.") % message_values
    if action in Attendance.Kind.values:
        services.change_attendance_kind(attendance=attendance, attendance_kind=action, by=by)
        return _("%(name)s saved.") % message_values
    if action == "drop":
        services.delete_attendance(attendance=attendance, by=by)
        return _("%(name)s removed.") % message_values
    raise PageNotFound(_("Action not found."))


@require_safe
def download_attendance_csv(request: HttpRequest, fixture: str) -> HttpResponse:
    """Return the attendance list as a CSV file."""
    fixture_row = get_directed_fixture(request, fixture)
    return build_file_response(
        encode_csv(build_attendance_table(fixture_row)),
        CSV_CONTENT_TYPE,
        _build_file_name(fixture_row, "csv"),
    )


@require_safe
def download_attendance_pdf(request: HttpRequest, fixture: str) -> HttpResponse:
    """Return the attendance list as a PDF to print and tick."""
    fixture_row = get_directed_fixture(request, fixture)
    with use_club_identity(*fixture_row.club.paper_branding):
        pdf_bytes = draw_attendance_list(
            load_attendance_sheet(fixture_row), paper_size=parse_paper_size(request)
        )
    return build_file_response(
        pdf_bytes, PDF_CONTENT_TYPE, _build_file_name(fixture_row, "pdf")
    )


def _build_file_name(fixture: Fixture, extension: str) -> str:
    return f"attendance-{fixture.evening.date.isoformat()}.{extension}"
