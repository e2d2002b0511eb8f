"""Results are written down: every value is kept, and the standings follow."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

import tournaments.services
from clubs import access, audit
from clubs.audit import Actor, Back
from scoring.errors import EnteredMeanwhile, NoSuchPlay, TricksRefused
from scoring.models import Agreement, Doubt, Outcome, Result, ResultVersion
from scoring.services.recomputing import recompute_later
from server.models import User
from tournaments.errors import NotNow
from tournaments.models import Session, Sitting

NOT_PLAYED_MARKS = {"-", "–", "n", "np", "x"}


@dataclass(frozen=True, slots=True)
class Entered:
    """A result as it now stands, and whether this entry changed it."""

    result: Result
    changed: bool


def read_mark(text: str, *, where: str = "") -> tuple[str, int | None]:
    """Read what a scorer typed: 0 to 13, a mark for "not played", or nothing to clear.

    `where` ("Board 5, table 3") begins the message of TricksRefused.
    """
    typed = text.strip().casefold()
    if not typed:
        return Outcome.CLEARED, None
    if typed in NOT_PLAYED_MARKS:
        return Outcome.NOT_PLAYED, None
    if typed.isascii() and typed.isdigit() and int(typed) <= 13:
        return Outcome.PLAYED, int(typed)
    lead = f"{where}: " if where else ""
    raise TricksRefused(
        _("%(lead)s“%(typed)s” is not a number of tricks. Type 0 to 13, or - for not played.")
        % {"lead": lead, "typed": text.strip()[:20]}
    )


@transaction.atomic
def record_result(
    *,
    sitting: Sitting,
    board: int,
    mark: str,
    seen: str | None,
    by: Actor,
    via: str = ResultVersion.Via.GRID,
    key: str = "",
) -> Entered:
    """Write down a result; `seen` is what the scorer's screen showed before ("" for nothing).

    The same value sent twice is one entry, and so is what a phone sends twice with one `key`.
    Raises EnteredMeanwhile when the screen was stale and says something else than what stands;
    `seen=None` does not ask.
    """
    # Two scorers with the same sitting on their screens race here.
    sitting = (
        Sitting.objects.select_for_update(of=("self",))
        .select_related("section__session__event__club", "north", "east")
        .get(pk=sitting.pk)
    )
    session = sitting.section.session
    where = _("Board %(board)s, table %(table)s") % {"board": board, "table": sitting.table}
    outcome, ns_tricks = read_mark(mark, where=where)
    check_play(sitting, session, board, by)
    result = Result.current(sitting, board)
    if (result.outcome, result.ns_tricks) == (outcome, ns_tricks) or _is_known(result, key):
        return Entered(result, changed=False)
    if seen is not None and result.mark != _as_seen(seen):
        raise _meanwhile(result, where)
    result.outcome, result.ns_tricks, result.doubt = outcome, ns_tricks, Doubt.NONE
    result.agreement = _agreement(outcome, via)
    result.clean_fields(exclude=["sitting"])  # the database itself holds it to the rest
    result.save()
    _keep_version(result, by=by, via=via, key=key)
    tournaments.services.touch(session)
    recompute_later(session.event)
    return Entered(result, changed=True)


@transaction.atomic
def confirm_result(*, sitting: Sitting, board: int, seen: str, by: Actor) -> Entered:
    """Note that the other side agrees with what was entered; `seen` is what it was shown.

    Raises EnteredMeanwhile when something else stands by now.
    """
    sitting = (
        Sitting.objects.select_for_update(of=("self",))
        .select_related("section__session__event__club", "north", "east")
        .get(pk=sitting.pk)
    )
    session = sitting.section.session
    check_play(sitting, session, board, by)
    result = Result.current(sitting, board)
    where = _("Board %(board)s, table %(table)s") % {"board": board, "table": sitting.table}
    if result.mark != _as_seen(seen) or not result.mark:
        raise _meanwhile(result, where)
    if result.agreement != Agreement.AWAITED:
        return Entered(result, changed=False)
    result.agreement = Agreement.GIVEN
    result.save(update_fields=["agreement"])
    audit.record(
        by,
        "result.agreed",
        subject=session.event,
        where={**sitting.where, "board": board},
        after={"mark": result.mark},
        way=ResultVersion.Via.PHONE,
        back=Back((f"result {result.pk}",), "result.await_yes", {"result": result.pk}),
    )
    return Entered(result, changed=True)


@transaction.atomic
def await_yes(*, result: Result, by: Actor) -> Result:
    """Take back that the other side has agreed; raise NotNow for what was entered anew."""
    result = Result.objects.select_for_update(of=("self",)).get(pk=result.pk)
    session = result.sitting.section.session
    check_play(result.sitting, session, result.board, by)
    if result.agreement != Agreement.GIVEN:
        raise NotNow(_("This result was entered anew since."))
    result.agreement = Agreement.AWAITED
    result.save(update_fields=["agreement"])
    audit.record(
        by,
        "result.unagreed",
        subject=session.event,
        where=result.where,
        before={"mark": result.mark},
        back=Back((f"result {result.pk}",)),
    )
    return result


@transaction.atomic
def return_to_setup(*, session: Session, by: Actor) -> Session:
    """Take the opening of a session back, as long as no score has been entered."""
    if Result.objects.filter(sitting__section__session=session).exists():
        raise NotNow(_("Scores have been entered, so the seating stands."))
    return tournaments.services.return_to_setup(session=session, by=by)


def check_in_play(session: Session, by: Actor) -> None:
    """Refuse a change of what happened before the session opens and when it is over.

    After closing a director puts things right as long as the club's period for corrections
    lasts (rules J8).
    """
    if session.state == Session.State.PLANNED:
        raise NotNow(_("The session has not been opened yet. Open it to enter scores."))
    until = session.corrections_until
    if until is None:
        return
    if until <= timezone.now():
        raise NotNow(_("The session is closed. Open it again to put a score right."))
    if by is not None and not access.may_direct(by, session.event.club):
        raise NotNow(_("The session is closed. A director can still put a score right."))


def check_play(sitting: Sitting, session: Session, board: int, by: Actor) -> None:
    """Refuse a board that is not played at a sitting, or not now."""
    check_in_play(session, by)
    if board not in session.boards_of(sitting.board_group):
        raise NoSuchPlay(
            _("Board %(board)s is not played at table %(table)s in round %(round)s.")
            % {"board": board, "table": sitting.table, "round": sitting.round}
        )
    if sitting.north.entry_id is None or sitting.east.entry_id is None:
        raise NoSuchPlay(
            _("Nobody plays at table %(table)s in round %(round)s: it is a sit-out.")
            % {"table": sitting.table, "round": sitting.round}
        )


def _as_seen(seen: str) -> str:
    return "-" if seen.strip().casefold() in NOT_PLAYED_MARKS else seen.strip()


def _meanwhile(result: Result, where: str) -> EnteredMeanwhile:
    last = result.versions.last() if result.pk else None
    by = audit.who(last.by) if last else ""
    if not result.mark:
        text = _("%(where)s has been cleared meanwhile by %(by)s.")
    elif result.mark == "-":
        text = _("%(where)s has been marked as not played meanwhile by %(by)s.")
    else:
        text = _("%(where)s has been entered meanwhile: N-S %(ns)s, by %(by)s.")
    return EnteredMeanwhile(
        text % {"where": where, "by": by, "ns": result.ns_tricks}, seen=result.mark, by=by
    )


def _is_known(result: Result, key: str) -> bool:
    return bool(key and result.pk) and result.versions.filter(key=key).exists()


def _agreement(outcome: str, via: str) -> str:
    """What a phone sends waits for the other side; a director's entry needs nobody's yes."""
    is_asked = via == ResultVersion.Via.PHONE and outcome != Outcome.CLEARED
    return Agreement.AWAITED if is_asked else Agreement.NONE


def _keep_version(result: Result, *, by: Actor, via: str, key: str) -> None:
    ResultVersion.objects.create(
        result=result,
        number=result.versions.count() + 1,
        outcome=result.outcome,
        ns_tricks=result.ns_tricks,
        user=by if isinstance(by, User) else None,
        by=audit.name_of(by),
        at=timezone.now(),
        via=via,
        key=key,
    )
