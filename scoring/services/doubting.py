"""Doubtful results: asked about when they are entered, kept or put right afterwards."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import access, audit
from clubs.audit import Actor, Back
from scoring.models import Doubt, Result
from scoring.services.results import check_play, record_result
from scoring.sheets.doubts import Asked, asked_about, best_of, mended
from scoring.sittings import Room, Table, room
from tournaments.errors import NotNow
from tournaments.models import Sitting


@transaction.atomic
def question_result(*, result: Result, seated: Room, by: Actor) -> Asked | None:
    """Ask about a result that was just entered, if it is far from what is known.

    `seated` is read after the entry. What the cards allow is asked about only for a director;
    anybody else who scores may still play the deal (rules D2). An earlier result that the new
    one speaks against is queried too, and one that it bears out is no longer.
    """
    table = _table(seated, result.sitting_id)
    best = best_of(seated.session) if _may_know(seated, by) else {}
    asked = asked_about(seated, table, result.board, best) if table else None
    _mark(seated, result, Doubt.QUERIED if asked else Doubt.NONE)
    for other in seated.by_board.get(result.board, ()):
        earlier = seated.result(other, result.board)
        if earlier is None or earlier.pk == result.pk or earlier.doubt != Doubt.NONE:
            continue
        if asked_about(seated, other, result.board, best):
            _mark(seated, earlier, Doubt.QUERIED)
    _lift(seated, result)
    return asked


@transaction.atomic
def keep_result(*, sitting: Sitting, board: int, by: Actor) -> Result | None:
    """Let a queried result stand; the history says who did."""
    # The result may be changed on another screen meanwhile.
    sitting = (
        Sitting.objects.select_for_update(of=("self",))
        .select_related("section__session__event__club", "north", "east")
        .get(pk=sitting.pk)
    )
    session = sitting.section.session
    check_play(sitting, session, board, by)
    result = sitting.results.filter(board=board).order_by("-deal").first()
    if result is None or result.ns_tricks is None or result.doubt == Doubt.KEPT:
        return result
    result.doubt = Doubt.KEPT
    result.save(update_fields=["doubt"])
    audit.record(
        by,
        "result.kept",
        subject=session.event,
        where={**sitting.where, "board": board},
        before={"doubt": Doubt.QUERIED.value},
        after={"kept": result.mark},
        back=Back((f"result {result.pk}",), "result.ask_again", {"result": result.pk}),
    )
    return result


@transaction.atomic
def ask_again(*, result: Result, by: Actor) -> Result:
    """Query a result again that was kept; raise NotNow when it is another by now."""
    result = Result.objects.select_for_update(of=("self",)).get(pk=result.pk)
    session = result.sitting.section.session
    check_play(result.sitting, session, result.board, by)
    if result.doubt != Doubt.KEPT:
        raise NotNow(_("This result was entered anew since."))
    result.doubt = Doubt.QUERIED
    result.save(update_fields=["doubt"])
    audit.record(
        by,
        "result.queried",
        subject=session.event,
        where=result.where,
        before={"kept": result.mark},
        after={"doubt": Doubt.QUERIED.value},
        back=Back((f"result {result.pk}",), "result.keep", {"result": result.pk}),
    )
    return result


@transaction.atomic
def swap_result(*, sitting: Sitting, board: int, by: Actor) -> Result | None:
    """Give a result's tricks to the other side each."""
    result = sitting.results.filter(board=board).order_by("-deal").first()
    if result is None or result.ns_tricks is None:
        return result
    mark, seen = str(13 - result.ns_tricks), result.mark
    entered = record_result(sitting=sitting, board=board, mark=mark, seen=seen, by=by)
    question_result(result=entered.result, seated=room(sitting.section.session), by=by)
    return entered.result


@transaction.atomic
def mend_round(*, sitting: Sitting, by: Actor) -> int:
    """Make the one correction that explains a table's round; return how many boards changed."""
    seated = room(sitting.section.session)
    table = _table(seated, sitting.pk)
    best = best_of(seated.session) if _may_know(seated, by) else {}
    found = mended(seated, table, best) if table else None
    if found is None:
        return 0
    entered = [
        record_result(sitting=sitting, board=board, mark=mark, seen=None, by=by)
        for board, mark in found.marks
    ]
    seated = room(sitting.section.session)
    for each in entered:
        question_result(result=each.result, seated=seated, by=by)
    return sum(each.changed for each in entered)


def _lift(seated: Room, result: Result) -> None:
    """Query no longer what nothing speaks against now that a result has come in."""
    tables = seated.by_board.get(result.board, ())
    queried = [
        (table, earlier)
        for table in tables
        if (earlier := seated.result(table, result.board)) and earlier.doubt == Doubt.QUERIED
    ]
    best = best_of(seated.session) if queried else {}
    for table, earlier in queried:
        if earlier.pk != result.pk and not asked_about(seated, table, result.board, best):
            _mark(seated, earlier, Doubt.NONE)


def _mark(seated: Room, result: Result, doubt: str) -> None:
    if result.doubt != doubt:
        result.doubt = doubt
        result.save(update_fields=["doubt"])
        seated.results[result.sitting_id, result.board] = result


def _may_know(seated: Room, by: Actor) -> bool:
    return by is None or access.may_direct(by, seated.session.event.club)


def _table(seated: Room, sitting: int) -> Table | None:
    return next((table for table in seated.tables if table.sitting == sitting), None)
