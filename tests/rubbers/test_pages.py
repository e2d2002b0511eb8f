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
from tests.browser.drives import organiser
from tests.factories import PlayerFactory
from tests.scoring.papers import hearing, reading

pytestmark = pytest.mark.django_db
NEW = "/director/rubbers/new/"


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def begin(client: Client, names: str = "Ann\nBea\nCy\nDi", **more: str) -> Any:
    asked = {"names": names, "code": "pole", "date": "2026-11-26", "form_key": "k"}
    return client.post(NEW, asked | more)


def test_a_night_is_begun_marked_looked_at_and_undone_without_a_script() -> None:
    client = signed_in(organiser())
    assert "New rubber night" in text(client.get(NEW))
    answer = begin(client)
    assert begin(client).url == answer.url  # a double click
    night = RubberNight.objects.get()
    own = f"/director/rubbers/{night.slug}/"
    table = f"{own}tables/1/"
    assert answer.url == table
    assert "Who plays with whom?" in text(client.get(table))
    client.post(table, {"act": "seat", "spell": "1", "how": "", "seats": ["1", "3", "2", "4"]})
    page = text(client.get(table))
    assert "Hand 1: Ann deals" in page
    assert "Ann + Cy" in page
    hand = {"spell": "1", "hand": "1", "made": "A9", "honours": "A3"}
    for _click in range(2):
        client.post(table, {"act": "mark"} | hand)
    assert RubberHand.objects.get().told == {
        "tricks": {"A": 9, "B": 4},
        "honours": {"A": 3, "B": 0},
    }
    page = text(client.get(table))
    assert "A: 3 points for tricks, A: 2 points for honours – game, a treble" in page
    assert "Hand 2: Bea deals" in page
    revoked = {"spell": "1", "hand": "2", "made": "A11", "revoke-A1": "tricks"}
    client.post(table, {"act": "mark"} | revoked)
    assert "A: 2 points for tricks" in text(client.get(table))
    wrong = client.post(table, {"act": "mark", "spell": "1", "hand": "3", "made": "Z9"})
    assert "Tap one side’s tricks." in text(wrong)
    put = f"{table}?spell=1&hand=2"
    assert "Correct hand 2" in text(client.get(put))
    client.post(
        table, {"act": "correct", "spell": "1", "hand": "2", "made": "A11", "honours": "B3"}
    )
    assert "A: 5 points for tricks – rubber, a bumper of 8" in text(client.get(table))
    assert "Who plays next?" in text(client.get(table))
    client.post(table, {"act": "undo"})
    assert "A: 2 points for tricks" in text(client.get(table))
    assert "+8" not in text(client.get(own))
    history = text(client.get(f"{own}history/"))
    assert "Undone: Hand corrected" in history
    assert "A 11, B 2; revoke of A: tricks" in history


def test_a_number_of_tables_that_cannot_be_read_begins_no_night() -> None:
    client = signed_in(organiser())
    form = {"names": "Ann\nBea\nCy\nDi", "code": "pole", "date": "2026-11-26", "tables": "one"}
    answer = client.post(NEW, form)
    assert answer.status_code == 422
    assert "“one” isn&#x27;t a number of tables. Enter 1–100 or leave it empty." in text(answer)
    assert not RubberNight.objects.exists()
    assert client.post(NEW, form | {"tables": ""}).status_code == 302


def test_a_screen_is_drawn_anew_only_where_another_has_marked() -> None:
    client = signed_in(organiser())
    table = begin(client).url
    seen = f"{RubberNight.objects.get().revision}.0"
    asks = {"HTTP_HX_REQUEST": "true"}
    assert client.get(f"{table}?seen={seen}", **asks).status_code == 204
    client.post(table, {"act": "seat", "spell": "1", "how": "lot"})
    answer = client.get(f"{table}?seen={seen}", **asks)
    assert answer.status_code == 200
    assert f"?seen={seen}" not in answer.content.decode()


def test_everybody_sees_the_score_and_names_as_each_wants_them_shown() -> None:
    user = organiser()
    PlayerFactory(club=Club.objects.get(), name="Bea Hope", shown="initials")
    PlayerFactory(club=Club.objects.get(), name="Di Shy", shown="nobody")
    client = signed_in(user)
    table = begin(client, "Ann\nBea Hope\nCy\nDi Shy").url
    client.post(table, {"act": "seat", "spell": "1", "how": "", "seats": ["1", "3", "2", "4"]})
    client.post(table, {"act": "mark", "spell": "1", "hand": "1", "made": "B8"})
    client.post(table, {"act": "substitute", "number": "1", "name": "Secret Guest"})
    assert "Secret Guest for Ann" in text(client.get(table))
    night = RubberNight.objects.get()
    page = text(Client().get(f"/rubbers/{night.slug}/"))
    for shown in ("B. H. + A player", "0–2", "a substitute for Ann"):
        assert shown in page
    for hidden in ("Bea Hope", "Di Shy", "Secret Guest"):
        assert hidden not in page
    assert night.name in text(Client().get("/rubbers/"))
    assert Client().get(table).status_code == 302


def test_a_full_night_is_begun_with_terms_and_closed() -> None:
    client = signed_in(organiser())
    refused = begin(client, "Ann")
    assert refused.status_code == 422
    assert "A table needs at least two players." in text(refused)
    refused = begin(client, **{"term-game": "none"})
    assert "game: This is missing." in text(refused)
    names = "\n".join(f"Player {letter}" for letter in "ABCDEFGHIJ")
    answer = begin(client, names, **{"term-game": "7", "term-best_of": "none"})
    night = RubberNight.objects.get()
    own = f"/director/rubbers/{night.slug}/"
    assert answer.url == own
    assert night.tables.count() == 2
    assert "Points for a game: 7" in text(client.get(own))
    client.post(f"{own}terms/", {"name": "Ours", "code": "long", "paper_size": "A5"})
    client.post(f"{own}rename/", {"number": "1", "name": "Arthur"})
    client.post(f"{own}table/")
    client.post(f"{own}close/")
    page = text(client.get(own))
    for words in ("Ours", "Long whist", "Arthur", "Table 3", "Final standings"):
        assert words in page
    client.post(f"{own}reopen/")
    client.post(f"{own}put-away/")
    assert "Ours" not in text(Client().get("/rubbers/"))
    client.post(f"{own}bring-back/")
    assert "Ours" in text(Client().get("/rubbers/"))


def test_equals_cut_again_on_the_page() -> None:
    client = signed_in(organiser())
    table = begin(client).url
    cards = {"cut-1": "3", "cut-2": "6", "cut-3": "6", "cut-4": "11"}
    answer = client.post(table, {"act": "cut", "spell": "1", "stage": "in", "cuts": ""} | cards)
    page = text(answer)
    assert "Equal cards: cut again." in page
    assert 'name="cut-1"' not in page
    kept = answer.context["cuts"]
    client.post(table, {"act": "cut", "spell": "1", "stage": "in", "cuts": kept, "cut-2": "13",
                                 "cut-3": "12"})  # fmt: skip
    assert "Hand 1: Ann deals" in text(client.get(table))
    junk = client.post(table, {"act": "cut", "spell": "x", "stage": "?", "cuts": "[["})
    assert junk.status_code == 422


@pytest.mark.slow
def test_every_paper_of_a_night_is_printed_on_every_size() -> None:
    client = signed_in(organiser())
    table = begin(client, "Ann Abbot\nZoë Żak\nCy\nDi\nEve").url
    papers = f"/director/rubbers/{RubberNight.objects.get().slug}/papers/"
    assert "Score sheets" in text(client.get(papers))
    assert "Ledger" not in text(client.get(papers))
    client.post(table, {"act": "seat", "spell": "1", "how": "", "seats": ["1", "3", "2", "4"]})
    client.post(
        table, {"act": "mark", "spell": "1", "hand": "1", "made": "A9", "honours": "A3"}
    )
    client.post(
        table,
        {"act": "mark", "spell": "1", "hand": "2", "made": "B8", "revoke-B1": "minus"},
    )
    assert "Ledger" in text(client.get(papers))
    wanted = {
        "score_sheet": ("Tricks A", "Hon. B", "Rubber night", "A game is 5 points"),
        "table_cards": ("Table", "Ann Abbot", "Zoë Żak", "A game is 5 points"),
        "ledger": ("Ann Abbot + Cy", "A: 3 points for tricks, A: 2 points for honours",
                   "game, a treble", "revoke of B: lose points"),
        "result": ("Zoë Żak", "1 of 1", "Short whist (Pole)"),
    }  # fmt: skip
    for name, words in wanted.items():
        for size in ("A4", "A5", "Letter"):
            answer = client.get(f"{papers}print/?paper={name}&size={size}")
            assert answer["Content-Type"] == "application/pdf"
            joined = " ".join(" ".join(reading.words(answer.content)).split())
            assert [each for each in words if each not in joined] == []
            assert hearing.unowned(answer.content) == []
            for page in reading.pages(answer.content):
                assert reading.outside(page) == []
                assert reading.collisions(page) == []
    assert client.get(f"{papers}print/?paper=napkin").status_code == 404


def test_a_tables_card_bears_the_code_of_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    home = "http://10.0.0.2:8000"
    monkeypatch.setattr("clubs.activities.views.find_phone_url", lambda: home)
    client = signed_in(organiser())
    begin(client, "\n".join(f"P{k} Long-Name of the Riverside" for k in range(12)))
    at = f"/director/rubbers/{RubberNight.objects.get().slug}/"
    wanted = f"{at}papers/print/?paper=table_cards"
    assert "Scan to enter your hands" not in " ".join(reading.words(client.get(wanted).content))
    client.post(f"{at}phones/act/")
    for size in ("A4", "A5", "Letter"):
        pdf = client.get(f"{wanted}&size={size}").content
        heard = str(hearing.heard(pdf))
        for link in TableLink.objects.all():
            assert home + link.path in heard
        assert hearing.unowned(pdf) == []
        for page in reading.pages(pdf):
            assert (reading.outside(page), reading.collisions(page)) == ([], [])


def test_a_table_marks_with_its_own_device_without_a_login() -> None:
    client = signed_in(organiser())
    begin(client)
    night = RubberNight.objects.get()
    phones = f"/director/rubbers/{night.slug}/phones/"
    client.post(f"{phones}act/")
    client.post(f"{phones}act/")
    link = TableLink.objects.get()
    assert link.path in text(client.get(f"{phones}?table=1"))
    guest = Client(enforce_csrf_checks=True)
    guest.post(
        link.path, {"act": "seat", "spell": "1", "how": "", "seats": ["1", "3", "2", "4"]}
    )
    guest.post(link.path, {"act": "mark", "spell": "1", "hand": "1", "made": "A9"})
    answer = guest.get(link.path)
    assert "Hand 2: Bea deals" in text(answer)
    assert not answer.cookies
    assert "csrf" not in text(answer).replace("X-CSRFToken", "")
    put = {"act": "correct", "spell": "1", "hand": "1", "made": "A10"}
    assert "Correct hand 1" in text(guest.get(f"{link.path}?spell=1&hand=1"))
    guest.post(link.path, put)
    assert RubberHand.objects.get().told["tricks"]["A"] == 10
    assert "table 1" in text(client.get(f"/director/rubbers/{night.slug}/history/"))
    assert "Action not found" in text(guest.post(link.path, {"act": "close"}))
    assert guest.get(f"{link.path}?spell=9&hand=9").status_code == 404
    client.post(f"{phones}act/", {"act": "revoke"})
    gone = guest.post(link.path, {"act": "undo"})
    assert gone.status_code == 410
    assert "cancelled this link" in text(gone)


def test_a_hand_that_waited_on_a_device_is_of_the_round_it_was_played_in() -> None:
    user = organiser()
    drive = create_drive(
        club=user.memberships.get().club, name="Rubbers", date=date(2026, 11, 26), form="lot",
        rounds=3, players=[NewPlayer(name=f"P{k}") for k in range(4)], hands=1,
        score={"kind": "side", "sum": 0}, by=None,
    )  # fmt: skip
    night = enable_rubbers(drive=drive, code="pole", by=None)
    create_table_links(drive=drive, by=None)
    path, guest, part = TableLink.objects.get().path, Client(), {"HX-Request": "true"}
    hand = {"act": "mark", "round": "1", "spell": "1", "hand": "1", "made": "A9"}
    first = guest.post(path, hand, headers=part)
    assert (first.status_code, "<html" in text(first)) == (200, False)
    assert "Hand 2: " in text(first)
    begin_next_round(drive=drive, by=None)
    late = hand | {"hand": "2", "made": "A12"}
    refused = guest.post(path, late, headers=part)
    assert (refused.status_code, "<html" in text(refused)) == (422, False)
    assert "Another round is in play now" in text(refused)
    assert guest.post(path, late | {"waited": "yes"}, headers=part).status_code == 200
    assert guest.post(path, late | {"waited": "yes"}, headers=part).status_code == 200
    assert [(each.table.round, each.number) for each in RubberHand.objects.all()] == [
        (1, 1), (1, 2),
    ]  # fmt: skip
    enter_sheet(drive=drive, round_number=1, table=1, score=[4], by=None)
    third = guest.post(path, late | {"hand": "3", "waited": "yes"}, headers=part)
    assert "Ask the organiser to change it" in text(third)
    assert Sheet.objects.get().score == [4, -4]
    assert night.tables.count() == 1


@pytest.mark.slow
def test_a_page_asks_the_same_questions_however_much_was_played() -> None:
    client = signed_in(organiser())
    names = "\n".join(f"Player {letter}" for letter in "ABCDEFGH")
    own = begin(client, names).url
    pages = (own, f"{own}tables/1/", f"{own}papers/", f"/rubbers/{own.split('/')[3]}/")

    def asked(page: str) -> int:
        with CaptureQueriesContext(connection) as questions:
            assert client.get(page).status_code == 200
        return len(questions)

    def play(table: int, seats: str, hands: int) -> None:
        at = f"{own}tables/{table}/"
        client.post(at, {"act": "seat", "spell": "1", "how": "", "seats": list(seats)})
        for hand in range(1, hands + 1):
            client.post(at, {"act": "mark", "spell": "1", "hand": str(hand), "made": "A7"})

    play(1, "1234", 1)
    few = [asked(page) for page in pages]
    play(1, "1234", 4)
    play(2, "5678", 3)
    assert [asked(page) for page in pages] == few
    assert RubberHand.objects.count() == 7
    assert max(few) < 30
