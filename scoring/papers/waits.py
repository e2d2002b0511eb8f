"""The missing steps before papers can be made, as text for pages and errors."""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.translation import gettext as _

from printing.kinds import PaperKind
from scoring.secrecy import can_print_paper
from tournaments.models import Session


def describe_required_step(session: Session, paper_kind: PaperKind) -> str:
    """Return the missing step before a paper can be made, e.g. "close the session"; or ""."""
    if not can_print_paper(session, paper_kind):
        return _("close the session")
    return paper_kind.describe_required_step(session)


def describe_required_steps(
    session: Session, paper_kinds: Iterable[PaperKind]
) -> dict[str, str]:
    """Return the missing step before each paper can be made, by the paper's name.

    Conditions that several papers share are checked once.
    """
    text_by_condition: dict[Callable[[Any], str], str] = {}
    required_step_by_kind: dict[str, str] = {}
    for paper_kind in paper_kinds:
        if paper_kind.describe_required_step not in text_by_condition:
            text_by_condition[paper_kind.describe_required_step] = (
                paper_kind.describe_required_step(session)
            )
        has_secret_cards = not can_print_paper(session, paper_kind)
        required_step_by_kind[paper_kind.name] = (
            _("close the session")
            if has_secret_cards
            else text_by_condition[paper_kind.describe_required_step]
        )
    return required_step_by_kind
