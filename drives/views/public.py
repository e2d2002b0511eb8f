"""The public pages of a drive, the page for a screen in the hall, and players' own pages."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from clubs.activities.secrecy import format_public_name
from clubs.languages import activate_language
from clubs.models import Club
from drives import drive_access
from drives.models import Drive
from drives.services import links
from drives.sheets.clock import build_clock
from drives.sheets.desk import build_desk_page_data
from drives.sheets.people import Person
from drives.sheets.seats import SeatOnList, compute_page_version, list_seats, load_player_page
from drives.sheets.standing import build_drive_standings, list_awards
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from server.fragments import HTMX_HEADER, redirect_unless_htmx

PLAYERS_PER_PAGE = 110
"""The maximum number of players in one screenful of the hall's screen, at 1920 × 1080."""
MAX_LISTED_DRIVES = 40


@login_not_required
@require_safe
def show_drive_list(request: HttpRequest) -> HttpResponse:
    """Show the list of the newest drives of all clubs."""
    drives = Drive.objects.exclude_hidden().select_related("club", "evening")[
        :MAX_LISTED_DRIVES
    ]
    club_count = Club.objects.filter(drives__in=list(drives)).distinct().count()
    return render(request, "drives/drives.html", {"drives": drives, "several": club_count > 1})


@login_not_required
@require_safe
def show_drive(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the seats in play, and the standings and prizes if they are already public."""
    access = drive_access.load_public_drive_access(slug)
    snapshot = load_drive_snapshot(access.drive)
    standings = build_drive_standings(snapshot, format_public_name)
    context = access.context | {
        "desk": build_desk_page_data(snapshot, format_public_name),
        "seats": _list_seats(snapshot),
        "standing": standings,
        "prizes": list_awards(snapshot, format_public_name) if access.drive.is_closed else (),
    }
    return render(request, "drives/drive.html", context)


def _list_seats(snapshot: DriveSnapshot) -> Sequence[SeatOnList]:
    if snapshot.current_round is None or snapshot.drive.is_closed:
        return ()
    return list_seats(snapshot, snapshot.current_round.number, format_public_name)


@login_not_required
@require_safe
def show_hall_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page for a screen in the hall: all players by name, in large letters."""
    context = _build_screen_context(slug)
    drive_clock = build_clock(context["drive"])
    clock_context = {
        "face": drive_clock,
        "data": asdict(drive_clock),
        "room_url": drive_access.find_room_url(request, context["drive"]),
    }
    return render(request, "drives/screen.html", context | clock_context)


@login_not_required
@require_safe
@redirect_unless_htmx("drive_screen")
def show_screen_fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fragment of the screen that is refreshed for each round."""
    return render(request, "drives/_screen.html", _build_screen_context(slug))


def _build_screen_context(slug: str) -> dict[str, Any]:
    access = drive_access.load_public_drive_access(slug)
    activate_language(access.drive.club.language)
    snapshot = load_drive_snapshot(access.drive)
    seats = _list_seats(snapshot)
    page_count = max(1, -(-len(seats) // PLAYERS_PER_PAGE))
    page_size = -(-len(seats) // page_count) or 1
    return access.context | {
        "desk": build_desk_page_data(snapshot, format_public_name),
        "pages": [
            seats[start_index : start_index + page_size]
            for start_index in range(0, len(seats), page_size)
        ],
        "standing": build_drive_standings(snapshot, format_public_name),
        "prizes": list_awards(snapshot, format_public_name) if access.drive.is_closed else (),
    }


@login_not_required
@require_safe
def show_own_card(request: HttpRequest, token: str) -> HttpResponse:
    """Show a player's own page; the token in the score card's QR code gives access to it."""
    link = links.find_card_link(token)
    if link is None:
        response = render(request, "drives/card_gone.html", status=404)
        response["Referrer-Policy"] = "no-referrer"
        return response
    if HTMX_HEADER not in request.headers:
        link.record_visit()
    drive = link.holder.drive
    timezone.activate(drive.club.zone)
    page_version = compute_page_version(link.holder)
    if HTMX_HEADER in request.headers and request.GET.get("seen") == page_version:
        return _forbid_caching(HttpResponse(status=204))
    context = {
        "seen": page_version,
        "drive": drive,
        "club": drive.club,
        "own": load_player_page(link.holder, format_public_name),
        "own_name": Person(link.holder.number, link.holder.full_name).numbered_name,
    }
    is_fragment = HTMX_HEADER in request.headers
    return _forbid_caching(
        render(request, f"drives/{'_card' if is_fragment else 'card'}.html", context)
    )


def _forbid_caching(response: HttpResponse) -> HttpResponse:
    """Add headers that forbid browsers to cache the page or to send its URL to other sites."""
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, [HTMX_HEADER])
    return response
