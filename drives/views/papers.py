"""The papers of a drive, generated on request."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import drives.services
from clubs.activities.views import build_table_codes, show_papers
from drives import visits
from drives.models import CardLink, Drive
from drives.papers import PAPERS, find_kinds
from drives.papers.from_file import MAX_COPIES, SIZES
from drives.papers.pack import print_together
from drives.sheets.printing import build_drive_on_paper
from drives.snapshot import load_drive
from drives.stale_cards import list_stale_cards
from printing.qr import QrCode, create_qr_code
from server.hall_network import find_phone_url
from server.numbers import parse_whole_number


@require_safe
def papers_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the papers that can be printed; the papers that most evenings need are selected."""
    visit = visits.director_drive(request, slug)
    sheet = build_drive_on_paper(load_drive(visit.drive))
    offered = [
        {
            "kind": kind,
            "ticked": not kind.on_request
            and _is_usually_needed(kind.name, sheet.has_all_seats),
        }
        for kind in PAPERS
        if kind.is_offered(sheet) and (kind.name != "prize_list" or sheet.awards)
    ]
    context = visit.context | {
        "offered": offered,
        "codes": CardLink.objects.filter(
            holder__drive=visit.drive, revoked_at__isnull=True
        ).count(),
        "reaches": bool(find_phone_url()),
        "sizes": list(SIZES),
        "changed": list_stale_cards(visit.drive),
        "seated": [seated_round.number for seated_round in sheet.seated_rounds],
    }
    return render(request, "drives/papers.html", context)


def _is_usually_needed(name: str, is_known: bool) -> bool:
    """Return whether most evenings print it: sheets of tables only if the seats are known."""
    return name not in ("table_sheets", "master_sheet") or is_known


@require_POST
def change_card_codes(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the QR codes of the score cards, or revoke all of them."""
    visit = visits.director_drive(request, slug)
    if request.POST.get("act") == "revoke":
        drives.services.revoke_card_links(drive=visit.drive, by=request.user)
        messages.success(request, _("QR codes cancelled."))
    else:
        drives.services.create_card_links(drive=visit.drive, by=request.user)
        messages.success(request, _("Every card has a QR code. Print the cards."))
    return redirect("drive_papers", slug)


def _load_codes(drive: Drive) -> dict[int, QrCode]:
    """Return the valid QR codes of the cards, where phones can reach this computer."""
    home = find_phone_url()
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
    parameters = request.GET

    def draw() -> bytes:
        kinds = find_kinds(parameters.getlist("paper")[:20])
        kinds = kinds or [kind for kind in PAPERS if not kind.on_request]
        numbers = frozenset(
            filter(None, map(parse_whole_number, parameters.get("cards", "").split(",")))
        )
        copies = min(MAX_COPIES, parse_whole_number(parameters.get("copies", "")) or 1)
        sheet = replace(
            build_drive_on_paper(
                load_drive(visit.drive),
                _load_codes(visit.drive),
                build_table_codes(visit.drive.evening),
            ),
            copies=copies,
            cards=numbers or None,
            at=parse_whole_number(parameters.get("round", "")),
        )
        size = SIZES.get(parameters.get("size", ""), SIZES[visit.drive.paper_size])
        return print_together(
            sheet, [kind for kind in kinds if kind.is_offered(sheet)], size=size
        )

    return show_papers(request, visit, "drive", draw)
