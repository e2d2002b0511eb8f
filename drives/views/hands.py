"""The organiser's grid of hands in a game with contracts: one table and round on a page.

The page is a form that works without a script. The script sends one row at a time and gets the
grid as JSON: 200 with the saved row, 409 if someone else has entered another hand since, and
422 with the name of the box for a refused one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

import drives.services
from boards.whist import WhistError
from clubs.errors import EnteredMeanwhile
from drives import visits
from drives.errors import HandRefused, ReasonNeeded
from drives.games.contracts import PassedRule, PointsTable
from drives.games.hand_rows import MAX_LENGTHS, RowTexts, format_row, read_row
from drives.games.house import build_table_data
from drives.games.settling import SEATS
from drives.numbers import parse_signed_number
from drives.sheets.hand_grid import (
    HandGrid,
    HandRow,
    format_hand,
    load_hand_grid,
    parse_seen,
)
from drives.sheets.written_sums import check_written_sums
from drives.visits import DriveVisit
from server.numbers import parse_whole_number

PLACES = {"by": "players", "made": "tricks", "times": "other", "revokes": "other"}
"""The box of a row in which each part of a hand is typed, if its name differs."""

BOX_TITLES = {
    "contract": gettext_lazy("Contract"),
    "players": gettext_lazy("Players"),
    "tricks": gettext_lazy("Tricks"),
    "passed": gettext_lazy("Passed"),
    "other": gettext_lazy("Other"),
    "scores": gettext_lazy("Four scores"),
}
"""The titles of the boxes of a row."""


@require_http_methods(["GET", "POST"])
def hands_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hands of one table in one round, or save those that were typed."""
    visit = visits.scorer_drive(request, slug)
    if not visit.drive.score.get("game"):
        raise Http404
    posted = request.POST if request.method == "POST" else request.GET
    round_number = parse_whole_number(posted.get("round", ""), maximum=1000)
    table = parse_whole_number(posted.get("table", ""), maximum=1000) or 1
    grid = load_hand_grid(visit.drive, round_number or visit.drive.at_round, table)
    if grid is None:
        return render(
            request,
            "drives/hands.html",
            visit.context | {"grid": None},
            status=404 if request.method == "POST" else 200,
        )
    if request.method == "POST":
        return _save(request, visit, grid)
    return _show(request, visit, grid, request.GET)


def _save(request: HttpRequest, visit: DriveVisit, grid: HandGrid) -> HttpResponse:
    """Save the typed rows, and answer with the grid as it is afterwards."""
    wanted = parse_whole_number(request.POST.get("hand", ""), maximum=1000)
    rows = [row for row in grid.rows if wanted in (None, row.hand)]
    problems: dict[int, WhistError] = {}
    saved = 0
    for row in rows:
        try:
            saved += _enter_row(request, visit, grid, row)
        except WhistError as error:
            problems[row.hand] = error
    visit.drive.refresh_from_db()
    after = load_hand_grid(visit.drive, grid.round, grid.table) or grid
    if wanted is not None and "application/json" in request.headers.get("accept", ""):
        return _build_answer(after, wanted, problems.get(wanted), request.POST)
    if problems:
        shown = _mark_problems(grid, after, problems, request.POST)
        return _show(request, visit, shown, request.POST)
    if saved:
        words = ngettext("%(n)s hand saved.", "%(n)s hands saved.", saved)
        messages.success(request, words % {"n": saved})
    sums = {f"w{seat}": text for seat in SEATS if (text := request.POST.get(f"w{seat}", ""))}
    query = urlencode({"round": grid.round, "table": grid.table, **sums})
    return redirect(f"{request.path}?{query}")


def _enter_row(request: HttpRequest, visit: DriveVisit, grid: HandGrid, row: HandRow) -> bool:
    """Enter the typed hand of a row if it is new; return whether it changed.

    Another screen may have entered the hand since, so an untouched row is no entry.
    """
    posted = request.POST
    texts = _read_texts(posted, row.hand)
    if texts is None:
        return False
    is_shown = f"seen{row.hand}" in posted
    seen = parse_seen(posted.get(f"seen{row.hand}", ""))
    shown = format_row(grid.points, seen.contract, seen.score) if seen.score else RowTexts()
    if texts == row.texts or (is_shown and texts == shown):
        return False
    values = read_row(grid.points, texts)
    entered = drives.services.enter_sheet(
        drive=visit.drive,
        round_number=grid.round,
        table=grid.table,
        hand=row.hand,
        score=values.score,
        contract=values.contract or None,
        seen=seen.score if is_shown else None,
        seen_contract=seen.contract if is_shown else None,
        reason=posted.get("reason", ""),
        by=request.user,
    )
    return entered.changed


def _read_texts(posted: Mapping[str, str], hand: int) -> RowTexts | None:
    """Return the typed texts of a row; None if the request does not have it."""
    if f"contract{hand}" not in posted:
        return None
    return RowTexts(
        *(
            " ".join(posted.get(f"{name}{hand}", "").split())[: MAX_LENGTHS[name]]
            for name in RowTexts._fields
        )
    )


def _find_place(error: WhistError) -> str:
    """Return the name of the box that an error is about; "" for the whole row."""
    if isinstance(error, ReasonNeeded):
        return "reason"
    if not isinstance(error, HandRefused):
        return ""
    name = error.place.partition(":")[0].partition(" ")[0]
    return "other" if name.startswith("fine") else PLACES.get(name, name)


def _describe_problem(error: WhistError) -> str:
    """Return an error for its row, beginning with the box that it is about."""
    if isinstance(error, HandRefused) and error.detail:
        title = BOX_TITLES.get(_find_place(error))
        return f"{title}: {error.detail}" if title else error.detail
    return str(error)[:1].upper() + str(error)[1:]


def _mark_problems(
    before: HandGrid,
    after: HandGrid,
    problems: Mapping[int, WhistError],
    posted: Mapping[str, str],
) -> HandGrid:
    """Return the grid with the refused rows as they were typed, and their problems."""
    rows = []
    for row, old in zip(after.rows, before.rows, strict=True):
        error = problems.get(row.hand)
        if error is not None:
            is_conflict = isinstance(error, EnteredMeanwhile)
            row = replace(
                row,
                texts=_read_texts(posted, row.hand) or old.texts,
                problem=_describe_problem(error),
                place=_find_place(error),
                stored=format_hand(after.points, row.contract, row.score)
                if is_conflict
                else "",
            )
        rows.append(row)
    return replace(after, rows=tuple(rows))


def _build_answer(
    grid: HandGrid, hand: int, error: WhistError | None, posted: Mapping[str, str]
) -> JsonResponse:
    """Return the grid as data, with the error of the row that was sent."""
    row = next(each for each in grid.rows if each.hand == hand)
    data: dict[str, Any] = {
        "rows": [_build_row_data(each) for each in grid.rows],
        "check": _render_check(grid, posted),
        "missing": len(grid.missing),
        "text": format_hand(grid.points, row.contract, row.score),
    }
    if error is None:
        return JsonResponse({"code": "ok", **data})
    data |= {"detail": _describe_problem(error), "place": _find_place(error)}
    status = 409 if isinstance(error, EnteredMeanwhile) else 422
    return JsonResponse({"code": error.code, **data}, status=status)


def _build_row_data(row: HandRow) -> dict[str, Any]:
    return {
        "hand": row.hand,
        "dealer": row.dealer,
        "texts": row.texts._asdict(),
        "seen": row.seen,
        "points": list(row.score),
        "details": render_to_string("drives/_hand_details.html", {"row": row}),
    }


def _list_written_sums(posted: Mapping[str, str]) -> Iterator[int | None]:
    for seat in SEATS:
        yield parse_signed_number(posted.get(f"w{seat}", ""))


def _render_check(grid: HandGrid, posted: Mapping[str, str]) -> str:
    check = check_written_sums(grid, list(_list_written_sums(posted)))
    return render_to_string("drives/_sums_check.html", {"check": check})


def _show(
    request: HttpRequest, visit: DriveVisit, grid: HandGrid, posted: Mapping[str, str]
) -> HttpResponse:
    problems = [row for row in grid.rows if row.problem]
    context = visit.context | {
        "grid": grid,
        "seats": [
            (seat, person, total, posted.get(f"w{seat}", "")[:9])
            for seat, person, total in zip(SEATS, grid.people, grid.signed_sums, strict=True)
        ],
        "rounds": range(1, visit.drive.at_round + 1),
        "game": build_table_data(grid.points),
        "keys": grid.points.played,
        "counts_passed": _counts_passed(grid.points, grid),
        "has_typed": any(row.texts.scores for row in grid.rows),
        "asks_reason": grid.round < visit.drive.at_round,
        "reason": posted.get("reason", "") if problems else "",
        "check": check_written_sums(grid, list(_list_written_sums(posted))),
        "problems": problems,
    }
    return render(request, "drives/hands.html", context, status=422 if problems else 200)


def _counts_passed(table: PointsTable, grid: HandGrid) -> bool:
    """Return whether passed deals are shown: they count, or a hand has some."""
    return table.passed is not PassedRule.REDEAL or any(row.texts.passed for row in grid.rows)
