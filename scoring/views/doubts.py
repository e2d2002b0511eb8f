"""View for decisions about queried results, disputed results and wrong boards."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

import scoring.services
from boards.whist import WhistError
from scoring import page_loaders
from scoring.sheets.score_grid import format_cell_name
from scoring.views.scores import find_sitting
from server.numbers import parse_number_or_zero
from tournaments.models import Sitting

DIRECTOR_ONLY_DECISIONS = ("really",)
"""Decisions that only a director may make: that a table really played another board."""


@require_POST
def decide_query(request: HttpRequest, slug: str) -> HttpResponse:
    """Apply a decision about a queried or disputed result, or about a wrong board.

    Return JSON to the script of the score grid, else redirect to the page that sent the form.
    """
    decision, sitting_text, board_text = _parse_decision(request)
    load_access = (
        page_loaders.load_director_event
        if decision in DIRECTOR_ONLY_DECISIONS
        else page_loaders.load_scorer_event
    )
    event = load_access(request, slug).event
    sitting = find_sitting(event, sitting_text)
    board_number = parse_number_or_zero(board_text)
    is_json_requested = "application/json" in request.headers.get("Accept", "")
    return_url = _get_page_url(slug, request.POST.get("back", ""), sitting)
    try:
        message = _apply_decision(request, decision, sitting, board_number)
    except WhistError as error:
        if is_json_requested:
            return JsonResponse({"code": error.code, "detail": str(error)}, status=400)
        messages.error(request, str(error))
        return redirect(return_url or reverse("scores", args=[slug]))
    if is_json_requested:
        return JsonResponse({"text": message})
    messages.success(request, message)
    cell_name = format_cell_name(sitting.pk, board_number) if sitting else ""
    return redirect(
        return_url or f"{reverse('scores', args=[slug])}?at={cell_name}#{cell_name}"
    )


def _get_page_url(slug: str, page_name: str, sitting: Sitting | None) -> str:
    """Return the URL of the page that sent the form; "" for the score grid."""
    if page_name == "table" and sitting is not None:
        url = reverse("room_table", args=[slug, sitting.table])
        return f"{url}?section={sitting.section.letter}"
    return reverse("room", args=[slug]) if page_name in ("room", "table") else ""


def _parse_decision(request: HttpRequest) -> tuple[str, str, str]:
    """Return the decision, the sitting's primary key and the board number, each as text.

    The form sends them in three fields, or as the value of one button, e.g. "keep-12-5".
    """
    if "answer" in request.POST:
        decision, _dash, play_text = request.POST["answer"].partition("-")
        sitting_text, _dash, board_text = play_text.partition("-")
        return decision, sitting_text, board_text
    return (
        request.POST.get("act", ""),
        request.POST.get("sitting", ""),
        request.POST.get("board", ""),
    )


def _apply_decision(
    request: HttpRequest, decision: str, sitting: Sitting | None, board_number: int
) -> str:
    outdated_message = _("This query has already been answered.")
    if sitting is None:
        return outdated_message
    location_placeholders = {"board": board_number, "table": sitting.label}
    if decision == "round":
        changed_count = scoring.services.correct_round(sitting=sitting, by=request.user)
        message = ngettext(
            "%(count)s board corrected.", "%(count)s boards corrected.", changed_count
        )
        return message % {"count": changed_count} if changed_count else outdated_message
    service_by_decision = {
        "keep": scoring.services.accept_result,
        "swap": scoring.services.swap_result_sides,
    }
    if decision in _DECISION_HANDLERS:
        return _DECISION_HANDLERS[decision](request, sitting, board_number) or outdated_message
    if decision not in service_by_decision:
        return outdated_message
    result = service_by_decision[decision](
        sitting=sitting, board_number=board_number, by=request.user
    )
    if result is None:
        return outdated_message
    placeholders = location_placeholders | {"mark": result.mark}
    if decision == "keep":
        return _("Board %(board)s, table %(table)s: N-S %(mark)s kept.") % placeholders
    return _("Board %(board)s, table %(table)s: N-S %(mark)s.") % placeholders


def _settle_dispute(request: HttpRequest, sitting: Sitting, board_number: int) -> str:
    """Record the score that the director chose of the two that a table's sides entered."""
    result = scoring.services.settle_dispute(
        sitting=sitting,
        board_number=board_number,
        mark=request.POST.get("mark", ""),
        seen_score=request.POST.get("seen", ""),
        by=request.user,
    )
    ns_value, ew_value = result.written_score.side_values
    placeholders = {
        "board": board_number,
        "table": sitting.label,
        "ns": ns_value,
        "ew": ew_value,
    }
    return _("Board %(board)s, table %(table)s: N-S %(ns)s, E-W %(ew)s.") % placeholders


def _record_actual_board(request: HttpRequest, sitting: Sitting, board_number: int) -> str:
    played_board_number = parse_number_or_zero(request.POST.get("really"))
    scoring.services.record_actual_board(
        sitting=sitting, board=board_number, really=played_board_number, by=request.user
    )
    message = _("Table %(table)s, round %(round)s: board %(board)s was board %(really)s.")
    placeholders = {
        "table": sitting.label,
        "round": sitting.round,
        "board": board_number,
        "really": played_board_number,
    }
    return message % placeholders


def _exchange_results(request: HttpRequest, sitting: Sitting, board_number: int) -> str:
    other_board_number = parse_number_or_zero(request.POST.get("other"))
    changed_count = scoring.services.exchange_results(
        sitting=sitting,
        board_number=board_number,
        other_board_number=other_board_number,
        by=request.user,
    )
    message = _("Table %(table)s: boards %(board)s and %(other)s swapped.")
    return (
        message % {"table": sitting.label, "board": board_number, "other": other_board_number}
        if changed_count
        else ""
    )


_DECISION_HANDLERS = {
    "exchange": _exchange_results,
    "really": _record_actual_board,
    "settle": _settle_dispute,
}
