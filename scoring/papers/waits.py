"""The conditions that a paper waits for, in words for pages and errors."""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.translation import gettext as _

from printing.kinds import PaperKind
from scoring.secrecy import can_make_paper
from tournaments.models import Session


def describe_wait(session: Session, kind: PaperKind) -> str:
    """Describe what must happen before a paper can be made; "" if it can be made."""
    if not can_make_paper(session, kind):
        return _("close the session")
    return kind.describe_wait(session)


def describe_waits(session: Session, kinds: Iterable[PaperKind]) -> dict[str, str]:
    """Describe, by paper name, what must happen before each paper can be made. Shared
    conditions are checked once.
    """
    data: dict[Callable[[Any], str], str] = {}
    waits_by_kind: dict[str, str] = {}
    for kind in kinds:
        if kind.describe_wait not in data:
            data[kind.describe_wait] = kind.describe_wait(session)
        is_secret = not can_make_paper(session, kind)
        waits_by_kind[kind.name] = (
            _("close the session") if is_secret else data[kind.describe_wait]
        )
    return waits_by_kind
