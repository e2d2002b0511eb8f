"""The papers of a drive, generated on request."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import drives.services
from clubs.activities.views import print_papers, table_codes
from drives import visits
from drives.changed import changed_cards
from drives.held import read_drive
from drives.models import CardLink, Drive
from drives.papers import PAPERS, kinds_named
from drives.papers.from_file import MOST_COPIES, SIZES
from drives.papers.pack import together
from drives.sheets.printing import on_paper
from printing.qr import QrCode, create_qr_code
from server.door import phone_address
from server.numbers import whole_number


@require_safe
def drive_papers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the papers that can be printed, with those that most evenings need ticked."""
    visit = visits.director_drive(request, slug)
    sheet = on_paper(read_drive(visit.drive))
    offered = [
        {"kind": kind, "ticked": not kind.on_request and _is_needed(kind.name, sheet.is_known)}
        for kind in PAPERS
        if kind.is_offered(sheet) and (kind.name != "prize_list" or sheet.awards)
    ]
    context = visit.context | {
        "offered": offered,
        "codes": CardLink.objects.filter(
            holder__drive=visit.drive, revoked_at__isnull=True
        ).count(),
        "reaches": bool(phone_address()),
        "sizes": list(SIZES),
        "changed": changed_cards(visit.drive),
        "seated": [each.number for each in sheet.seated],
    }
    return render(request, "drives/papers.html", context)


def _is_needed(name: str, is_known: bool) -> bool:
    """Return whether most evenings print it: sheets of tables only if the seats are known."""
    return name not in ("table_sheets", "master_sheet") or is_known


@require_POST
def drive_codes(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the QR codes of the score cards, or revoke all of them."""
    visit = visits.director_drive(request, slug)
    if request.POST.get("act") == "revoke":
        drives.services.revoke_card_links(drive=visit.drive, by=request.user)
        messages.success(request, _("The codes no longer open anything."))
    else:
        drives.services.make_card_links(drive=visit.drive, by=request.user)
        messages.success(request, _("Every card has a code. Print the cards."))
    return redirect("drive_papers", slug)


def _codes(drive: Drive) -> dict[int, QrCode]:
    """Return the valid QR codes of the cards, where phones can reach this computer."""
    home = phone_address()
    if not home:
        return {}
    links = CardLink.objects.filter(holder__drive=drive, revoked_at__isnull=True)
    return {
        link.holder.number: create_qr_code(home + path)
        for link in links.select_related("holder")
        if (path := link.path)
    }


@require_safe
def drive_print(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the selected papers in one PDF."""
    visit = visits.director_drive(request, slug)
    asked = request.GET

    def draw() -> bytes:
        kinds = kinds_named(asked.getlist("paper")[:20])
        kinds = kinds or [kind for kind in PAPERS if not kind.on_request]
        numbers = frozenset(filter(None, map(whole_number, asked.get("cards", "").split(","))))
        copies = min(MOST_COPIES, whole_number(asked.get("copies", "")) or 1)
        sheet = replace(
            on_paper(
                read_drive(visit.drive), _codes(visit.drive), table_codes(visit.drive.evening)
            ),
            copies=copies,
            cards=numbers or None,
            at=whole_number(asked.get("round", "")),
        )
        size = SIZES.get(asked.get("size", ""), SIZES[visit.drive.paper_size])
        return together(sheet, [kind for kind in kinds if kind.is_offered(sheet)], size=size)

    return print_papers(request, visit, "drive", draw)
