"""View that open score grids poll for results that other users have entered."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from clubs import audit
from scoring import page_loaders
from scoring.doubts.open_doubts import list_plays_with_open_doubt, load_best_play
from scoring.models import ResultVersion
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import load_session_snapshot
from server.numbers import parse_number_or_zero


@require_safe
def list_grid_changes(request: HttpRequest, slug: str) -> HttpResponse:
    """Return as JSON the scores entered since a version, and the scores with open queries.

    The query parameter `since` is the primary key of the last version that the client has.
    """
    access = page_loaders.load_scorer_event(request, slug)
    session = page_loaders.load_session(access)
    last_seen_pk = parse_number_or_zero(request.GET.get("since", ""))
    versions = ResultVersion.objects.filter(
        result__sitting__section__session=session, pk__gt=last_seen_pk
    ).select_related("result")
    newest_version_by_play: dict[tuple[int, int], ResultVersion] = {}
    for version in versions.order_by("pk"):
        newest_version_by_play[version.result.sitting_id, version.result.board] = version
    cells = [
        {
            "sitting": sitting_id,
            "board": board_number,
            "seen": version.result.mark,
            "trump": version.result.trump,
            "by": audit.describe_author(version.by),
        }
        for (sitting_id, board_number), version in newest_version_by_play.items()
    ]
    newest_pk = max(
        (version.pk for version in newest_version_by_play.values()), default=last_seen_pk
    )
    response_data: dict[str, object] = {
        "at": newest_pk,
        "cells": cells,
        "missing": count_missing_results(session),
    }
    # A grid that shows queries sends `queried`, and removes the queries that are not returned.
    if "queried" in request.GET:
        snapshot = load_session_snapshot(session)
        best_play = load_best_play(session) if access.can_direct else None
        response_data["queried"] = [
            f"r-{table.sitting_id}-{board_number}"
            for table, board_number in list_plays_with_open_doubt(snapshot, best_play)
        ]
    response = JsonResponse(response_data)
    response.headers["Cache-Control"] = "no-store"
    return response
