"""Views of the papers of a drive, which are generated when they are requested."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import drives.services
from clubs.activities.views import build_table_qr_codes, show_papers
from drives import drive_access
from drives.models import CardLink, Drive
from drives.papers import PAPER_KINDS, find_paper_kinds
from drives.papers.from_file import MAX_COPIES, PAPER_SIZES
from drives.papers.pack import print_papers
from drives.sheets.on_paper import PrintedDrive
from drives.sheets.printing import build_printed_drive
from drives.snapshot import load_drive_snapshot
from drives.stale_cards import list_stale_cards
from printing.kinds import PaperKind
from printing.qr import QrCode, create_qr_code
from server.hall_network import find_phone_url
from server.numbers import parse_whole_number

CONTRACT_PAPER_PRESELECTION_BY_NAME = {
    "score_cards": False,
    "table_sheets": True,
    "points_poster": True,
}
"""Whether these papers are initially selected for an evening with contracts."""


@require_safe
def show_paper_choice(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the papers that can be printed; the papers that most evenings need are selected."""
    access = drive_access.load_director_drive_access(request, slug)
    printed_drive = build_printed_drive(load_drive_snapshot(access.drive))
    offered_kinds = [
        {
            "kind": paper_kind,
            "ticked": _is_usually_needed(paper_kind, printed_drive),
        }
        for paper_kind in PAPER_KINDS
        if paper_kind.is_offered(printed_drive)
        and (paper_kind.name != "prize_list" or printed_drive.awards)
    ]
    qr_code_by_table = build_table_qr_codes(access.drive.evening)
    context = access.context | {
        "offered": offered_kinds,
        "lacks_table_codes": not access.drive.is_closed
        and any(
            table_number not in qr_code_by_table
            for table_number in range(1, printed_drive.table_count + 1)
        ),
        "codes": CardLink.objects.filter(
            holder__drive=access.drive, revoked_at__isnull=True
        ).count(),
        "reaches": bool(find_phone_url()),
        "sizes": list(PAPER_SIZES),
        "changed": list_stale_cards(access.drive),
        "seated": [seated_round.number for seated_round in printed_drive.seated_rounds],
    }
    return render(request, "drives/papers.html", context)


def _is_usually_needed(paper_kind: PaperKind, printed_drive: PrintedDrive) -> bool:
    """Return whether to select a paper initially, because most evenings need it.

    Evenings with contracts use table sheets and the points table instead of score cards. Other
    evenings need table sheets only if the seats are known before play.
    """
    if (
        printed_drive.points is not None
        and paper_kind.name in CONTRACT_PAPER_PRESELECTION_BY_NAME
    ):
        return CONTRACT_PAPER_PRESELECTION_BY_NAME[paper_kind.name]
    is_generally_useful = (
        paper_kind.name not in ("table_sheets", "master_sheet") or printed_drive.has_all_seats
    )
    return is_generally_useful and not paper_kind.is_on_request


@require_POST
def change_card_qr_codes(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the QR codes of the score cards, or revoke all of them."""
    access = drive_access.load_director_drive_access(request, slug)
    if request.POST.get("act") == "revoke":
        drives.services.revoke_card_links(drive=access.drive, by=request.user)
        messages.success(request, _("QR codes cancelled."))
    else:
        drives.services.create_card_links(drive=access.drive, by=request.user)
        messages.success(request, _("Every card has a QR code. Print the cards."))
    return redirect("drive_papers", slug)


def _load_card_qr_codes(drive: Drive) -> dict[int, QrCode]:
    """Return the valid QR codes by card number; {} if phones cannot reach this server."""
    base_url = find_phone_url()
    if not base_url:
        return {}
    links = CardLink.objects.filter(holder__drive=drive, revoked_at__isnull=True)
    return {
        link.holder.number: create_qr_code(base_url + path)
        for link in links.select_related("holder")
        if (path := link.path)
    }


@require_safe
def print_selected_papers(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the selected papers in one PDF."""
    access = drive_access.load_director_drive_access(request, slug)
    parameters = request.GET

    def draw() -> bytes:
        paper_kinds = find_paper_kinds(parameters.getlist("paper")[:20])
        paper_kinds = paper_kinds or [
            paper_kind for paper_kind in PAPER_KINDS if not paper_kind.is_on_request
        ]
        card_numbers = frozenset(
            filter(None, map(parse_whole_number, parameters.get("cards", "").split(",")))
        )
        copy_count = min(MAX_COPIES, parse_whole_number(parameters.get("copies", "")) or 1)
        printed_drive = replace(
            build_printed_drive(
                load_drive_snapshot(access.drive),
                _load_card_qr_codes(access.drive),
                build_table_qr_codes(access.drive.evening),
            ),
            copy_count=copy_count,
            cards=card_numbers or None,
            seat_list_round=parse_whole_number(parameters.get("round", "")),
        )
        paper_size = PAPER_SIZES.get(
            parameters.get("size", ""), PAPER_SIZES[access.drive.paper_size]
        )
        return print_papers(
            printed_drive,
            [paper_kind for paper_kind in paper_kinds if paper_kind.is_offered(printed_drive)],
            paper_size=paper_size,
        )

    return show_papers(request, access, "drive", draw)
