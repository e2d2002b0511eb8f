"""The papers that the tables need, and the printed papers that are out of date."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from clubs import audit
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, TranslatableText
from scoring import papers as paper_kinds
from scoring.models import Paper
from scoring.session_snapshot import SessionSnapshot
from tournaments.models import SeatingChange, Session

OUTDATING_ACTIONS: tuple[tuple[OutdatingChanges, tuple[str, ...], TranslatableText], ...] = (
    (
        OutdatingChanges.SEATS,
        ("section.seated", "seats.drawn", "seating.changed", "seating.restored"),
        _("the seating has since changed."),
    ),
    (
        OutdatingChanges.NAMES,
        (
            "entry.renamed",
            "player.renamed",
            "player.shown",
            "players.merged",
            "players.parted",
        ),
        _("a name has since changed."),
    ),
    (
        OutdatingChanges.SUITS,
        ("second_play.settled",),
        _("the suits of the second play have since changed."),
    ),
)
"""For each kind of printed data: the history actions that change it, and a text about that."""


def list_needed_papers(snapshot: SessionSnapshot) -> tuple[str, ...]:
    """Return the names of the papers that a table needs before play, in pile order."""
    requirements_and_names = [
        (paper_kind.table_requirement, paper_kind.name)
        for paper_kind in paper_kinds.PAPER_KINDS
        if paper_kind.table_requirement is not None
    ]
    sorted_requirements = sorted(
        requirements_and_names,
        key=lambda requirement_and_name: requirement_and_name[0].position,
    )
    return tuple(
        name
        for table_requirement, name in sorted_requirements
        if table_requirement.condition(snapshot)
    )


def describe_outdated_papers(session: Session, papers: Iterable[Paper]) -> dict[int, str]:
    """Return, for each outdated paper by primary key, what has changed since it was printed."""
    recorded_changes = [
        (outdating_changes, changed_at, change_text)
        for outdating_changes, actions, change_text in OUTDATING_ACTIONS
        if (changed_at := _find_last_action_time(session, actions)) is not None
    ]
    outdating_changes_by_kind = {
        paper_kind.name: paper_kind.outdating_changes for paper_kind in paper_kinds.PAPER_KINDS
    }
    text_by_paper: dict[int, str] = {}
    for paper in papers:
        if paper.state != Paper.State.READY or paper.made_at is None:
            continue
        for outdating_changes, changed_at, change_text in recorded_changes:
            if (
                paper.made_at < changed_at
                and outdating_changes
                in outdating_changes_by_kind.get(paper.kind, OutdatingChanges.NOTHING)
            ):
                text_by_paper.setdefault(paper.pk, str(change_text))
    return text_by_paper


def list_outdated_kinds(session: Session) -> list[str]:
    """Return the kinds of paper whose latest printed copy is out of date."""
    last_paper_by_kind = {paper.kind: paper for paper in session.papers.order_by("pk")}
    if not last_paper_by_kind:
        return []
    descriptions_by_paper_pk = describe_outdated_papers(session, last_paper_by_kind.values())
    return [
        paper.kind
        for paper in last_paper_by_kind.values()
        if paper.pk in descriptions_by_paper_pk
    ]


def list_papers_with_old_seats(change: SeatingChange) -> list[Paper]:
    """Return the papers on tables that show seats from before a seating change."""
    kind_names = [
        paper_kind.name
        for paper_kind in paper_kinds.PAPER_KINDS
        if _is_table_paper_outdated_by_seating(paper_kind)
    ]
    papers = Paper.objects.filter(
        session=change.session_id, kind__in=kind_names, state=Paper.State.READY
    ).order_by("made_at")
    last_paper_by_kind = {paper.kind: paper for paper in papers}
    return [
        paper
        for paper in last_paper_by_kind.values()
        if paper.made_at and paper.made_at < change.at
    ]


def _is_table_paper_outdated_by_seating(paper_kind: PaperKind) -> bool:
    return (
        paper_kind.group is PaperGroup.TABLES
        and OutdatingChanges.SEATS in paper_kind.outdating_changes
    )


def _find_last_action_time(session: Session, actions: Collection[str]) -> datetime | None:
    acts = audit.list_acts(session.event).filter(action__in=actions)
    return acts.values_list("at", flat=True).first()
