"""Service for a table that played a wrong board: its results move to that board."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from scoring.models import Outcome, Ruling
from scoring.services.locking import lock_sitting
from scoring.services.moved_results import move_results
from scoring.services.recompute import enqueue_recomputation
from scoring.services.score_checks import check_play_can_be_scored
from tournaments.board_counts import count_boards
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Section, Sitting
from tournaments.movements.stray_boards import LEFT_OUT_MARKER, BoardNumbers
from tournaments.movements.systems.memory import FOUR_INDIVIDUALS_SYSTEM
from tournaments.services.groundwork.revisions import increment_revisions
from tournaments.swiss.plan import read_plan


@transaction.atomic
def record_actual_board(*, sitting: Sitting, board: int, really: int, by: Actor) -> Sitting:
    """Record that a table played the board `really` in a round instead of the planned `board`.

    Results of `board` move to `really`. No one plays a deal twice (Law IV §1), so a later table
    at which one of these players would play `really` leaves that board out. If the change is
    undone, that table plays the board again. Idempotent.

    Raises ActionUnavailable if a player already has a result of that board, if a ruling is in
    force, or if no result moves. Raises PlayNotFound if the table does not play `board`.
    """
    sitting = lock_sitting(sitting.pk)
    section = sitting.section
    session = section.session
    sitting_boards = sitting.boards
    if really in sitting_boards and board not in sitting_boards:
        return sitting
    check_play_can_be_scored(sitting, session, board, by)
    _check_board_change(sitting, board, really)
    actual_board_by_planned_board = {
        planned_board_number: actual_board_number
        for planned_board_number, actual_board_number in sitting.strays
        if actual_board_number != LEFT_OUT_MARKER
    }
    planned_board_number = next(
        (
            planned_number
            for planned_number, actual_number in actual_board_by_planned_board.items()
            if actual_number == board
        ),
        board,
    )
    actual_board_by_planned_board[planned_board_number] = really
    sitting.strays = [
        [planned_board_number, actual_board_number]
        for planned_board_number, actual_board_number in sorted(
            actual_board_by_planned_board.items()
        )
        if planned_board_number != actual_board_number
    ]
    sitting.save(update_fields=["strays"])
    omit_already_played_boards(section)
    increment_revisions(session)
    audit.record(
        by,
        "board.put_right",
        subject=session.event,
        where={**sitting.history_location, "board": board},
        before={"boards": [board]},
        after={"boards": [really]},
        undo=Undo(
            (f"sitting {sitting.pk}",),
            "board.put_right",
            {"sitting": sitting.pk, "board": really, "really": board},
        ),
    )
    enqueue_recomputation(session.event)
    move_results(sitting=sitting, board_number=board, played_board_number=really, by=by)
    return sitting


def omit_already_played_boards(section: Section) -> None:
    """Leave out, at each table, the boards that one of its players has played by mistake.

    If rounds are drawn, a player can even meet a whole set of boards again. These boards are
    left out too. If a mistake was corrected, the boards left out because of it are played
    again. The caller must have locked the session.
    """
    sittings = list(section.sittings.all())
    # A fixed movement repeats boards only on purpose, so only drawn rounds are checked.
    rounds_and_boards_by_place = (
        _group_boards_by_place(sittings) if read_plan(section.options) else {}
    )
    sittings_with_wrong_boards = [
        (sitting, actual_board_number)
        for sitting in sittings
        for _planned_board_number, actual_board_number in sitting.strays
        if actual_board_number != LEFT_OUT_MARKER
    ]
    for sitting in sittings:
        already_played_boards = {
            board_number
            for other_sitting, board_number in sittings_with_wrong_boards
            if other_sitting != sitting
            and not _collect_place_ids(sitting).isdisjoint(_collect_place_ids(other_sitting))
        }
        already_played_boards |= {
            board_number
            for place_pk in _collect_place_ids(sitting)
            for round_number, boards in rounds_and_boards_by_place.get(place_pk, ())
            if round_number < sitting.round
            for board_number in boards
        }
        new_stray_boards = [stray for stray in sitting.strays if stray[1] != LEFT_OUT_MARKER]
        planned_boards = section.session.get_group_boards(sitting.board_group)
        replaced_boards = {
            planned_board_number
            for planned_board_number, _actual_board_number in new_stray_boards
        }
        omitted_boards = [
            board_number
            for board_number in planned_boards
            if board_number in already_played_boards and board_number not in replaced_boards
        ]
        new_stray_boards += [
            [board_number, LEFT_OUT_MARKER]
            for board_number in omitted_boards
            if not _has_result(sitting, board_number)
        ]
        if sorted(new_stray_boards) != sorted(sitting.strays):
            sitting.strays = sorted(new_stray_boards)
            sitting.save(update_fields=["strays"])


def _group_boards_by_place(
    sittings: Iterable[Sitting],
) -> Mapping[int, list[tuple[int, BoardNumbers]]]:
    """Return, for each place, its rounds with the boards played in each."""
    rounds_and_boards_by_place: dict[int, list[tuple[int, BoardNumbers]]] = defaultdict(list)
    for sitting in sittings:
        for place_pk in _collect_place_ids(sitting):
            rounds_and_boards_by_place[place_pk].append((sitting.round, sitting.boards))
    return rounds_and_boards_by_place


def find_sittings_with_board(sitting: Sitting, board_number: int) -> list[Sitting]:
    """Return the other sittings at which a player of `sitting` would play `board_number`."""
    other_sittings = sitting.section.sittings.exclude(pk=sitting.pk).select_related(
        "section__session"
    )
    return [
        other_sitting
        for other_sitting in other_sittings
        if board_number in other_sitting.boards
        and not _collect_place_ids(other_sitting).isdisjoint(_collect_place_ids(sitting))
    ]


def _check_board_change(sitting: Sitting, board_number: int, actual_board_number: int) -> None:
    session = sitting.section.session
    placeholders = {
        "board": actual_board_number,
        "table": sitting.label,
        "round": sitting.round,
    }
    if session.event.contest == Event.Contest.MEMORY:
        raise ActionUnavailable(
            _("In memory duplicate no one moves, so no board comes from another table.")
        )
    if sitting.section.movement == FOUR_INDIVIDUALS_SYSTEM.name:
        raise ActionUnavailable(
            _(
                "This table overplays every deal from memory, so no board "
                "comes from another table."
            )
        )
    if not 1 <= actual_board_number <= count_boards(session):
        raise ActionUnavailable(
            _("Board %(board)s isn’t in play in this session.") % placeholders
        )
    if actual_board_number in sitting.boards:
        raise ActionUnavailable(
            _("Table %(table)s plays board %(board)s this round too. Swap the two.")
            % placeholders
        )
    _check_no_rulings(sitting, board_number)
    for other_sitting in find_sittings_with_board(sitting, actual_board_number):
        if _has_result(other_sitting, actual_board_number) or _has_played_wrong_board(
            other_sitting, actual_board_number
        ):
            raise ActionUnavailable(
                _(
                    "Someone at table %(table)s already played board %(board)s in round "
                    "%(round)s. This play can’t count, so make a ruling instead."
                )
                % (placeholders | {"round": other_sitting.round})
            )


def _check_no_rulings(sitting: Sitting, board_number: int) -> None:
    rulings = Ruling.objects.exclude_withdrawn()
    if rulings.filter(result__sitting=sitting, result__board=board_number).exists():
        raise ActionUnavailable(
            _("Board %(board)s has a ruling. Withdraw it before correcting the board.")
            % {"board": board_number}
        )


def _has_result(sitting: Sitting, board_number: int) -> bool:
    entered_results = sitting.results.filter(board=board_number).exclude(
        outcome=Outcome.CLEARED
    )
    rulings = Ruling.objects.exclude_withdrawn().filter(
        result__sitting=sitting, result__board=board_number
    )
    return entered_results.exists() or rulings.exists()


def _has_played_wrong_board(sitting: Sitting, board_number: int) -> bool:
    return any(
        actual_board_number == board_number
        for _planned_board_number, actual_board_number in sitting.strays
    )


def _collect_place_ids(sitting: Sitting) -> set[int]:
    return {sitting.north_id, sitting.east_id, sitting.south_id, sitting.west_id}
