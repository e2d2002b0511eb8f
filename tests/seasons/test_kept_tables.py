"""Cached tables equal freshly computed ones, whatever was done."""

import random
from collections.abc import Callable
from datetime import date

import pytest

import scoring.services
import tournaments.services
from boards.whist import PACK, Seat, deal_pack
from clubs.models import Player
from config.archives import ARCHIVE_SPEC
from scoring.models import Result
from seasons.people.services import delete_personal_data
from seasons.people.tasks import compute_event_statistics
from seasons.publishing import services
from seasons.publishing.club_files import iter_club_table_files
from seasons.publishing.models import EventTables
from seasons.publishing.services import cache_tables, compute_table_stamps
from server.models import User
from tests import evenings
from tests.factories import BoardFactory, BoardSetFactory, SessionFactory
from tournaments.models import Event, Session

pytestmark = pytest.mark.django_db
Act = Callable[[Session, User], object]


def play_closed_session() -> tuple[Session, User]:
    """Create a finished evening with the cards of its first board known."""
    session, user = evenings.play_session()
    board_set = BoardSetFactory()
    BoardFactory(board_set=board_set, number=1)
    Session.objects.filter(pk=session.pk).update(board_set=board_set, deals="recorded")
    session.refresh_from_db()
    scoring.services.close_session(session=session, by=user)
    session.refresh_from_db()
    return session, user


def recompute_tables(event: Event, *, has_full_names: bool) -> dict[str, bytes]:
    EventTables.objects.all().delete()
    return dict(iter_club_table_files(event.club, has_full_names=has_full_names))


def find_first_person(session: Session) -> Player:
    first_entry = session.event.entries.order_by("number")[0]
    return first_entry.players.order_by("pk")[0]


def correct_first_result(session: Session, user: User) -> None:
    result = Result.objects.order_by("pk")[0]
    tricks = 0 if result.outcome != "0" else 1
    scoring.services.record_result(
        sitting=result.sitting,
        board_number=result.board,
        mark=str(tricks),
        seen_score=None,
        by=user,
    )


def add_penalty(session: Session, user: User) -> None:
    entry = session.event.entries.order_by("number")[1]
    scoring.services.make_ruling(
        kind="penalty",
        entry=entry,
        session=session,
        law="VI §1",
        amount="1",
        reason="x",
        by=user,
    )


def hide_person(session: Session, user: User) -> None:
    tournaments.services.set_player_visibility(
        player=find_first_person(session), shown="nobody", by=user
    )


def rename_person(session: Session, user: User) -> None:
    tournaments.services.rename_player(
        player=find_first_person(session), name="Zoe New", by=user
    )


def _rename_third_entry(session: Session, user: User) -> None:
    entry = session.event.entries.order_by("number")[2]
    tournaments.services.rename_entry(entry=entry, names=["Una Old", "Vic Old"], by=user)


def rename_event(session: Session, user: User) -> None:
    event = session.event
    scoring.services.edit_event(
        event=event,
        name="Wednesday",
        date=date(2026, 3, 11),
        method=event.terms.method,
        standings_shown=event.standings_shown,
        paper_size=event.paper_size,
        by=user,
    )


def change_method(session: Session, user: User) -> None:
    scoring.services.set_scoring_terms(event=session.event, method="tricks", by=user)


def correct_cards(session: Session, user: User) -> None:
    deal = deal_pack(random.Random(7).sample(list(PACK), 52), Seat.NORTH)
    tournaments.services.correct_deal(session=session, board_number=1, deal=deal, by=user)


def correct_cards_of_other_event(session: Session, user: User) -> None:
    """Correct the cards in another event that has played the same boards."""
    _add_session_with_same_boards(session, user)
    other_session = Session.objects.get(number=9)
    correct_cards(other_session, user)
    Session.objects.filter(pk=other_session.pk).update(
        state="closed", closed_at=session.closed_at
    )


def _add_session_with_same_boards(session: Session, user: User) -> None:
    """Let another session still play the same boards, which hides their cards again."""
    other_event = scoring.services.create_event(
        club=session.event.club, name="Later", date=date(2026, 3, 12), by=user
    )
    SessionFactory(event=other_event, number=9, board_set=session.board_set, deals="recorded")


ACTS: dict[str, Act] = {
    "a result corrected": correct_first_result,
    "a penalty": add_penalty,
    "a person hidden": hide_person,
    "a person renamed": rename_person,
    "an entry of others": _rename_third_entry,
    "the event renamed": rename_event,
    "scored in another way": change_method,
    "cards corrected": correct_cards,
    "cards corrected elsewhere": correct_cards_of_other_event,
    "the boards played again": _add_session_with_same_boards,
}


@pytest.mark.slow
@pytest.mark.parametrize("in_full", [False, True], ids=["shown names", "full names"])
@pytest.mark.parametrize("act", ACTS)
def test_cached_tables_equal_recomputed_tables_after_any_action(
    act: str, in_full: bool
) -> None:
    session, user = play_closed_session()
    event = session.event
    club_tables_before = dict(iter_club_table_files(event.club, has_full_names=in_full))
    assert EventTables.objects.filter(event=event).count() == 1
    ACTS[act](session, user)
    event.refresh_from_db()
    club_tables_after = dict(iter_club_table_files(event.club, has_full_names=in_full))
    assert club_tables_after == recompute_tables(event, has_full_names=in_full)
    names = {
        name
        for name in club_tables_before
        if club_tables_before[name] != club_tables_after.get(name)
    }
    assert names or (act, in_full) == ("a person hidden", True)


@pytest.mark.slow
def test_cached_table_is_not_recomputed(monkeypatch: pytest.MonkeyPatch) -> None:
    session, _user = play_closed_session()
    club = session.event.club
    first_club_tables = dict(iter_club_table_files(club))
    monkeypatch.setattr(services, "load_results", fail_if_computed)
    assert dict(iter_club_table_files(club)) == first_club_tables
    assert dict(
        iter_club_table_files(club, has_full_names=True)
    ).keys() == first_club_tables.keys() | {"people.csv"}


def fail_if_computed(*_given: object, **_named: object) -> None:
    raise AssertionError("Create it again")


@pytest.mark.slow
def test_tables_with_hidden_player_are_cached_for_both_audiences() -> None:
    session, user = play_closed_session()
    hide_person(session, user)
    event = session.event
    for in_full in (True, False, True):
        list(iter_club_table_files(event.club, has_full_names=in_full))
    public_stamp, full = (
        compute_table_stamps([event], has_full_names=has_full_names)[event.pk]
        for has_full_names in (False, True)
    )
    assert public_stamp != full
    assert set(EventTables.objects.values_list("stamp", flat=True)) == {public_stamp, full}


def test_worker_caches_tables_of_finished_evening() -> None:
    session, _user = play_closed_session()
    compute_event_statistics(session.event_id)
    (cached_tables,) = EventTables.objects.all()
    cache_tables(session.event)
    assert EventTables.objects.get() == cached_tables


def test_cached_tables_omit_erased_person() -> None:
    session, user = play_closed_session()
    person = find_first_person(session)
    list(iter_club_table_files(session.event.club, has_full_names=True))
    assert EventTables.objects.exists()
    delete_personal_data(
        player=person, typed_name=person.name, archive_spec=ARCHIVE_SPEC, by=user
    )
    assert not EventTables.objects.exists()
    text = b"".join(
        dict(iter_club_table_files(session.event.club, has_full_names=True)).values()
    ).decode()
    assert person.name not in text


def test_cached_table_queries_are_independent_of_number_of_evenings(
    django_assert_max_num_queries: object,
) -> None:
    session, _user = play_closed_session()
    events = [session.event]
    with django_assert_max_num_queries(8):
        compute_table_stamps(events, has_full_names=False)
