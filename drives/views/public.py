"""The public pages of a drive: its page, the hall's screen, and each player's own page."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from clubs.activities.secrecy import shown
from clubs.models import Club
from drives import visits
from drives.held import HeldDrive, read_drive
from drives.models import Drive
from drives.services import links
from drives.sheets.clock import drive_clock
from drives.sheets.desk import desk
from drives.sheets.people import Person
from drives.sheets.seats import SeatOnList, card_state, own_page_of, who_sits_where
from drives.sheets.standing import prize_list, standing
from server.fragments import ASKED_BY_A_PAGE, fragment_of

PAGE = 110
"""Players on one page of the screen: as many as 1920 × 1080 shows in large letters."""
NEWEST = 40


@login_not_required
@require_safe
def drives(request: HttpRequest) -> HttpResponse:
    """List the drives of all clubs, newest first."""
    found = Drive.objects.listed().select_related("club", "evening")[:NEWEST]
    clubs = Club.objects.filter(drives__in=list(found)).distinct().count()
    return render(request, "drives/drives.html", {"drives": found, "several": clubs > 1})


@login_not_required
@require_safe
def drive(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the present seats; the standings and the prizes when they may be seen."""
    visit = visits.public_drive(slug)
    held = read_drive(visit.drive)
    found = standing(held, shown)
    context = visit.context | {
        "desk": desk(held, shown),
        "seats": _seats(held),
        "standing": found,
        "prizes": prize_list(held, shown) if visit.drive.is_closed else (),
    }
    return render(request, "drives/drive.html", context)


def _seats(held: HeldDrive) -> Sequence[SeatOnList]:
    if held.at is None or held.drive.is_closed:
        return ()
    return who_sits_where(held, held.at.number, shown)


@login_not_required
@require_safe
def drive_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hall's screen: all players by name, in pages that can be read from afar."""
    context = _screen(slug)
    face = drive_clock(context["drive"])
    clock = {"face": face, "data": asdict(face)}
    return render(request, "drives/screen.html", context | clock)


@login_not_required
@require_safe
@fragment_of("drive_screen")
def drive_screen_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fragment of the screen that is refreshed with the rounds."""
    return render(request, "drives/_screen.html", _screen(slug))


def _screen(slug: str) -> dict[str, Any]:
    visit = visits.public_drive(slug)
    held = read_drive(visit.drive)
    seats = _seats(held)
    pages = max(1, -(-len(seats) // PAGE))
    size = -(-len(seats) // pages) or 1
    return visit.context | {
        "desk": desk(held, shown),
        "pages": [seats[at : at + size] for at in range(0, len(seats), size)],
        "standing": standing(held, shown),
        "prizes": prize_list(held, shown) if visit.drive.is_closed else (),
    }


@login_not_required
@require_safe
def drive_card(request: HttpRequest, token: str) -> HttpResponse:
    """Show a player's own page; the code on the score card gives access only to it."""
    link = links.card_link_of(token)
    if link is None:
        answer = render(request, "drives/card_gone.html", status=404)
        answer["Referrer-Policy"] = "no-referrer"
        return answer
    if ASKED_BY_A_PAGE not in request.headers:
        link.note_visit()
    found = link.holder.drive
    timezone.activate(found.club.zone)
    seen = card_state(link.holder)
    if ASKED_BY_A_PAGE in request.headers and request.GET.get("seen") == seen:
        return _not_kept(HttpResponse(status=204))
    context = {
        "seen": seen,
        "drive": found,
        "club": found.club,
        "own": own_page_of(link.holder, shown),
        "own_name": Person(link.holder.number, link.holder.full_name).called,
    }
    part = ASKED_BY_A_PAGE in request.headers
    return _not_kept(render(request, f"drives/{'_card' if part else 'card'}.html", context))


def _not_kept(answer: HttpResponse) -> HttpResponse:
    """Forbid caching of a response to a secret link, and the referrer to other sites."""
    answer["Referrer-Policy"] = "no-referrer"
    answer["Cache-Control"] = "no-store"
    patch_vary_headers(answer, [ASKED_BY_A_PAGE])
    return answer
