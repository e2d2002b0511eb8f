"""Who came, and the table money: one tap a person; as a sheet to tick and as a table."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from boards.whist import WhistError
from clubs import audit
from clubs.errors import BookingRefused
from clubs.evenings import services
from clubs.models import Attendance, Fixture
from clubs.views.undoing import offer_undo
from exchange.sheets import csv_of
from printing.identity import papers_of
from printing.paper import Size
from seasons.calendar.booking_people import partner_of
from seasons.calendar.papers import draw
from seasons.calendar.services import note_seated
from seasons.calendar.sheets.attendance import attendance_sheet, attendance_table
from seasons.calendar.views.desk import own_fixture
from server.numbers import number_or_zero
from server.refusals import Missing


@require_safe
def fixture_money(request: HttpRequest, fixture: str) -> HttpResponse:
    """Who came and who has paid."""
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
    """One tap: paid, free, owing, another kind, came, did not come."""
    found = own_fixture(request, fixture)
    try:
        words = _done(request, found)
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        acts = audit.history(found).filter(action__startswith="attendance")
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
        services.note_people(fixture=found, players=[who.player], by=by)
        return _("%(name)s came.") % {"name": who.player.name}
    rows = Attendance.objects.select_related("player", "fixture__evening__club")
    row = get_object_or_404(
        rows,
        pk=number_or_zero(request.POST.get("person")),
        fixture__evening__club=found.evening.club_id,
    )
    name = {"name": row.player.name}
    if act in Attendance.Settled.values:
        services.settle(attendance=row, how=act, on=found, by=by)
        return _("%(name)s: noted.") % name
    if act in Attendance.Kind.values:
        services.change_kind(attendance=row, kind=act, by=by)
        return _("%(name)s: noted.") % name
    if act == "drop":
        services.drop_person(attendance=row, by=by)
        return _("%(name)s did not come.") % name
    raise Missing(_("There is no such thing to do here."))


@require_safe
def fixture_money_csv(request: HttpRequest, fixture: str) -> HttpResponse:
    """The list as a table for a spreadsheet."""
    found = own_fixture(request, fixture)
    answer = HttpResponse(
        csv_of(attendance_table(found)), content_type="text/csv; charset=utf-8"
    )
    return _named(answer, found, "csv")


@require_safe
def fixture_money_pdf(request: HttpRequest, fixture: str) -> HttpResponse:
    """The list as a sheet to tick by hand."""
    found = own_fixture(request, fixture)
    size: Size = "Letter" if request.GET.get("size") == "Letter" else "A4"
    with papers_of(*found.club.on_papers):
        content = draw(attendance_sheet(found), size=size)
    return _named(HttpResponse(content, content_type="application/pdf"), found, "pdf")


def _named(answer: HttpResponse, found: Fixture, ending: str) -> HttpResponse:
    name = f"attendance-{found.evening.date.isoformat()}.{ending}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
