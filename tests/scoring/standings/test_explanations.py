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


def find_steps(sheet: Explanation, key: str) -> tuple[ExplainedStep, ...]:
    return next(
        (
            explained_number.steps
            for explained_number in sheet.explained_numbers
            if explained_number.key == key
        ),
        (),
    )


def is_sum_exact(explained: ExplainedStep) -> bool:
    if not explained.parts:
        return True
    return sum(part.amount for part in explained.parts) == explained.amount and all(
        map(is_sum_exact, explained.parts)
    )


def make_test_ruling(session: Session, play: int, kind: str, terms_seed: int) -> None:
    """Make some ruling about some result, chosen by the numbers."""
    results = Result.objects.filter(sitting__section__session=session).order_by("pk")
    terms: dict[str, object] = {"reason": "tried"}
    if kind == "revoke":
        terms |= {
            "side": ("NS", "EW")[terms_seed % 2],
            "revokes": 1,
            "won_before": terms_seed % 5,
        }
    if kind == "adjusted":
        terms |= {"ns_tricks": F(terms_seed, 3), "ew_tricks": F(terms_seed, 2)}
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
    def test_explanation_sums_to_the_stored_standing(self, method, rulings, penalty) -> None:
        session, _ = evenings.play_session()
        Terms.objects.filter(event=session.event_id).update(method=method)
        session.event.refresh_from_db()
        for play, kind, number in rulings:
            make_test_ruling(session, play, kind, number)
        if penalty:
            first_entry = session.event.entries.first()
            make_ruling(
                entry=first_entry,
                session=session,
                kind="penalty",
                amount=penalty,
                reason="late",
                by=None,
            )
        standings.update_standings(session.event)
        standings_by_number = {
            row.entry.number: row for row in Standing.objects.select_related("entry")
        }
        for sheet in build_all_explanations(session.event):
            row = standings_by_number[sheet.entry_number]
            assert find_steps(sheet, "score")[-1].amount == F(row.score)
            assert find_steps(sheet, "tricks")[-1].amount == F(row.tricks)
            assert find_steps(sheet, "rank")[0].amount == row.rank
            if row.average:
                assert find_steps(sheet, "average")[0].amount == F(row.average)
            assert bool(row.average) is any(
                figure.key == "average" for figure in sheet.explained_numbers
            )
            if row.percent:
                assert find_steps(sheet, "percent")[0].amount == F(row.percent)
            assert all(
                is_sum_exact(step)
                for figure in sheet.explained_numbers
                for step in figure.steps
            )


@pytest.fixture
def session(db: None) -> Session:
    session, _ = evenings.play_session()
    close_session(session=session, by=None)
    session.refresh_from_db()
    standings.update_standings(session.event)
    return session


def explain_first_entry(session: Session, **options: bool) -> Explanation:
    return build_explanation(
        load_explanation_data(session.event, **options), session.event.entries.get(number=1)
    )


def test_score_explanation_uses_the_clubs_computation_and_names(
    session: Session,
) -> None:
    sheet = explain_first_entry(session)
    first, second = find_steps(sheet, "score")
    assert " the average of " in first.sentence
    assert "of 3 N-S pairs" in first.parts[1].sentence
    assert [part.board for part in second.parts] == [1, 2, 3, 4, 5, 6]
    assert second.parts[0].sentence.startswith("Board 1, N-S: ")


def iter_nested_steps(explained: ExplainedStep):
    yield explained
    for part in explained.parts:
        yield from iter_nested_steps(part)


@pytest.mark.django_db
def test_cost_of_a_revoke_is_shown_below_its_board() -> None:
    session, _ = evenings.play_session()
    make_test_ruling(session, 0, "revoke", 2)
    sitting = Result.objects.order_by("pk").first().sitting
    explanation_data = load_explanation_data(session.event, should_include_hidden_results=True)
    lines = [
        nested_step
        for entry in session.event.entries.all()
        for explained_number in build_explanation(explanation_data, entry).explained_numbers
        for step in explained_number.steps
        for nested_step in iter_nested_steps(step)
        if nested_step.notes
    ]
    assert lines
    assert sitting.round == 1
    assert any("Revoke by N-S: tried." in line.notes for line in lines)
    assert any("N-S revoked once, which costs 2 tricks." in line.notes for line in lines)
    assert all("So N-S score" in line.notes[-1] for line in lines)


@pytest.mark.django_db
def test_boards_that_others_may_still_play_are_omitted_and_named() -> None:
    session, _ = evenings.play_session(but=1)
    standings.update_standings(session.event)
    open_board = next(
        b
        for b in load_session_snapshot(session).boards
        if not load_session_snapshot(session).is_board_finished(b)
    )
    explanation_data = load_explanation_data(session.event)
    for entry in session.event.entries.all():
        sheet = build_explanation(explanation_data, entry)
        boards = {
            item.board
            for fig in sheet.explained_numbers
            for step in fig.steps
            for item in iter_nested_steps(step)
        }
        assert open_board not in boards
        if str(open_board) in sheet.hidden_boards_text:
            assert "may still play" in sheet.hidden_boards_text
    assert any(
        build_explanation(explanation_data, entry).hidden_boards_text
        for entry in session.event.entries.all()
    )
    director_data = load_explanation_data(session.event, should_include_hidden_results=True)
    assert not build_explanation(
        director_data, session.event.entries.get(number=1)
    ).hidden_boards_text


@pytest.mark.django_db
def test_matches_are_not_shown_before_every_board_is_finished() -> None:
    session, _ = evenings.play_session(but=1)
    Terms.objects.update(method="matches")
    session.event.refresh_from_db()
    explanation_data = load_explanation_data(session.event)
    for entry in session.event.entries.all():
        assert not find_steps(build_explanation(explanation_data, entry), "score")[0].parts


@pytest.mark.django_db
def test_explanation_page_and_its_fragment_agree(client: Client, session: Session) -> None:
    explanation_url = f"/events/{session.event.slug}/entries/1/explained/"
    page = client.get(explanation_url).content.decode()
    assert "How it was worked out" in page
    response = client.get(
        f"{explanation_url}?figure=score&board=2", headers={"HX-Request": "true"}
    )
    step_sentences = [
        step.sentence
        for figure in response.context["sheet"].explained_numbers
        for step in figure.steps
    ]
    assert len(step_sentences) == 1
    assert step_sentences[0].startswith("Board 2, N-S: ")
    assert step_sentences[0].endswith("−1 against the average of 4 (3 scores: 5, 4, 3).")
    row = next(row for row in page.split("<tr>") if ">Board 2<" in row)
    cells = re.findall(r"<td>(.*?)</td>", row)
    assert cells == ["N-S", "3", "4", "−1", "5, 4, 3"]
    assert client.get(f"/events/{session.event.slug}/entries/99/explained/").status_code == 404


@pytest.mark.django_db
def test_nothing_is_explained_while_standings_are_hidden(
    client: Client, session: Session
) -> None:
    Event.objects.update(standings_shown="never")
    response = client.get(f"/events/{session.event.slug}/entries/1/explained/")
    assert "sheet" not in response.context
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/entries/1/explained/")
    assert page.context["sheet"].explained_numbers


@pytest.mark.django_db
def test_explanations_paper_computes_the_field_once_for_all_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, _ = evenings.play_session(10)
    calls = []
    compare_deals = deal_comparison.compare_deals

    def count_comparison(lines: object) -> object:
        calls.append(1)
        return compare_deals(lines)

    monkeypatch.setattr(deal_comparison, "compare_deals", count_comparison)
    assert len(build_all_explanations(session.event)) == 10
    assert len(calls) < 10


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        ([], ""),
        ([1], "Other tables may still play board 1. It already counts"),
        ([1, 2], "Other tables may still play boards 1–2. They already count"),
        ([1, 3], "Other tables may still play boards 1, 3. They already count"),
    ],
)
def test_note_on_hidden_boards_has_singular_and_plural(boards, message):
    assert _format_hidden_boards(boards).startswith(message)
    assert bool(_format_hidden_boards(boards)) is bool(message)
