"""The scoring of an event: chosen by the director, applied to the standings."""

import re
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from clubs import audit
from clubs.models import Membership
from exchange.eventfile.importer import import_event
from hall.history.act_words import format_values
from scoring.errors import TermsRefused
from scoring.methods import Method, UnknownMethod, list_methods
from scoring.models import Standing, Terms
from scoring.services import set_scoring_terms
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.explanations import build_all_explanations
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.travellers import load_scorecard
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tests.exchange.eventfile.documents import build_event_file, build_small_file
from tournaments.models import Event

pytestmark = pytest.mark.django_db
F = Fraction


def import_document(event_file: dict[str, Any]) -> Event:
    return Event.objects.get(pk=import_event(document=event_file, by=None).pk)


def list_scores(event: Event) -> dict[int, Fraction]:
    standings.update_standings(event)
    return {row.entry.number: F(row.score) for row in Standing.objects.select_related("entry")}


def get_section(event_file: dict[str, Any], session: int = 0) -> dict[str, Any]:
    section: dict[str, Any] = event_file["sessions"][session]["sections"][0]
    return section


def set_tricks(event_file: dict[str, Any], *tricks: int, session: int = 0) -> None:
    """Set the N-S tricks of a section's results in turn."""
    results = get_section(event_file, session)["results"]
    for place, result in enumerate(results):
        result["ns_tricks"] = tricks[place % len(tricks)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("movement", "methods"),
    [
        ({"name": "compass", "tables": 3}, list_methods("pairs")),
        ({"name": "whist-individual", "players": 9}, list_methods("individual")),
        ({"name": "rainbow", "tables": 5}, list_methods("individual")),
        ({"name": "league-fours", "tables": 2}, list_methods("teams")),
        ({"name": "howell-teams", "tables": 3}, list_methods("teams")),
        ({"name": "memory", "tables": 1}, list_methods("memory")),
    ],
    ids=lambda item: item["name"] if isinstance(item, dict) else "",
)
def test_every_method_scores_its_contests_and_explains_them(
    movement: dict[str, Any], methods: list[Method]
) -> None:
    event_file = build_event_file(movement, method=methods[0].code, outcomes=(5, 8, 14, 2, 11))
    event = import_document(event_file)
    for method in methods:
        set_scoring_terms(event=event, method=method.code, by=None)
        event.refresh_from_db()
        scores = list_scores(event)
        assert len(scores) == event.entries.count()
        texts_by_key = {sheet.entry_number: sheet for sheet in build_all_explanations(event)}
        for entry, score in scores.items():
            explained_numbers_by_key = {
                explained_number.key: explained_number
                for explained_number in texts_by_key[entry].explained_numbers
            }
            assert explained_numbers_by_key["score"].steps[-1].amount == score


def import_two_sessions(**event: Any) -> Event:
    event_file = build_small_file()
    event_file["event"] |= event
    set_tricks(event_file, 5, 8, 6, 9, 7)
    second_event_file = build_small_file()
    set_tricks(second_event_file, 10, 3, 7)
    event_file["sessions"].append({**second_event_file["sessions"][0], "number": 2})
    return import_document(event_file)


def test_sessions_are_summed_with_the_events_carry_over() -> None:
    two_session_event = import_two_sessions()
    total_scores = list_scores(two_session_event)
    event_file = build_small_file()
    set_tricks(event_file, 10, 3, 7)
    last_session_scores = (
        list_scores(import_document(event_file)) if Standing.objects.all().delete() else {}
    )
    Standing.objects.all().delete()
    half_carry_over_event = import_two_sessions(carry_over="1/2")
    half_carry_over_scores = list_scores(half_carry_over_event)
    for entry, score in total_scores.items():
        assert (
            half_carry_over_scores[entry]
            == last_session_scores[entry] + (score - last_session_scores[entry]) / 2
        )
    carried_scores = {
        row.entry.number: row.carried for row in half_carry_over_event.ranking.standings.all()
    }
    assert any(carried_scores.values())


def test_carry_over_is_explained_session_by_session() -> None:
    event = import_two_sessions(carry_over="1/2", method="matchpoints")
    standings_by_number = {row.entry.number: row for row in event.ranking.standings.all()}
    for sheet in build_all_explanations(event):
        figures = {figure.key: figure for figure in sheet.explained_numbers}
        score = figures["score"].steps[-1]
        assert score.amount == F(standings_by_number[sheet.entry_number].score)
        assert sum(part.amount for part in score.parts) == score.amount
        assert any("carried forward from session 1" in part.sentence for part in score.parts)
        assert figures["percent"].steps[0].amount == F(
            standings_by_number[sheet.entry_number].percent
        )


def test_equal_scores_share_a_rank_unless_a_tie_break_separates_them() -> None:
    outcomes = (6, 6, 6, 6, 6, 7, 7, 7, 6)
    event_file = build_event_file(
        {"name": "compass", "tables": 3}, method="plus_minus", outcomes=outcomes
    )
    event = import_document(event_file)
    north_south = load_rank_table(event).fields[0]
    assert [(row.rank, row.score, row.tied) for row in north_south.rows] == [(1, 0, True)] * 3
    set_scoring_terms(event=event, method="plus_minus", tie_breaks=["tops"], by=None)
    event = Event.objects.get(pk=event.pk)
    standings.update_standings(event)
    rows = load_rank_table(event).fields[0].rows
    assert [(row.rank, row.tied) for row in rows] == [(1, False), (2, True), (2, True)]
    assert rows[0].notes == ("tie broken by: Tops",)


def build_two_section_file() -> dict[str, Any]:
    event_file = build_small_file()
    other_section = get_section(build_small_file())
    other_section = {**other_section, "letter": "B"}
    other_section["seating"] = {
        place: number + 6 for place, number in other_section["seating"].items()
    }
    other_section["results"] = [
        {**result, "ns_tricks": 9} for result in other_section["results"]
    ]
    event_file["entries"] += [
        {"number": n, "name": f"Number {n}", "players": [f"p{2 * n - 1}", f"p{2 * n}"]}
        for n in range(7, 13)
    ]
    event_file["players"] += [{"id": f"p{n}", "name": f"Player {n}"} for n in range(13, 25)]
    event_file["sessions"][0]["sections"].append(other_section)
    return event_file


def test_sections_are_ranked_separately_unless_they_played_the_same_deals() -> None:
    event = import_document(build_two_section_file())
    table = load_rank_table(event)
    assert [(field.section, field.field) for field in table.fields] == [
        ("A", "NS"),
        ("A", "EW"),
        ("B", "NS"),
        ("B", "EW"),
    ]
    assert {row.score for field in table.fields for row in field.rows} == {0}
    set_scoring_terms(event=event, method="plus_minus", across=[1], by=None)
    event = Event.objects.get(pk=event.pk)
    standings.update_standings(event)
    table = load_rank_table(event)
    assert [(field.section, field.field) for field in table.fields] == [("", "NS"), ("", "EW")]
    assert {row.score for row in table.fields[0].rows} == {-3, 3}
    assert table.fields[0].rows[0].label == "B1 N-S"


def test_scorecard_across_sections_is_compared_with_both_sections() -> None:
    event_file = build_two_section_file()
    event_file["sessions"][0]["across_sections"] = True
    event = import_document(event_file)
    card = load_scorecard(
        load_session_snapshot(event.sessions.get()),
        event.entries.get(number=1),
        load_rank_table(event),
    )
    assert {line.average for line in card.lines} == {8}
    assert {line.score for line in card.lines} == {-1}


def test_scoring_page_sets_the_terms_and_history_records_them(client: Client) -> None:
    session, user = evenings.play_session()
    client.force_login(user)
    scoring_url = f"/director/events/{session.event.slug}/scoring/"
    assert "Foster" in client.get(scoring_url).content.decode()
    form = {
        "method": "matchpoints",
        "tie_break_1": "tops",
        "carry_over": "1",
        "revokes_read": "never_above_average",
    }
    assert client.post(scoring_url, form).status_code == 302
    event = Event.objects.get(pk=session.event_id)
    assert (event.terms.method, event.terms.tie_breaks) == ("matchpoints", ["tops"])
    assert event.terms.revokes_read == Terms.RevokeReading.NEVER_ABOVE_AVERAGE
    act = audit.list_acts(event)[0]
    assert (format_values(act.before), format_values(act.after)) == (
        "plus and minus",
        "matchpoints; Tops; tricks won before a revoke kept up to the average",
    )


def test_scoring_page_offers_carry_over_options_and_the_current_one(client: Client) -> None:
    event = import_two_sessions(carry_over="3/7")
    user = User.objects.create(username="director")
    Membership.objects.create(club=event.club, user=user, role=Membership.Role.DIRECTOR)
    client.force_login(user)
    address = f"/director/events/{event.slug}/scoring/"
    page = client.get(address).content.decode()
    assert re.search(r'<option value="3/7" selected>\s*3/7', page)
    for value, label in (("1", "all"), ("1/2", "half"), ("0", "none")):
        assert re.search(rf'<option value="{value}">\s*{label}', page)
    form = {"method": "plus_minus", "revokes_read": "keep_tricks_above_average"}
    assert client.post(address, form | {"carry_over": "2"}).status_code == 400
    assert client.post(address, form | {"carry_over": "1/2"}).status_code == 302
    assert Event.objects.get(pk=event.pk).terms.carry_over == "1/2"


@pytest.mark.parametrize(
    ("extra_fields", "expected_error"),
    [
        ({"tie_break_1": "tops", "tie_break_2": "tops"}, "only once"),
    ],
)
def test_impossible_terms_are_refused_with_a_message(
    client: Client, extra_fields: dict[str, str], expected_error: str
) -> None:
    session, user = evenings.play_session()
    client.force_login(user)
    form = {
        "method": "plus_minus",
        "carry_over": "1",
        "revokes_read": "keep_tricks_above_average",
    }
    response = client.post(
        f"/director/events/{session.event.slug}/scoring/", form | extra_fields
    )
    assert response.status_code == 400
    assert expected_error in response.content.decode()


def test_service_refuses_terms_that_no_page_offers() -> None:
    session, _ = evenings.play_session()
    event = session.event
    with pytest.raises(UnknownMethod):
        set_scoring_terms(event=event, method="points", by=None)
    with pytest.raises(TermsRefused):
        set_scoring_terms(event=event, method="tricks", tie_breaks=["toss"], by=None)
    for part in ("2", "half"):
        with pytest.raises(TermsRefused, match="carry-forward from 0 to 1"):
            set_scoring_terms(event=event, method="tricks", carry_over=part, by=None)
    with pytest.raises(TermsRefused):
        set_scoring_terms(event=event, method="tricks", revokes_read="mildly", by=None)


def test_rounded_averages_appear_in_scores_heading_and_explanation() -> None:
    event_file = build_small_file()
    set_tricks(event_file, 9, 8, 5, 6, 7, 10, 3)
    event = import_document(event_file)
    assert any(score.denominator > 1 for score in list_scores(event).values())
    set_scoring_terms(event=event, method="plus_minus", whole_averages=True, by=None)
    event = Event.objects.get(pk=event.pk)
    assert all(score.denominator == 1 for score in list_scores(event).values())
    table = load_rank_table(event)
    for field in table.fields:
        assert field.average is not None
        assert {row.tricks - row.score for row in field.rows} == {field.average}
    explanation = build_all_explanations(event)[0]
    text = " ".join(
        step.sentence for figure in explanation.explained_numbers for step in figure.steps
    )
    assert "is rounded to" in text
    explanation = format_values(audit.list_acts(event)[0].after)
    assert explanation == "plus and minus; averages rounded to whole tricks"


def test_only_plus_minus_allows_rounded_averages() -> None:
    session, _ = evenings.play_session()
    with pytest.raises(TermsRefused, match="Only plus/minus"):
        set_scoring_terms(
            event=session.event, method="matchpoints", whole_averages=True, by=None
        )
