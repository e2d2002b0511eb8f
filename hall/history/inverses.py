"""What takes an act back, where scores are touched too; the rest is in the app below."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date as Date
from datetime import datetime
from typing import Any

import tournaments.services
from clubs.audit import Actor
from hall.challenges.services import reopen_challenge, revoke_entry_link
from hall.helpers.services import revoke_hand_link
from hall.models import Challenge, Rehearsal
from hall.phones.services import revoke_link
from hall.rehearsal.services import set_speed
from hall.room.services import put_clock_back
from scoring.models import PlayRecord, Result, Ruling, TableLink
from scoring.services.changes import repeat_change, undo_change
from scoring.services.doubts import ask_again, keep_result
from scoring.services.play_records import count_play
from scoring.services.recomputing import edit_event
from scoring.services.results import await_yes, return_to_setup
from scoring.services.rulings import make_again, withdraw_ruling
from scoring.services.terms import settle_scoring, terms_of
from tournaments.models import EntryLink, Event, SeatingChange
from tournaments.services import inverses
from tournaments.services.inverses import Inverse, found, of_session, session_of


def _edit_event(*, event: Event, by: Actor, **kept: str) -> None:
    wanted: dict[str, Any] = {
        "name": event.name,
        "date": event.date.isoformat(),
        "method": event.method,
        "standings_shown": event.standings_shown,
        "paper_size": event.paper_size,
        **kept,
    }
    wanted["date"] = Date.fromisoformat(wanted["date"])
    edit_event(event=event, by=by, **wanted)


def _settle(*, event: Event, by: Actor, **kept: Any) -> None:
    settle_scoring(event=event, by=by, **(terms_of(event) | kept))


def _close(*, event: Event, by: Actor, session: int, closed_at: str) -> None:
    tournaments.services.close_session(
        session=session_of(event, session), closed_at=datetime.fromisoformat(closed_at), by=by
    )


def _clock(*, event: Event, by: Actor, session: int, state: Mapping[str, Any]) -> None:
    put_clock_back(session=session_of(event, session), state=state, by=by)


def _ruling(act: Callable[..., object]) -> Inverse:
    def inverse(*, event: Event, by: Actor, ruling: int) -> None:
        act(ruling=found(Ruling.objects.filter(session__event=event), pk=ruling), by=by)

    return inverse


def _change(act: Callable[..., object]) -> Inverse:
    def inverse(*, event: Event, by: Actor, change: int) -> None:
        rows = SeatingChange.objects.filter(session__event=event)
        act(change=found(rows, pk=change), by=by)

    return inverse


def _result(event: Event, pk: int) -> Result:
    rows = Result.objects.filter(sitting__section__session__event=event)
    return found(rows.select_related("sitting__section__session__event__club"), pk=pk)


def _ask_again(*, event: Event, by: Actor, result: int) -> None:
    ask_again(result=_result(event, result), by=by)


def _keep(*, event: Event, by: Actor, result: int) -> None:
    one = _result(event, result)
    keep_result(sitting=one.sitting, board=one.board, by=by)


def _await_yes(*, event: Event, by: Actor, result: int) -> None:
    await_yes(result=_result(event, result), by=by)


def _reopen_challenge(*, event: Event, by: Actor, challenge: int) -> None:
    rows = Challenge.objects.filter(entry__event=event)
    reopen_challenge(challenge=found(rows, pk=challenge), by=by)


def _count_play(*, event: Event, by: Actor, record: int, counts: bool) -> None:
    row = found(PlayRecord.objects.filter(session__event=event), pk=record)
    count_play(record=row, counts=counts, by=by)


def _set_speed(*, event: Event, by: Actor, speed: int) -> None:
    set_speed(rehearsal=found(Rehearsal.objects.filter(event=event)), speed=speed, by=by)


def _revoke_links(*, event: Event, by: Actor, links: Sequence[int]) -> None:
    for link in TableLink.objects.filter(session__event=event, pk__in=links):
        revoke_link(link=link, by=by)


def _revoke_entry_links(*, event: Event, by: Actor, links: Sequence[int]) -> None:
    for link in EntryLink.objects.filter(entry__event=event, pk__in=links):
        revoke_entry_link(link=link, by=by)


INVERSES: Mapping[str, Inverse] = {
    **inverses.INVERSES,
    "challenge.reopen": _reopen_challenge,
    "clock": _clock,
    "entry_links.revoke": _revoke_entry_links,
    "event.edit": _edit_event,
    "hand_link.revoke": of_session(revoke_hand_link),
    "links.revoke": _revoke_links,
    "play.count": _count_play,
    "rehearsal.speed": _set_speed,
    "result.ask_again": _ask_again,
    "result.await_yes": _await_yes,
    "result.keep": _keep,
    "ruling.make_again": _ruling(make_again),
    "ruling.withdraw": _ruling(withdraw_ruling),
    "scoring.settle": _settle,
    "seats.repeat_change": _change(repeat_change),
    "seats.undo_change": _change(undo_change),
    "session.close": _close,
    "session.reopen": of_session(tournaments.services.reopen_session),
    "session.unopen": of_session(return_to_setup),
}
