"""The functions that undo acts of an event or a club, collected from all apps."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date as Date
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

import clubs.inverses
import drives.services.inverses
from clubs.audit import Actor
from clubs.evenings.services import restore_check_ins, restore_clock, set_check_in_state
from clubs.models import Club, Evening, TableLink
from clubs.undo import Inverse, LinkRevokingInverse, build_row_inverse, get_existing_row
from hall.challenges.services import reopen_challenge, revoke_entry_link
from hall.helpers.services import revoke_hand_link
from hall.models import Challenge, Rehearsal
from hall.phones.services import revoke_table_link
from hall.rehearsal.services import set_speed
from scoring.models import PlayRecord, Result, Ruling
from scoring.services.changes import redo_change, undo_change
from scoring.services.check_in import reopen_check_in
from scoring.services.doubts import accept_result, restore_result_query
from scoring.services.events import build_edit_arguments, edit_event
from scoring.services.knockouts import restore_matches, set_bracket
from scoring.services.play_records import show_or_hide_play
from scoring.services.results import undo_confirmation
from scoring.services.rulings import repeat_ruling, withdraw_ruling
from scoring.services.sessions import (
    close_session,
    open_session,
    reopen_session,
    return_session_to_setup,
)
from scoring.services.stages import draw_finals, set_stage_rules, undo_finals
from scoring.services.strata_and_prizes import set_entry_profiles, set_prizes, set_strata
from scoring.services.terms import build_terms_arguments, set_scoring_terms
from scoring.services.wrong_boards import record_actual_board
from tournaments.models import EntryLink, Event, SeatingChange, Session, Sitting
from tournaments.services import inverses
from tournaments.services.inverses import build_session_inverse
from tournaments.stages.rules import read_rules


def _edit_event(
    *,
    event: Event,
    by: Actor,
    sessions: Sequence[int] | None = None,
    with_series: Sequence[int] = (),
    **changes: str,
) -> None:
    arguments = build_edit_arguments(event) | changes
    if "date" in changes:
        arguments["date"] = Date.fromisoformat(changes["date"])
    edit_event(event=event, sessions=sessions, with_series=with_series, by=by, **arguments)


def _restore_scoring_terms(*, event: Event, by: Actor, **terms: Any) -> None:
    set_scoring_terms(event=event, by=by, **(build_terms_arguments(event) | terms))


def _restore_stage_rule(*, event: Event, by: Actor, rule: Mapping[str, Any] | None) -> None:
    set_stage_rules(event=event, stage_rules=read_rules(rule) if rule else None, by=by)


def _restore_profiles(
    *, event: Event, by: Actor, profiles: Mapping[str, Mapping[str, Any]]
) -> None:
    profiles_by_number = {
        int(number_text): profile for number_text, profile in profiles.items()
    }
    set_entry_profiles(event=event, profiles_by_number=profiles_by_number, by=by)


def _close_session(*, session: Session, by: Actor, closed_at: str) -> None:
    close_session(session=session, closed_at=datetime.fromisoformat(closed_at), by=by)


def _get_evening(event: Event, evening_pk: int) -> Evening:
    return get_existing_row(Evening.objects.filter(session__event=event), pk=evening_pk)


def _restore_check_ins(
    *,
    event: Event,
    by: Actor,
    evening: int,
    rows: Sequence[Mapping[str, Any]],
    new: Sequence[int],
) -> None:
    stored_rows = [*map(dict, rows)]
    restore_check_ins(
        evening=_get_evening(event, evening), rows=stored_rows, new=new, subject=event, by=by
    )


def _set_check_in_state(*, event: Event, by: Actor, evening: int, state: str) -> None:
    evening_row = _get_evening(event, evening)
    set_check_in_state(evening=evening_row, state=state, subject=event, by=by)


def _restore_clock(*, event: Event, by: Actor, evening: int, state: Mapping[str, Any]) -> None:
    evening_row = _get_evening(event, evening)
    restore_clock(evening=evening_row, state=state, subject=event, by=by)


def _build_ruling_inverse(service: Callable[..., object]) -> Inverse:
    return build_row_inverse(
        service, "ruling", lambda event: Ruling.objects.filter(session__event=event)
    )


def _build_seating_change_inverse(service: Callable[..., object]) -> Inverse:
    changes = SeatingChange.objects
    return build_row_inverse(
        service, "change", lambda event: changes.filter(session__event=event)
    )


def _filter_results(event: Event) -> QuerySet[Result]:
    results = Result.objects.filter(sitting__section__session__event=event)
    return results.select_related("sitting__section__session__event__club")


def _confirm_result(*, result: Result, by: Actor) -> None:
    accept_result(sitting=result.sitting, board_number=result.board, by=by)


def _filter_sittings(event: Event) -> QuerySet[Sitting]:
    return Sitting.objects.filter(section__session__event=event)


def _filter_challenges(event: Event) -> QuerySet[Challenge]:
    return Challenge.objects.filter(entry__event=event)


def _filter_plays(event: Event) -> QuerySet[PlayRecord]:
    return PlayRecord.objects.filter(session__event=event)


def _filter_club_plays(club: Club) -> QuerySet[PlayRecord]:
    return PlayRecord.objects.filter(club=club, session=None)


def _set_speed(*, event: Event, by: Actor, speed: int) -> None:
    set_speed(
        rehearsal=get_existing_row(Rehearsal.objects.filter(event=event)), speed=speed, by=by
    )


def _revoke_links(*, event: Event, by: Actor, links: Sequence[int]) -> None:
    """Revoke the table links with the primary keys `links`, a name that stored acts contain."""
    table_links = TableLink.objects.filter(evening__session__event=event, pk__in=links)
    for link in table_links.select_related("evening__session__event"):
        revoke_table_link(link=link, by=by)


def _revoke_entry_links(*, event: Event, by: Actor, links: Sequence[int]) -> None:
    """Revoke the entry links with the primary keys `links`, a name that stored acts contain."""
    for link in EntryLink.objects.filter(entry__event=event, pk__in=links):
        revoke_entry_link(link=link, by=by)


CLUB_INVERSES: Mapping[str, Inverse] = {
    **clubs.inverses.INVERSES,
    **inverses.CLUB_INVERSES,
    **drives.services.inverses.CLUB_INVERSES,
    "play.count": build_row_inverse(show_or_hide_play, "record", _filter_club_plays),
}

INVERSES: Mapping[str, Inverse] = {
    **inverses.INVERSES,
    "board.put_right": build_row_inverse(record_actual_board, "sitting", _filter_sittings),
    "challenge.reopen": build_row_inverse(reopen_challenge, "challenge", _filter_challenges),
    "check_in.put_back": _restore_check_ins,
    "check_in.reopen": build_session_inverse(reopen_check_in),
    "check_in.state": _set_check_in_state,
    "clock": _restore_clock,
    "entries.profile": _restore_profiles,
    "entry_links.revoke": LinkRevokingInverse(_revoke_entry_links),
    "event.edit": _edit_event,
    "hand_link.revoke": LinkRevokingInverse(build_session_inverse(revoke_hand_link)),
    "knockout.matches": restore_matches,
    "knockout.settle": set_bracket,
    "links.revoke": LinkRevokingInverse(_revoke_links),
    "play.count": build_row_inverse(show_or_hide_play, "record", _filter_plays),
    "prizes.settle": set_prizes,
    "rehearsal.speed": _set_speed,
    "result.ask_again": build_row_inverse(restore_result_query, "result", _filter_results),
    "result.await_yes": build_row_inverse(undo_confirmation, "result", _filter_results),
    "result.keep": build_row_inverse(_confirm_result, "result", _filter_results),
    "ruling.make_again": _build_ruling_inverse(repeat_ruling),
    "ruling.withdraw": _build_ruling_inverse(withdraw_ruling),
    "scoring.settle": _restore_scoring_terms,
    "seats.repeat_change": _build_seating_change_inverse(redo_change),
    "seats.undo_change": _build_seating_change_inverse(undo_change),
    "session.close": build_session_inverse(_close_session),
    "session.open": build_session_inverse(open_session),
    "session.reopen": build_session_inverse(reopen_session),
    "session.unopen": build_session_inverse(return_session_to_setup),
    "stage.draw": draw_finals,
    "stage.settle": _restore_stage_rule,
    "stage.undraw": undo_finals,
    "strata.settle": set_strata,
}
