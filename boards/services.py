"""The services for board sets, whose callers check permissions."""

import secrets
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from boards import tasks
from boards.models import MAX_SET_SIZE, Board, BoardSet
from boards.whist import Deal, WhistError
from boards.whist.dealing import SECRET_BYTES, compute_commitment
from server.jobs.outbox import enqueue


class UnusableBoardSet(WhistError):
    """A board set cannot be created, or cannot be changed as requested."""

    code = "unusable_board_set"


@transaction.atomic
def create_board_set(
    *,
    name: str,
    board_count: int,
    first_number: int = 1,
    should_use_public_value: bool = False,
    replaced_set: BoardSet | None = None,
) -> BoardSet:
    """Create a set of boards and queue its dealing.

    The secret comes from the operating system's random source. If `should_use_public_value` is
    True, dealing starts only after `add_public_value`. `replaced_set` is the set that the new
    set replaces. The replaced set is not deleted. The new set gets the next ordinal number.
    """
    _check_board_range(board_count, first_number)
    secret = secrets.token_bytes(SECRET_BYTES)
    board_set = BoardSet.objects.create(
        name=name,
        size=board_count,
        first=first_number,
        secret=secret,
        commitment=compute_commitment(
            secret,
            first_number=first_number,
            size=board_count,
            should_use_public_value=should_use_public_value,
        ),
        awaits_public=should_use_public_value,
        replaces=replaced_set,
        ordinal=replaced_set.ordinal + 1 if replaced_set else 1,
    )
    if not should_use_public_value:
        enqueue(tasks.DEALING_JOB, board_set.pk)
    return board_set


@transaction.atomic
def add_public_value(*, board_set: BoardSet, public_value: str) -> BoardSet:
    """Store the public value of a set, and queue the dealing.

    The value became known only after the commitment, the published hash of the set's secret.
    The secret can therefore not have been chosen to get certain deals.
    """
    board_set = _lock_board_set(board_set)
    if not board_set.is_waiting_for_public_value:
        raise UnusableBoardSet(_("These boards aren’t waiting for a public number."))
    if not public_value.strip():
        raise UnusableBoardSet(_("Enter the public number as it was announced."))
    board_set.public_value = public_value.strip()
    board_set.full_clean()
    board_set.save(update_fields=["public_value"])
    enqueue(tasks.DEALING_JOB, board_set.pk)
    return board_set


@transaction.atomic
def add_boards(*, board_set: BoardSet, total_board_count: int) -> BoardSet:
    """Enlarge a set; existing deals are unchanged, and new boards are dealt from its secret.

    The commitment to the larger set replaces the earlier one. The earlier commitment is stored
    and published too, as proof that the secret is the same. A typed or imported set gets space
    for more deals. If `total_board_count` is not larger, nothing changes.
    """
    board_set = _lock_board_set(board_set)
    if total_board_count <= board_set.size:
        return board_set
    _check_board_range(total_board_count, board_set.first)
    if board_set.secret is not None:
        board_set.promised_before = [
            *board_set.promised_before,
            [board_set.size, board_set.commitment],
        ]
        board_set.commitment = compute_commitment(
            bytes(board_set.secret),
            first_number=board_set.first,
            size=total_board_count,
            should_use_public_value=board_set.awaits_public,
        )
        board_set.state, board_set.error = BoardSet.State.WAITING, ""
        if not board_set.is_waiting_for_public_value:
            enqueue(tasks.DEALING_JOB, board_set.pk)
    board_set.size = total_board_count
    board_set.save(update_fields=["promised_before", "commitment", "state", "error", "size"])
    return board_set


@transaction.atomic
def retry_board_set(*, board_set: BoardSet) -> BoardSet:
    """Queue a failed or unfinished set again; a finished set is not changed."""
    board_set = _lock_board_set(board_set)
    if board_set.is_ready:
        return board_set
    board_set.state, board_set.error = BoardSet.State.WAITING, ""
    board_set.save(update_fields=["state", "error"])
    if not board_set.is_waiting_for_public_value:
        enqueue(tasks.DEALING_JOB, board_set.pk)
    return board_set


@transaction.atomic
def import_board_set(
    *,
    name: str,
    deals_by_board: Mapping[int, Deal],
    board_count: int,
    first_number: int = 1,
    source: BoardSet.Source = BoardSet.Source.IMPORTED,
) -> BoardSet:
    """Create a set from deals that were typed or imported; other deals may follow later."""
    _check_board_range(board_count, first_number)
    board_set = BoardSet(
        name=name, size=board_count, first=first_number, source=source, made=len(deals_by_board)
    )
    for board_number in deals_by_board:
        _check_board_number(board_set, board_number)
    board_set.state = BoardSet.State.READY
    board_set.save()
    Board.objects.bulk_create(
        Board.from_deal(board_set, board_number, deals_by_board[board_number])
        for board_number in sorted(deals_by_board)
    )
    queue_analysis(board_set=board_set)
    return board_set


@transaction.atomic
def replace_deal(*, board_set: BoardSet, board_number: int, deal: Deal) -> Board:
    """Store the first or a new deal of a board; the replaced deal is not deleted (rules E5)."""
    board_set = _lock_board_set(board_set)
    _check_board_number(board_set, board_number)
    if not board_set.is_ready:
        raise UnusableBoardSet(
            _("These boards are still being dealt. Wait until they’re ready.")
        )
    latest_version = (
        board_set.boards.filter(number=board_number).aggregate(Max("version"))["version__max"]
        or 0
    )
    board = Board.from_deal(board_set, board_number, deal, version=latest_version + 1)
    board.full_clean()
    board.save()
    board_set.made = board_set.boards.current().count()
    board_set.save(update_fields=["made"])
    queue_analysis(board_set=board_set)
    return board


@transaction.atomic
def undo_or_restore_deals(
    *, board_set: BoardSet, boards: Sequence[Board], is_restored: bool
) -> None:
    """Undo the given deals of a set, or restore them if `is_restored` is True.

    After an undo, the previous deal is current again.
    """
    board_set = _lock_board_set(board_set)
    board_set.boards.filter(pk__in=[board.pk for board in boards]).update(
        is_taken_back=not is_restored
    )
    board_set.made = board_set.boards.current().count()
    board_set.save(update_fields=["made"])


@transaction.atomic
def queue_best_play_tables(*, board_set: BoardSet) -> BoardSet:
    """Queue the best-play table of each board, which bridge programs show; idempotent."""
    board_set = _lock_board_set(board_set)
    if not board_set.wants_tables:
        board_set.wants_tables = True
        board_set.save(update_fields=["wants_tables"])
        queue_analysis(board_set=board_set)
    return board_set


def queue_analysis(*, board_set: BoardSet) -> None:
    """Queue the computation of best play for the boards of a set."""
    enqueue(tasks.ANALYSIS_JOB, board_set.pk)


def _lock_board_set(board_set: BoardSet) -> BoardSet:
    # A worker may deal the set while a director changes it.
    return BoardSet.objects.select_for_update().get(pk=board_set.pk)


def _check_board_range(board_count: int, first_number: int) -> None:
    if not 1 <= board_count <= MAX_SET_SIZE or first_number < 1:
        raise UnusableBoardSet(
            _("Choose 1–%(largest)s boards for a set, not %(size)s.")
            % {"largest": MAX_SET_SIZE, "size": board_count}
        )


def _check_board_number(board_set: BoardSet, board_number: int) -> None:
    if board_number not in board_set.board_numbers:
        raise UnusableBoardSet(
            _("Board %(number)s isn’t in this set (boards %(first)s–%(last)s).")
            % {
                "number": board_number,
                "first": board_set.first,
                "last": board_set.board_numbers[-1],
            }
        )
