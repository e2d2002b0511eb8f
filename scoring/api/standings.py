"""The API of the standings, with cheap responses for clients that poll."""

import hashlib
import json

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import permissions
from scoring import page_loaders
from scoring.api.serializers import StandingsSerializer
from scoring.secrecy import can_see_standings
from scoring.sheets.ranks import load_rank_table, load_ranking_version
from scoring.sheets.standings_export import build_standings_data
from scoring.tasks import count_late_changes
from server.api.endpoints import describe_responses, endpoint

SEEN_VERSION_PARAMETER = OpenApiParameter(
    "seen", int, description="The client's version; the response is 204 while it is current."
)


@extend_schema(
    methods=["GET"],
    operation_id="standings",
    parameters=[SEEN_VERSION_PARAMETER],
    responses=describe_responses(StandingsSerializer, 403, 404) | {204: None, 304: None},
)
@endpoint("GET")
def standings_detail(request: Request, slug: str) -> HttpResponse:
    """Return an event's standings; 204 or 304 if the client already has them."""
    access = page_loaders.load_public_event(slug)
    event = access.event
    can_see_all = permissions.can_score(request.user, event.club)
    if not can_see_all and not can_see_standings(event):
        raise PermissionDenied(_("The standings of this event aren’t shown now."))
    if request.GET.get("seen") == str(
        load_ranking_version(event, should_include_hidden_results=can_see_all)
    ):
        return Response(status=204)
    count_late_changes(event.pk)
    rank_table = load_rank_table(event, should_include_hidden_results=can_see_all)
    standings_data = build_standings_data(rank_table) | {
        "method": rank_table.method,
        "missing": rank_table.missing,
        "version": rank_table.version,
    }
    entity_tag = hashlib.sha256(json.dumps(standings_data).encode()).hexdigest()[:32]
    status_code = 304 if entity_tag in request.headers.get("If-None-Match", "") else 200
    headers = {"ETag": f'"{entity_tag}"', "Cache-Control": "no-cache"}
    return Response(
        standings_data if status_code == 200 else None, status=status_code, headers=headers
    )
