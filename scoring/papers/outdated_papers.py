"""The papers that the tables need, and the printed papers that are out of date."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from clubs import audit
from printing.kinds import OutdatedBy, PaperGroup, PaperKind, Words
from scoring import papers as paper_kinds
from scoring.models import Paper
from scoring.session_snapshot import SessionSnapshot
from tournaments.models import SeatingChange, Session

OUTDATING_ACTIONS: tuple[tuple[OutdatedBy, tuple[str, ...], Words], ...] = (
    (
        OutdatedBy.SEATS,
        ("section.seated", "seats.drawn", "seating.changed", "seating.restored"),
        _("the seating has changed since."),
    ),
    (
        OutdatedBy.NAMES,
        (
            "entry.renamed",
            "player.renamed",
            "player.shown",
            "players.merged",
            "players.parted",
        ),
        _("a name has changed since."),
    ),
    (
        OutdatedBy.SUITS,
        ("second_play.settled",),
        _("the suits of the second play have changed since."),
    ),
)
"""The data that papers depend on, the recorded actions that change it, and a text."""


def list_needed_papers(snapshot: SessionSnapshot) -> tuple[str, ...]:
    """Return the names of the papers that the tables need before play, in their order."""
    needed_kinds = [
        (kind.need, kind.name) for kind in paper_kinds.PAPERS if kind.need is not None
    ]
    sorted_needs = sorted(needed_kinds, key=lambda need: need[0].position)
    return tuple(name for paper_need, name in sorted_needs if paper_need.condition(snapshot))


def describe_outdated_papers(session: Session, papers: Iterable[Paper]) -> dict[int, str]:
    """Return a description of the changes since printing for each outdated paper, by primary
    key.
    """
    recorded_changes = [
        (cause, changed_at, text)
        for cause, actions, text in OUTDATING_ACTIONS
        if (changed_at := _find_last_action(session, actions)) is not None
    ]
    causes_by_kind = {kind.name: kind.outdated_by for kind in paper_kinds.PAPERS}
    data: dict[int, str] = {}
    for paper in papers:
        if paper.state != Paper.State.READY or paper.made_at is None:
            continue
        for cause, changed_at, text in recorded_changes:
            if paper.made_at < changed_at and cause in causes_by_kind.get(
                paper.kind, OutdatedBy.NOTHING
            ):
                data.setdefault(paper.pk, str(text))
    return data


def list_outdated_kinds(session: Session) -> list[str]:
    """Return the kinds of paper whose latest printed copy is out of date."""
    last = {row.kind: row for row in session.papers.order_by("pk")}
    if not last:
        return []
    old = describe_outdated_papers(session, last.values())
    return [row.kind for row in last.values() if row.pk in old]


def list_papers_with_old_seats(change: SeatingChange) -> list[Paper]:
    """Return the papers on tables that show seats from before a seating change."""
    names = [
        kind.name for kind in paper_kinds.PAPERS if _is_table_paper_outdated_by_seating(kind)
    ]
    rows = Paper.objects.filter(
        session=change.session_id, kind__in=names, state=Paper.State.READY
    ).order_by("made_at")
    last = {row.kind: row for row in rows}
    return [row for row in last.values() if row.made_at and row.made_at < change.at]


def _is_table_paper_outdated_by_seating(kind: PaperKind) -> bool:
    return kind.group is PaperGroup.TABLES and OutdatedBy.SEATS in kind.outdated_by


def _find_last_action(session: Session, actions: Collection[str]) -> datetime | None:
    acts = audit.list_acts(session.event).filter(action__in=actions)
    return acts.values_list("at", flat=True).first()
