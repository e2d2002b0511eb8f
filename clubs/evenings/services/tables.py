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
_last_kinds: dict[str, TableKind] = {}
"""The kind of each table by the hash of its token, as this process found it last."""


@dataclass(frozen=True, slots=True)
class TableVisit:
    """The table to which a link belongs, and the result of its phone's request.

    `is_open` is True if the link is valid and the evening is not over.
    """

    kind: TableKind
    link: TableLink
    is_open: bool
    request_result: RequestResult = field(default_factory=RequestResult)


def open_table(kinds: Iterable[TableKind], token: str) -> TableVisit | None:
    """Return the table to which a token belongs, or None, and record the visit."""
    table = _find_table(kinds, token, is_locked=False)
    if table is not None and table.is_open:
        table.link.record_visit()
    return table


def process_table_request(
    kinds: Iterable[TableKind], token: str, post_data: QueryDict
) -> TableVisit | None:
    """Process the request of a table's phone in one transaction.

    Returns None for an unknown token. A closed table is returned without processing. If
    processing raises an error, nothing is stored and the error is the `problem` of the result.
    """
    table = None
    try:
        with transaction.atomic():
            table = _find_table(kinds, token, is_locked=True)
            if table is None or not table.is_open:
                return table
            return replace(
                table, request_result=table.kind.process_request(table.link, post_data)
            )
    except WhistError as problem:
        if table is None:
            raise
        return replace(table, request_result=RequestResult(problem=problem))


def _find_table(
    kinds: Iterable[TableKind], token: str, *, is_locked: bool
) -> TableVisit | None:
    for kind in _order_by_last_kind(kinds, token):
        links = kind.find_links(token)
        if is_locked:
            links = links.select_for_update(of=(kind.lock_lookup,), no_key=True)
        link = links.first()
        if link is not None:
            _remember_kind(link, kind)
            timezone.activate(link.evening.club.zone)
            is_open = link.is_live(timezone.now()) and not kind.is_over(link)
            return TableVisit(kind, link, is_open)
    return None


def _order_by_last_kind(kinds: Iterable[TableKind], token: str) -> list[TableKind]:
    """Put the kind that the table had last first; kinds exclude each other.

    Otherwise a phone in a drive would make a query for each kind before it, on every request.
    """
    last_kind = _last_kinds.get(hash_token(token))
    return sorted(kinds, key=lambda kind: kind is not last_kind)


def _remember_kind(link: TableLink, kind: TableKind) -> None:
    if len(_last_kinds) >= MAX_REMEMBERED_LINKS:
        _last_kinds.clear()
    _last_kinds[link.token_hash] = kind
