"""The missing steps before papers can be made, as text for pages and errors."""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.translation import gettext as _

from printing.kinds import PaperKind
from scoring.secrecy import can_make_paper
from tournaments.models import Session


def describe_wait(session: Session, kind: PaperKind) -> str:
    """Return the missing step before a paper can be made, e.g. "close the session"; or ""."""
    if not can_make_paper(session, kind):
        return _("close the session")
    return kind.describe_wait(session)


def describe_waits(session: Session, kinds: Iterable[PaperKind]) -> dict[str, str]:
    """Return the missing step before each paper can be made, by the paper's name.

    Conditions that several papers share are checked once.
    """
    text_by_condition: dict[Callable[[Any], str], str] = {}
    waits_by_kind: dict[str, str] = {}
    for kind in kinds:
        if kind.describe_wait not in text_by_condition:
            text_by_condition[kind.describe_wait] = kind.describe_wait(session)
        is_secret = not can_make_paper(session, kind)
        waits_by_kind[kind.name] = (
            _("close the session") if is_secret else text_by_condition[kind.describe_wait]
        )
    return waits_by_kind
