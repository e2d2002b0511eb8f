"""Undoing one change of a result, which is a change too."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from clubs.errors import EnteredMeanwhile
from scoring.models import Result, ResultVersion
from scoring.services.locking import locked_sitting
from scoring.services.results import EnteredResult, record_result
from tournaments.errors import NotNow


@transaction.atomic
def undo_result(*, version: ResultVersion, last: int | None = None, by: Actor) -> EnteredResult:
    """Enter the value before a version again; later values remain in the history.

    `last` is the key of the newest version that the page has shown; by default `version`
    itself. Raises EnteredMeanwhile if there is a newer one, so that an unseen change is never
    undone, and NotNow once a new deal was ordered.
    """
    result = version.result
    locked_sitting(result.sitting_id)  # a double click races
    result.refresh_from_db()
    refuse_dealt_again(result)
    before = result.versions.filter(number=version.number - 1).first()
    wanted = before.mark if before else ""
    noted = before.trump if before else ""
    newest, *earlier = result.versions.order_by("-number")[:2]
    seen = version.pk if last is None else last
    if _is_done(newest, earlier, seen) and (result.mark, result.trump) == (wanted, noted):
        return EnteredResult(result, changed=False)
    if newest.pk != seen:
        other = audit.who(newest.by)
        raise EnteredMeanwhile(
            _(
                "Board %(board)s, table %(table)s has been changed since, by %(by)s. Look at "
                "the history again; then undo, or enter what is right."
            )
            % {"board": result.board, "table": result.sitting.label, "by": other},
            seen=result.mark,
            by=other,
        )
    return record_result(
        sitting=result.sitting,
        board=result.board,
        mark=wanted,
        seen=result.mark,
        trump=noted,
        by=by,
        via=ResultVersion.Via.UNDO,
    )


def refuse_dealt_again(result: Result) -> None:
    """Raise NotNow for the result of a deal that was replaced; entries go to the new deal.

    For a write, the caller must have locked the sitting.
    """
    if Result.current(result.sitting, result.board).pk != result.pk:
        raise NotNow(
            _("Board %(board)s has been dealt again since, so its old result stays as it was.")
            % {"board": result.board}
        )


def _is_done(newest: ResultVersion, earlier: list[ResultVersion], seen: int) -> bool:
    """Return whether the same form was sent before and made the newest version."""
    return newest.via == ResultVersion.Via.UNDO and bool(earlier) and earlier[0].pk == seen
