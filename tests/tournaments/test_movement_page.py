"""The page that asks for the duration and who is stationary, and suggests a movement."""

import html

import pytest
from django.test import Client

from tests import evenings
from tests.page_text import collapse_spaces
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def read_movement_page(
    client: Client, event: Event, query_string: str = ""
) -> tuple[str, dict[str, object]]:
    response = client.get(f"/director/events/{event.slug}/movement/{query_string}")
    assert response.status_code == 200
    return html.unescape(collapse_spaces(response.content.decode())), response.context


def test_one_suggestion_is_recommended_and_others_are_folded(client: Client) -> None:
    event, user = evenings.create_event(14)
    client.force_login(user)
    text, context = read_movement_page(client, event)
    assert "14 pairs, 7 tables. No one sits out." in text
    assert '<h2 id="best-title">Mitchell, 7 tables</h2>' in text
    assert "Compass" not in text
    assert "(compass" not in text
    assert "<b>About 3½ hours</b>: 7 rounds of 4 boards, 28 minutes each" in text
    assert [item.advantage for item in context["others"]][:2] == [
        "One winner",
        "Finishes sooner",
    ]
    assert (
        text.count('<details class="fold"') == len(context["others"]) + 3
    )  # preferences, Swiss, compare
    assert text.count("button--main") == 1
    assert 'aria-label="Arrows: East-West after each round. 1 to 2, 2 to 3,' in text
    comparison_html = text.partition("Side by side")[2].partition("</table>")[0]
    assert "7 of 7" in comparison_html
    assert "two winners" in comparison_html


def test_movement_preferences_affect_suggestions_and_are_remembered(client: Client) -> None:
    event, user = evenings.create_event(14)
    client.force_login(user)
    text, shown = read_movement_page(client, event, "?hours=180&stay=ns&winners=2")
    assert shown["best"].plain_description.hours == "About 3 hours"
    assert (shown["best"].round_count, shown["best"].boards_a_round) == (6, 4)
    assert {item.name for item in shown["others"]} <= {"compass"}
    repeated_text, _context = read_movement_page(client, event)
    for page_text in (text, repeated_text):
        assert '<option value="180" selected>about 3 hours</option>' in page_text
        assert '<option value="ns" selected>North-South stationary</option>' in page_text
        assert '<option value="2" selected>two winners (N-S and E-W)</option>' in page_text
    text, shown = read_movement_page(client, event, "?hours=180&minutes=120")
    assert shown["best"].minutes <= 120
    assert '<details class="fold" open>' in text


def test_stationary_pairs_and_winners_are_options_for_pairs_only(client: Client) -> None:
    event, user = evenings.create_event(0, contest="individual")
    evenings.enter_everybody(event, ([f"Player {number}"] for number in range(8)), user)
    client.force_login(user)
    text, _context = read_movement_page(client, event, "?hours=240")
    assert 'name="hours"' in text
    assert 'name="stay"' not in text
    assert 'name="winners"' not in text


def test_half_table_is_described_on_movement_page(client: Client) -> None:
    event, user = evenings.create_event(15)
    client.force_login(user)
    text, _context = read_movement_page(client, event)
    assert "Half table: no pair 8 E-W." in text
    assert "E-W missing" not in text


def test_api_gives_same_advice_as_page(client: Client) -> None:
    event, user = evenings.create_event(14)
    address = f"/api/events/{event.slug}/advice/"
    assert client.get(address).status_code == 401
    client.force_login(user)
    _text, shown = read_movement_page(client, event, "?minutes=194&winners=2")
    advice_data = client.get(address, {"minutes": 194, "winners": 2}).json()
    first_suggestion = advice_data["suggestions"][0]
    assert first_suggestion["plain"]["title"] == shown["best"].plain_description.title
    assert [suggestion["title"] for suggestion in advice_data["suggestions"]] == [
        option.title for option in shown["options"]
    ]
    good_for = {
        suggestion["good_for"]
        for suggestion in advice_data["suggestions"]
        if suggestion["good_for"]
    }
    assert good_for == {item.advantage for item in shown["others"]}
    assert client.get(address, {"minutes": "x"}).status_code == 400
    data = client.get(address, {"minutes": 10}).json()
    assert data["suggestions"] == []
    assert data["said"]
