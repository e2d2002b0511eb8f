"""The background tasks that deal and analyse board sets."""

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards import batches, solver
from boards.models import Board, BoardSet
from boards.whist import WhistError
from server import quotas
from server.jobs.kinds import JobKind, Lane
from server.jobs.outbox import enqueue


def deal_boards(board_set_id: int) -> None:
    """Deal the boards of a set, then queue its analysis.

    If dealing fails, the error is stored on the set, which can be queued again.
    """
    board_set = BoardSet.objects.filter(pk=board_set_id).first()
    if board_set is None:
        return
    try:
        batches.deal_missing_boards(board_set)
    except WhistError as problem:
        batches.record_failure(board_set, str(problem))
        return
    enqueue(ANALYSIS_JOB, board_set_id)


def analyse_boards(board_set_id: int) -> bool:
    """Store best play for the next few boards of a set; return whether more boards are left.

    The job runner queues the rest behind newer jobs, so that standings and papers do not wait
    for a whole set.
    """
    board_set = BoardSet.objects.filter(pk=board_set_id).first()
    return board_set is not None and batches.analyse_batch(board_set)


def list_unfinished_set_ids() -> list[int]:
    """Return the primary keys of the sets that are not completely dealt, oldest first.

    Such a set waits for a worker, or its worker crashed.
    """
    unfinished_sets = BoardSet.objects.filter(
        source=BoardSet.Source.GENERATED,
        state__in=[BoardSet.State.WAITING, BoardSet.State.DEALING],
    ).exclude(awaits_public=True, public_value="")
    return list(unfinished_sets.order_by("pk").values_list("pk", flat=True))


def list_unanalysed_set_ids() -> list[int]:
    """Return the primary keys of the sets with a current deal that is not analysed yet.

    Returns an empty list if no solver is installed.
    """
    if not solver.is_available():
        return []
    unanalysed_boards = Board.objects.current().filter(
        (batches.HAS_TURN_UP & (Q(best_tricks=None) | Q(leads={})))
        | Q(table="", board_set__wants_tables=True)
    )
    ready_sets = BoardSet.objects.filter(state=BoardSet.State.READY, replaced_by=None)
    unanalysed_sets = ready_sets.filter(pk__in=unanalysed_boards.order_by().values("board_set"))
    return list(unanalysed_sets.order_by("pk").values_list("pk", flat=True))


def _record_failure(board_set_id: int, error: str) -> None:
    for board_set in BoardSet.objects.filter(pk=board_set_id):
        message = _("The boards couldn’t be dealt (%(error)s). Try again.")
        batches.record_failure(board_set, message % {"error": error})


DEALING_JOB = JobKind(
    "deals",
    title=gettext_lazy("dealing boards"),
    lane=Lane.LATER,
    time_limit=120,
    run=deal_boards,
    find_missing_job_keys=list_unfinished_set_ids,
    on_failure=_record_failure,
)
ANALYSIS_JOB = JobKind(
    "analysis",
    title=gettext_lazy("finding best play"),
    lane=Lane.LATER,
    time_limit=60,
    run=analyse_boards,
    quota=quotas.ANALYSIS_QUOTA,
    find_missing_job_keys=list_unanalysed_set_ids,
)
KINDS = (DEALING_JOB, ANALYSIS_JOB)
