"""Services that change the seating during play, and undo or redo the change."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from clubs.audit import Actor, AuditData
from scoring.models import Outcome, Result, ResultVersion, Ruling
from scoring.services.locking import lock_session
from scoring.services.moved_results import check_moved_results, move_result_to_board
from scoring.services.recompute import enqueue_recomputation
from scoring.services.wrong_boards import omit_already_played_boards
from tournaments.errors import ActionUnavailable
from tournaments.models import Entry, SeatingChange, Section, Session
from tournaments.movements.changes import Incident
from tournaments.movements.formatting import format_table
from tournaments.seating_snapshot import (
    SeatDifference,
    TableDifference,
    compare_seats,
    compare_tables,
)
from tournaments.services.groundwork import changes as groundwork


@transaction.atomic
def apply_seating_change(
    *,
    section: Section,
    rounds_played: int,
    incident: Incident,
    continuation_key: str,
    incident_data: AuditData,
    names: Sequence[str] = (),
    by: Actor,
) -> SeatingChange:
    """Change the seating of the rounds after `rounds_played`; results stay with their tables.

    If the incident gives a table other boards, its results move to these boards, in order. The
    plausibility check runs again on the moved results. Raises ActionUnavailable for an incident
    in a round with scores.
    """
    lock_session(section.session_id)  # wait for a score that is being entered
    last_scored_round = find_last_scored_round(section)
    if rounds_played < last_scored_round:
        raise ActionUnavailable(
            _("Round %(round)s already has scores. Choose a later round.")
            % {"round": last_scored_round}
        )
    applied_change = groundwork.apply_seating_change(
        section=section,
        rounds_played=rounds_played,
        incident=incident,
        continuation_key=continuation_key,
        incident_data=incident_data,
        names=names,
        by=by,
    )
    _move_results(section, compare_tables(applied_change.before, applied_change.after), by)
    enqueue_recomputation(section.session.event)
    return applied_change


@transaction.atomic
def undo_change(*, change: SeatingChange, by: Actor) -> SeatingChange:
    """Undo a change of seating.

    Raises ActionUnavailable if scores that depend on it were entered.
    """
    if change.undone_at is not None:
        return change
    lock_session(change.session_id)
    section = change.session.sections.get(letter=change.before["letter"])
    _check_no_scores_lost(section, change.at, compare_seats(change.after, change.before))
    _check_no_penalties(change)
    undone_change = groundwork.undo_change(change=change, by=by)
    _move_results(section, compare_tables(change.after, change.before), by)
    enqueue_recomputation(section.session.event)
    return undone_change


@transaction.atomic
def redo_change(*, change: SeatingChange, by: Actor) -> SeatingChange:
    """Redo an undone change of seating.

    Raises ActionUnavailable if play continued without it.
    """
    lock_session(change.session_id)
    # Read the row again, because the undo stored the removed entries in it.
    change = SeatingChange.objects.get(pk=change.pk)
    section = change.session.sections.get(letter=change.before["letter"])
    changed_seats = compare_seats(change.before, change.after)
    _check_no_scores_lost(section, change.undone_at or change.at, changed_seats)
    _check_round_not_played(section, change.at, changed_seats)
    applied_change = groundwork.redo_change(change=change, by=by)
    _move_results(section, compare_tables(change.before, change.after), by)
    enqueue_recomputation(section.session.event)
    return applied_change


def find_last_scored_round(section: Section) -> int:
    """Return the last round with an entered score; 0 if no round has one."""
    return _query_scored_results(section).aggregate(last=Max("sitting__round"))["last"] or 0


def _query_scored_results(section: Section) -> QuerySet[Result]:
    results = Result.objects.filter(sitting__section=section)
    return results.exclude(outcome=Outcome.CLEARED)


def _move_results(
    section: Section, table_differences: Sequence[TableDifference], by: Actor
) -> None:
    """Move results to the boards that the tables really played, and check the results again."""
    moved_results = [
        moved_result
        for table_difference in table_differences
        for moved_result in _move_round_results(section, table_difference)
    ]
    omit_already_played_boards(section)
    new_deal_rulings = Ruling.objects.exclude_withdrawn().filter(
        kind=Ruling.Kind.NEW_DEAL, result__in=moved_results
    )
    replaced_result_pks = set(new_deal_rulings.values_list("result", flat=True))
    check_moved_results(
        [
            moved_result
            for moved_result in moved_results
            if moved_result.pk not in replaced_result_pks
        ],
        by=by,
    )


def _move_round_results(section: Section, table_difference: TableDifference) -> list[Result]:
    """Move the results of a table's round to its new boards; return the moved results."""
    # Index 4 of a table row is its board group.
    if (
        table_difference.old_seats is None
        or table_difference.new_seats is None
        or table_difference.old_seats[4] == table_difference.new_seats[4]
    ):
        return []
    session: Session = section.session
    old_boards, new_boards = (
        session.get_group_boards(table_difference.old_seats[4]),
        session.get_group_boards(table_difference.new_seats[4]),
    )
    results = Result.objects.filter(
        sitting__section=section,
        sitting__round=table_difference.round_number,
        sitting__table=table_difference.table_number,
        board__in=old_boards,
    )
    moved_results = list(results.select_related("sitting__section__session__event__club"))
    for moved_result in moved_results:
        move_result_to_board(moved_result, new_boards[old_boards.index(moved_result.board)])
    return moved_results


def _check_no_scores_lost(
    section: Section, changed_after: datetime, seat_differences: Sequence[SeatDifference]
) -> None:
    """Raise for a change that would give scores or rulings entered after `changed_after` to
    other entries.

    `seat_differences` has every changed seat and the tables with other boards. A table with
    scores must not become empty, even if the scores were cleared, because entered scores are
    never deleted.
    """
    table_keys_with_any_score, table_keys_with_current_score = (
        _find_scored_table_keys(section, changed_after),
        _find_scored_table_keys(section, changed_after, should_exclude_cleared=True),
    )
    section_letter = section.shown
    for seat_difference in seat_differences:
        table_key = seat_difference.round_number, seat_difference.table_number
        placeholders = {
            "round": seat_difference.round_number,
            "table": format_table(seat_difference.table_number, section_letter),
        }
        if seat_difference.new_play is None and table_key in table_keys_with_any_score:
            raise ActionUnavailable(
                _(
                    "Can’t undo: round %(round)s, table %(table)s has been scored, and no "
                    "one would sit there. Make a new change instead."
                )
                % placeholders
            )
        if table_key in table_keys_with_current_score:
            raise ActionUnavailable(
                _(
                    "Can’t undo: the players now at table %(table)s have scored round "
                    "%(round)s. Clear those scores and rulings first, or make a new change."
                )
                % placeholders
            )


def _find_scored_table_keys(
    section: Section, changed_after: datetime, *, should_exclude_cleared: bool = False
) -> set[tuple[int, int]]:
    """Return the round and table of each score or ruling entered after `changed_after`.

    With `should_exclude_cleared`, cleared scores and withdrawn rulings do not count.
    """
    versions = ResultVersion.objects.filter(
        at__gt=changed_after, result__sitting__section=section
    )
    rulings = Ruling.objects.filter(made_at__gt=changed_after, result__sitting__section=section)
    if should_exclude_cleared:
        versions = versions.exclude(result__outcome=Outcome.CLEARED)
        rulings = rulings.exclude_withdrawn()
    table_key_fields = ("result__sitting__round", "result__sitting__table")
    return {*versions.values_list(*table_key_fields), *rulings.values_list(*table_key_fields)}


def _check_no_penalties(change: SeatingChange) -> None:
    """Raise ActionUnavailable if the undo would remove an entry with a penalty.

    Rulings are never deleted, so the entry must remain.
    """
    entry = Entry.objects.filter(pk=change.after["newcomer"]).first()
    if entry is not None and entry.rulings.exists():
        raise ActionUnavailable(
            _(
                "Can’t undo: %(who)s joined with this change and has a penalty in the "
                "history. Make a new change instead."
            )
            % {"who": entry.name}
        )


def _check_round_not_played(
    section: Section, changed_at: datetime, seat_differences: Sequence[SeatDifference]
) -> None:
    """Raise ActionUnavailable if a redo would seat people in a round played without them."""
    versions_up_to_change = ResultVersion.objects.filter(
        at__lte=changed_at, result__sitting__section=section
    )
    scored_rounds = set(_query_scored_results(section).values_list("sitting__round", flat=True))
    scored_rounds -= set(versions_up_to_change.values_list("result__sitting__round", flat=True))
    for seat_difference in seat_differences:
        if (
            seat_difference.has_different_people
            and seat_difference.round_number in scored_rounds
        ):
            raise ActionUnavailable(
                _(
                    "Round %(round)s has since been played without this change. "
                    "Start again to see the options that fit now."
                )
                % {"round": seat_difference.round_number}
            )
