"""The phones of a drive's tables, for whoever runs it: codes made, shown, taken back; calls."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import drives.services
from clubs.evenings.services import answer_call
from clubs.models import DirectorCall, Evening, TableLink
from clubs.views.refusals import refusals_as_messages
from drives import visits
from drives.held import read_drive
from drives.models import Drive
from printing.qr import Code, code
from server.door import phone_address
from server.numbers import number_or_zero


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table with its link, if it has one."""

    table: int
    link: int | None
    path: str  # empty without a link, and where the address can no longer be made
    seen_at: datetime | None


def live_links(evening: Evening) -> dict[int, TableLink]:
    """The links of an evening's tables that are not withdrawn, by table."""
    found = evening.table_links.filter(revoked_at__isnull=True)
    return {link.table: link for link in found.order_by("table")}


def phones_context(
    request: HttpRequest, links: Mapping[int, TableLink], tables: Iterable[int]
) -> dict[str, object]:
    """What the page of the tables' links shows; of the table that it asks for also the code."""
    rows = [_row(table, links.get(table)) for table in tables]
    asked = number_or_zero(request.GET.get("table"))
    home = phone_address() or request.build_absolute_uri("/").rstrip("/")
    chosen = next((row for row in rows if row.table == asked and row.path), None)
    return {
        "rows": rows,
        "made": bool(links),
        "wanting": any(not row.path for row in rows),
        "reaches": bool(phone_address()),
        "chosen": chosen,
        "address": home + chosen.path if chosen else "",
        "code": code(home + chosen.path) if chosen else None,
    }


def _row(table: int, link: TableLink | None) -> TableRow:
    if link is None:
        return TableRow(table, None, "", None)
    return TableRow(table, link.pk, link.path, link.seen_at)


@require_safe
def drive_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Every table with its link; one that is named, with its code to scan from the screen."""
    visit = visits.director_drive(request, slug)
    drive = visit.drive
    links = live_links(drive.evening)
    last = max([read_drive(drive).table_count, *links])
    context = phones_context(request, links, range(1, last + 1))
    frame = {"visit": visit, "drive": drive, "club": drive.club}
    return render(request, "drives/tables.html", context | frame)


@require_POST
def drive_tables_act(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the tables enter by phone, or take one address or all of them back."""
    visit = visits.director_drive(request, slug)
    link = number_or_zero(request.POST.get("link"))
    with refusals_as_messages(request):
        if request.POST.get("act") == "revoke":
            drives.services.revoke_table_links(
                drive=visit.drive, links=[link] if link else (), by=request.user
            )
            messages.success(request, _("That no longer opens anything."))
        else:
            drives.services.make_table_links(drive=visit.drive, by=request.user)
            messages.success(request, _("Every table has a code. Print the table cards."))
    return redirect("drive_tables", slug)


@require_POST
def drive_call(request: HttpRequest, slug: str) -> HttpResponse:
    """Note that somebody goes to a table that called."""
    visit = visits.scorer_drive(request, slug)
    calls = DirectorCall.objects.filter(evening=visit.drive.evening_id)
    call = get_object_or_404(calls, pk=number_or_zero(request.POST.get("call")))
    answer_call(call=call, by=request.user)
    return redirect("drive_desk", slug)


def table_codes(drive: Drive) -> dict[int, Code]:
    """The codes of the tables that live, where phones can reach this computer."""
    home = phone_address()
    if not home:
        return {}
    links = live_links(drive.evening)
    return {table: code(home + path) for table, at in links.items() if (path := at.path)}
