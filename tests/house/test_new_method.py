"""A new scoring method is one record, and every page, paper and export reads only that."""

import json
from collections.abc import Sequence
from fractions import Fraction

import pytest
from django.core.management import call_command
from django.test import Client

import scoring.services
from clubs import audit
from hall.history.act_words import format_values
from scoring.methods import METHODS_BY_NAME, Method, ResultLine, list_entries
from scoring.methods.steps import Step
from scoring.papers import paper_files
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.standings_text import format_standings
from scoring.standings_engine import standings
from tests import evenings
from tests.scoring.papers import reading
from tournaments.models import Event, Session

pytestmark = pytest.mark.django_db
METHOD_NAME = "number"


def score_by_number(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each entry by its number, so that use of this method is recognisable."""
    return {entry: Fraction(entry) for entry in list_entries(lines)}


def explain_number(entry: int) -> Step:
    return Step(Fraction(entry), "It is the number.")


PLANTED_METHOD = Method(
    name=METHOD_NAME,
    code=METHOD_NAME,
    contests=("pairs",),
    score=score_by_number,
    build_explainer=lambda lines: explain_number,
    is_signed=True,
    title="Planted title",
    label="planted label",
    explanation="Planted explanation.",
    unit="planted units",
    heading="Planted heading",
    short_heading="Planted!",
    caption="Planted caption",
    guarantee="Planted guarantee.",
    source="Planted source",
)


@pytest.fixture(autouse=True)
def planted_method(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS_BY_NAME, METHOD_NAME, PLANTED_METHOD)


@pytest.fixture
def session() -> Session:
    session, user = evenings.play_session()
    scoring.services.set_scoring_terms(event=session.event, method=METHOD_NAME, by=user)
    standings.update_standings(Event.objects.get(pk=session.event_id))
    return Session.objects.select_related("event__terms").get(pk=session.pk)


@pytest.fixture
def director(client: Client) -> Client:
    _club, user = evenings.create_club_with_director()
    client.force_login(user)
    return client


def read_page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


OFFERED_OPTION = f'<option value="{METHOD_NAME}"'


def test_new_event_form_offers_and_explains_new_method(director: Client) -> None:
    page = read_page(director, "/director/events/new/")
    assert f"{OFFERED_OPTION}>planted label</option>" in page
    assert "<li>Planted explanation.</li>" in page


@pytest.mark.parametrize("form", ["edit", "scoring"])
def test_event_forms_show_new_method_as_selected(
    session: Session, director: Client, form: str
) -> None:
    page = read_page(director, f"/director/events/{session.event.slug}/{form}/")
    assert f"{OFFERED_OPTION} selected>planted label</option>" in page


def test_contest_not_named_by_new_method_does_not_offer_it(director: Client) -> None:
    form = {"name": "Teams", "date": "2026-03-10", "contest": "teams", "method": METHOD_NAME}
    form |= {"standings_shown": "always", "paper_size": "A4"}
    response = director.post("/director/events/new/", form)
    assert "“planted label” doesn" in response.content.decode()
    assert not Event.objects.exists()


def test_api_accepts_and_describes_new_method(director: Client) -> None:
    body = {"name": "Tuesday", "date": "2026-03-10", "method": METHOD_NAME}
    response = director.post("/api/events/", body, content_type="application/json")
    assert (response.status_code, response.json()["method"]) == (201, METHOD_NAME)
    data = director.get(f"/api/events/{response.json()['slug']}/scoring/").json()
    text_fields = ("title", "unit", "source", "guarantee")
    assert [data[word] for word in text_fields] == [
        getattr(PLANTED_METHOD, word) for word in text_fields
    ]


def test_api_lists_new_method(director: Client, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", format="openapi-json")
    schema = json.loads(capsys.readouterr().out)["components"]["schemas"]
    enums = [item["enum"] for item in schema.values() if "matchpoints" in item.get("enum", ())]
    assert enums
    assert all(enum[-1] == METHOD_NAME for enum in enums)
    body = {"name": "Tuesday", "date": "2026-03-10", "method": "toss"}
    response = director.post("/api/events/", body, content_type="application/json")
    assert response.status_code == 400
    assert response.json()["fields"]["method"][0].endswith(f", {METHOD_NAME}.")


def test_standings_use_heading_and_sign_of_new_method(session: Session, client: Client) -> None:
    page = read_page(client, f"/events/{session.event.slug}/")
    assert "Planted heading" in page
    lines = format_standings(load_rank_table(session.event))
    assert any("  +6  " in line for line in lines)


@pytest.mark.parametrize("paper_kind", ["ranking", "recap"])
def test_papers_use_heading_of_new_method(session: Session, paper_kind: str) -> None:
    first_text = reading.read_texts(paper_files.draw_session_paper(session, paper_kind, "A4"))[
        0
    ]
    assert "Planted!" in first_text
    assert "Planted caption" in first_text


def test_history_uses_label_of_new_method(session: Session) -> None:
    event, user = session.event, None
    fields = scoring.services.events.build_edit_arguments(event)
    assert "planted label" in format_values(audit.list_acts(event)[0].after)
    scoring.services.edit_event(event=event, by=user, **(fields | {"method": "tricks"}))
    act = audit.list_acts(event)[0]
    assert format_values(act.before) == "planted label"
