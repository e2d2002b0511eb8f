"""Services that find the table of a link and process requests from its phone."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.http import QueryDict
from django.utils import timezone

from boards.whist import WhistError
from clubs.evenings.tables import RequestResult, TableKind
from clubs.links import hash_token
from clubs.models import TableLink

MAX_REMEMBERED_LINKS = 10_000
_table_kind_by_hash: dict[str, TableKind] = {}
"""The kind that each table had at the last request to this process, by the token's hash."""


@dataclass(frozen=True, slots=True)
class TableAccess:
    """The table to which a link belongs, and the result of its phone's request.

    `is_open` is True if the link is valid and the evening is not over.
    """

    table_kind: TableKind
    link: TableLink
    is_open: bool
    request_result: RequestResult = field(default_factory=RequestResult)


def visit_table_link(table_kinds: Iterable[TableKind], token: str) -> TableAccess | None:
    """Return the table to which a token belongs, or None, and record the visit."""
    table_access = _find_table_access(table_kinds, token, should_lock=False)
    if table_access is not None and table_access.is_open:
        table_access.link.record_visit()
    return table_access


def process_table_request(
    table_kinds: Iterable[TableKind], token: str, post_data: QueryDict
) -> TableAccess | None:
    """Process the request of a table's phone in one transaction.

    Returns None for an unknown token. A closed table is returned without processing. If
    processing raises an error, nothing is stored and the error is in the result.
    """
    table_access = None
    try:
        with transaction.atomic():
            table_access = _find_table_access(table_kinds, token, should_lock=True)
            if table_access is None or not table_access.is_open:
                return table_access
            return replace(
                table_access,
                request_result=table_access.table_kind.process_request(
                    table_access.link, post_data
                ),
            )
    except WhistError as error:
        if table_access is None:
            raise
        return replace(table_access, request_result=RequestResult(error=error))


def _find_table_access(
    table_kinds: Iterable[TableKind], token: str, *, should_lock: bool
) -> TableAccess | None:
    for table_kind in _order_table_kinds(table_kinds, token):
        links = table_kind.find_links(token)
        if should_lock:
            links = links.select_for_update(of=(table_kind.locked_row_lookup,), no_key=True)
        link = links.first()
        if link is not None:
            _remember_table_kind(link, table_kind)
            timezone.activate(link.evening.club.zone)
            is_open = link.is_live(timezone.now()) and not table_kind.is_over(link)
            return TableAccess(table_kind, link, is_open)
    return None


def _order_table_kinds(table_kinds: Iterable[TableKind], token: str) -> list[TableKind]:
    """Return the kinds of tables, beginning with the kind found at the link's last request.

    A link belongs to a table of one kind, such as a table of a drive. With this order, the
    first query usually finds it, without queries for the other kinds.
    """
    last_table_kind = _table_kind_by_hash.get(hash_token(token))
    return sorted(table_kinds, key=lambda kind: kind is not last_table_kind)


def _remember_table_kind(link: TableLink, table_kind: TableKind) -> None:
    if len(_table_kind_by_hash) >= MAX_REMEMBERED_LINKS:
        _table_kind_by_hash.clear()
    _table_kind_by_hash[link.token_hash] = table_kind
