"""The page of a table's phone, for every kind of table: no login, no cookie.

The link is the only credential. A page with a script requests JSON, in which `page` is the data
of the kind of table. The response to input has a `code`, and an error has a message in
`detail`. If another value has been entered, the response is 409 with that value in `seen`. A
closed page returns 410.
"""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs.errors import EnteredMeanwhile, RoundOver
from clubs.evenings.services import OpenedTable, open_table, process_table_request
from clubs.evenings.tables import TableKind
from server.errors import PageNotFound
from server.fragments import HTMX_HEADER


# Another site cannot forge a request without the token in the URL: the page uses no cookie
# and no login. So Django's CSRF token, which needs a cookie, would add nothing here.
@csrf_exempt
@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def show_table(request: HttpRequest, token: str, kinds: Iterable[TableKind]) -> HttpResponse:
    """Show a table its page, or process its phone's request and show the new page.

    `kinds` are all kinds of tables, the most frequent first.
    """
    is_sent = request.method == "POST"
    found = (
        process_table_request(kinds, token, request.POST)
        if is_sent
        else open_table(kinds, token)
    )
    if found is None:
        raise PageNotFound(_("There is no such table. Scan the code on the table again."))
    kind, problem = found.kind, found.request_result.problem
    accepted = request.headers.get("Accept", "")
    wants_data = kind.build_data is not None and "application/json" in accepted
    if not found.is_open:
        return _show_closed_page(request, found, wants_data=wants_data)
    if wants_data:
        return _build_data_response(found, is_sent=is_sent)
    if is_sent and problem is None and HTMX_HEADER not in request.headers:
        return redirect("table", token)
    return kind.render_page(request, found.link, problem)


def _show_closed_page(
    request: HttpRequest, found: OpenedTable, *, wants_data: bool
) -> HttpResponse:
    kind, link = found.kind, found.link
    words = str(kind.revoked_message if link.revoked_at else kind.closed_message)
    if wants_data:
        return JsonResponse({"code": "gone", "detail": words}, status=410)
    context = {**kind.build_closed_context(link), "detail": words}
    return render(request, kind.closed_template, context, status=410)


def _build_data_response(found: OpenedTable, *, is_sent: bool) -> HttpResponse:
    assert found.kind.build_data is not None
    problem = found.request_result.problem
    page = found.kind.build_data(found.link, None if problem else found.request_result.state)
    if problem is None:
        return _build_json_response({"code": "ok", **page} if is_sent else page)
    is_late = isinstance(problem, EnteredMeanwhile | RoundOver)
    return _build_json_response({**_build_error_data(problem), **page}, 409 if is_late else 400)


def _build_error_data(problem: WhistError) -> dict[str, object]:
    told: dict[str, object] = {"code": problem.code, "detail": str(problem)}
    return told | ({"seen": problem.seen} if isinstance(problem, EnteredMeanwhile) else {})


class _DataclassEncoder(DjangoJSONEncoder):
    """A JSON encoder of dataclasses without the deep copies of `asdict`."""

    def default(self, part: Any) -> Any:
        """Return a dataclass as a dictionary of its fields."""
        if is_dataclass(part):
            return {each.name: getattr(part, each.name) for each in fields(part)}
        return super().default(part)


def _build_json_response(told: object, status: int = 200) -> JsonResponse:
    return JsonResponse(told, encoder=_DataclassEncoder, status=status)
