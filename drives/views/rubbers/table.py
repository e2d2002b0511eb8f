"""A table's marker, for whoever is signed in and for the table's own device; and its codes."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards.whist import WhistError
from clubs.models import TableLink
from drives import visits
from drives.services import rubbers
from drives.services.rubbers.links import guest_of_marker, is_open_marker, night_of
from drives.views.rubbers.marking import At, answer
from printing.qr import code
from server.door import phone_address
from server.numbers import number_or_zero, whole_number


@require_http_methods(["GET", "POST"])
def rubber_table(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """The marker of a table; a rubber is marked with a tap a hand."""
    visit = visits.scorer_night(request, slug)
    night = visit.night
    round_, number = _numbers(table)
    back = reverse("rubber_desk", args=[slug])
    if night.drive is not None:
        back = reverse("drive_rubbers", args=[night.drive.slug])
    at = At(
        night=night,
        table=number,
        round=round_,
        here=reverse("rubber_table", args=[slug, table]),
        back=back,
        by=request.user,
    )
    return answer(request, at)


def _numbers(address: str) -> tuple[int, int]:
    """The round (0 where it is no drive's) and the number of a table: "3", or "2-3"."""
    first, dash, second = address.partition("-")
    round_ = whole_number(first, most=10_000) if dash else 0
    number = whole_number(second if dash else first, most=10_000)
    if round_ is None or number is None:
        raise Http404
    return round_, number


def marker_by_link(request: HttpRequest, link: TableLink, token: str) -> HttpResponse:
    """The same for the table's own device, by its secret address."""
    night = night_of(link)
    if night is None:
        raise Http404
    timezone.activate(night.club.zone)
    if not is_open_marker(link):
        words = _("The night is closed. This page is closed too.")
        if link.revoked_at:
            words = _("The organiser has taken this address back. Ask for a new one.")
        context = {"night": night, "club": night.club, "detail": words}
        return render(request, "drives/rubbers/gone.html", context, status=410)
    at = At(
        night=night,
        table=link.table,
        round=night.drive.at_round if night.drive else 0,
        here=reverse("table", args=[token]),
        back=night.get_absolute_url(),
        by=guest_of_marker(link),
        is_guest=True,
    )
    return answer(request, at)


@require_safe
def rubber_phones(request: HttpRequest, slug: str) -> HttpResponse:
    """Every table with its code; the one that is named, to scan from the screen."""
    visit = visits.director_night(request, slug)
    night = visit.night
    if night.drive is not None or night.evening is None:
        raise Http404
    found = night.evening.table_links.filter(revoked_at__isnull=True)
    links = {link.table: link for link in found}
    rows = [
        {"table": each.number, "link": link, "path": link.path if link else ""}
        for each in night.tables.order_by("number")
        for link in [links.get(each.number)]
    ]
    home = phone_address() or request.build_absolute_uri("/").rstrip("/")
    asked = number_or_zero(request.GET.get("table"))
    chosen = next((row for row in rows if row["path"] and row["table"] == asked), None)
    address = f"{home}{chosen['path']}" if chosen else ""
    context = {
        "visit": visit,
        "night": night,
        "club": night.club,
        "rows": rows,
        "made": bool(links),
        "wanting": any(not row["path"] for row in rows),
        "reaches": bool(phone_address()),
        "chosen": chosen,
        "address": address,
        "code": code(address) if chosen else None,
    }
    return render(request, "drives/rubbers/phones.html", context)


@require_POST
def rubber_phones_act(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the tables their addresses, or take one or all of them back."""
    visit = visits.director_night(request, slug)
    link = number_or_zero(request.POST.get("link"))
    try:
        if request.POST.get("act") == "revoke":
            rubbers.revoke_marker_links(
                night=visit.night, links=[link] if link else (), by=request.user
            )
            messages.success(request, _("That no longer opens anything."))
        else:
            rubbers.make_marker_links(night=visit.night, by=request.user)
            messages.success(request, _("Every table has a code."))
    except WhistError as refused:
        messages.error(request, str(refused))
    return redirect("rubber_phones", slug)
