"""The page on which scorers enter the hands of one table and round in a game with contracts.

The page is an HTML form, which also works without JavaScript. The page's script sends one row
at a time and gets the grid as JSON. The status is 200 if the row was saved, 409 if someone else
has entered the hand in the meantime, and 422 with the name of an invalid input box.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_http_methods

import drives.services
from boards.whist import WhistError
from clubs.errors import EntryConflict
from drives import drive_access
from drives.drive_access import DriveAccess
from drives.errors import InvalidHand, ReasonNeeded
from drives.games.contracts import PassedDealRule, PointsTable
from drives.games.hand_rows import (
    MAX_LENGTHS,
    InvalidHandRow,
    RowTexts,
    format_row,
    list_passed_deal_words,
    read_row,
)
from drives.games.house import build_points_table_data
from drives.games.settling import SEATS
from drives.games.term_sentences import explain_passed_deals
from drives.numbers import parse_signed_number
from drives.sheets.hand_grid import (
    HandGrid,
    HandRow,
    format_hand,
    load_hand_grid,
    parse_shown_hand,
)
from drives.sheets.written_sums import check_written_sums
from server.errors import PageNotFound
from server.numbers import parse_whole_number

BOX_NAME_BY_FILE_KEY = {"by": "players", "made": "tricks", "times": "other", "revokes": "other"}
"""The input box for a key of the file format, if box and key have different names."""

MAX_SUM_LENGTH = 9

BOX_TITLES = {
    "contract": gettext_lazy("Contract"),
    "players": pgettext_lazy("numbered seats", "Seats"),
    "tricks": gettext_lazy("Tricks"),
    "passed": gettext_lazy("Passed"),
    "other": gettext_lazy("Other"),
    "scores": gettext_lazy("Four scores"),
}
"""The titles of the input boxes of a row."""


@require_http_methods(["GET", "POST"])
def show_or_save_hands(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hands of one table in one round, or save the posted hands."""
    access = drive_access.load_scorer_drive_access(request, slug)
    if not access.drive.score.get("game"):
        raise Http404
    form_data = request.POST if request.method == "POST" else request.GET
    round_number = parse_whole_number(form_data.get("round", ""), maximum=1000)
    table_number = parse_whole_number(form_data.get("table", ""), maximum=1000) or 1
    grid = load_hand_grid(access.drive, round_number or access.drive.at_round, table_number)
    if grid is None:
        return render(
            request,
            "drives/hands.html",
            access.context | {"grid": None},
            status=404 if request.method == "POST" else 200,
        )
    if request.method == "POST":
        return _save_hand_rows(request, access, grid)
    return _show_grid(request, access, grid, request.GET)


def _save_hand_rows(request: HttpRequest, access: DriveAccess, grid: HandGrid) -> HttpResponse:
    """Save the posted rows, and return a response with the updated grid."""
    requested_hand_number = parse_whole_number(request.POST.get("hand", ""), maximum=1000)
    rows = [row for row in grid.rows if requested_hand_number in (None, row.hand_number)]
    if not rows:
        raise PageNotFound(_("Hand not found at this table. Reload the page."))
    problems_by_hand: dict[int, WhistError] = {}
    saved_hand_count = 0
    for row in rows:
        try:
            saved_hand_count += _enter_hand_row(request, access, grid, row)
        except WhistError as error:
            problems_by_hand[row.hand_number] = error
    access.drive.refresh_from_db()
    new_grid = load_hand_grid(access.drive, grid.round_number, grid.table_number) or grid
    if requested_hand_number is not None and "application/json" in request.headers.get(
        "accept", ""
    ):
        return _build_grid_response(
            new_grid,
            requested_hand_number,
            problems_by_hand.get(requested_hand_number),
            request.POST,
        )
    if problems_by_hand:
        marked_grid = _mark_problems(grid, new_grid, problems_by_hand, request.POST)
        return _show_grid(request, access, marked_grid, request.POST)
    if saved_hand_count:
        message = ngettext("%(n)s hand saved.", "%(n)s hands saved.", saved_hand_count)
        messages.success(request, message % {"n": saved_hand_count})
    sum_texts = {
        f"w{seat_number}": text
        for seat_number in SEATS
        if (text := _read_written_sum(request.POST, seat_number))
    }
    query = urlencode({"round": grid.round_number, "table": grid.table_number, **sum_texts})
    return redirect(f"{request.path}?{query}")


def _enter_hand_row(
    request: HttpRequest, access: DriveAccess, grid: HandGrid, row: HandRow
) -> bool:
    """Enter the typed hand of a row if it is new; return whether the stored hand has changed.

    A hand is new if it differs from the hand that the page showed. So an unchanged row does not
    overwrite a hand that was entered on another screen in the meantime.
    """
    form_data = request.POST
    row_texts = _read_row_texts(form_data, row.hand_number)
    if row_texts is None:
        return False
    has_previous_value_field = f"seen{row.hand_number}" in form_data
    shown_hand = parse_shown_hand(grid.points, form_data.get(f"seen{row.hand_number}", ""))
    shown_texts = format_row(grid.points, shown_hand.contract, shown_hand.score)
    if row_texts == row.shown_texts or (has_previous_value_field and row_texts == shown_texts):
        return False
    row_values = read_row(grid.points, row_texts)
    entered_sheet = drives.services.enter_sheet(
        drive=access.drive,
        round_number=grid.round_number,
        table=grid.table_number,
        hand=row.hand_number,
        score=row_values.score,
        contract=row_values.contract or None,
        seen=shown_hand.score if has_previous_value_field else None,
        seen_contract=shown_hand.contract if has_previous_value_field else None,
        reason=form_data.get("reason", ""),
        by=request.user,
    )
    return entered_sheet.is_changed


def _read_row_texts(form_data: Mapping[str, str], hand_number: int) -> RowTexts | None:
    """Return the typed texts of a row; None if the form does not contain the row."""
    if f"contract{hand_number}" not in form_data:
        return None
    return RowTexts(
        *(
            " ".join(form_data.get(f"{name}{hand_number}", "").split())[: MAX_LENGTHS[name]]
            for name in RowTexts._fields
        )
    )


def _find_box_name(error: WhistError) -> str:
    """Return the name of the input box to which an error applies; "" for the whole row."""
    if isinstance(error, ReasonNeeded):
        return "reason"
    if not isinstance(error, InvalidHand):
        return ""
    error_field_key = error.invalid_key.partition(":")[0].partition(" ")[0]
    return (
        "other"
        if error_field_key.startswith("fine")
        else BOX_NAME_BY_FILE_KEY.get(error_field_key, error_field_key)
    )


def _describe_problem(error: WhistError) -> str:
    """Return a row's error message, which begins with the title of the invalid input box."""
    if isinstance(error, InvalidHandRow):
        return error.detail
    if isinstance(error, InvalidHand) and error.detail:
        title = BOX_TITLES.get(_find_box_name(error))
        return f"{title}: {error.detail}" if title else error.detail
    return str(error)[:1].upper() + str(error)[1:]


def _mark_problems(
    old_grid: HandGrid,
    new_grid: HandGrid,
    problems_by_hand: Mapping[int, WhistError],
    form_data: Mapping[str, str],
) -> HandGrid:
    """Return the grid with typed texts and problems in the rows that were not accepted."""
    rows = []
    for row, old_row in zip(new_grid.rows, old_grid.rows, strict=True):
        error = problems_by_hand.get(row.hand_number)
        if error is not None:
            is_conflict = isinstance(error, EntryConflict)
            row = replace(
                row,
                shown_texts=_read_row_texts(form_data, row.hand_number) or old_row.shown_texts,
                problem=_describe_problem(error),
                place=_find_box_name(error),
                conflict_text=format_hand(new_grid.points, row.contract, row.score)
                if is_conflict
                else "",
            )
        rows.append(row)
    return replace(new_grid, rows=tuple(rows))


def _build_grid_response(
    grid: HandGrid, hand_number: int, error: WhistError | None, form_data: Mapping[str, str]
) -> JsonResponse:
    """Return the grid as JSON, with the error of the row that was sent, if there is one."""
    row = next(grid_row for grid_row in grid.rows if grid_row.hand_number == hand_number)
    grid_data: dict[str, Any] = {
        "rows": [_build_row_data(row) for row in grid.rows],
        "check": _render_sums_check(grid, form_data),
        "missing": len(grid.missing_hands),
        "text": format_hand(grid.points, row.contract, row.score),
    }
    if error is None:
        return JsonResponse({"code": "ok", **grid_data})
    grid_data |= {"detail": _describe_problem(error), "place": _find_box_name(error)}
    status = 409 if isinstance(error, EntryConflict) else 422
    return JsonResponse({"code": error.code, **grid_data}, status=status)


def _build_row_data(row: HandRow) -> dict[str, Any]:
    return {
        "hand": row.hand_number,
        "dealer": row.dealer_seat,
        "texts": row.shown_texts._asdict(),
        "seen": row.stored_score_json,
        "points": list(row.score),
        "details": render_to_string("drives/_hand_details.html", {"row": row}),
    }


def _read_written_sum(form_data: Mapping[str, str], seat_number: int) -> str:
    return form_data.get(f"w{seat_number}", "")[:MAX_SUM_LENGTH]


def _list_written_sums(form_data: Mapping[str, str]) -> Iterator[int | None]:
    for seat_number in SEATS:
        yield parse_signed_number(_read_written_sum(form_data, seat_number))


def _render_sums_check(grid: HandGrid, form_data: Mapping[str, str]) -> str:
    check = check_written_sums(grid, list(_list_written_sums(form_data)))
    return render_to_string("drives/_sums_check.html", {"check": check})


def _show_grid(
    request: HttpRequest, access: DriveAccess, grid: HandGrid, form_data: Mapping[str, str]
) -> HttpResponse:
    problem_rows = [row for row in grid.rows if row.problem]
    context = access.context | {
        "grid": grid,
        "seats": [
            (seat_number, person, total, _read_written_sum(form_data, seat_number))
            for seat_number, person, total in zip(
                SEATS, grid.people, grid.signed_sums, strict=True
            )
        ],
        "rounds": range(1, access.drive.at_round + 1),
        "game": build_points_table_data(grid.points)
        | {"passedWords": list_passed_deal_words()},
        "keys": grid.points.playable_contracts,
        "example": _list_example_hand_texts(grid.points),
        "example_words": _explain_example_hand(grid.points),
        "asks_alone": grid.points.is_partner_optional,
        "passed_rule": explain_passed_deals(grid.points),
        "counts_passed": _are_passed_deals_shown(grid.points, grid),
        "asks_reason": grid.round_number < access.drive.at_round,
        "reason": form_data.get("reason", "") if problem_rows else "",
        "check": check_written_sums(grid, list(_list_written_sums(form_data))),
        "problems": problem_rows,
    }
    return render(request, "drives/hands.html", context, status=422 if problem_rows else 200)


def _list_example_hand_texts(points_table: PointsTable) -> tuple[str, ...]:
    """Return what a scorer types for an example hand: contract, players, and tricks if needed.

    The example is the game's first contract, made with exactly enough tricks.
    """
    contract = points_table.playable_contracts[0]
    seat_digits = "13" if 2 in contract.rule.player_counts else "1"
    target_trick_texts = () if contract.rule.wants is None else (str(contract.rule.wants),)
    return (contract.label.key, seat_digits, *target_trick_texts)


def _explain_example_hand(points_table: PointsTable) -> str:
    """Return the meaning of the example: "7 = 7 tricks, 13 = seats 1 and 3, 7 = tricks"."""
    contract_key, seat_digits, *tricks = _list_example_hand_texts(points_table)
    contract = points_table.playable_contracts[0]
    meanings = [
        f"{contract_key} = {contract.label.local}",
        _("13 = seats 1 and 3") if seat_digits == "13" else _("1 = seat 1"),
        *(_("%(number)s = tricks taken") % {"number": trick_count} for trick_count in tricks),
    ]
    return ", ".join(meanings)


def _are_passed_deals_shown(points_table: PointsTable, grid: HandGrid) -> bool:
    """Return whether to show passed deals: if they change points, or if a hand has some."""
    return points_table.passed is not PassedDealRule.REDEAL or any(
        row.shown_texts.passed for row in grid.rows
    )
