"""Closing: open items are listed, the standings are stored, and corrections are public."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

import clubs.evenings.services
import hall.phones.services
import scoring.services
from hall.closing.checks import list_open_issues
from scoring import tasks
from scoring.errors import TricksRefused
from scoring.models import Agreement, Doubt, Result, Ruling, StandingsVersion
from scoring.papers.paper_files import draw_session_paper
from scoring.services import close_session, make_ruling, reopen_session, withdraw_ruling
from scoring.services.undo_results import undo_result
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.corrections import group_version_rows, load_correction_log
from scoring.standings_engine.result_lines import load_tally
from server.models import User
from tests import evenings
from tests.scoring.papers import reading
from tournaments.errors import ActionUnavailable
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db


def close_played_session(**options: object) -> Session:
    """Return a played session that has just been closed, its standings computed."""
    session, user = evenings.play_session(**options)
    close_session(session=session, by=user)
    tasks.recompute_standings(session.event_id)
    return Session.objects.select_related("event__club").get(pk=session.pk)


def correct_first_result(session: Session, mark: str, by: object = None) -> Result:
    """Correct the first result and recompute the standings."""
    first_result = Result.objects.filter(sitting__section__session=session).order_by("pk")[0]
    scoring.services.record_result(
        sitting=first_result.sitting,
        board_number=first_result.board,
        mark=mark,
        seen_score=None,
        by=by,
    )
    tasks.recompute_standings(session.event_id)
    return first_result


@pytest.mark.slow
def test_session_with_all_results_needs_no_checks() -> None:
    session, _ = evenings.play_session()
    assert list_open_issues(load_session_snapshot(session), load_tally(session.event)) == []


@pytest.mark.parametrize(
    ("act", "is_reported"),
    [("called", True), ("answered", False), ("closed", False)],
)
def test_open_director_call_is_listed_as_unfinished(act: str, is_reported: bool) -> None:
    session, user = evenings.play_session()
    client = Client()
    client.force_login(user)
    link = hall.phones.services.create_table_links(session=session, by=user)[2]
    call = clubs.evenings.services.call_director(link=link)
    if act == "answered":
        clubs.evenings.services.answer_call(call=call, by=user)
    if act == "closed":
        close_session(session=session, by=user)
    for page in ("", "closing/"):
        text = client.get(f"/director/events/{session.event.slug}/{page}").content.decode()
        assert ("Table 3 is still waiting for the director." in text) is is_reported
        assert ("Close anyway" in text) is is_reported


@pytest.mark.slow
def test_missing_results_and_unplayed_boards_are_listed() -> None:
    session, user = evenings.play_session(but=1)
    for table in load_session_snapshot(session).tables_by_board[1]:
        evenings.enter_result(session, table.sitting_id, 1, "-", user)
    texts_by_kind = {
        check.issue_kind: check.text
        for check in list_open_issues(load_session_snapshot(session), load_tally(session.event))
    }
    assert texts_by_kind["nobody"] == "Board 1 has no scores."
    assert "missing" in texts_by_kind["missing"]


def order_new_deal(session: Session, user: User) -> tuple[Sitting, Ruling]:
    """Order a new deal of board 1 at the last table that played it."""
    sitting = Sitting.objects.get(
        pk=load_session_snapshot(session).tables_by_board[1][-1].sitting_id
    )
    ruling = scoring.services.make_ruling(
        kind="new_deal", sitting=sitting, board_number=1, law="III.2", by=user
    )
    return sitting, ruling


@pytest.mark.parametrize(
    ("followup", "is_told"),
    [
        ("nothing", True),
        ("entered", False),
        ("entered and cleared", True),
        ("not played", False),
        ("averaged", False),
        ("withdrawn", False),
        ("ordered twice", True),
    ],
)
def test_redeal_without_result_is_listed_until_result_is_entered(
    followup: str, is_told: bool
) -> None:
    session, user = evenings.play_session()
    sitting, ruling = order_new_deal(session, user)
    if followup in ("entered", "entered and cleared", "ordered twice"):
        evenings.enter_result(session, sitting.pk, 1, "9", user)
    if followup == "entered and cleared":
        evenings.enter_result(session, sitting.pk, 1, "", user)
    if followup == "not played":
        evenings.enter_result(session, sitting.pk, 1, "-", user)
    if followup == "averaged":
        scoring.services.make_ruling(
            kind="average", sitting=sitting, board_number=1, law="V.1", by=user
        )
    if followup == "withdrawn":
        scoring.services.withdraw_ruling(ruling=ruling, by=user)
    if followup == "ordered twice":
        order_new_deal(session, user)
    snapshot = load_session_snapshot(session)
    text = f"Board 1, round {sitting.round}, table {sitting.table}: redealt but not yet scored"
    lines = [
        check
        for check in list_open_issues(snapshot, load_tally(session.event))
        if text in check.text
    ]
    assert [check.sitting_pk for check in lines] == [sitting.pk] * is_told
    assert snapshot.is_board_finished(1) is not is_told
    assert count_missing_results(session) == snapshot.missing_result_count == int(is_told)


@pytest.mark.slow
def test_missing_redeal_result_is_reported_like_any_missing_result(
    client: Client,
) -> None:
    session, user = evenings.play_session()
    client.force_login(user)
    root_url = f"/director/events/{session.event.slug}/"
    assert "All results are in" in read_desk_page(client, session)
    sitting, _ruling = order_new_deal(session, user)
    page = read_desk_page(client, session)
    assert "1 result missing: board 1" in page
    assert "17 / 18 results in" in page
    assert "All results are in" not in page
    assert "All results in" not in client.get(f"{root_url}room/").content.decode()
    closing_page = client.get(f"{root_url}closing/").content.decode()
    assert f"/scores/?by=board&amp;at=r-{sitting.pk}-1#r-{sitting.pk}-1" in closing_page
    assert (
        f'id="r-{sitting.pk}-1"' in client.get(f"{root_url}scores/?by=board").content.decode()
    )
    response = client.post(
        f"{root_url}result/", {"sitting": sitting.pk, "board": 1, "value": "9", "seen": ""}
    )
    assert response.json()["missing"] == 0
    assert "All results are in" in read_desk_page(client, session)


@pytest.mark.slow
def test_session_counts_as_started_if_its_only_result_is_void() -> None:
    session, user = evenings.open_session()
    first_table = load_session_snapshot(session).tables[0]
    evenings.enter_result(session, first_table.sitting_id, first_table.boards[0], "8", user)
    scoring.services.make_ruling(
        kind="new_deal",
        sitting=Sitting.objects.get(pk=first_table.sitting_id),
        board_number=first_table.boards[0],
        law="III.2",
        by=user,
    )
    client = Client()
    client.force_login(user)
    room = client.get(f"/director/events/{session.event.slug}/room/").content.decode()
    assert "can begin" not in room


def test_boards_that_no_one_played_are_summarised_in_one_line() -> None:
    session, _user = evenings.open_session(6)
    closing_checks = list_open_issues(load_session_snapshot(session), load_tally(session.event))
    (closing_check,) = [check for check in closing_checks if check.issue_kind == "nobody"]
    last_board = max(load_session_snapshot(session).tables_by_board)
    assert closing_check.text == f"Boards 1–{last_board} have no scores."
    assert closing_check.board_number == 1
    assert [check.issue_kind for check in closing_checks] == ["nobody"]


def test_query_and_provisional_ruling_are_listed_with_table_and_board() -> None:
    session, user = evenings.play_session()
    result = Result.objects.order_by("pk")[0]
    Result.objects.filter(pk=result.pk).update(doubt=Doubt.QUERIED)
    other_result = Result.objects.exclude(board=result.board).order_by("pk")[0]
    missing_result = Result.objects.filter(board=other_result.board).exclude(
        pk=other_result.pk
    )[0]
    evenings.enter_result(session, missing_result.sitting_id, missing_result.board, "", user)
    scoring.services.make_ruling(
        kind="revoke", result=other_result, side="NS", revokes=1, won_before=0, by=user
    )
    last = Result.objects.exclude(
        pk__in=[result.pk, other_result.pk, missing_result.pk]
    ).order_by("pk")[0]
    Result.objects.filter(pk=last.pk).update(agreement=Agreement.AWAITED)
    closing_checks_by_kind = {
        check.issue_kind: check
        for check in list_open_issues(load_session_snapshot(session), load_tally(session.event))
    }
    assert set(closing_checks_by_kind) == {"queried", "unconfirmed", "missing", "provisional"}
    assert closing_checks_by_kind["queried"].sitting_pk == result.sitting_id
    assert closing_checks_by_kind["provisional"].sitting_pk == other_result.sitting_id


def test_closing_page_links_each_check_to_page_that_fixes_it(client: Client) -> None:
    session, user = evenings.play_session(but=2)
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/closing/").content.decode()
    assert "Close anyway" in page
    board = list_open_issues(load_session_snapshot(session), load_tally(session.event))[
        0
    ].board_number
    assert f"/scores/?by=board&amp;at=board-{board}#board-{board}" in page


def test_closing_page_of_unstarted_session_does_not_report_complete_results(
    client: Client,
) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/closing/").content.decode()
    assert "The session hasn’t started." in page
    assert "All results are in." not in page


def read_desk_page(client: Client, session: Session) -> str:
    """Return the director's page of the event on one line."""
    page = client.get(f"/director/events/{session.event.slug}/").content.decode()
    return " ".join(page.split())


def test_closing_lists_open_checks_and_needs_confirmation(
    client: Client,
) -> None:
    session, user = evenings.play_session()
    queried_result, awaited_result, missing_result = Result.objects.order_by("pk")[:3]
    Result.objects.filter(pk=queried_result.pk).update(doubt=Doubt.QUERIED)
    Result.objects.filter(pk=awaited_result.pk).update(agreement=Agreement.AWAITED)
    evenings.enter_result(session, missing_result.sitting_id, missing_result.board, "", user)
    client.force_login(user)
    page = read_desk_page(client, session)
    assert f"1 result missing: board {missing_result.board}" in page
    assert "1 score to check" in page
    assert "1 score not confirmed by the other side" in page
    assert "All results in." not in page
    assert page.index("Players see the standings") < page.index("closing-title")
    confirmation_html = page[page.index('<details class="sure">') :].partition("</details>")[0]
    assert "session/close/" in confirmation_html
    assert "Yes, close session" in confirmation_html


def test_complete_session_closes_in_one_click_and_page_lists_next_steps(
    client: Client,
) -> None:
    session, user = evenings.play_session()
    client.force_login(user)
    page = read_desk_page(client, session)
    assert '<details class="sure">' not in page
    assert "Close session</button>" in page
    client.post(f"/director/events/{session.event.slug}/session/close/")
    desk_page_after = read_desk_page(client, session)
    assert all(text in desk_page_after for text in ("Print standings", "Export event"))
    assert "Corrections are open until" in desk_page_after
    assert "session/reopen/" not in desk_page_after
    Session.objects.update(closed_at=timezone.now() - timedelta(days=60))
    assert "To change a score, reopen the session" in read_desk_page(client, session)


@pytest.mark.slow
def test_closing_a_session_saves_standings_once() -> None:
    session = close_played_session()
    version = StandingsVersion.objects.get()
    assert (version.number, version.change_reason_text, version.made_by) == (
        1,
        "session closed",
        "director",
    )
    assert len(version.rows) == 6
    tasks.recompute_standings(session.event_id)
    assert StandingsVersion.objects.count() == 1


@pytest.mark.slow
def test_no_standings_version_is_saved_during_play() -> None:
    session, _ = evenings.play_session()
    tasks.recompute_standings(session.event_id)
    assert not StandingsVersion.objects.exists()


@pytest.mark.slow
def test_correction_adds_version_and_keeps_previous_one() -> None:
    session = close_played_session()
    rows_before = StandingsVersion.objects.get().rows
    corrected_result = correct_first_result(session, "13")
    versions = list(StandingsVersion.objects.all())
    assert [version.number for version in versions] == [1, 2]
    assert versions[0].rows == rows_before != versions[1].rows
    assert versions[1].change_reason_text == f"board {corrected_result.board} corrected"


@pytest.mark.slow
def test_public_correction_shows_old_and_new_score_but_no_login() -> None:
    session = close_played_session()
    first = correct_first_result(session, "13")
    for mark, new_score_text in (("-", "not played"), ("", "no result"), ("12", "N-S 12")):
        correct_first_result(session, mark)
        # a result corrected several times is one correction
        (correction,) = load_correction_log(session.event).corrections
        assert correction.text.startswith(f"Board {first.board}, round ")
        change = correction.text.partition("corrected by the director ")[2]
        assert change == f"from N-S {first.ns_tricks} to {new_score_text}"


def test_result_corrected_and_restored_is_not_a_correction() -> None:
    session = close_played_session()
    first = correct_first_result(session, "13")
    undo_result(version=first.versions.order_by("number").last(), by=None)
    assert load_correction_log(session.event).corrections == ()
    terms = {
        "sitting": first.sitting,
        "board_number": first.board,
        "kind": "average",
        "law": "V.1",
    }
    ruling = make_ruling(**terms, reason="fouled", by=None)
    assert len(load_correction_log(session.event).corrections) == 1
    withdraw_ruling(ruling=ruling, by=None)
    assert load_correction_log(session.event).corrections == ()


def test_ruling_withdrawn_after_close_counts_as_one_correction() -> None:
    session, user = evenings.play_session()
    first_result = Result.objects.order_by("pk")[0]
    terms = {
        "sitting": first_result.sitting,
        "board_number": first_result.board,
        "kind": "average",
        "law": "V.1",
    }
    ruling = make_ruling(**terms, reason="fouled", by=user)
    close_session(session=session, by=user)
    tasks.recompute_standings(session.event_id)
    withdraw_ruling(ruling=ruling, by=user)
    (correction,) = load_correction_log(session.event).corrections
    assert correction.text.endswith("average withdrawn by the director")


@pytest.mark.slow
def test_correction_in_a_reopened_session_has_no_number() -> None:
    session = close_played_session()
    correct_first_result(session, "13")
    reopen_session(session=session, by=None)
    (correction,) = load_correction_log(session.event).corrections
    assert correction.text.endswith("corrected by the director")


@pytest.mark.slow
def test_printed_ranking_shows_its_version_and_corrections() -> None:
    session = close_played_session()
    (text,) = reading.read_texts(draw_session_paper(session, "ranking", "A4"))
    assert "Version 1: session closed, " in text
    first = correct_first_result(session, "13")
    (text,) = reading.read_texts(draw_session_paper(session, "ranking", "A4"))
    assert f"Version 2: board {first.board} corrected, " in text
    assert "Corrections after closing" in text
    assert f"corrected by the director from N-S {first.ns_tricks} to N-S 13." in text
    reopen_session(session=session, by=None)
    (text,) = reading.read_texts(draw_session_paper(session, "ranking", "A4"))
    assert "Version" not in text
    assert "Standings as of " in text


@pytest.mark.slow
def test_printing_standings_saves_missing_first_version() -> None:
    session, user = evenings.play_session()
    close_session(session=session, by=user)
    StandingsVersion.objects.all().delete()
    (text,) = reading.read_texts(draw_session_paper(session, "ranking", "A4"))
    assert "Version 1: session closed" in text
    assert StandingsVersion.objects.get().number == 1


@pytest.mark.slow
def test_unchanged_result_adds_no_version() -> None:
    session = close_played_session()
    first_result = Result.objects.order_by("pk")[0]
    correct_first_result(session, first_result.mark)
    assert StandingsVersion.objects.count() == 1
    assert load_correction_log(session.event).corrections == ()


@pytest.mark.slow
def test_score_after_correction_period_requires_reopening_with_reason() -> None:
    session = close_played_session()
    Session.objects.filter(pk=session.pk).update(closed_at=timezone.now() - timedelta(hours=25))
    with pytest.raises(ActionUnavailable, match="Reopen it"):
        correct_first_result(session, "13")
    with pytest.raises(ActionUnavailable, match="Enter a reason"):
        reopen_session(session=session, by=None)
    reopen_session(session=session, by=None, reason="the slip was misread")
    correct_first_result(session, "13")
    assert StandingsVersion.objects.count() == 1
    close_session(session=session, by=None)
    tasks.recompute_standings(session.event_id)
    assert StandingsVersion.objects.count() == 2


@pytest.mark.slow
def test_only_a_director_corrects_scores_in_correction_period() -> None:
    session = close_played_session()
    with pytest.raises(ActionUnavailable, match="Only a director can correct"):
        correct_first_result(session, "13", by=evenings.create_scorer(session.event.club))
    with pytest.raises(TricksRefused):
        correct_first_result(session, "14")


@pytest.mark.slow
def test_saved_version_is_read_back_unchanged() -> None:
    session = close_played_session()
    version = StandingsVersion.objects.get()
    fields = group_version_rows(version)
    assert [(section, field, len(rows)) for section, field, rows in fields] == [
        ("", "NS", 3),
        ("", "EW", 3),
    ]
    assert {row.label for row in fields[0][2]} == {"1 N-S", "2 N-S", "3 N-S"}
    assert sum(row.tricks for _, _, rows in fields for row in rows) == 13 * 18
    assert session.state == Session.State.CLOSED


def test_event_page_names_versions_and_corrections(client: Client) -> None:
    session = close_played_session()
    correct_first_result(session, "13")
    page = client.get(f"/events/{session.event.slug}/").content.decode()
    assert "corrected by the director" in page
    address = f"/events/{session.event.slug}/standings/1/"
    assert address in page
    response = client.get(address)
    assert response.status_code == 200
    assert not response.cookies
    assert client.get(f"/events/{session.event.slug}/standings/3/").status_code == 404


@pytest.mark.slow
def test_saved_version_is_hidden_while_standings_are_hidden(client: Client) -> None:
    session = close_played_session()
    session.event.standings_shown = "never"
    session.event.save()
    assert client.get(f"/events/{session.event.slug}/standings/1/").status_code == 404


@pytest.mark.slow
def test_score_grid_stays_open_for_directors_corrections(client: Client) -> None:
    session = close_played_session()
    address = f"/director/events/{session.event.slug}/scores/"
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    page = client.get(address).content.decode()
    assert "You can still correct scores until" in page
    sitting = Sitting.objects.filter(section__session=session)[0]
    assert f'data-sitting="{sitting.pk}"' in page
    assert "disabled>" not in page
    client.force_login(evenings.create_scorer(session.event.club))
    assert "disabled>" in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("typed_value", "hours"), [("48", 48), ("0", 0), ("x", 24), ("-1", 24)]
)
def test_club_sets_length_of_correction_period(
    client: Client, typed_value: str, hours: int
) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/closing/hours/"
    assert client.post(address, {"hours": typed_value}).status_code == 302
    session.event.club.refresh_from_db()
    assert session.event.club.correction_hours == hours


def test_closed_session_without_open_checks_reports_nothing_left(client: Client) -> None:
    session, user = evenings.play_session()
    client.force_login(user)
    close_session(session=session, by=user)
    html = client.get(f"/director/events/{session.event.slug}/closing/").content.decode()
    assert "All done" in html
    assert "Still open" not in html
