"""Recording checks plausibility: a doubtful value is queried however it was entered."""

from collections.abc import Callable

import pytest
from django.test import Client

import hall.phones.services
import hall.rehearsal.results
import scoring.services
import tournaments.services
from boards.batches import deal_missing_boards
from clubs.audit import GuestAuthor
from hall.challenges import services as challenges
from hall.models import Challenge
from scoring.doubts.open_doubts import list_plays_with_open_doubt
from scoring.models import Doubt, Result, ResultVersion
from scoring.services import NewScore, make_ruling
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.models import Session, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SessionAndUser = tuple[Session, User]


@pytest.fixture
@build_once
def evening() -> SessionAndUser:
    """Return five tables; N-S took 4 to 6 on board 1 at all but the last table, and 5 there."""
    session, user = evenings.open_session(pairs=10)
    for table, mark in enumerate(("4", "5", "6", "5", "5")):
        evenings.enter_result(session, list_sittings(session)[table].pk, 1, mark, user)
    return session, user


def list_sittings(session: Session) -> list[Sitting]:
    """Return the sittings that play board 1, in the order of their rounds."""
    rows = Sitting.objects.filter(section__session=session, board_group=1)
    return list(rows.order_by("round", "table"))


def find_last_result(session: Session) -> Result:
    return Result.objects.get(sitting=list_sittings(session)[-1], board=1)


def enter_result_at_last_table(
    session: Session, mark: str, user: User
) -> scoring.services.EnteredResult:
    return scoring.services.record_result(
        sitting=list_sittings(session)[-1], board_number=1, mark=mark, seen_score=None, by=user
    )


def enter_in_grid(session: Session, user: User) -> None:
    client = Client()
    client.force_login(user)
    fields = {"sitting": list_sittings(session)[-1].pk, "board": 1, "value": "11", "seen": "5"}
    response = client.post(f"/director/events/{session.event.slug}/result/", fields)
    assert "N-S 11?" in response.json()["query"]["text"]


def enter_by_form(session: Session, user: User) -> None:
    client = Client()
    client.force_login(user)
    cell = f"{list_sittings(session)[-1].pk}-1"
    fields = {f"r-{cell}": "11", f"seen-{cell}": "5"}
    assert (
        client.post(f"/director/events/{session.event.slug}/scores/", fields).status_code == 302
    )


def enter_by_phone(session: Session, user: User) -> None:
    sitting = list_sittings(session)[-1]
    hall.phones.services.create_table_links(session=session, by=user)
    link = session.evening.table_links.get(section=sitting.section.letter, table=sitting.table)
    fields = {"act": "enter", "sitting": sitting.pk, "board": 1, "value": "11", "seen": "5"}
    response = Client().post(link.path, fields, headers={"Accept": "application/json"})
    assert response.json()["code"] == "ok"
    assert "query" not in response.json()  # the table is shown nothing


def enter_by_api(session: Session, user: User) -> None:
    client = Client()
    client.force_login(user)
    path = f"/api/sittings/{list_sittings(session)[-1].pk}/results/1/"
    response = client.put(path, {"ns_tricks": 11}, content_type="application/json")
    assert response.json()["query"]["swap"] == 2


def undo_newest(session: Session, user: User) -> None:
    enter_result_at_last_table(session, "11", user)
    enter_result_at_last_table(session, "5", user)
    assert find_last_result(session).doubt == Doubt.NONE
    newest_version = find_last_result(session).versions.latest("number")
    scoring.services.undo_result(version=newest_version, by=user)


def create_challenge(session: Session, user: User, tricks: int) -> Challenge:
    """Create a query about the last table's result, made after the close."""
    scoring.services.close_session(session=session, by=user)
    challenger = list_sittings(session)[-1].north.entry
    assert challenger is not None
    return challenges.challenge_result(
        entry=challenger, result=find_last_result(session), ns_tricks=tricks
    )


def agree_to_challenge(session: Session, user: User) -> None:
    challenge = create_challenge(session, user, 11)
    other_entry = list_sittings(session)[-1].east.entry
    assert other_entry is not None
    challenges.answer_challenge(entry=other_entry, challenge=challenge, has_agreed=True)
    challenges.decide_challenge(challenge=challenge, is_approved=True, by=user)


def decide_challenge_as_director(session: Session, user: User) -> None:
    challenge = create_challenge(session, user, 11)
    challenges.decide_challenge(challenge=challenge, is_approved=True, by=user)


def reopen_challenge(session: Session, user: User) -> None:
    enter_result_at_last_table(session, "11", user)
    challenge = create_challenge(session, user, 5)
    challenges.decide_challenge(challenge=challenge, is_approved=True, by=user)
    assert find_last_result(session).doubt == Doubt.NONE
    challenges.reopen_challenge(challenge=challenge, by=user)


def swap_sides(session: Session, user: User) -> None:
    evenings.enter_result(session, list_sittings(session)[-1].pk, 1, "2", user)
    Result.objects.filter(pk=find_last_result(session).pk).update(doubt=Doubt.NONE)
    scoring.services.swap_result_sides(
        sitting=list_sittings(session)[-1], board_number=1, by=user
    )


@pytest.mark.parametrize(
    "enter_implausible_result",
    [
        enter_in_grid,
        enter_by_form,
        enter_by_phone,
        enter_by_api,
        undo_newest,
        agree_to_challenge,
        decide_challenge_as_director,
        reopen_challenge,
        swap_sides,
    ],
)
def test_implausible_value_is_queried_from_every_channel(
    enter_implausible_result: Callable[[Session, User], None], evening: SessionAndUser
) -> None:
    session, user = evening
    assert find_last_result(session).doubt == Doubt.NONE
    enter_implausible_result(session, user)
    assert (find_last_result(session).ns_tricks, find_last_result(session).doubt) == (
        11,
        Doubt.QUERIED,
    )


def test_simulated_results_are_queried(monkeypatch: pytest.MonkeyPatch) -> None:
    session, user = evenings.open_session(pairs=10)
    outlier_sitting = list_sittings(session)[-1]
    outlier_location = (outlier_sitting.round, outlier_sitting.table)
    monkeypatch.setattr(
        hall.rehearsal.results,
        "simulate_ns_tricks",
        lambda _seed, sat, _board, _worth: 12 if sat.table_key[1:] == outlier_location else 5,
    )
    results = hall.rehearsal.results.create_results(
        session=session, round_count=99, random_seed="x", by=user
    )
    assert results == load_session_snapshot(session).expected_result_count
    queried_results = Result.objects.filter(doubt=Doubt.QUERIED)
    assert {result.sitting_id for result in queried_results} == {outlier_sitting.pk}
    assert queried_results.count() == session.boards_a_round


def test_corrected_round_is_evidence_against_other_results(evening: SessionAndUser) -> None:
    session, user = evening
    first, second, third, _fourth, fifth = list_sittings(session)
    for sitting, mark in ((first, "10"), (second, "11"), (third, "3"), (fifth, "3")):
        evenings.enter_result(session, sitting.pk, 2, mark, user)
    result = Result.objects.get(sitting=third, board=2)
    assert result.doubt == Doubt.NONE
    evenings.enter_result(session, fifth.pk, 1, "9", user)
    assert find_last_result(session).doubt == Doubt.QUERIED
    assert scoring.services.correct_round(sitting=fifth, by=user) == 2
    assert (find_last_result(session).ns_tricks, find_last_result(session).doubt) == (
        4,
        Doubt.NONE,
    )
    result.refresh_from_db()
    assert result.doubt == Doubt.QUERIED


def test_repeated_value_does_not_change_stored_confirmation(evening: SessionAndUser) -> None:
    session, user = evening
    enter_result_at_last_table(session, "11", user)
    scoring.services.accept_result(sitting=list_sittings(session)[-1], board_number=1, by=user)
    repeated_result = enter_result_at_last_table(session, "11", user)
    assert (repeated_result.has_changed, repeated_result.doubtful_result) == (False, None)
    assert find_last_result(session).doubt == Doubt.KEPT


def test_query_is_returned_with_entered_value(evening: SessionAndUser) -> None:
    session, user = evening
    result = enter_result_at_last_table(session, "11", user)
    assert result.result.doubt == Doubt.QUERIED
    assert result.doubtful_result is not None
    assert (result.doubtful_result.typed_tricks, result.doubtful_result.table.sitting_id) == (
        11,
        list_sittings(session)[-1].pk,
    )
    assert enter_result_at_last_table(session, "5", user).doubtful_result is None


def test_multiple_scores_return_queries_and_refusals_together(evening: SessionAndUser) -> None:
    session, user = evening
    one, two = list_sittings(session)[:2]
    results = scoring.services.record_results(
        scores=[
            NewScore(one, 1, "12", "4"),
            NewScore(one, 1, "14", "12"),
            NewScore(two, 1, "5", "5"),
            NewScore(two, 1, "7", "6"),
            NewScore(two, 99, "7"),
        ],
        by=user,
    )
    assert results.changed_count == 1
    assert [
        recorded_result.doubtful_result is not None
        for recorded_result in results.recorded_results
    ] == [True, False]
    assert [error.code for error in results.errors] == [
        *("tricks_refused", "entered_meanwhile", "no_such_play")
    ]
    assert ResultVersion.objects.filter(result__sitting=one).count() == 2


def test_reported_query_matches_stored_query_for_two_outliers_in_block(
    evening: SessionAndUser,
) -> None:
    session, user = evening
    results = scoring.services.record_results(
        scores=[NewScore(sitting, 1, "12") for sitting in list_sittings(session)[:2]], by=user
    )
    stored_results = Result.objects.filter(board=1, doubt=Doubt.QUERIED)
    result_pks = {
        recorded_result.result.pk
        for recorded_result in results.recorded_results
        if recorded_result.doubtful_result
    }
    assert {item.pk for item in stored_results} == result_pks


def test_only_entries_by_director_are_checked_against_cards() -> None:
    session, user = evenings.seat_session()
    deal_missing_boards(tournaments.services.request_dealing(session=session, by=user))
    session.refresh_from_db()
    assert session.board_set is not None
    session.board_set.boards.filter(number=1).update(best_tricks=3)
    session = scoring.services.open_session(session=session, by=user)
    scorer = evenings.create_scorer(session.event.club)
    for by in (GuestAuthor(GuestAuthor.Kind.TABLE, "3"), scorer):
        result = scoring.services.record_result(
            sitting=list_sittings(session)[0], board_number=1, mark="10", seen_score=None, by=by
        )
        assert (result.doubtful_result, result.result.doubt) == (None, Doubt.NONE)
        clear_first_result(session, user)
    result = scoring.services.record_result(
        sitting=list_sittings(session)[0], board_number=1, mark="10", seen_score=None, by=user
    )
    assert result.doubtful_result is not None


def clear_first_result(session: Session, user: User) -> None:
    scoring.services.record_result(
        sitting=list_sittings(session)[0], board_number=1, mark="", seen_score=None, by=user
    )


def test_missing_result_count_equals_count_of_full_snapshot(evening: SessionAndUser) -> None:
    session, user = evening
    assert (
        count_missing_results(session)
        == load_session_snapshot(session).missing_result_count
        > 0
    )
    enter_result_at_last_table(session, "", user)
    scoring.services.make_ruling(
        kind="average", sitting=list_sittings(session)[-1], board_number=1, law="V.1", by=user
    )
    scoring.services.make_ruling(
        kind="average", sitting=list_sittings(session)[0], board_number=1, law="V.1", by=user
    )
    assert count_missing_results(session) == load_session_snapshot(session).missing_result_count


@pytest.mark.parametrize("ruling_kind", ["new_deal", "fouled"])
def test_table_with_other_cards_is_not_compared_in_later_rounds(ruling_kind: str) -> None:
    session, user = evenings.open_session(14)
    plays = sorted(
        load_session_snapshot(session).tables_by_board[1], key=lambda item: item.round
    )
    for play in plays[:3]:
        evenings.enter_result(session, play.sitting_id, 1, "3", user)
    fourth = Sitting.objects.get(pk=plays[3].sitting_id)
    make_ruling(sitting=fourth, board_number=1, kind=ruling_kind, law="IV.10", by=user)
    for play in plays[3:6]:
        evenings.enter_result(session, play.sitting_id, 1, "9", user)
    assert list_plays_with_open_doubt(load_session_snapshot(session), None) == []
    evenings.enter_result(session, plays[6].sitting_id, 1, "3", user)
    [(table, board)] = list_plays_with_open_doubt(load_session_snapshot(session), None)
    assert (table.sitting_id, board) == (plays[6].sitting_id, 1)
