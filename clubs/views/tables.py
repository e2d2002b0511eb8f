"""The page behind a table's secret link, for every kind of table, without a login or cookies.

The link is the only credential. A page with a script requests JSON. The JSON response to
input contains a `code`, and in case of an error also a message in `detail`. The status is 409
if someone else has entered another value, which is in `seen`, and 410 for a closed page.
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
from clubs.errors import EntryConflict, RoundOver
from clubs.evenings.services import TableAccess, process_table_request, visit_table_link
from clubs.evenings.tables import TableKind
from server.errors import PageNotFound
from server.fragments import HTMX_HEADER


# CSRF protection is not needed: the page has no login and no cookies, and another site cannot
# forge a request without the secret token in the URL.
@csrf_exempt
@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def show_table(request: HttpRequest, token: str, kinds: Iterable[TableKind]) -> HttpResponse:
    """Show the page of a table, or process its input and show the updated page.

    `kinds` contains all kinds of tables, beginning with the most frequent one.
    """
    is_post = request.method == "POST"
    table_access = (
        process_table_request(kinds, token, request.POST)
        if is_post
        else visit_table_link(kinds, token)
    )
    if table_access is None:
        raise PageNotFound(_("Table not found. Scan the code on the table again."))
    table_kind, error = table_access.table_kind, table_access.request_result.error
    accept_header = request.headers.get("Accept", "")
    is_json_requested = (
        table_kind.build_data is not None and "application/json" in accept_header
    )
    if not table_access.is_open:
        return _show_closed_page(request, table_access, is_json_requested=is_json_requested)
    if is_json_requested:
        return _build_data_response(table_access, is_form_submitted=is_post)
    if is_post and error is None and HTMX_HEADER not in request.headers:
        return redirect("table", token)
    return table_kind.render_page(request, table_access.link, error)


def _show_closed_page(
    request: HttpRequest, table_access: TableAccess, *, is_json_requested: bool
) -> HttpResponse:
    table_kind, link = table_access.table_kind, table_access.link
    message = str(table_kind.revoked_message if link.revoked_at else table_kind.closed_message)
    if is_json_requested:
        return JsonResponse({"code": "gone", "detail": message}, status=410)
    context = {**table_kind.build_closed_context(link), "detail": message}
    return render(request, table_kind.closed_template, context, status=410)


def _build_data_response(table_access: TableAccess, *, is_form_submitted: bool) -> HttpResponse:
    assert table_access.table_kind.build_data is not None
    error = table_access.request_result.error
    page_data = table_access.table_kind.build_data(
        table_access.link, None if error else table_access.request_result.response_state
    )
    if error is None:
        return _build_json_response(
            {"code": "ok", **page_data} if is_form_submitted else page_data
        )
    is_conflict = isinstance(error, EntryConflict | RoundOver)
    return _build_json_response(
        {**_build_error_data(error), **page_data}, 409 if is_conflict else 400
    )


def _build_error_data(error: WhistError) -> dict[str, object]:
    error_data: dict[str, object] = {"code": error.code, "detail": str(error)}
    return error_data | (
        {"seen": error.current_value} if isinstance(error, EntryConflict) else {}
    )


class _DataclassEncoder(DjangoJSONEncoder):
    """A JSON encoder of dataclasses that avoids the deep copies of `asdict`."""

    def default(self, value: Any) -> Any:
        """Return a dataclass as a dictionary of its fields."""
        if is_dataclass(value):
            return {field.name: getattr(value, field.name) for field in fields(value)}
        return super().default(value)


def _build_json_response(json_data: object, status: int = 200) -> JsonResponse:
    return JsonResponse(json_data, encoder=_DataclassEncoder, status=status)
