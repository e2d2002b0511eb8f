"""What a worker does for boards: deal a set, analyse a set, pick up what a crash left."""

from celery import Task, shared_task
from django.db.models import Q
from django.utils.translation import gettext as _

from boards import making, solver
from boards.models import Board, BoardSet
from boards.whist import WhistError


@shared_task
def make_boards(board_set_id: int) -> None:
    """Deal a board set, then have it analysed; on failure say so on the set.

    A set that failed can be asked for again.
    """
    board_set = BoardSet.objects.get(pk=board_set_id)
    try:
        making.fill(board_set)
    except WhistError as problem:
        making.fail(board_set, str(problem))
        return
    except Exception:
        making.fail(board_set, _("The boards could not be dealt. Ask for them again."))
        raise
    analyse_boards.delay(board_set_id)


@shared_task(bind=True)
def analyse_boards(job: "Task[..., None]", board_set_id: int) -> None:
    """Store what best play makes of each board of a set, a few boards in one go.

    A worker takes the rest up again behind the jobs that came meanwhile, so that standings
    and papers never wait for a whole set; where no worker is, it is done in place.
    """
    board_set = BoardSet.objects.get(pk=board_set_id)
    while making.analyse_some(board_set):
        if not (job.request.is_eager or job.request.called_directly):
            analyse_boards.delay(board_set_id)
            break


def unfinished() -> list[int]:
    """Return the sets that wait for a worker, or whose worker died, oldest first."""
    left = BoardSet.objects.filter(
        source=BoardSet.Source.GENERATED,
        state__in=[BoardSet.State.WANTED, BoardSet.State.MAKING],
    ).exclude(awaits_public=True, public_value="")
    return list(left.order_by("pk").values_list("pk", flat=True))


def unanalysed() -> list[int]:
    """Return the sets with a board in play whose best play nobody has looked for yet.

    None where there is no solver to look with.
    """
    if not solver.is_here():
        return []
    lacking = Board.objects.current().filter(
        Q(best_tricks=None) | Q(leads={}) | Q(table="", board_set__wants_tables=True)
    )
    ready = BoardSet.objects.filter(state=BoardSet.State.READY, replaced_by=None)
    left = ready.filter(pk__in=lacking.order_by().values("board_set"))
    return list(left.order_by("pk").values_list("pk", flat=True))


def resume() -> int:
    """Queue again what a crash left unfinished, and return how many sets that were."""
    left, lacking = unfinished(), unanalysed()
    for board_set_id in left:
        make_boards.delay(board_set_id)
    for board_set_id in lacking:
        analyse_boards.delay(board_set_id)
    return len(left) + len(lacking)
