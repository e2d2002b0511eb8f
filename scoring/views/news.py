"""What others have entered, for grids that are open; and one change taken back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import scoring.services
from boards.whist import WhistError
from scoring.models import ResultVersion
from scoring.sheets.acts import words_of_act
from scoring.sheets.room import room
from tournaments import access, audit


@require_safe
def changes(request: HttpRequest, slug: str) -> HttpResponse:
    """List the cells that were entered after a version that the screen has seen."""
    event = access.scorer_event(request, slug)
    session = access.session_of(event)
    since = _number(request.GET.get("since", ""))
    versions = ResultVersion.objects.filter(
        result__sitting__section__session=session, pk__gt=since
    ).select_related("result")
    newest: dict[tuple[int, int], ResultVersion] = {}
    for version in versions.order_by("pk"):
        newest[version.result.sitting_id, version.result.board] = version
    cells = [
        {"sitting": sitting, "board": board, "seen": version.result.mark, "by": version.by}
        for (sitting, board), version in newest.items()
    ]
    at = max((version.pk for version in newest.values()), default=since)
    answer = JsonResponse({"at": at, "cells": cells, "missing": room(session).missing})
    answer.headers["Cache-Control"] = "no-store"
    return answer


@require_POST
def act_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take one act of the history back."""
    event = access.director_event(request, slug)
    act = get_object_or_404(audit.history(event), pk=pk)
    try:
        scoring.services.take_back(event=event, act=act, by=request.user)
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        words = {"what": words_of_act(event, act)}
        messages.success(request, _("Taken back: %(what)s") % words)
    return redirect("history", slug)


@require_POST
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take one change of a result back."""
    event = access.scorer_event(request, slug)
    version = get_object_or_404(
        ResultVersion.objects.select_related("result__sitting"),
        result__sitting__section__session__event=event,
        pk=_number(request.POST.get("version", "")),
    )
    try:
        last = _number(request.POST.get("last", "")) or None
        scoring.services.undo_result(version=version, last=last, by=request.user)
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(
            request,
            _("Board %(board)s, table %(table)s is as it was before.")
            % {"board": version.result.board, "table": version.result.sitting.table},
        )
    return redirect("history", slug)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
