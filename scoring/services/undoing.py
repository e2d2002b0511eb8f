"""One change of a result is taken back; that is a change too."""

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.errors import EnteredMeanwhile
from scoring.models import Outcome, ResultVersion, mark
from scoring.services.results import Entered, record_result
from tournaments.audit import Actor


@transaction.atomic
def undo_result(*, version: ResultVersion, by: Actor) -> Entered:
    """Enter again what stood before a version; raise EnteredMeanwhile unless it is the last."""
    result = version.result
    last = result.versions.order_by("-number")[0]
    if last.pk != version.pk:
        raise EnteredMeanwhile(
            _(
                "Board %(board)s, table %(table)s has been changed since, by %(by)s. Undo that "
                "change first, or enter what is right."
            )
            % {"board": result.board, "table": result.sitting.table, "by": last.by},
            seen=result.mark,
            by=last.by,
        )
    before = result.versions.filter(number=version.number - 1).first()
    wanted = mark(before.outcome, before.ns_tricks) if before else mark(Outcome.CLEARED, None)
    return record_result(
        sitting=result.sitting,
        board=result.board,
        mark=wanted,
        seen=mark(version.outcome, version.ns_tricks),
        by=by,
        via=ResultVersion.Via.UNDO,
    )
