"""Views of the standings for staff, and of pages that list a player's points for each hand."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.activities.secrecy import format_full_name, format_public_name
from drives import drive_access
from drives.drive_access import DriveAccess
from drives.sheets.seats import build_player_page
from drives.sheets.standing import build_drive_standings, has_scores
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from drives.visibility import NameFormatter, can_players_see_standings


@require_safe
def show_standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings to directors and scorers, even while players can't see them."""
    access = drive_access.load_scorer_drive_access(request, slug)
    snapshot = load_drive_snapshot(access.drive)
    standings = (
        build_drive_standings(snapshot, format_full_name, is_for_staff=True)
        if has_scores(snapshot)
        else None
    )
    return render(request, "drives/standings.html", access.context | {"standing": standings})


@login_not_required
@require_safe
def show_public_points(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Explain a player's points on a public page, if players can see the standings."""
    access = drive_access.load_public_drive_access(slug)
    snapshot = load_drive_snapshot(access.drive)
    if not can_players_see_standings(snapshot):
        raise Http404
    context = _build_context(access, snapshot, number, format_public_name)
    return render(request, "drives/player_points.html", context)


@require_safe
def show_points_of_player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Explain a player's points to directors and scorers."""
    access = drive_access.load_scorer_drive_access(request, slug)
    context = _build_context(
        access, load_drive_snapshot(access.drive), number, format_full_name
    )
    return render(request, "drives/player_points_desk.html", context)


def _build_context(
    access: DriveAccess, snapshot: DriveSnapshot, player_number: int, format_name: NameFormatter
) -> dict[str, Any]:
    if snapshot.points_table is None or player_number not in snapshot.player_by_number:
        raise Http404
    return access.context | {"own": build_player_page(snapshot, player_number, format_name)}
