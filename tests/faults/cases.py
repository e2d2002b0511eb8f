"""The acts whose writes fail: each case prepares its state and returns the act."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import clubs.evenings.services
import drives.services
import hall.history.undo
import rubbers.services
import scoring.services
from clubs import audit
from clubs.models import Act, Club
from drives.files.export import export_drive
from drives.models import Drive
from drives.snapshot import load_drive_snapshot
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from rubbers.models import RubberNight
from scoring.models import ResultVersion, Ruling
from server.models import User
from tests import acts, evenings
from tests.clubs.evenings import test_bookings as bookings
from tests.drives.games import test_hand_services as hands
from tests.rubbers import test_services as nights
from tournaments.models import Event, Session, Sitting
from tournaments.services.people import import_people

Case = Callable[[], Callable[[], object]]
"""Creates the state before an act, and returns the act; a repeated call reloads its rows."""


def _perform(session: Session, user: User, act: acts.Act) -> object:
    return act(Session.objects.get(pk=session.pk), User.objects.get(pk=user.pk))


def _perform_in_club(club: Club, user: User, act: Callable[[Club, User], object]) -> object:
    return act(Club.objects.get(pk=club.pk), User.objects.get(pk=user.pk))


def _prepare_planned(act: acts.Act) -> Callable[[], object]:
    event, user = evenings.create_event(6)
    return partial(_perform, event.sessions.get(), user, act)


def _prepare_seated(act: acts.Act) -> Callable[[], object]:
    session, user = evenings.seat_session(6)
    return partial(_perform, session, user, act)


def _prepare_open(act: acts.Act) -> Callable[[], object]:
    session, user = evenings.open_session(6)
    return partial(_perform, session, user, act)


def _prepare_club(act: Callable[[Club, User], object]) -> Callable[[], object]:
    club, user = evenings.create_club_with_director()
    acts.add_players_and_movement(club, user)
    return partial(_perform_in_club, club, user, act)


def _prepare_undo(act: acts.Act) -> Callable[[], object]:
    session, user = evenings.open_session(6)
    act(Session.objects.get(pk=session.pk), user)
    event, newest_act = session.event, acts.find_newest_act(session.event)

    def undo() -> object:
        return hall.history.undo.undo_event_act(
            event=Event.objects.get(pk=event.pk),
            act=Act.objects.get(pk=newest_act.pk),
            by=User.objects.get(pk=user.pk),
        )

    return undo


def _find_first_sitting(session: Session) -> Sitting:
    return Sitting.objects.get(section__session=session, round=1, table=1)


def _record_first_result(
    session: Session, user: User, mark: str, channel: ResultVersion.InputChannel
) -> object:
    return scoring.services.record_result(
        sitting=_find_first_sitting(session),
        board_number=1,
        mark=mark,
        seen_score=None,
        by=user,
        channel=channel,
    )


def _prepare_result(before: str, via: ResultVersion.InputChannel) -> Callable[[], object]:
    """Prepare a result, or the correction of the result `before`."""
    session, user = evenings.open_session(6)
    if before:
        _record_first_result(session, user, before, via)
    return lambda: _record_first_result(Session.objects.get(pk=session.pk), user, "8", via)


def _prepare_confirmation() -> Callable[[], object]:
    session, user = evenings.open_session(6)
    sitting = _find_first_sitting(session)
    scoring.services.record_result(
        sitting=sitting,
        board_number=1,
        mark="8",
        seen_score="",
        by=user,
        channel=ResultVersion.InputChannel.PHONE,
    )
    return lambda: scoring.services.results.confirm_result(
        sitting=_find_first_sitting(session), board_number=1, seen_score="8", by=user
    )


def _prepare_withdrawn_ruling() -> Callable[[], object]:
    session, user = evenings.open_session(6)
    acts.add_penalty(session, user)
    return lambda: scoring.services.withdraw_ruling(
        ruling=Ruling.objects.exclude_withdrawn().get(), by=user
    )


def _prepare_full_session_close() -> Callable[[], object]:
    """Prepare the close of a session with all its results, which computes the standings."""
    session, user = evenings.play_session(6)
    return partial(_perform, session, user, acts.close_session)


def _prepare_hand(**before: Any) -> Callable[[], object]:
    """Prepare a hand with a contract of a drive, or the correction of another one."""
    drive = hands.begin_drive()
    if before:
        hands.enter_hand(drive, 1, **before)
    hand = {"contract": "misere", "by": [1], "tricks": 0}
    return lambda: hands.enter_hand(Drive.objects.get(pk=drive.pk), 1, **hand)


def _prepare_points_table() -> Callable[[], object]:
    """Prepare a change of the points table, which computes all hands again."""
    drive = hands.begin_drive(hands=4)
    for hand in range(1, 5):
        hands.enter_hand(drive, hand, contract="misere", by=[1], tricks=0)
    house = {"contracts": {"misere": {"made": [10], "lost": [10]}}}
    return lambda: drives.services.change_points(
        drive=Drive.objects.get(pk=drive.pk), custom=None, house=house, by=None
    )


def _prepare_next_round() -> Callable[[], object]:
    drive = hands.begin_drive(hands=1, score={"kind": "player"})
    return lambda: drives.services.begin_next_round(
        drive=Drive.objects.get(pk=drive.pk), by=None
    )


def _prepare_rubber_hand() -> Callable[[], object]:
    night = nights.begin_night()
    nights.seat_players(night)
    return lambda: nights.mark_hands(RubberNight.objects.get(pk=night.pk), 9)


def _prepare_rubber_close() -> Callable[[], object]:
    night = nights.begin_night()
    nights.seat_players(night)
    nights.mark_hands(night, 9)
    return lambda: rubbers.services.close_rubber_night(
        night=RubberNight.objects.get(pk=night.pk), by=None
    )


def _prepare_booking() -> Callable[[], object]:
    fixture = bookings.create_fixture()
    people = bookings.create_people(fixture.club, *bookings.NAMES[:2])
    return lambda: clubs.evenings.services.create_booking(
        fixture=type(fixture).objects.get(pk=fixture.pk), people=people, by=None
    )


def _prepare_cancelled_booking() -> Callable[[], object]:
    """Prepare a cancellation that gives the place to a waiting pair."""
    fixture = bookings.create_fixture(places=1)
    for names in (bookings.NAMES[:2], bookings.NAMES[2:4]):
        people = bookings.create_people(fixture.club, *names)
        clubs.evenings.services.create_booking(fixture=fixture, people=people, by=None)
    player = fixture.club.players.get(name=bookings.NAMES[0])
    return lambda: clubs.evenings.services.leave_booking(
        fixture=type(fixture).objects.get(pk=fixture.pk),
        person_key=f"p{player.pk}",
        should_cancel_all=True,
        by=None,
    )


def _prepare_undone_booking() -> Callable[[], object]:
    _prepare_cancelled_booking()()
    fixture = bookings.Fixture.objects.get()
    act = audit.list_acts(fixture)[0]
    return lambda: bookings.undo_recorded_act(
        audit.list_acts(fixture),
        Act.objects.get(pk=act.pk),
        bookings.EVENING_INVERSES,
        fixture=type(fixture).objects.get(pk=fixture.pk),
        by=None,
    )


def _prepare_event_import() -> Callable[[], object]:
    session, _user = evenings.play_session(6)
    document = json.dumps(export_event(session.event, should_include_deals=True))
    club, director = evenings.create_club_with_director("Other Club", "other")
    return lambda: import_event(
        club=Club.objects.get(pk=club.pk), document=document, by=director
    )


def _prepare_drive_import() -> Callable[[], object]:
    drive = hands.begin_drive()
    hands.enter_hand(drive, 1, contract="misere", by=[1], tricks=0)
    file_data = export_drive(load_drive_snapshot(drive)) | {
        "uid": str(uuid4())
    }  # as another drive
    text = json.dumps(file_data)
    club, director = evenings.create_club_with_director("Other Club", "other")
    return lambda: drives.services.import_drive(
        club=Club.objects.get(pk=club.pk), file_text=text, by=director
    )


def _prepare_people_import() -> Callable[[], object]:
    club, director = evenings.create_club_with_director()
    content = b"Name,Email\nAnn Pole,ann@example.org\nBob Nowak,bob@example.org\n"
    return lambda: import_people(
        club=Club.objects.get(pk=club.pk), content=content, by=director
    )


CASES: dict[str, Case] = {
    **{
        f"planned: {name}": partial(_prepare_planned, act)
        for name, act in acts.PLANNED_SESSION_ACTS.items()
    },
    **{
        f"seated: {name}": partial(_prepare_seated, act)
        for name, act in acts.SEATED_SESSION_ACTS.items()
    },
    **{
        f"open: {name}": partial(_prepare_open, act)
        for name, act in acts.OPEN_SESSION_ACTS.items()
    },
    **{f"club: {name}": partial(_prepare_club, act) for name, act in acts.CLUB_ACTS.items()},
    **{
        f"undo: {name}": partial(_prepare_undo, act)
        for name, act in acts.OPEN_SESSION_ACTS.items()
    },
    "result": partial(_prepare_result, "", ResultVersion.InputChannel.GRID),
    "result: corrected": partial(_prepare_result, "7", ResultVersion.InputChannel.GRID),
    "result: by phone": partial(_prepare_result, "", ResultVersion.InputChannel.PHONE),
    "result: confirmed": _prepare_confirmation,
    "ruling: withdrawn": _prepare_withdrawn_ruling,
    "session: closed with all results": _prepare_full_session_close,
    "drive: hand": _prepare_hand,
    "drive: hand corrected": partial(_prepare_hand, contract="misere", by=[2], tricks=1),
    "drive: points table changed": _prepare_points_table,
    "drive: next round": _prepare_next_round,
    "drive: imported": _prepare_drive_import,
    "rubber: hand": _prepare_rubber_hand,
    "rubber: closed": _prepare_rubber_close,
    "booking": _prepare_booking,
    "booking: cancelled": _prepare_cancelled_booking,
    "booking: undone": _prepare_undone_booking,
    "event: imported": _prepare_event_import,
    "people: imported": _prepare_people_import,
}
