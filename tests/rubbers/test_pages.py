"""The pages of a rubber night: started, marked without a script, followed, undone."""

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.models import Club, TableLink
from drives.models import Sheet
from drives.services import (
    NewPlayer,
    begin_next_round,
    create_drive,
    create_table_links,
    enter_sheet,
)
from rubbers.models import RubberHand, RubberNight
from rubbers.services import enable_rubbers
from tests.browser.drives import create_organiser
from tests.factories import PlayerFactory
from tests.scoring.papers import reading, structure_reading

pytestmark = pytest.mark.django_db
NEW_NIGHT_URL = "/director/rubbers/new/"


def sign_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def read_text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def submit_new_night(client: Client, names: str = "Ann\nBea\nCy\nDi", **more: str) -> Any:
    form = {"names": names, "code": "pole", "date": "2026-11-26", "form_key": "k"}
    return client.post(NEW_NIGHT_URL, form | more)


def test_night_is_started_marked_and_undone_without_javascript() -> None:
    client = sign_in(create_organiser())
    assert "New rubber night" in read_text(client.get(NEW_NIGHT_URL))
    response = submit_new_night(client)
    assert submit_new_night(client).url == response.url  # a double click
    night = RubberNight.objects.get()
    own_path = f"/director/rubbers/{night.slug}/"
    table = f"{own_path}tables/1/"
    assert response.url == table
    assert "Who plays with whom?" in read_text(client.get(table))
    client.post(table, {"act": "seat", "spell": "1", "how": "", "seats": ["1", "3", "2", "4"]})
    page = read_text(client.get(table))
    assert "Hand 1: Ann deals" in page
    assert "Ann + Cy" in page
    hand = {"spell": "1", "hand": "1", "made": "A9", "honours": "A3"}
    for _click in range(2):
        client.post(table, {"act": "mark"} | hand)
    assert RubberHand.objects.get().told == {
        "tricks": {"A": 9, "B": 4},
        "honours": {"A": 3, "B": 0},
    }
    page = read_text(client.get(table))
    assert "A: 3 points for tricks, A: 2 points for honours – game, a treble" in page
    assert "Hand 2: Bea deals" in page
    revoke_form = {"spell": "1", "hand": "2", "made": "A11", "revoke-A1": "tricks"}
    client.post(table, {"act": "mark"} | revoke_form)
    assert "A: 2 points for tricks" in read_text(client.get(table))
    wrong_response = client.post(
        table, {"act": "mark", "spell": "1", "hand": "3", "made": "Z9"}
    )
    assert "Tap one side’s tricks." in read_text(wrong_response)
    correction_url = f"{table}?spell=1&hand=2"
    assert "Correct hand 2" in read_text(client.get(correction_url))
    client.post(
        table, {"act": "correct", "spell": "1", "hand": "2", "made": "A11", "honours": "B3"}
    )
    assert "A: 5 points for tricks – rubber, a bumper of 8" in read_text(client.get(table))
    assert "Who plays next?" in read_text(client.get(table))
    client.post(table, {"act": "undo"})
    assert "A: 2 points for tricks" in read_text(client.get(table))
    assert "+8" not in read_text(client.get(own_path))
    history = read_text(client.get(f"{own_path}history/"))
    assert "Undone: Hand corrected" in history
    assert "A 11, B 2; revoke by A: tricks" in history


def test_invalid_number_of_tables_starts_no_night() -> None:
    client = sign_in(create_organiser())
    form = {"names": "Ann\nBea\nCy\nDi", "code": "pole", "date": "2026-11-26", "tables": "one"}
    response = client.post(NEW_NIGHT_URL, form)
    assert response.status_code == 422
    assert "“one” isn’t a number of tables. Enter 1–100 or leave it empty." in read_text(
        response
    )
    assert not RubberNight.objects.exists()
    assert client.post(NEW_NIGHT_URL, form | {"tables": ""}).status_code == 302


def test_screen_is_redrawn_only_after_another_device_marked() -> None:
    client = sign_in(create_organiser())
    table = submit_new_night(client).url
    seen_stamp = f"{RubberNight.objects.get().revision}.0"
    htmx_headers = {"HTTP_HX_REQUEST": "true"}
    assert client.get(f"{table}?seen={seen_stamp}", **htmx_headers).status_code == 204
    client.post(table, {"act": "seat", "spell": "1", "how": "lot"})
    response = client.get(f"{table}?seen={seen_stamp}", **htmx_headers)
    assert response.status_code == 200
    assert f"?seen={seen_stamp}" not in response.content.decode()


def test_public_page_shows_scores_and_names_as_players_chose() -> None:
    user = create_organiser()
    PlayerFactory(club=Club.objects.get(), name="Bea Hope", shown="initials")
    PlayerFactory(club=Club.objects.get(), name="Di Shy", shown="nobody")
    client = sign_in(user)
    table = submit_new_night(client, "Ann\nBea Hope\nCy\nDi Shy").url
    client.post(table, {"act": "seat", "spell": "1", "how": "", "seats": ["1", "3", "2", "4"]})
    client.post(table, {"act": "mark", "spell": "1", "hand": "1", "made": "B8"})
    client.post(table, {"act": "substitute", "number": "1", "name": "Secret Guest"})
    assert "Secret Guest for Ann" in read_text(client.get(table))
    night = RubberNight.objects.get()
    page = read_text(Client().get(f"/rubbers/{night.slug}/"))
    for shown_text in ("B. H. + A player", "0–2", "a substitute for Ann"):
        assert shown_text in page
    for hidden_text in ("Bea Hope", "Di Shy", "Secret Guest"):
        assert hidden_text not in page
    assert night.name in read_text(Client().get("/rubbers/"))
    assert Client().get(table).status_code == 302


def test_night_is_started_with_terms_closed_archived_and_restored() -> None:
    client = sign_in(create_organiser())
    response = submit_new_night(client, "Ann")
    assert response.status_code == 422
    assert "A table needs at least two players." in read_text(response)
    response = submit_new_night(client, **{"term-game": "none"})
    assert "game: This is missing." in read_text(response)
    names = "\n".join(f"Player {letter}" for letter in "ABCDEFGHIJ")
    next_response = submit_new_night(
        client, names, **{"term-game": "7", "term-best_of": "none"}
    )
    night = RubberNight.objects.get()
    own_path = f"/director/rubbers/{night.slug}/"
    assert next_response.url == own_path
    assert night.tables.count() == 2
    assert "Points for a game: 7" in read_text(client.get(own_path))
    client.post(f"{own_path}terms/", {"name": "Ours", "code": "long", "paper_size": "A5"})
    client.post(f"{own_path}rename/", {"number": "1", "name": "Arthur"})
    client.post(f"{own_path}table/")
    client.post(f"{own_path}close/")
    page = read_text(client.get(own_path))
    for text in ("Ours", "Long whist", "Arthur", "Table 3", "Final standings"):
        assert text in page
    client.post(f"{own_path}reopen/")
    client.post(f"{own_path}put-away/")
    assert "Ours" not in read_text(Client().get("/rubbers/"))
    client.post(f"{own_path}bring-back/")
    assert "Ours" in read_text(Client().get("/rubbers/"))


def test_page_asks_equal_cards_to_cut_again() -> None:
    client = sign_in(create_organiser())
    table = submit_new_night(client).url
    cards = {"cut-1": "3", "cut-2": "6", "cut-3": "6", "cut-4": "11"}
    response = client.post(
        table, {"act": "cut", "spell": "1", "stage": "in", "cuts": ""} | cards
    )
    page = read_text(response)
    assert "Equal cards: cut again." in page
    assert 'name="cut-1"' not in page
    earlier_cuts = response.context["cuts"]
    cut = {"act": "cut", "spell": "1", "stage": "in", "cuts": earlier_cuts}
    client.post(table, cut | {"cut-2": "13", "cut-3": "12"})
    assert "Hand 1: Ann deals" in read_text(client.get(table))
    invalid_response = client.post(
        table, {"act": "cut", "spell": "x", "stage": "?", "cuts": "[["}
    )
    assert invalid_response.status_code == 422


@pytest.mark.slow
def test_every_paper_of_a_night_is_printed_in_every_size() -> None:
    client = sign_in(create_organiser())
    table = submit_new_night(client, "Ann Abbot\nZoë Żak\nCy\nDi\nEve").url
    papers = f"/director/rubbers/{RubberNight.objects.get().slug}/papers/"
    assert "Score sheets" in read_text(client.get(papers))
    assert "Table ledger" not in read_text(client.get(papers))
    client.post(table, {"act": "seat", "spell": "1", "how": "", "seats": ["1", "3", "2", "4"]})
    client.post(
        table, {"act": "mark", "spell": "1", "hand": "1", "made": "A9", "honours": "A3"}
    )
    client.post(
        table,
        {"act": "mark", "spell": "1", "hand": "2", "made": "B8", "revoke-B1": "minus"},
    )
    assert "Table ledger" in read_text(client.get(papers))
    expected = {
        "score_sheet": ("Tricks A", "Hon. B", "Rubber night", "A game is 5 points"),
        "table_cards": ("Table", "Ann Abbot", "Zoë Żak", "A game is 5 points"),
        "ledger": ("Ann Abbot + Cy", "A: 3 points for tricks, A: 2 points for honours",
                   "game, a treble", "revoke by B: lose points"),
        "result": ("Zoë Żak", "1 of 1", "Short whist (Pole)"),
    }  # fmt: skip
    for name, text in expected.items():
        for size in ("A4", "A5", "Letter"):
            response = client.get(f"{papers}print/?paper={name}&size={size}")
            assert response["Content-Type"] == "application/pdf"
            pdf_text = " ".join(" ".join(reading.read_texts(response.content)).split())
            assert [item for item in text if item not in pdf_text] == []
            assert structure_reading.list_unowned_marks(response.content) == []
            for page in reading.read_pages(response.content):
                assert reading.list_outside_marks(page) == []
                assert reading.list_collisions(page) == []
    assert client.get(f"{papers}print/?paper=napkin").status_code == 404


def test_table_card_shows_qr_code_of_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    base_url = "http://10.0.0.2:8000"
    monkeypatch.setattr("clubs.activities.views.find_phone_url", lambda: base_url)
    client = sign_in(create_organiser())
    submit_new_night(client, "\n".join(f"P{k} Long-Name of the Riverside" for k in range(12)))
    path = f"/director/rubbers/{RubberNight.objects.get().slug}/"
    expected = f"{path}papers/print/?paper=table_cards"
    assert "Scan to enter your hands" not in " ".join(
        reading.read_texts(client.get(expected).content)
    )
    client.post(f"{path}phones/act/")
    for size in ("A4", "A5", "Letter"):
        pdf = client.get(f"{expected}&size={size}").content
        text = str(structure_reading.read_structure_tree(pdf))
        for link in TableLink.objects.all():
            assert base_url + link.path in text
        assert structure_reading.list_unowned_marks(pdf) == []
        for page in reading.read_pages(pdf):
            assert (reading.list_outside_marks(page), reading.list_collisions(page)) == ([], [])


def test_table_marks_on_its_own_device_without_a_login() -> None:
    client = sign_in(create_organiser())
    submit_new_night(client)
    night = RubberNight.objects.get()
    phones_url = f"/director/rubbers/{night.slug}/phones/"
    client.post(f"{phones_url}act/")
    client.post(f"{phones_url}act/")
    link = TableLink.objects.get()
    assert link.path in read_text(client.get(f"{phones_url}?table=1"))
    table_client = Client(enforce_csrf_checks=True)
    table_client.post(
        link.path, {"act": "seat", "spell": "1", "how": "", "seats": ["1", "3", "2", "4"]}
    )
    table_client.post(link.path, {"act": "mark", "spell": "1", "hand": "1", "made": "A9"})
    response = table_client.get(link.path)
    assert "Hand 2: Bea deals" in read_text(response)
    assert not response.cookies
    assert "csrf" not in read_text(response).replace("X-CSRFToken", "")
    put = {"act": "correct", "spell": "1", "hand": "1", "made": "A10"}
    assert "Correct hand 1" in read_text(table_client.get(f"{link.path}?spell=1&hand=1"))
    table_client.post(link.path, put)
    assert RubberHand.objects.get().told["tricks"]["A"] == 10
    assert "table 1" in read_text(client.get(f"/director/rubbers/{night.slug}/history/"))
    assert "Action not found" in read_text(table_client.post(link.path, {"act": "close"}))
    assert table_client.get(f"{link.path}?spell=9&hand=9").status_code == 404
    client.post(f"{phones_url}act/", {"act": "revoke"})
    revoked_response = table_client.post(link.path, {"act": "undo"})
    assert revoked_response.status_code == 410
    assert "cancelled this link" in read_text(revoked_response)


def test_delayed_hand_is_recorded_in_the_round_it_was_played_in() -> None:
    user = create_organiser()
    drive = create_drive(
        club=user.memberships.get().club, name="Rubbers", date=date(2026, 11, 26),
        form="lot",
        rounds=3, players=[NewPlayer(name=f"P{k}") for k in range(4)], hands=1,
        score={"kind": "side", "sum": 0}, by=None,
    )  # fmt: skip
    night = enable_rubbers(drive=drive, code="pole", by=None)
    create_table_links(drive=drive, by=None)
    path, guest, fragment_headers = (
        TableLink.objects.get().path,
        Client(),
        {"HX-Request": "true"},
    )
    hand = {"act": "mark", "round": "1", "spell": "1", "hand": "1", "made": "A9"}
    first_response = guest.post(path, hand, headers=fragment_headers)
    assert (first_response.status_code, "<html" in read_text(first_response)) == (200, False)
    assert "Hand 2: " in read_text(first_response)
    begin_next_round(drive=drive, by=None)
    late_hand = hand | {"hand": "2", "made": "A12"}
    response = guest.post(path, late_hand, headers=fragment_headers)
    assert (response.status_code, "<html" in read_text(response)) == (422, False)
    assert "Another round is in play now" in read_text(response)
    assert (
        guest.post(path, late_hand | {"waited": "yes"}, headers=fragment_headers).status_code
        == 200
    )
    assert (
        guest.post(path, late_hand | {"waited": "yes"}, headers=fragment_headers).status_code
        == 200
    )
    assert [
        (rubber_hand.table.round, rubber_hand.number)
        for rubber_hand in RubberHand.objects.all()
    ] == [
        (1, 1),
        (1, 2),
    ]
    enter_sheet(drive=drive, round_number=1, table=1, score=[4], by=None)
    third_response = guest.post(
        path, late_hand | {"hand": "3", "waited": "yes"}, headers=fragment_headers
    )
    assert "Ask the organiser to change it" in read_text(third_response)
    assert Sheet.objects.get().score == [4, -4]
    assert night.tables.count() == 1


@pytest.mark.slow
def test_page_executes_same_queries_for_any_number_of_hands() -> None:
    client = sign_in(create_organiser())
    names = "\n".join(f"Player {letter}" for letter in "ABCDEFGH")
    own_url = submit_new_night(client, names).url
    pages = (
        own_url,
        f"{own_url}tables/1/",
        f"{own_url}papers/",
        f"/rubbers/{own_url.split('/')[3]}/",
    )

    def count_queries(page: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(page).status_code == 200
        return len(queries)

    def play_hands(table: int, seats: str, hand_count: int) -> None:
        table_url = f"{own_url}tables/{table}/"
        client.post(table_url, {"act": "seat", "spell": "1", "how": "", "seats": list(seats)})
        for hand in range(1, hand_count + 1):
            client.post(
                table_url, {"act": "mark", "spell": "1", "hand": str(hand), "made": "A7"}
            )

    play_hands(1, "1234", 1)
    query_counts = [count_queries(page) for page in pages]
    play_hands(1, "1234", 4)
    play_hands(2, "5678", 3)
    assert [count_queries(page) for page in pages] == query_counts
    assert RubberHand.objects.count() == 7
    assert max(query_counts) < 30


@pytest.mark.parametrize("method", ["get", "head"])
def test_undo_url_redirects_a_get_request_to_the_history(method: str) -> None:
    client = sign_in(create_organiser())
    submit_new_night(client)
    history_url = f"/director/rubbers/{RubberNight.objects.get().slug}/history/"
    response = getattr(client, method)(f"{history_url}undo/")
    assert (response.status_code, response.url) == (302, history_url)
