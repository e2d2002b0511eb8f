"""Service that undoes one change of a result; the undo is stored as a new change."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from clubs.errors import EntryConflict
from scoring.models import Result, ResultVersion
from scoring.services.locking import lock_sitting
from scoring.services.results import EnteredResult, record_result
from tournaments.errors import ActionUnavailable


@transaction.atomic
def undo_result(
    *, version: ResultVersion, last_seen_version_id: int | None = None, by: Actor
) -> EnteredResult:
    """Restore the value that a result had before `version`; all values stay in the history.

    `last_seen_version_id` is the key of the newest version that the page showed, by default
    `version`. Raises EntryConflict if there is a newer version, so that an unseen change is
    never undone. Raises ActionUnavailable after a ruling of a new deal.
    """
    result = version.result
    lock_sitting(result.sitting_id)  # a double click submits the undo twice
    result.refresh_from_db()
    check_deal_not_replaced(result)
    former_version = result.versions.filter(number=version.number - 1).first()
    former_mark = former_version.mark if former_version else ""
    former_trump = former_version.trump if former_version else ""
    newest_version, *earlier_versions = result.versions.order_by("-number")[:2]
    seen_version_id = version.pk if last_seen_version_id is None else last_seen_version_id
    if _is_repeated_undo(newest_version, earlier_versions, seen_version_id) and (
        result.mark,
        result.trump,
    ) == (
        former_mark,
        former_trump,
    ):
        return EnteredResult(result, has_changed=False)
    if newest_version.pk != seen_version_id:
        author = audit.describe_author(newest_version.by)
        raise EntryConflict(
            _(
                "%(by)s has since changed board %(board)s, table %(table)s. "
                "Check the history, then undo or enter the right score."
            )
            % {"board": result.board, "table": result.sitting.label, "by": author},
            current_value=result.mark,
            by=author,
        )
    return record_result(
        sitting=result.sitting,
        board_number=result.board,
        mark=former_mark,
        seen_score=result.mark,
        trump=former_trump,
        by=by,
        channel=ResultVersion.InputChannel.UNDO,
    )


def check_deal_not_replaced(result: Result) -> None:
    """Raise ActionUnavailable for the result of a deal that a new deal has replaced.

    For a write, the caller must have locked the sitting.
    """
    if Result.find_or_create_current_result(result.sitting, result.board).pk != result.pk:
        raise ActionUnavailable(
            _("Board %(board)s has since been redealt, so its old score stays as it was.")
            % {"board": result.board}
        )


def _is_repeated_undo(
    newest_version: ResultVersion, earlier_versions: list[ResultVersion], seen_version_id: int
) -> bool:
    """Return whether the same form was submitted before and made the newest version."""
    return (
        newest_version.via == ResultVersion.InputChannel.UNDO
        and bool(earlier_versions)
        and earlier_versions[0].pk == seen_version_id
    )
