"""Services that find the table of a link and process requests from its phone."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.http import QueryDict
from django.utils import timezone

from boards.whist import WhistError
from clubs.evenings.tables import RequestResult, TableKind
from clubs.models import TableLink


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
    found = _find_table(kinds, token, is_locked=False)
    if found is not None and found.is_open:
        found.link.record_visit()
    return found


def process_table_request(
    kinds: Iterable[TableKind], token: str, sent: QueryDict
) -> TableVisit | None:
    """Process the request of a table's phone in one transaction.

    Returns None for an unknown token. A closed table is returned without processing. If
    processing raises an error, nothing is stored and the error is the `problem` of the result.
    """
    found = None
    try:
        with transaction.atomic():
            found = _find_table(kinds, token, is_locked=True)
            if found is None or not found.is_open:
                return found
            return replace(found, request_result=found.kind.process_request(found.link, sent))
    except WhistError as problem:
        if found is None:
            raise
        return replace(found, request_result=RequestResult(problem=problem))


def _find_table(
    kinds: Iterable[TableKind], token: str, *, is_locked: bool
) -> TableVisit | None:
    for kind in kinds:
        links = kind.find_links(token)
        if is_locked:
            links = links.select_for_update(of=(kind.lock_lookup,), no_key=True)
        link = links.first()
        if link is not None:
            timezone.activate(link.evening.club.zone)
            is_open = link.is_live(timezone.now()) and not kind.is_over(link)
            return TableVisit(kind, link, is_open)
    return None
