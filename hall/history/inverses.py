"""What takes the acts of an event and of a club back: the tables of all rooms, joined."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date as Date
from datetime import datetime
from typing import Any

import clubs.inverses
import drives.services.inverses
from clubs.audit import Actor
from clubs.evenings.services import put_clock_back
from clubs.models import Club, Evening, TableLink
from clubs.undoing import Inverse, still_there
from hall.challenges.services import reopen_challenge, revoke_entry_link
from hall.helpers.services import revoke_hand_link
from hall.models import Challenge, Rehearsal
from hall.phones.services import revoke_link
from hall.rehearsal.services import set_speed
from scoring.models import PlayRecord, Result, Ruling
from scoring.services.changes import repeat_change, undo_change
from scoring.services.doubts import ask_again, keep_result
from scoring.services.events import edit_event, fields_of
from scoring.services.fields import profile_entries, settle_prizes, settle_strata
from scoring.services.knockouts import put_matches_back, settle_knockout
from scoring.services.play_records import count_play
from scoring.services.results import await_yes
from scoring.services.rulings import make_again, withdraw_ruling
from scoring.services.sessions import (
    close_session,
    open_session,
    reopen_session,
    return_to_setup,
)
from scoring.services.stages import draw_finals, settle_stage, undraw_finals
from scoring.services.strays import put_board_right
from scoring.services.terms import settle_scoring, terms_of
from tournaments.models import EntryLink, Event, SeatingChange, Sitting
from tournaments.services import inverses
from tournaments.services.inverses import of_session, session_of
from tournaments.stages.rules import rule_of


def _edit_event(
    *,
    event: Event,
    by: Actor,
    sessions: Sequence[int] | None = None,
    with_series: Sequence[int] = (),
    **kept: str,
) -> None:
    wanted = fields_of(event) | kept
    if "date" in kept:
        wanted["date"] = Date.fromisoformat(kept["date"])
    edit_event(event=event, sessions=sessions, with_series=with_series, by=by, **wanted)


def _settle(*, event: Event, by: Actor, **kept: Any) -> None:
    settle_scoring(event=event, by=by, **(terms_of(event) | kept))


def _settle_stage(*, event: Event, by: Actor, rule: Mapping[str, Any] | None) -> None:
    settle_stage(event=event, rule=rule_of(rule) if rule else None, by=by)


def _profile(*, event: Event, by: Actor, profiles: Mapping[str, Mapping[str, Any]]) -> None:
    given = {int(number): profile for number, profile in profiles.items()}
    profile_entries(event=event, profiles=given, by=by)


def _close(*, event: Event, by: Actor, session: int, closed_at: str) -> None:
    close_session(
        session=session_of(event, session), closed_at=datetime.fromisoformat(closed_at), by=by
    )


def _clock(*, event: Event, by: Actor, evening: int, state: Mapping[str, Any]) -> None:
    row = still_there(Evening.objects.filter(session__event=event), pk=evening)
    put_clock_back(evening=row, state=state, about=event, by=by)


def _ruling(act: Callable[..., object]) -> Inverse:
    def inverse(*, event: Event, by: Actor, ruling: int) -> None:
        act(ruling=still_there(Ruling.objects.filter(session__event=event), pk=ruling), by=by)

    return inverse


def _change(act: Callable[..., object]) -> Inverse:
    def inverse(*, event: Event, by: Actor, change: int) -> None:
        rows = SeatingChange.objects.filter(session__event=event)
        act(change=still_there(rows, pk=change), by=by)

    return inverse


def _result(event: Event, pk: int) -> Result:
    rows = Result.objects.filter(sitting__section__session__event=event)
    return still_there(rows.select_related("sitting__section__session__event__club"), pk=pk)


def _ask_again(*, event: Event, by: Actor, result: int) -> None:
    ask_again(result=_result(event, result), by=by)


def _keep(*, event: Event, by: Actor, result: int) -> None:
    one = _result(event, result)
    keep_result(sitting=one.sitting, board=one.board, by=by)


def _await_yes(*, event: Event, by: Actor, result: int) -> None:
    await_yes(result=_result(event, result), by=by)


def _put_board_right(*, event: Event, by: Actor, sitting: int, **boards: int) -> None:
    row = still_there(Sitting.objects.filter(section__session__event=event), pk=sitting)
    put_board_right(sitting=row, by=by, **boards)


def _reopen_challenge(*, event: Event, by: Actor, challenge: int) -> None:
    rows = Challenge.objects.filter(entry__event=event)
    reopen_challenge(challenge=still_there(rows, pk=challenge), by=by)


def _count_play(*, event: Event, by: Actor, record: int, counts: bool) -> None:
    row = still_there(PlayRecord.objects.filter(session__event=event), pk=record)
    count_play(record=row, counts=counts, by=by)


def _count_own_play(*, club: Club, by: Actor, record: int, counts: bool) -> None:
    row = still_there(PlayRecord.objects.filter(club=club, session=None), pk=record)
    count_play(record=row, counts=counts, by=by)


def _set_speed(*, event: Event, by: Actor, speed: int) -> None:
    set_speed(rehearsal=still_there(Rehearsal.objects.filter(event=event)), speed=speed, by=by)


def _revoke_links(*, event: Event, by: Actor, links: Sequence[int]) -> None:
    rows = TableLink.objects.filter(evening__session__event=event, pk__in=links)
    for link in rows.select_related("evening__session__event"):
        revoke_link(link=link, by=by)


def _revoke_entry_links(*, event: Event, by: Actor, links: Sequence[int]) -> None:
    for link in EntryLink.objects.filter(entry__event=event, pk__in=links):
        revoke_entry_link(link=link, by=by)


CLUB_INVERSES: Mapping[str, Inverse] = {
    **clubs.inverses.INVERSES,
    **inverses.CLUB_INVERSES,
    **drives.services.inverses.CLUB_INVERSES,
    "play.count": _count_own_play,
}

INVERSES: Mapping[str, Inverse] = {
    **inverses.INVERSES,
    "board.put_right": _put_board_right,
    "challenge.reopen": _reopen_challenge,
    "clock": _clock,
    "entries.profile": _profile,
    "entry_links.revoke": _revoke_entry_links,
    "event.edit": _edit_event,
    "hand_link.revoke": of_session(revoke_hand_link),
    "knockout.matches": put_matches_back,
    "knockout.settle": settle_knockout,
    "links.revoke": _revoke_links,
    "play.count": _count_play,
    "prizes.settle": settle_prizes,
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
    "session.open": of_session(open_session),
    "session.reopen": of_session(reopen_session),
    "session.unopen": of_session(return_to_setup),
    "stage.draw": draw_finals,
    "stage.settle": _settle_stage,
    "stage.undraw": undraw_finals,
    "strata.settle": settle_strata,
}
