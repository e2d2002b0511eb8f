"""Recording checks plausibility: a doubtful value is queried however it was entered."""

from collections.abc import Callable

import pytest
from django.test import Client

import hall.phones.services
import hall.rehearsal.results
import scoring.services
import tournaments.services
from boards.batches import deal_missing_boards
from clubs.audit import Guest
from hall.challenges import services as challenges
from hall.models import Challenge
from scoring.doubts.open_doubts import list_open_plays
from scoring.models import Doubt, Result, ResultVersion
from scoring.services import NewScore, make_ruling
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tests.copies import built_once
from tournaments.models import Session, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
Evening = tuple[Session, User]


@pytest.fixture
@built_once
def evening() -> Evening:
    """Return five tables; N-S took 4 to 6 on board 1 at all but the last table, and 5 there."""
    session, user = evenings.opened(pairs=10)
    for table, mark in enumerate(("4", "5", "6", "5", "5")):
        evenings.enter(session, sittings(session)[table].pk, 1, mark, user)
    return session, user


def sittings(session: Session) -> list[Sitting]:
    """Return the sittings that play board 1, in the order of their rounds."""
    rows = Sitting.objects.filter(section__session=session, board_group=1)
    return list(rows.order_by("round", "table"))


def last(session: Session) -> Result:
    return Result.objects.get(sitting=sittings(session)[-1], board=1)


def enter(session: Session, mark: str, user: User) -> scoring.services.EnteredResult:
    return scoring.services.record_result(
        sitting=sittings(session)[-1], board=1, mark=mark, seen=None, by=user
    )


def by_the_grid(session: Session, user: User) -> None:
    client = Client()
    client.force_login(user)
    fields = {"sitting": sittings(session)[-1].pk, "board": 1, "value": "11", "seen": "5"}
    answer = client.post(f"/director/events/{session.event.slug}/result/", fields)
    assert "N-S 11?" in answer.json()["query"]["text"]


def by_a_form(session: Session, user: User) -> None:
    client = Client()
    client.force_login(user)
    cell = f"{sittings(session)[-1].pk}-1"
    fields = {f"r-{cell}": "11", f"seen-{cell}": "5"}
    assert (
        client.post(f"/director/events/{session.event.slug}/scores/", fields).status_code == 302
    )


def by_a_phone(session: Session, user: User) -> None:
    sitting = sittings(session)[-1]
    hall.phones.services.create_table_links(session=session, by=user)
    link = session.evening.table_links.get(section=sitting.section.letter, table=sitting.table)
    fields = {"act": "enter", "sitting": sitting.pk, "board": 1, "value": "11", "seen": "5"}
    answer = Client().post(link.path, fields, headers={"Accept": "application/json"})
    assert answer.json()["code"] == "ok"
    assert "query" not in answer.json()  # the table is shown nothing


def by_the_api(session: Session, user: User) -> None:
    client = Client()
    client.force_login(user)
    path = f"/api/sittings/{sittings(session)[-1].pk}/results/1/"
    answer = client.put(path, {"ns_tricks": 11}, content_type="application/json")
    assert answer.json()["query"]["swap"] == 2


def by_undo(session: Session, user: User) -> None:
    enter(session, "11", user)
    enter(session, "5", user)
    assert last(session).doubt == Doubt.NONE
    newest = last(session).versions.latest("number")
    scoring.services.undo_result(version=newest, by=user)


def challenge(session: Session, user: User, tricks: int) -> Challenge:
    """Create a query about the last table's result, made after the close."""
    scoring.services.close_session(session=session, by=user)
    asker = sittings(session)[-1].north.entry
    assert asker is not None
    return challenges.challenge_result(entry=asker, result=last(session), ns_tricks=tricks)


def by_a_challenge_that_is_agreed(session: Session, user: User) -> None:
    asked = challenge(session, user, 11)
    other = sittings(session)[-1].east.entry
    assert other is not None
    challenges.answer_challenge(entry=other, challenge=asked, has_agreed=True)
    challenges.decide_challenge(challenge=asked, approve=True, by=user)


def by_a_challenge_that_the_director_decides(session: Session, user: User) -> None:
    asked = challenge(session, user, 11)
    challenges.decide_challenge(challenge=asked, approve=True, by=user)


def by_a_challenge_that_is_reopened(session: Session, user: User) -> None:
    enter(session, "11", user)
    asked = challenge(session, user, 5)
    challenges.decide_challenge(challenge=asked, approve=True, by=user)
    assert last(session).doubt == Doubt.NONE
    challenges.reopen_challenge(challenge=asked, by=user)


def by_a_swap(session: Session, user: User) -> None:
    evenings.enter(session, sittings(session)[-1].pk, 1, "2", user)
    Result.objects.filter(pk=last(session).pk).update(doubt=Doubt.NONE)
    scoring.services.swap_result(sitting=sittings(session)[-1], board=1, by=user)


@pytest.mark.parametrize(
    "way",
    [
        by_the_grid,
        by_a_form,
        by_a_phone,
        by_the_api,
        by_undo,
        by_a_challenge_that_is_agreed,
        by_a_challenge_that_the_director_decides,
        by_a_challenge_that_is_reopened,
        by_a_swap,
    ],
)
def test_a_doubtful_value_is_asked_about_whichever_way_it_comes(
    way: Callable[[Session, User], None], evening: Evening
) -> None:
    session, user = evening
    assert last(session).doubt == Doubt.NONE
    way(session, user)
    assert (last(session).ns_tricks, last(session).doubt) == (11, Doubt.QUERIED)


def test_results_made_up_are_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    session, user = evenings.opened(pairs=10)
    odd = sittings(session)[-1]
    at = (odd.round, odd.table)
    monkeypatch.setattr(
        hall.rehearsal.results,
        "draw_tricks",
        lambda _seed, sat, _board, _worth: 12 if sat.at[1:] == at else 5,
    )
    made = hall.rehearsal.results.create_results(session=session, rounds=99, seed="x", by=user)
    assert made == load_session_snapshot(session).expected_result_count
    queried = Result.objects.filter(doubt=Doubt.QUERIED)
    assert {result.sitting_id for result in queried} == {odd.pk}
    assert queried.count() == session.boards_a_round


def test_a_round_that_is_mended_speaks_against_others(evening: Evening) -> None:
    session, user = evening
    first, second, third, _fourth, fifth = sittings(session)
    for sitting, mark in ((first, "10"), (second, "11"), (third, "3"), (fifth, "3")):
        evenings.enter(session, sitting.pk, 2, mark, user)
    early = Result.objects.get(sitting=third, board=2)
    assert early.doubt == Doubt.NONE
    evenings.enter(session, fifth.pk, 1, "9", user)
    assert last(session).doubt == Doubt.QUERIED
    assert scoring.services.correct_round(sitting=fifth, by=user) == 2
    assert (last(session).ns_tricks, last(session).doubt) == (4, Doubt.NONE)
    early.refresh_from_db()
    assert early.doubt == Doubt.QUERIED


def test_the_same_value_again_leaves_what_was_kept_alone(evening: Evening) -> None:
    session, user = evening
    enter(session, "11", user)
    scoring.services.accept_result(sitting=sittings(session)[-1], board=1, by=user)
    again = enter(session, "11", user)
    assert (again.changed, again.query) == (False, None)
    assert last(session).doubt == Doubt.KEPT


def test_what_is_asked_comes_back_with_what_was_entered(evening: Evening) -> None:
    session, user = evening
    entered = enter(session, "11", user)
    assert entered.result.doubt == Doubt.QUERIED
    assert entered.query is not None
    assert (entered.query.typed, entered.query.table.sitting) == (11, sittings(session)[-1].pk)
    assert enter(session, "5", user).query is None


def test_many_scores_are_questioned_together_and_the_refused_are_told(evening: Evening) -> None:
    session, user = evening
    one, two = sittings(session)[:2]
    recorded = scoring.services.record_results(
        scores=[
            NewScore(one, 1, "12", "4"),
            NewScore(one, 1, "14", "12"),
            NewScore(two, 1, "5", "5"),
            NewScore(two, 1, "7", "6"),
            NewScore(two, 99, "7"),
        ],
        by=user,
    )
    assert recorded.changed_count == 1
    assert [each.query is not None for each in recorded.recorded_results] == [True, False]
    assert [error.code for error in recorded.errors] == [
        *("tricks_refused", "entered_meanwhile", "no_such_play")
    ]
    assert ResultVersion.objects.filter(result__sitting=one).count() == 2


def test_of_two_far_values_in_one_block_what_is_told_is_what_is_kept(evening: Evening) -> None:
    session, user = evening
    recorded = scoring.services.record_results(
        scores=[NewScore(each, 1, "12") for each in sittings(session)[:2]], by=user
    )
    stored = Result.objects.filter(board=1, doubt=Doubt.QUERIED)
    asked = {each.result.pk for each in recorded.recorded_results if each.query}
    assert {each.pk for each in stored} == asked


def test_only_a_director_s_entry_is_held_against_the_cards() -> None:
    session, user = evenings.seated()
    deal_missing_boards(tournaments.services.prepare_boards(session=session, by=user))
    session.refresh_from_db()
    assert session.board_set is not None
    session.board_set.boards.filter(number=1).update(best_tricks=3)
    session = scoring.services.open_session(session=session, by=user)
    scorer = evenings.scorer(session.event.club)
    for by in (Guest(Guest.Kind.TABLE, "3"), scorer):
        entered = scoring.services.record_result(
            sitting=sittings(session)[0], board=1, mark="10", seen=None, by=by
        )
        assert (entered.query, entered.result.doubt) == (None, Doubt.NONE)
        enter_nothing(session, user)
    entered = scoring.services.record_result(
        sitting=sittings(session)[0], board=1, mark="10", seen=None, by=user
    )
    assert entered.query is not None


def enter_nothing(session: Session, user: User) -> None:
    scoring.services.record_result(
        sitting=sittings(session)[0], board=1, mark="", seen=None, by=user
    )


def test_missing_results_are_counted_as_the_whole_room_counts_them(evening: Evening) -> None:
    session, user = evening
    assert (
        count_missing_results(session)
        == load_session_snapshot(session).missing_result_count
        > 0
    )
    enter(session, "", user)
    scoring.services.make_ruling(
        kind="average", sitting=sittings(session)[-1], board=1, law="V.1", by=user
    )
    scoring.services.make_ruling(
        kind="average", sitting=sittings(session)[0], board=1, law="V.1", by=user
    )
    assert count_missing_results(session) == load_session_snapshot(session).missing_result_count


@pytest.mark.parametrize("kind", ["new_deal", "fouled"])
def test_who_had_other_cards_is_no_witness_in_later_rounds_either(kind: str) -> None:
    session, user = evenings.opened(14)
    plays = sorted(load_session_snapshot(session).tables_by_board[1], key=lambda it: it.round)
    for it in plays[:3]:
        evenings.enter(session, it.sitting, 1, "3", user)
    fourth = Sitting.objects.get(pk=plays[3].sitting)
    make_ruling(sitting=fourth, board=1, kind=kind, law="IV.10", by=user)
    for it in plays[3:6]:
        evenings.enter(session, it.sitting, 1, "9", user)
    assert list_open_plays(load_session_snapshot(session), None) == []
    evenings.enter(session, plays[6].sitting, 1, "3", user)
    [(table, board)] = list_open_plays(load_session_snapshot(session), None)
    assert (table.sitting, board) == (plays[6].sitting, 1)
