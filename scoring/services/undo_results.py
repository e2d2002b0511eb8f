"""Undo of one change of a result; the undo is itself a change."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from clubs.errors import EnteredMeanwhile
from scoring.models import Result, ResultVersion
from scoring.services.locking import lock_sitting
from scoring.services.results import EnteredResult, record_result
from tournaments.errors import NotNow


@transaction.atomic
def undo_result(*, version: ResultVersion, last: int | None = None, by: Actor) -> EnteredResult:
    """Enter the value before a version again; later values remain in the history.

    `last` is the key of the newest version that the page showed; by default `version` itself.
    Raises EnteredMeanwhile if there is a newer one, so that an unseen change is never undone,
    and NotNow after a new deal was ordered.
    """
    result = version.result
    lock_sitting(result.sitting_id)  # a double click races
    result.refresh_from_db()
    check_deal_not_replaced(result)
    before = result.versions.filter(number=version.number - 1).first()
    former_mark = before.mark if before else ""
    former_trump = before.trump if before else ""
    newest, *earlier = result.versions.order_by("-number")[:2]
    seen_version = version.pk if last is None else last
    if _is_repeated_undo(newest, earlier, seen_version) and (result.mark, result.trump) == (
        former_mark,
        former_trump,
    ):
        return EnteredResult(result, changed=False)
    if newest.pk != seen_version:
        other = audit.describe_author(newest.by)
        raise EnteredMeanwhile(
            _(
                "%(by)s has since changed board %(board)s, table %(table)s. "
                "Check the history, then undo or enter the right score."
            )
            % {"board": result.board, "table": result.sitting.label, "by": other},
            seen=result.mark,
            by=other,
        )
    return record_result(
        sitting=result.sitting,
        board=result.board,
        mark=former_mark,
        seen=result.mark,
        trump=former_trump,
        by=by,
        via=ResultVersion.Via.UNDO,
    )


def check_deal_not_replaced(result: Result) -> None:
    """Raise NotNow for the result of a replaced deal; entries go to the new deal.

    For a write, the caller must have locked the sitting.
    """
    if Result.find_or_create_current(result.sitting, result.board).pk != result.pk:
        raise NotNow(
            _("Board %(board)s has been redealt since then, so its old score stays as it was.")
            % {"board": result.board}
        )


def _is_repeated_undo(newest: ResultVersion, earlier: list[ResultVersion], seen: int) -> bool:
    """Return whether the same form was submitted before and made the newest version."""
    return newest.via == ResultVersion.Via.UNDO and bool(earlier) and earlier[0].pk == seen
