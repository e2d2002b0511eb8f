"""The page that shows and changes the points table of a drive."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

import drives.services
from boards.whist import WhistError
from clubs.activities.secrecy import format_public_name
from drives import drive_access
from drives.contract_words import load_contract_name_style
from drives.drive_access import DriveAccess
from drives.errors import UnreadableDrive
from drives.house_tables import (
    OWN_PRESET_PREFIX,
    has_same_points,
    load_club_presets,
    select_presets_with_points_table,
)
from drives.models import Drive
from drives.points_form import build_points_form, read_club_changes
from drives.scores.terms import ScoreTerms, parse_score_terms
from drives.sheets.people import build_person
from drives.sheets.points_preview import preview_points
from drives.snapshot import load_drive_snapshot
from server.errors import PageNotFound
from server.json_reader.decoder import decode_json

MAX_TYPED_NAME_LENGTH = 200
CURRENT_POINTS_VALUE = "present"
"""The form value that keeps the drive's points, if they equal no stored points table."""


@require_http_methods(["GET", "POST"])
def show_or_change_points(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the points of a drive's contracts, or preview or save posted changes.

    If the posted `act` is "keep", the points are saved under a name, for other drives of the
    club.
    """
    access = drive_access.load_director_drive_access(request, slug)
    score_terms = parse_score_terms(access.drive.score)
    if score_terms.game is None:
        raise PageNotFound(_("This drive’s game has no contracts."))
    if request.method != "POST":
        return _show_points(request, access, score_terms)
    try:
        variant_code, club_changes = _read_points_form(request, access, score_terms)
        if request.POST.get("act") == "save":
            drives.services.change_points(
                drive=access.drive, custom=variant_code, house=club_changes, by=request.user
            )
            messages.success(request, _("Points saved. You can undo this in History."))
            return redirect("drive_points", access.address)
        if request.POST.get("act") == "keep":
            drives.services.save_club_points_table(
                club=access.drive.club,
                name=request.POST.get("name", "")[:MAX_TYPED_NAME_LENGTH],
                game_code=score_terms.game.code,
                variant_code=variant_code,
                club_changes=club_changes,
                by=request.user,
            )
            messages.success(request, _("Table saved for new drives."))
            saved_query = urlencode({"saved": request.POST.get("name", "")})
            return redirect(f"{request.path}?{saved_query}")
        preview_context = _build_preview_context(access, variant_code, club_changes)
    except WhistError as problem:
        return _show_points(request, access, score_terms, problem=str(problem))
    return _show_points(request, access, score_terms, preview_context=preview_context)


def _read_points_form(
    request: HttpRequest, access: DriveAccess, score_terms: ScoreTerms
) -> tuple[str | None, dict[str, Any]]:
    """Return the code of the chosen variant and the club's changes from the HTML form.

    Raises UnreadableDrive.
    """
    form_data, game = request.POST, score_terms.game
    assert game is not None
    variant_code = form_data.get("custom") or None
    if access.drive.is_closed:  # all fields of the form are read-only
        return score_terms.custom, dict(score_terms.house)
    if form_data.get("act") == "save":
        club_changes = decode_json(form_data.get("house", "{}"), UnreadableDrive)
        if not isinstance(club_changes, dict):
            raise UnreadableDrive([_("Enter the points again.")])
        return variant_code, club_changes
    if form_data.get("act") == "ready":
        return _find_chosen_points_table(access, score_terms, game.code, variant_code)
    contract_name_style = load_contract_name_style(access.drive.club_id)
    return variant_code, read_club_changes(
        form_data.dict(), game, variant_code, score_terms.house, contract_name_style
    )


def _find_chosen_points_table(
    access: DriveAccess, score_terms: ScoreTerms, game_code: str, chosen_table_value: str | None
) -> tuple[str | None, dict[str, Any]]:
    """Return the variant and the changes of the table chosen in the list.

    Raises UnreadableDrive.
    """
    if chosen_table_value == CURRENT_POINTS_VALUE:
        return score_terms.custom, dict(score_terms.house)
    if chosen_table_value is None or not chosen_table_value.startswith(OWN_PRESET_PREFIX):
        return chosen_table_value, {}
    presets_by_name = select_presets_with_points_table(
        load_club_presets(access.drive.club), game_code
    )
    preset = presets_by_name.get(chosen_table_value.removeprefix(OWN_PRESET_PREFIX))
    if preset is None:
        raise UnreadableDrive([_("Points table not found.")])
    return preset.get("custom"), dict(preset.get("house", {}))


def _build_preview_context(
    access: DriveAccess, variant_code: str | None, club_changes: dict[str, Any]
) -> dict[str, Any]:
    """Return the template context that previews the effect of a change on scores."""
    snapshot = load_drive_snapshot(access.drive)
    preview = preview_points(snapshot, variant_code, club_changes)
    totals = [
        (build_person(snapshot, player_number, format_public_name), old_total, new_total)
        for player_number, (old_total, new_total) in preview.totals_by_player.items()
        if isinstance(player_number, int)
    ]
    hands_message = ngettext(
        "%(count)s hand changes.", "%(count)s hands change.", preview.changed_hand_count
    )
    return {
        "custom": variant_code or "",
        "house": json.dumps(club_changes),
        "hands": hands_message % {"count": preview.changed_hand_count},
        "totals": totals,
        "cells": len(preview.cells),
    }


def _show_points(
    request: HttpRequest,
    access: DriveAccess,
    score_terms: ScoreTerms,
    *,
    problem: str = "",
    preview_context: dict[str, Any] | None = None,
) -> HttpResponse:
    game = score_terms.game
    assert game is not None
    club = access.drive.club
    points_form = build_points_form(
        game, score_terms.custom, score_terms.house, load_contract_name_style(club.pk)
    )
    if problem and request.POST.get("act") != "save":
        points_form = points_form.keep_typed_texts(request.POST.dict())
    presets_by_name = select_presets_with_points_table(load_club_presets(club), game.code)
    context = access.context | {
        "game": game,
        "custom": score_terms.custom or "",
        "points": points_form,
        "own_tables": [(f"{OWN_PRESET_PREFIX}{name}", name) for name in presets_by_name],
        "chosen_table": _find_points_table_value(access.drive, presets_by_name),
        "offered_table": _find_offered_preset_value(request, access, presets_by_name),
        "present_points": CURRENT_POINTS_VALUE,
        "problem": problem,
        "preview": preview_context,
    }
    return render(request, "drives/points.html", context, status=400 if problem else 200)


def _find_offered_preset_value(
    request: HttpRequest, access: DriveAccess, presets_by_name: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return the form value of the table just saved if this drive could use it, or ""."""
    name = " ".join(request.GET.get("saved", "").split())
    score_terms = presets_by_name.get(name)
    if score_terms is None or access.drive.is_closed:
        return ""
    is_used = has_same_points(score_terms, access.drive.score)
    return "" if is_used else f"{OWN_PRESET_PREFIX}{name}"


def _find_points_table_value(
    drive: Drive, presets_by_name: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return the form value of the points table that equals the drive's points.

    Returns `CURRENT_POINTS_VALUE` if no table equals them.
    """
    if not drive.score.get("house"):
        return drive.score.get("custom") or ""
    for name, score in presets_by_name.items():
        if has_same_points(score, drive.score):
            return f"{OWN_PRESET_PREFIX}{name}"
    return CURRENT_POINTS_VALUE
