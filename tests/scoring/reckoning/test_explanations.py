"""Explanations use the same values as the score, and hide boards still in play."""

import re
from fractions import Fraction

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from scoring.methods import deal_comparison
from scoring.models import Result, Standing, Terms
from scoring.services import close_session, make_ruling
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.explained_numbers import ExplainedStep, Explanation
from scoring.sheets.explanations import (
    _format_hidden_boards,
    build_all_explanations,
    build_explanation,
    load_explanation_data,
)
from scoring.standings_engine import standings
from tests import evenings
from tournaments.models import Event, Session

F = Fraction
KINDS = ("revoke", "average", "new_deal", "fouled", "adjusted")
METHODS = ("plus_minus", "matchpoints", "tricks", "matches")


def figure(sheet: Explanation, key: str) -> tuple[ExplainedStep, ...]:
    return next((it.steps for it in sheet.figures if it.key == key), ())


def adds_up(explained: ExplainedStep) -> bool:
    if not explained.parts:
        return True
    return sum(part.amount for part in explained.parts) == explained.amount and all(
        map(adds_up, explained.parts)
    )


def rule(session: Session, play: int, kind: str, number: int) -> None:
    """Make some ruling about some result, chosen by the numbers."""
    results = Result.objects.filter(sitting__section__session=session).order_by("pk")
    terms: dict[str, object] = {"reason": "tried"}
    if kind == "revoke":
        terms |= {"side": ("NS", "EW")[number % 2], "revokes": 1, "won_before": number % 5}
    if kind == "adjusted":
        terms |= {"ns_tricks": F(number, 3), "ew_tricks": F(number, 2)}
    make_ruling(result=results[play % results.count()], kind=kind, by=None, **terms)


class TestEveryExplanation(TestCase):
    @pytest.mark.slow
    @settings(max_examples=12, suppress_health_check=list(HealthCheck), deadline=None)
    @given(
        method=st.sampled_from(METHODS),
        rulings=st.lists(
            st.tuples(st.integers(0, 17), st.sampled_from(KINDS), st.integers(0, 20)),
            max_size=4,
        ),
        penalty=st.sampled_from([None, F(1, 2), F(2)]),
    )
    def test_adds_up_to_the_stored_standing(self, method, rulings, penalty) -> None:
        session, _ = evenings.played()
        Terms.objects.filter(event=session.event_id).update(method=method)
        session.event.refresh_from_db()
        for play, kind, number in rulings:
            rule(session, play, kind, number)
        if penalty:
            first = session.event.entries.first()
            make_ruling(
                entry=first,
                session=session,
                kind="penalty",
                amount=penalty,
                reason="late",
                by=None,
            )
        standings.update_standings(session.event)
        stored = {row.entry.number: row for row in Standing.objects.select_related("entry")}
        for sheet in build_all_explanations(session.event):
            row = stored[sheet.entry]
            assert figure(sheet, "score")[-1].amount == F(row.score)
            assert figure(sheet, "tricks")[-1].amount == F(row.tricks)
            assert figure(sheet, "rank")[0].amount == row.rank
            if row.average:
                assert figure(sheet, "average")[0].amount == F(row.average)
            assert bool(row.average) is any(it.key == "average" for it in sheet.figures)
            if row.percent:
                assert figure(sheet, "percent")[0].amount == F(row.percent)
            assert all(adds_up(told) for it in sheet.figures for told in it.steps)


@pytest.fixture
def session(db: None) -> Session:
    session, _ = evenings.played()
    close_session(session=session, by=None)
    session.refresh_from_db()
    standings.update_standings(session.event)
    return session


def first_sheet(session: Session, **options: bool) -> Explanation:
    return build_explanation(
        load_explanation_data(session.event, **options), session.event.entries.get(number=1)
    )


def test_a_score_is_told_as_clubs_reckon_it_with_names_in_place_of_numbers(
    session: Session,
) -> None:
    sheet = first_sheet(session)
    first, second = figure(sheet, "score")
    assert " the average of " in first.words
    assert "of 3 N-S pairs" in first.parts[1].words
    assert [part.board for part in second.parts] == [1, 2, 3, 4, 5, 6]
    assert second.parts[0].words.startswith("Board 1, N-S: ")


def walk(explained: ExplainedStep):
    yield explained
    for part in explained.parts:
        yield from walk(part)


@pytest.mark.django_db
def test_what_a_revoke_cost_is_told_under_its_board() -> None:
    session, _ = evenings.played()
    rule(session, 0, "revoke", 2)
    sitting = Result.objects.order_by("pk").first().sitting
    of = load_explanation_data(session.event, all_results=True)
    lines = [
        it
        for entry in session.event.entries.all()
        for fig in build_explanation(of, entry).figures
        for one in fig.steps
        for it in walk(one)
        if it.notes
    ]
    assert lines
    assert sitting.round == 1
    assert any("Revoke by N-S: tried." in it.notes for it in lines)
    assert any("N-S revoked once, which costs 2 tricks." in it.notes for it in lines)
    assert all("So N-S score" in it.notes[-1] for it in lines)


@pytest.mark.django_db
def test_boards_that_others_may_still_play_are_left_out_and_named() -> None:
    session, _ = evenings.played(but=1)
    standings.update_standings(session.event)
    open_board = next(
        b
        for b in load_session_snapshot(session).boards
        if not load_session_snapshot(session).is_board_finished(b)
    )
    found = load_explanation_data(session.event)
    for entry in session.event.entries.all():
        sheet = build_explanation(found, entry)
        boards = {it.board for fig in sheet.figures for told in fig.steps for it in walk(told)}
        assert open_board not in boards
        if str(open_board) in sheet.hidden_boards_text:
            assert "may still play" in sheet.hidden_boards_text
    assert any(
        build_explanation(found, entry).hidden_boards_text
        for entry in session.event.entries.all()
    )
    seen_by_director = load_explanation_data(session.event, all_results=True)
    assert not build_explanation(
        seen_by_director, session.event.entries.get(number=1)
    ).hidden_boards_text


@pytest.mark.django_db
def test_matches_are_not_told_before_every_board_is_through() -> None:
    session, _ = evenings.played(but=1)
    Terms.objects.update(method="matches")
    session.event.refresh_from_db()
    found = load_explanation_data(session.event)
    for entry in session.event.entries.all():
        assert not figure(build_explanation(found, entry), "score")[0].parts


@pytest.mark.django_db
def test_the_page_and_its_part_say_the_same(client: Client, session: Session) -> None:
    address = f"/events/{session.event.slug}/entries/1/explained/"
    page = client.get(address).content.decode()
    assert "How it was worked out" in page
    part = client.get(f"{address}?figure=score&board=2", headers={"HX-Request": "true"})
    words = [it.words for told in part.context["sheet"].figures for it in told.steps]
    assert len(words) == 1
    assert words[0].startswith("Board 2, N-S: ")
    assert words[0].endswith("−1 against the average of 4 (3 scores: 5, 4, 3).")
    row = next(row for row in page.split("<tr>") if ">Board 2<" in row)
    cells = re.findall(r"<td>(.*?)</td>", row)
    assert cells == ["N-S", "3", "4", "−1", "5, 4, 3"]
    assert client.get(f"/events/{session.event.slug}/entries/99/explained/").status_code == 404


@pytest.mark.django_db
def test_nothing_is_explained_while_the_standings_are_hidden(
    client: Client, session: Session
) -> None:
    Event.objects.update(standings_shown="never")
    answer = client.get(f"/events/{session.event.slug}/entries/1/explained/")
    assert "sheet" not in answer.context
    _, user = evenings.club()
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/entries/1/explained/")
    assert page.context["sheet"].figures


@pytest.mark.django_db
def test_the_paper_counts_the_field_once_however_many_entries_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, _ = evenings.played(10)
    counted = []
    plain = deal_comparison.compare_deals

    def watched(lines: object) -> object:
        counted.append(1)
        return plain(lines)

    monkeypatch.setattr(deal_comparison, "compare_deals", watched)
    assert len(build_all_explanations(session.event)) == 10
    assert len(counted) < 10


@pytest.mark.parametrize(
    ("boards", "said"),
    [
        ([], ""),
        ([1], "Other tables may still play board 1. It already counts"),
        ([1, 2], "Other tables may still play boards 1–2. They already count"),
        ([1, 3], "Other tables may still play boards 1, 3. They already count"),
    ],
)
def test_one_board_and_several_that_are_still_played_are_told_rightly(boards, said):
    assert _format_hidden_boards(boards).startswith(said)
    assert bool(_format_hidden_boards(boards)) is bool(said)
