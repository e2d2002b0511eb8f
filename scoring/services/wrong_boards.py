"""Boards from another set: results move to the board that was really played."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from scoring.models import Outcome, Ruling
from scoring.services.locking import lock_sitting
from scoring.services.recompute import enqueue_recomputation
from scoring.services.results import check_play, move_results
from tournaments.board_counts import count_boards
from tournaments.errors import NotNow
from tournaments.models import Event, Section, Sitting
from tournaments.movements.stray_boards import LEFT_OUT_BOARD, Boards
from tournaments.movements.systems.memory import FOUR_INDIVIDUALS
from tournaments.services.groundwork.revisions import count_write
from tournaments.swiss.plan import read_plan


@transaction.atomic
def record_board_really_played(
    *, sitting: Sitting, board: int, really: int, by: Actor
) -> Sitting:
    """Record that a table played another single board in a round than planned.

    Results of `board` move to the board `really` played. Later tables at which one of these
    players would meet that board omit it, because no one plays a deal twice (Law IV §1). If
    the change is undone, they play it again. Idempotent.

    Raises NotNow if a player already has a result of that board, if a ruling on the results is
    in force, or if no result moves; NoSuchPlay if the table does not play `board`.
    """
    sitting = lock_sitting(sitting.pk)
    section = sitting.section
    session = section.session
    planned_boards = sitting.boards
    if really in planned_boards and board not in planned_boards:
        return sitting
    check_play(sitting, session, board, by)
    _check_board_change(sitting, board, really)
    kept_strays = {
        own_board: played_board
        for own_board, played_board in sitting.strays
        if played_board != LEFT_OUT_BOARD
    }
    own_board = next(
        (stray for stray, played_board in kept_strays.items() if played_board == board), board
    )
    kept_strays[own_board] = really
    sitting.strays = [
        [stray, played_board]
        for stray, played_board in sorted(kept_strays.items())
        if stray != played_board
    ]
    sitting.save(update_fields=["strays"])
    leave_out_met_boards(section)
    count_write(session)
    audit.record(
        by,
        "board.put_right",
        subject=session.event,
        where={**sitting.where, "board": board},
        before={"boards": [board]},
        after={"boards": [really]},
        back=Undo(
            (f"sitting {sitting.pk}",),
            "board.put_right",
            {"sitting": sitting.pk, "board": really, "really": board},
        ),
    )
    enqueue_recomputation(session.event)
    move_results(sitting=sitting, board=board, really=really, by=by)
    return sitting


def leave_out_met_boards(section: Section) -> None:
    """Omit each board that a player of a table has met as a wrong board elsewhere.

    A drawn round has its planned boards, regardless of the pairings. In such a round a whole
    set that a player has played by mistake is omitted too. A board omitted because of a
    corrected mistake is played again. The caller must have locked the session.
    """
    rows = list(section.sittings.all())
    before = (
        _group_boards_by_place(rows) if read_plan(section.options) else {}
    )  # only where rounds are drawn
    strays_by_row = [
        (row, played_board)
        for row in rows
        for _own, played_board in row.strays
        if played_board != LEFT_OUT_BOARD
    ]
    for row in rows:
        met_boards = {
            board
            for other, board in strays_by_row
            if other != row
            and not _places_of_sitting(row).isdisjoint(_places_of_sitting(other))
        }
        met_boards |= {
            board
            for place in _places_of_sitting(row)
            for round_, boards in before.get(place, ())
            if round_ < row.round
            for board in boards
        }
        wanted_strays = [stray for stray in row.strays if stray[1] != LEFT_OUT_BOARD]
        own_boards = section.session.get_group_boards(row.board_group)
        strayed_boards = {planned for planned, _played in wanted_strays}
        free = [
            board for board in own_boards if board in met_boards and board not in strayed_boards
        ]
        wanted_strays += [
            [board, LEFT_OUT_BOARD] for board in free if not _has_result(row, board)
        ]
        if sorted(wanted_strays) != sorted(row.strays):
            row.strays = sorted(wanted_strays)
            row.save(update_fields=["strays"])


def _group_boards_by_place(rows: Iterable[Sitting]) -> Mapping[int, list[tuple[int, Boards]]]:
    """Return the boards of each place, with their rounds."""
    boards_by_place: dict[int, list[tuple[int, Boards]]] = defaultdict(list)
    for row in rows:
        for place in _places_of_sitting(row):
            boards_by_place[place].append((row.round, row.boards))
    return boards_by_place


def find_sittings_with_board(sitting: Sitting, board: int) -> list[Sitting]:
    """Return the other sittings at which a player of a table is to play a board."""
    rows = sitting.section.sittings.exclude(pk=sitting.pk).select_related("section__session")
    return [
        row
        for row in rows
        if board in row.boards
        and not _places_of_sitting(row).isdisjoint(_places_of_sitting(sitting))
    ]


def _check_board_change(sitting: Sitting, board: int, really: int) -> None:
    session = sitting.section.session
    placeholders = {"board": really, "table": sitting.label, "round": sitting.round}
    if session.event.contest == Event.Contest.MEMORY:
        raise NotNow(
            _("In memory duplicate no one moves, so no board comes from another table.")
        )
    if sitting.section.movement == FOUR_INDIVIDUALS.name:
        raise NotNow(
            _(
                "This table overplays every deal from memory, so no board "
                "comes from another table."
            )
        )
    if not 1 <= really <= count_boards(session):
        raise NotNow(_("Board %(board)s isn't in play in this session.") % placeholders)
    if really in sitting.boards:
        raise NotNow(
            _("Table %(table)s plays board %(board)s this round too. Swap the two.")
            % placeholders
        )
    _check_rulings(sitting, board)
    for row in find_sittings_with_board(sitting, really):
        if _has_result(row, really) or _has_strayed_to(row, really):
            raise NotNow(
                _(
                    "Someone at table %(table)s already played board %(board)s "
                    "in round %(round)s. This play can't count, so make a ruling "
                    "instead."
                )
                % (placeholders | {"round": row.round})
            )


def _check_rulings(sitting: Sitting, board: int) -> None:
    rulings = Ruling.objects.in_force()
    if rulings.filter(result__sitting=sitting, result__board=board).exists():
        raise NotNow(
            _("Board %(board)s has a ruling. Withdraw it before correcting the board.")
            % {"board": board}
        )


def _has_result(row: Sitting, board: int) -> bool:
    entered_results = row.results.filter(board=board).exclude(outcome=Outcome.CLEARED)
    ruled = Ruling.objects.in_force().filter(result__sitting=row, result__board=board)
    return entered_results.exists() or ruled.exists()


def _has_strayed_to(row: Sitting, board: int) -> bool:
    return any(played_board == board for _own, played_board in row.strays)


def _places_of_sitting(row: Sitting) -> set[int]:
    return {row.north_id, row.east_id, row.south_id, row.west_id}
