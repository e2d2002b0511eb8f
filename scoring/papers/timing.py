"""When a paper's time has come: what it waits for, in words that pages and refusals share."""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.translation import gettext as _

from printing.kinds import PaperKind
from scoring.secrecy import paper_may_be_made
from tournaments.models import Session


def waits_for(session: Session, kind: PaperKind) -> str:
    """Say what must come before a paper can be made; nothing where its time has come."""
    if not paper_may_be_made(session, kind):
        return _("the close of the session")
    return kind.waits(session)


def waits_for_each(session: Session, kinds: Iterable[PaperKind]) -> dict[str, str]:
    """What each of some kinds waits for, by its name; what several wait for is asked once."""
    told: dict[Callable[[Any], str], str] = {}
    found: dict[str, str] = {}
    for kind in kinds:
        if kind.waits not in told:
            told[kind.waits] = kind.waits(session)
        is_secret = not paper_may_be_made(session, kind)
        found[kind.name] = _("the close of the session") if is_secret else told[kind.waits]
    return found
