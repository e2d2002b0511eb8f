"""The page of a drive's points table: the points of each contract, and a preview of changes."""

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

import drives.services
from boards.whist import WhistError
from clubs.activities.secrecy import format_public_name
from clubs.views.error_messages import show_errors_as_messages
from drives import visits
from drives.contract_words import load_contract_words
from drives.errors import UnreadableDrive
from drives.games.house import list_changed_cells
from drives.house_tables import OWN_PRESET_PREFIX, load_own_presets, select_tables
from drives.points_form import build_points_form, read_house
from drives.scores.terms import ScoreTerms, parse_points_table, parse_score_terms
from drives.sheets.people import build_person
from drives.sheets.points_preview import preview_points
from drives.snapshot import load_drive
from drives.visits import DriveVisit
from server.errors import PageNotFound
from server.json_reader.decoder import decode_json

MAX_TYPED_NAME = 200


@require_http_methods(["GET", "POST"])
def points_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the points of a drive's contracts, preview a change, or save it."""
    visit = visits.director_drive(request, slug)
    terms = parse_score_terms(visit.drive.score)
    if terms.game is None:
        raise PageNotFound(_("This drive has no game with contracts."))
    if request.method != "POST":
        return _show(request, visit, terms)
    try:
        custom, house = _read_form(request, visit, terms)
        if request.POST.get("act") == "save":
            drives.services.change_points(
                drive=visit.drive, custom=custom, house=house, by=request.user
            )
            messages.success(request, _("Points saved. You can undo this in History."))
            return redirect("drive_points", visit.address)
        preview = _build_preview(visit, custom, house)
    except WhistError as problem:
        return _show(request, visit, terms, problem=str(problem))
    return _show(request, visit, terms, preview=preview)


def _read_form(
    request: HttpRequest, visit: DriveVisit, terms: ScoreTerms
) -> tuple[str | None, dict[str, Any]]:
    """Read the ready table and the club's own changes from the form; raise UnreadableDrive."""
    form, game = request.POST, terms.game
    assert game is not None
    custom = form.get("custom") or None
    if form.get("act") == "save":
        house = decode_json(form.get("house", "{}"), UnreadableDrive)
        if not isinstance(house, dict):
            raise UnreadableDrive([_("Enter the points again.")])
        return custom, house
    if form.get("act") == "ready":
        if custom is None or not custom.startswith(OWN_PRESET_PREFIX):
            return custom, {}
        tables = select_tables(load_own_presets(visit.drive.club), game.code)
        own = tables.get(custom.removeprefix(OWN_PRESET_PREFIX))
        if own is None:
            raise UnreadableDrive([_("Points table not found.")])
        return own.get("custom"), dict(own.get("house", {}))
    return custom, read_house(form.dict(), game, custom, terms.house)


def _build_preview(
    visit: DriveVisit, custom: str | None, house: dict[str, Any]
) -> dict[str, Any]:
    """Return the template context that previews the effect of a change on scores."""
    snapshot = load_drive(visit.drive)
    preview = preview_points(snapshot, custom, house)
    totals = [
        (build_person(snapshot, number, format_public_name), before, after)
        for number, (before, after) in preview.totals.items()
        if isinstance(number, int)
    ]
    hands = ngettext("%(count)s hand changes.", "%(count)s hands change.", preview.hands)
    score = visit.drive.score | {"custom": custom, "house": house}
    table, old_table = parse_points_table(score), parse_points_table(visit.drive.score)
    assert table is not None
    assert old_table is not None
    return {
        "custom": custom or "",
        "house": json.dumps(house),
        "hands": hands % {"count": preview.hands},
        "totals": totals,
        "cells": len(list_changed_cells(old_table, table)),
    }


def _show(
    request: HttpRequest,
    visit: DriveVisit,
    terms: ScoreTerms,
    *,
    problem: str = "",
    preview: dict[str, Any] | None = None,
) -> HttpResponse:
    game = terms.game
    assert game is not None
    club = visit.drive.club
    points = build_points_form(game, terms.custom, terms.house, load_contract_words(club.pk))
    if problem and request.POST.get("act") != "save":
        points = points.keep_typed(request.POST.dict())
    tables = select_tables(load_own_presets(club), game.code)
    context = visit.context | {
        "game": game,
        "custom": terms.custom or "",
        "points": points,
        "own_tables": [(f"{OWN_PRESET_PREFIX}{name}", name) for name in tables],
        "problem": problem,
        "preview": preview,
    }
    return render(request, "drives/points.html", context, status=400 if problem else 200)


@require_POST
def keep_points(request: HttpRequest, slug: str) -> HttpResponse:
    """Save a drive's points table under a name for other drives of the club."""
    visit = visits.director_drive(request, slug)
    score = visit.drive.score
    if not score.get("game"):
        raise PageNotFound(_("This drive has no game with contracts."))
    with show_errors_as_messages(request):
        drives.services.save_house_table(
            club=visit.drive.club,
            name=request.POST.get("name", "")[:MAX_TYPED_NAME],
            game=score["game"],
            custom=score.get("custom"),
            house=score.get("house", {}),
            by=request.user,
        )
        messages.success(request, _("Table saved for new drives."))
    return redirect("drive_points", visit.address)
