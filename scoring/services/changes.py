"""When an evening under way changes, the results that are in go with their tables."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.audit import Actor, Data
from scoring.models import Outcome, Result, ResultVersion
from scoring.services.recomputing import recompute_later
from tournaments.errors import NotNow
from tournaments.models import SeatingChange, Section, Session
from tournaments.movements.changes import Change
from tournaments.seating_snapshot import Differing, differing
from tournaments.services.groundwork import changes as groundwork


@transaction.atomic
def change_session(
    *,
    section: Section,
    played: int,
    change: Change,
    key: str,
    what: Data,
    names: Sequence[str] = (),
    by: Actor,
) -> SeatingChange:
    """Go on in another way than planned; every result entered stays with its table.

    Results of a table that played other boards than its own move to those boards, the first
    to the first. Raises NotNow for a change that reaches into rounds with scores.
    """
    latest = rounds_with_scores(section)
    if played < latest:
        raise NotNow(
            _("Round %(round)s has scores already. What changes must come after it.")
            % {"round": latest}
        )
    made = groundwork.change_session(
        section=section,
        played=played,
        change=change,
        key=key,
        what=what,
        names=names,
        by=by,
    )
    _move_results(section, differing(made.before, made.after))
    recompute_later(section.session.event)
    return made


@transaction.atomic
def undo_change(*, change: SeatingChange, by: Actor) -> SeatingChange:
    """Take a change back; refused once scores have come in that belong to it."""
    if change.undone_at is not None:
        return change
    section = change.session.sections.get(letter=change.before["letter"])
    back = differing(change.after, change.before)
    _refuse_late_results(change, section, back)
    undone = groundwork.undo_change(change=change, by=by)
    _move_results(section, back)
    recompute_later(section.session.event)
    return undone


@transaction.atomic
def repeat_change(*, change: SeatingChange, by: Actor) -> SeatingChange:
    """Make a change that was taken back once more; refused once rounds after it have scores."""
    section = change.session.sections.get(letter=change.before["letter"])
    changed = differing(change.before, change.after)
    _refuse_late_results(change, section, changed)
    made = groundwork.repeat_change(change=change, by=by)
    _move_results(section, changed)
    recompute_later(section.session.event)
    return made


def rounds_with_scores(section: Section) -> int:
    """The last round in which a score has been entered; 0 before the first."""
    rows = Result.objects.filter(sitting__section=section).exclude(outcome=Outcome.CLEARED)
    return rows.aggregate(last=Max("sitting__round"))["last"] or 0


def _move_results(section: Section, changed: Sequence[Differing]) -> None:
    for each in changed:
        if each.before is None or each.after is None or each.before[4] == each.after[4]:
            continue
        session: Session = section.session
        own, other = session.boards_of(each.before[4]), session.boards_of(each.after[4])
        rows = Result.objects.filter(
            sitting__section=section,
            sitting__round=each.round,
            sitting__table=each.table,
            board__in=own,
        )
        for row in rows:
            row.board = other[own.index(row.board)]
            row.save(update_fields=["board"])


def _refuse_late_results(
    change: SeatingChange, section: Section, back: Sequence[Differing]
) -> None:
    """Refuse when a table that would seat others has been scored since the change."""
    since = ResultVersion.objects.filter(
        at__gt=change.at, result__sitting__section=section
    ).exclude(result__outcome=Outcome.CLEARED)
    scored = set(since.values_list("result__sitting__round", "result__sitting__table"))
    for each in back:
        if each.seats_others and (each.round, each.table) in scored:
            raise NotNow(
                _(
                    "Round %(round)s, table %(table)s has been scored since this change, so it "
                    "cannot be taken back. Clear those scores first, or say what happened now."
                )
                % {"round": each.round, "table": each.table}
            )
