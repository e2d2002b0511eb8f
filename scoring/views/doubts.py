"""What is done about a result: swap the sides, keep it, mend the round, exchange two boards."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

import scoring.services
from boards.whist import WhistError
from scoring import visits
from scoring.views.scores import sitting_of
from server.numbers import number_or_zero
from tournaments.models import Sitting


@require_POST
def doubt(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep, swap or mend; the grid's script is answered in figures, a form with the grid."""
    visit = visits.scorer_event(request, slug)
    event = visit.event
    act, at, board_at = _answered(request)
    sitting = sitting_of(event, at)
    board = number_or_zero(board_at)
    is_script = "application/json" in request.headers.get("Accept", "")
    back = reverse("room", args=[slug]) if request.POST.get("back") == "room" else ""
    try:
        text = _act(request, act, sitting, board)
    except WhistError as refused:
        if is_script:
            return JsonResponse({"code": refused.code, "detail": str(refused)}, status=400)
        messages.error(request, str(refused))
        return redirect(back or reverse("scores", args=[slug]))
    if is_script:
        return JsonResponse({"text": text})
    messages.success(request, text)
    return redirect(back or f"{reverse('scores', args=[slug])}#r-{at}-{board}")


def _answered(request: HttpRequest) -> tuple[str, str, str]:
    """What is done, at which sitting, on which board: three fields, or a grid's one button."""
    if "answer" in request.POST:
        act, _dash, place = request.POST["answer"].partition("-")
        sitting, _dash, board = place.partition("-")
        return act, sitting, board
    return (
        request.POST.get("act", ""),
        request.POST.get("sitting", ""),
        request.POST.get("board", ""),
    )


def _act(request: HttpRequest, act: str, sitting: Sitting | None, board: int) -> str:
    gone = _("This question has been settled already.")
    if sitting is None:
        return gone
    where = {"board": board, "table": sitting.label}
    if act == "round":
        count = scoring.services.mend_round(sitting=sitting, by=request.user)
        text = ngettext(
            "%(count)s board is put right.", "%(count)s boards are put right.", count
        )
        return text % {"count": count} if count else gone
    act_on = {"keep": scoring.services.keep_result, "swap": scoring.services.swap_result}
    if act == "exchange":
        other = number_or_zero(request.POST.get("other"))
        done = scoring.services.exchange_results(
            sitting=sitting, board=board, other=other, by=request.user
        )
        text = _("Table %(table)s: boards %(board)s and %(other)s are exchanged.")
        return text % (where | {"other": other}) if done else gone
    if act not in act_on:
        return gone
    result = act_on[act](sitting=sitting, board=board, by=request.user)
    if result is None:
        return gone
    words = where | {"mark": result.mark}
    if act == "keep":
        return _("Board %(board)s, table %(table)s: N-S %(mark)s is kept.") % words
    return _("Board %(board)s, table %(table)s: N-S %(mark)s.") % words
