"""The pages of a drive check access rights and have their effects."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs import audit
from clubs.models import Membership, Player, RoundClock, TableLink
from drives.models import CardLink, CardTotal, Drive, DrivePlayer, HouseTerms, Sheet
from drives.names import PastedName, list_doubts, parse_names
from drives.services import (
    begin_next_round,
    create_table_links,
    enter_sheet,
    set_house_terms,
    set_prizes,
)
from drives.services.clock import set_round_minutes, start_clock
from drives.sheets.desk import format_call
from drives.sheets.form_offers import list_play_forms
from drives.sheets.table_phone import build_table_phone_page
from drives.snapshot import load_drive_snapshot
from rubbers.models import RubberPlayer
from server.models import User
from tests.browser.drives import close_drive_early, create_drive_with_prizes, create_organiser
from tests.drives.test_services import begin_drive as create_drive_of
from tests.factories import ClubFactory, MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db
DRIVES_URL = "/director/drives/"


def sign_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def read_text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_pasted_names_are_read_in_common_notations() -> None:
    pasted_names = (
        "1. Ann (lady)\n\n12\tBen Baker\tgent\nCora [red]\n7) Dan\nEve (Kent)\n  Fred   Ford \n"
        "• Gil\n8 - Hal"
    )
    assert parse_names(pasted_names) == [
        PastedName("Ann", 1, "first"),
        PastedName("Ben Baker", 12, "second"),
        PastedName("Cora", None, "first"),
        PastedName("Dan", 7),
        PastedName("Eve (Kent)"),
        PastedName("Fred Ford"),
        PastedName("Gil"),
        PastedName("Hal", 8),
    ]
    assert parse_names("36 players") == [PastedName("")] * 36
    assert parse_names("Ann (dame)", first_role_word="Dame") == [
        PastedName("Ann", None, "first")
    ]
    assert parse_names(" \n\t\n") == []
    assert parse_names("Number\tName\n1\tAlder, Ann\n2\tMrs Bo Birch") == [
        PastedName("Ann Alder", 1),
        PastedName("Bo Birch", 2),
    ]


def test_line_with_two_people_gives_two_players_marked_as_doubtful() -> None:
    names = parse_names("4. SMITH, John & Mary\nAnn Alder & Bo Birch (lady)\nJones/Jones",
                       known_names={"jones/jones"})  # fmt: skip
    assert [(item.name, item.number, item.role) for item in names] == [
        ("John SMITH", 4, ""),
        ("Mary SMITH", None, ""),
        ("Ann Alder", None, "first"),
        ("Bo Birch", None, "first"),
        ("Jones/Jones", None, ""),
    ]
    assert list_doubts(names) == [
        "Read as two people: John SMITH & Mary SMITH.",
        "Read as 2 players: Ann Alder & Bo Birch.",
    ]


@pytest.mark.parametrize("page", ["drive_new", "rubber_new"])
def test_ambiguous_names_are_shown_before_a_drive_is_created(page: str) -> None:
    membership = MembershipFactory(role=Membership.Role.DIRECTOR)
    club, client = membership.club, sign_in(membership.user)
    names = "John & Mary Smith\nAnn Alder\nBo Birch"
    form = {"names": names, "form": "social", "rounds": "3", "date": "2026-11-27",
            "code": "pole", "club": club.slug}  # fmt: skip
    address = f"{reverse(page)}?club={club.slug}"
    response = client.post(address, form)
    assert response.status_code == 422
    assert "Read as two people: John Smith &amp; Mary Smith." in read_text(response)
    assert not DrivePlayer.objects.exists()
    assert not RubberPlayer.objects.exists()
    assert client.post(address, form | {"sure": "1"}).status_code == 302
    rows = (
        DrivePlayer.objects.filter(house=False) if page == "drive_new" else RubberPlayer.objects
    )
    assert sorted(rows.values_list("name", flat=True)) == [
        "Ann Alder", "Bo Birch", "John Smith", "Mary Smith",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "trumps", "phone_text", "call_text"),
    [
        ("five-hundred", "declared", "Declared", "Declare trumps."),
        ("euchre", "turned", "Turned up", "Turn up a card for trumps."),
        ("drive", "HCDS", "Hearts", "Trumps: Hearts, clubs, diamonds, spades."),
    ],
)
def test_game_with_declared_trumps_shows_no_cycle_of_suits(
    preset: str, trumps: str, phone_text: str, call_text: str
) -> None:
    membership = MembershipFactory(role=Membership.Role.DIRECTOR)
    form = {"count": "8", "form": "social", "date": "2026-11-27", "preset": preset}
    sign_in(membership.user).post(f"{DRIVES_URL}new/", form | {"club": membership.club.slug})
    drive = Drive.objects.get()
    assert drive.trumps == trumps
    create_table_links(drive=drive, by=membership.user)
    link = TableLink.objects.filter(evening=drive.evening).first()
    assert link is not None
    assert (
        build_table_phone_page(load_drive_snapshot(drive), link).hands[0].trumps == phone_text
    )
    assert format_call(load_drive_snapshot(drive)).startswith(call_text)


@pytest.mark.parametrize(
    ("field", "typed_value", "text"),
    [
        *(("rounds", text, "1–100 or leave it empty") for text in ("six", "101", "2½")),
        *(("hands", text, "1–1000 or leave it empty") for text in ("x", "1001")),
        *(("count", text, "4–2000 or leave it empty") for text in ("many", "2001")),
    ],
)
def test_unreadable_number_creates_no_drive(field: str, typed_value: str, text: str) -> None:
    club = ClubFactory()
    client = sign_in(MembershipFactory(club=club).user)
    form = {"count": "8", "form": "social", "date": "2026-11-27", "rounds": "3", "hands": "2"}
    response = client.post(f"{DRIVES_URL}new/", form | {field: typed_value})
    assert response.status_code == 422
    assert f"“{typed_value}” isn’t a number of " in response.content.decode()
    assert text in response.content.decode()
    assert f'value="{typed_value}"' in response.content.decode()
    assert not Drive.objects.exists()
    for zero_field in ({"rounds": "0"}, {"hands": "0"}):
        assert "not 0." in client.post(f"{DRIVES_URL}new/", form | zero_field).content.decode()
    assert (
        client.post(f"{DRIVES_URL}new/", form | {"rounds": "", "hands": ""}).status_code == 302
    )


def test_form_shows_its_trade_offs_before_it_is_chosen() -> None:
    offers_by_code = {offer.code: offer for offer in list_play_forms(26)}
    assert list(offers_by_code)[:4] == ["progressive", "social", "lot", "partner"]
    assert "No repeated partners." in offers_by_code["social"].drawbacks
    assert (
        "2 players sit out each round, 1 or 2 times each."
        in offers_by_code["progressive"].drawbacks
    )
    assert "24 hands, about 2 h 25 min." in offers_by_code["progressive"].drawbacks
    assert (
        "No one sits out."
        in {offer.code: offer for offer in list_play_forms(27, house_player_count=1)}[
            "social"
        ].drawbacks
    )
    repeat_drawback = next(
        offer for offer in list_play_forms(8, round_count=10) if offer.code == "social"
    ).drawbacks[0]
    assert "Repeat partners: 12" in repeat_drawback  # 40 pairs seated, 28 exist
    assert {offer.code: offer for offer in list_play_forms(8)}["semi-partner"].warning
    assert list_play_forms(0)[0].drawbacks == ()


def begin_drive(client: Client, form: dict[str, Any]) -> Any:
    return client.post(f"{DRIVES_URL}new/", form)


def test_drive_is_created_from_pasted_names_a_count_and_ticked_players() -> None:
    user = create_organiser()
    club = user.memberships.get().club
    player = Player.objects.create(club=club, name="Nell Nash")
    client = sign_in(user)
    page = read_text(client.get(f"{DRIVES_URL}new/"))
    assert "Nell Nash" in page
    form = {
        "names": "Ann\nBen (lady)",
        "count": "8",
        "chosen": [str(player.pk)],
        "form": "social",
        "name": "Friday",
        "date": "2026-11-27",
        "form_key": "k",
        "house": "Caller",
    }
    responses = begin_drive(client, form), begin_drive(client, form)  # a double click
    drive = Drive.objects.get()
    assert {item.headers["Location"] for item in responses} == {f"{DRIVES_URL}{drive.slug}/"}
    players = list(drive.players.filter(house=False).order_by("number"))
    assert [one_player.name for one_player in players[:3]] == ["Ann", "Ben", "Nell Nash"]
    assert (len(players), players[2].player, players[1].role) == (8, player, "first")
    assert drive.players.filter(house=True).count() == 1
    assert (drive.rounds, drive.hands, drive.at_round) == (6, 4, 1)
    costs_response = client.post(
        f"{DRIVES_URL}new/costs/", form, headers={"HX-Request": "true"}
    )
    assert "8 players" in read_text(costs_response)


def test_new_drive_form_uses_the_house_terms_of_the_club() -> None:
    user = create_organiser()
    club = user.memberships.get().club
    terms = {
        "hands": 3,
        "first_word": "lady/ladies",
        "halves": False,
        "score": {"kind": "side"},
    }
    set_house_terms(club=club, terms=terms, presets={}, by=user)
    client = sign_in(user)
    page = read_text(client.get(f"{DRIVES_URL}new/"))
    assert 'value="lady/ladies"' in page
    assert 'name="halves" value="1" checked' not in page
    form = {"count": "8", "form": "social", "date": "2026-11-27", "form_key": "k"}
    begin_drive(client, form | {"hands": "3", "first_word": "lady/ladies"})
    drive = Drive.objects.get()
    assert (drive.hands, drive.score, drive.halves) == (3, {"kind": "side"}, False)


@pytest.mark.parametrize(
    ("wrong_fields", "message"),
    [
        ({"names": "Ann\nBen"}, "4–2000 players for a drive, not 2"),
        ({"form": "nonsense"}, "Choose a type of drive"),
        ({"date": "soon", "count": "8"}, "Enter the date"),
        ({"form": "military", "count": "9"}, "leave"),
        ({"names": "1 Ann\n1 Ben\nC\nD"}, "Number 1 is already in use"),
        ({"count": "99999"}, "“99999” isn’t a number of players. Enter 4–2000"),
        ({"names": "99999 players"}, "Enter 4–2000 players for a drive, not 99999."),
        ({"name": "x" * 300, "count": "8"}, "200"),
    ],
)
def test_impossible_drive_is_refused_with_the_reason(wrong_fields: dict, message: str) -> None:
    client = sign_in(create_organiser())
    form = {"names": "", "form": "social", "date": "2026-11-27", "form_key": "k"} | wrong_fields
    response = client.post(f"{DRIVES_URL}new/", form)
    assert response.status_code == 422
    assert message in read_text(response)
    assert not Drive.objects.exists()


@pytest.mark.parametrize(
    ("change", "is_open"),
    [
        ({"count": "2"}, False),
        ({"date": "soon"}, False),
        ({"date": "soon", "numbering": "lot"}, True),
        ({"date": "soon", "first_word": "dame"}, True),
        ({"numbering": "cards"}, True),
        ({"hands": "many"}, True),
    ],
)
def test_more_options_open_if_a_field_in_them_has_an_error(change: dict, is_open: bool) -> None:
    client = sign_in(create_organiser())
    html_before_options, _fold, _inside = read_text(client.get(f"{DRIVES_URL}new/")).partition(
        "More options"
    )
    assert '<details class="panel"> <summary>' in html_before_options
    form = {"names": "", "count": "8", "form": "social", "date": "2026-11-27", "halves": "1"}
    response = client.post(f"{DRIVES_URL}new/", form | change)
    assert response.status_code == 422
    assert ('<details class="panel" open>' in read_text(response)) == is_open


def test_drive_is_run_from_its_pages() -> None:
    drive, user, path = create_drive_with_prizes()
    client, desk_url = sign_in(user), f"{DRIVES_URL}{drive.slug}/"
    desk = read_text(client.get(desk_url))
    for message in (
        "Round 1 of 2",
        "Hearts",
        "New partners",
        "out this round:",
        "Print papers",
    ):
        assert message in desk, message
    assert client.get(f"{desk_url}papers/").status_code == 200
    pdf = client.get(f"{desk_url}papers/print/?paper=score_cards&cards=3&size=A5")
    assert pdf.headers["Content-Type"] == "application/pdf"
    assert pdf.content.startswith(b"%PDF")
    assert client.get(f"{desk_url}papers/print/?paper=posters").status_code == 302

    wrong_response = client.post(
        f"{desk_url}sheets/", {"round": "1", "t1-0": "14", "t2-0": "x"}
    )
    assert wrong_response.status_code == 422
    assert "14" in read_text(wrong_response)
    assert "Table 2: enter whole numbers" in read_text(wrong_response)
    second = {"round": "1", "hand": "0", "t1-0": "", "t1-1": "5", "t2-0": "8", "t2-1": "5"}
    client.post(f"{desk_url}sheets/", second)
    assert Sheet.objects.get(round__number=1, table=1).score == [8, 5]

    assert client.post(f"{desk_url}next/", {"at": "1"}).status_code == 302
    client.post(f"{desk_url}next/", {"at": "1"})  # a double click
    drive.refresh_from_db()
    assert drive.at_round == 2
    act = audit.list_acts(drive)[0]
    client.post(f"{desk_url}history/undo/", {"act": act.pk})
    drive.refresh_from_db()
    assert drive.at_round == 1
    assert "Undone" in read_text(client.get(f"{desk_url}history/"))

    terms = {
        "name": "Saturday",
        "standings_shown": "always",
        "trumps_rule": "cycle",
        "trumps": "s h d c",
        "first_word": "lady/ladies",
        "second_word": "gent",
        "paper_size": "A5",
    }
    client.post(f"{desk_url}terms/", terms)
    drive.refresh_from_db()
    assert (drive.name, drive.trumps, drive.paper_size) == ("Saturday", "SHDC", "A5")
    response = client.post(f"{desk_url}terms/", terms | {"trumps": "XYZ"}, follow=True)
    assert "Trumps: enter suits in order, with H, C, D, S and N." in read_text(response)

    client.post(f"{desk_url}players/substitute/", {"number": "3", "name": "Una Usk"})
    assert drive.players.get(number=3).name == "Una Usk"
    client.post(f"{desk_url}players/leaves/", {"number": "9"})
    late_response = client.post(f"{desk_url}players/late/", {"name": "Vic Vane"}, follow=True)
    assert "Vic Vane added as number 10" in read_text(late_response)
    assert "Una Usk" in read_text(client.get(f"{desk_url}players/?q=una"))
    assert "Ben Baker" not in read_text(client.get(f"{desk_url}players/?q=una"))
    assert client.get(f"{desk_url}players/late/").status_code == 405
    assert "page is private" in read_text(Client().get(path))


def test_numbers_without_names_are_in_order_and_shown_once() -> None:
    client = sign_in(create_organiser())
    begin_drive(client, {"names": "Zoe", "count": "12", "form": "lot", "date": "2026-11-27"})
    page = read_text(client.get(f"/drives/{Drive.objects.get().slug}/screen/"))
    places = [page.index(f"<span>{name} ") for name in ("Zoe", "player 2", "player 10")]
    assert places == sorted(places)
    assert "player 10 <" in page
    assert '<span class="quiet">10</span>' not in page


def test_totals_page_finds_the_wrong_card() -> None:
    user = create_organiser()
    client = sign_in(user)
    form = {
        "count": "8",
        "form": "progressive",
        "date": "2026-11-27",
        "rounds": "2",
        "name": "Friday",
        "form_key": "k",
        "halves": "",
    }
    client.post(f"{DRIVES_URL}new/", form | {"halves": "1"})
    drive = Drive.objects.get()
    root = f"{DRIVES_URL}{drive.slug}/totals/"
    for part in ("1", "2"):
        for number in range(1, 9):
            typed = {"part": part, "number": str(number), "total": "7" if number % 2 else "6"}
            client.post(root, typed)
    page = read_text(client.get(f"{root}?part=2"))
    assert "104 of 104" in page
    response = client.post(root, {"part": "2", "number": "1", "total": "9"})
    assert response.status_code == 422
    assert "already has 7" in read_text(response)
    client.post(root, {"part": "2", "number": "1", "total": "9", "corrects": "1"})
    assert "Out by 2." in read_text(client.get(f"{root}?part=2"))
    repeated_text = read_text(client.post(f"{root}again/", {"part": "2", "n1": "7", "n2": "6"}))
    assert "first 9, now 7" in repeated_text
    assert "first 6" not in repeated_text
    # The stored total is unchanged.
    assert CardTotal.objects.get(player__number=1, part=2).total == 9
    for typed in (
        {"number": "99", "total": "7"},
        {"number": "1", "total": "½"},
        {"number": "1", "total": "1e9"},
        {"number": "", "total": "5"},
    ):
        assert client.post(root, {"part": "1", **typed}).status_code == 422


def test_standings_are_hidden_before_the_prizes_on_public_pages_and_cards() -> None:
    drive, user, path = create_drive_with_prizes()
    hidden_player = Player.objects.create(club=drive.club, name="Hal Hope", shown="nobody")
    drive.players.filter(name="Hal Hope").update(player=hidden_player)
    client = Client()
    public = read_text(client.get(f"/drives/{drive.slug}/"))
    assert "Standings are shown after the prizes." in public
    assert "Ann Abbot" in public
    for address in (f"/drives/{drive.slug}/", f"/drives/{drive.slug}/screen/"):
        page = read_text(client.get(address))
        assert "Hal Hope" not in page
        assert "Highest total" not in page
    own_response = client.get(path)
    assert own_response.headers["Referrer-Policy"] == "no-referrer"
    assert "Your total so far" in read_text(own_response)
    assert "Place" not in read_text(own_response)
    assert "Set-Cookie" not in own_response.headers
    link = CardLink.objects.filter(holder__drive=drive).order_by("holder__number").first()
    assert link is not None
    sign_in(user).post(f"{DRIVES_URL}{drive.slug}/papers/codes/", {"act": "revoke"})
    assert client.get(path).status_code == 404
    assert client.get("/d/nonsense/").status_code == 404
    close_drive_early(drive, user)
    page = read_text(client.get(f"/drives/{drive.slug}/"))
    assert "Final standings" in page
    assert "Raffle" in page
    assert "Hal Hope" not in page


def test_player_page_follows_only_relevant_changes() -> None:
    drive, user, path = create_drive_with_prizes()
    phone, headers = Client(), {"HX-Request": "true"}

    def read_state_stamp() -> str:
        match = re.search(r"\?seen=([^\"]+)", read_text(phone.get(path)))
        assert match is not None
        return match[1]

    def poll_phone(state_stamp: str) -> Any:
        return phone.get(f"{path}?seen={state_stamp}", headers=headers)

    first_stamp = read_state_stamp()
    with CaptureQueriesContext(connection) as queries:
        assert poll_phone(first_stamp).status_code == 204
    assert len(queries) <= 8
    own_seat = drive.players.get(number=1).seats.get(round__number=1)
    other_table = next(t for t in (1, 2) if t != own_seat.table)
    enter_sheet(drive=drive, round_number=1, table=other_table, score=[3], by=user)
    # A sit-out scores the average of all tables, which updates as scores come in.
    assert poll_phone(first_stamp).status_code == (204 if own_seat.table else 200)
    if own_seat.table:
        enter_sheet(drive=drive, round_number=1, table=own_seat.table, score=[4], by=user)
        assert poll_phone(first_stamp).status_code == 200
    second_stamp = read_state_stamp()
    begin_next_round(drive=drive, by=user)
    changed_response = poll_phone(second_stamp)
    assert (changed_response.status_code, "<html" in read_text(changed_response)) == (
        200,
        False,
    )
    assert "Round 2 of 2" in read_text(changed_response)
    assert changed_response.headers["Cache-Control"] == "no-store"


def test_phones_of_a_drive_have_their_own_tab() -> None:
    drive, user, _path = create_drive_with_prizes()
    client = sign_in(user)
    for name in ("tables/", "papers/"):
        page = read_text(client.get(f"{DRIVES_URL}{drive.slug}/{name}"))
        tabs = dict(re.findall(r'<a href="([^"]+)" aria-current="page">\s*(\w+)', page))
        word = "Phone" if name == "tables/" else "Papers"
        assert tabs[f"{DRIVES_URL}{drive.slug}/{name}"] == word
        assert "Back to the room</a>" in page
        assert "the desk" not in page


def test_sheet_shows_the_full_name_of_each_partner() -> None:
    drive, user, _path = create_drive_with_prizes()
    page = read_text(sign_in(user).get(f"{DRIVES_URL}{drive.slug}/sheets/"))
    partners = re.findall(r'<span class="partner">([^<]+)</span>', page)
    assert len(partners) == 4 * page.count('class="list__title">Table')
    assert [name.endswith(" +") for name in partners[:4]] == [True, False, True, False]


def test_too_many_players_are_reported_while_typing() -> None:
    client = sign_in(create_organiser())

    def read_costs(**options: str) -> str:
        form = {"form": "social"} | options
        headers = {"HX-Request": "true"}
        return read_text(client.post(f"{DRIVES_URL}new/costs/", form, headers=headers))

    assert "Enter 4–2000 players for a drive, not 99999." in read_costs(count="99999")
    assert "Enter 4–2000 players for a drive, not 2001." in read_costs(names="2001 players")
    assert "for a drive" not in read_costs(count="2000")


def test_users_without_rights_are_refused() -> None:
    drive, _user, _path = create_drive_with_prizes()
    stranger, scorer = UserFactory(), UserFactory()
    MembershipFactory(club=ClubFactory(), user=stranger)
    MembershipFactory(club=drive.club, user=scorer, role=Membership.Role.SCORER)
    root = f"{DRIVES_URL}{drive.slug}/"
    names = ("", "sheets/", "totals/", "standings/", "players/", "papers/", "closing/")
    for name in (*names, "history/"):
        assert sign_in(stranger).get(root + name).status_code == 403, name
        assert Client().get(root + name).headers["Location"].startswith("/login/")
    client = sign_in(scorer)
    assert client.get(root).status_code == client.get(f"{root}totals/").status_code == 200
    for name in ("players/", "papers/", "closing/"):
        assert client.get(root + name).status_code == 403
    assert client.post(f"{root}closing/close/").status_code == 403


def test_scorers_open_the_standings_from_the_page_of_tonight_during_play() -> None:
    drive, _user, _path = create_drive_with_prizes()
    scorer = UserFactory()
    MembershipFactory(club=drive.club, user=scorer, role=Membership.Role.SCORER)
    client, root = sign_in(scorer), f"{DRIVES_URL}{drive.slug}/"
    assert f'href="{root}standings/"' in client.get(root).content.decode()
    page = read_text(client.get(f"{root}standings/"))
    assert "Ann Abbot" in page
    assert "No scores yet" not in page
    Sheet.objects.filter(round__drive=drive).update(score=[])
    assert "No scores yet" in read_text(client.get(f"{root}standings/"))


def test_prizes_are_saved_and_closing_lists_what_is_missing() -> None:
    drive, user, _path = create_drive_with_prizes()
    client, root = sign_in(user), f"{DRIVES_URL}{drive.slug}/"
    lines = {
        "words": ["Best", "", "Luck"],
        "measure": ["total-high", "total-low", "raffle"],
        "field": ["all", "all", "all"],
        "count": ["2", "1", "x"],
        "ties": ["share", "share", "lot"],
    }
    client.post(f"{root}prizes/", lines)
    assert list(drive.prizes.values_list("words", "count")) == [("Best", 2), ("Luck", 1)]
    changed_lines = lines | {
        "words": ["Best", "Third", "Often"],
        "measure": ["total-high", "round", "rounds-won"],
        "count": ["1", "1", "1"],
        "places": ["1, 4 8", "", ""],
        "which": ["", "2", "26"],
        "each-asked": ["1"],
    }
    client.post(f"{root}prizes/", changed_lines)
    prizes = list(drive.prizes.values_list("words", "places", "round", "least"))
    assert prizes == [("Best", [1, 4, 8], 0, 0), ("Third", [], 2, 0), ("Often", [], 0, 26)]
    drive.refresh_from_db()
    assert drive.one_prize_each is False
    page = read_text(client.get(f"{root}closing/"))
    assert 'value="1, 4, 8"' in page
    assert 'name="one_prize_each" value="1">' in page
    client.post(
        f"{root}prizes/", changed_lines | {"places": ["", "", ""], "one_prize_each": "1"}
    )
    assert drive.prizes.get(words="Best").places == []
    drive.refresh_from_db()
    assert drive.one_prize_each is True
    client.post(f"{root}prizes/", lines)
    wrong_response = client.post(f"{root}prizes/", lines | {"measure": ["nonsense"] * 3})
    assert wrong_response.status_code == 422
    assert "nonsense" in read_text(wrong_response)
    sheet = Sheet.objects.get(round__number=1, table=2)
    client.post(f"{root}sheets/", {"round": "1", "t1-0": "28", "t2-0": "", "t2-1": ""})
    sheet.refresh_from_db()
    assert sheet.score == []
    response = client.post(f"{root}closing/close/", follow=True)
    assert "scores missing from table 2" in read_text(response)
    client.post(f"{root}closing/close/", {"anyway": "1"})
    drive.refresh_from_db()
    assert drive.is_closed
    shown_prize = read_text(client.get(f"{root}prizes/show/?at=1"))
    assert "drawn from" in shown_prize
    assert drive.prizes.order_by("number").last().words in shown_prize
    closing_page = read_text(client.get(f"{root}closing/"))
    assert "Play duplicate with the same people" in closing_page
    standings = read_text(client.get(f"{root}standings/"))
    assert "Final standings" in standings
    assert "Ann Abbot" in standings
    client.post(f"{root}closing/reopen/")
    drive.refresh_from_db()
    assert not drive.is_closed
    assert "when you close the drive" in read_text(client.get(f"{root}prizes/show/?at=99"))


def test_custom_moves_are_chosen_at_the_start_and_changed_before_any_move() -> None:
    user = create_organiser()
    client = sign_in(user)
    page = read_text(client.get(f"{DRIVES_URL}new/"))
    assert page.count('name="term-') == 6
    form = {"count": "12", "form": "progressive", "date": "2026-11-27", "form_key": "k"}
    custom_terms = {
        "term-first": "-1",
        "term-second": "1",
        "term-crosses": "-",
        "term-ties": "cut",
    }
    begin_drive(client, form | custom_terms | {"hands": "1"})
    drive = Drive.objects.get()
    assert drive.terms == {"first": -1, "second": 1, "crosses": None, "ties": "cut"}
    desk = read_text(client.get(f"{DRIVES_URL}{drive.slug}/"))
    assert (
        "Losers move: 1st players 1 table down, 2nd players 1 table up. Winners stay partners"
    ) in desk
    assert '<option value="-1" selected>1 table down</option>' in desk
    assert "standard: the 2nd" in desk
    terms = f"{DRIVES_URL}{drive.slug}/terms/"
    client.post(terms, {"term-first": "", "term-ties": "cut"})
    drive.refresh_from_db()
    assert drive.terms == {"ties": "cut"}
    for table in (1, 2, 3):
        enter_sheet(drive=drive, round_number=1, table=table, score=[8], by=user)
    begin_next_round(drive=drive, by=user)
    text = read_text(client.post(terms, {"term-moves": "winners"}, follow=True))
    assert "Tables have already moved by these rules" in text
    client.post(terms, {"term-ties": ""})
    drive.refresh_from_db()
    assert drive.terms == {}  # how tied scores move is shown at each draw


@pytest.mark.parametrize("form", ["social", "cut"])
def test_form_without_custom_moves_refuses_them_and_has_no_field(form: str) -> None:
    client = sign_in(create_organiser())
    form_data = {"count": "8", "form": form, "date": "2026-11-27", "form_key": "k"}
    drive = begin_drive(client, form_data | {"term-moves": "winners"})
    assert drive.status_code == 422
    assert "has no setting" in read_text(drive)
    begin_drive(client, form_data)
    desk = read_text(client.get(f"{DRIVES_URL}{Drive.objects.get().slug}/"))
    assert desk.count('name="term-') == (2 if form == "cut" else 0)


def test_round_entered_by_hands_shows_its_sum_and_cannot_be_overwritten() -> None:
    drive, user, _link = create_drive_with_prizes()
    client = sign_in(user)
    page = f"{DRIVES_URL}{drive.slug}/sheets/"
    Drive.objects.filter(pk=drive.pk).update(hands=2)
    for table in (1, 2):
        enter_sheet(drive=drive, round_number=1, table=table, score=[], by=user)
        enter_sheet(drive=drive, round_number=1, table=table, hand=1, score=[8], by=user)
    enter_sheet(drive=drive, round_number=1, table=1, hand=2, score=[6], by=user)
    text = read_text(client.get(page))
    assert "hand by hand: 2 of 2 in" in text
    assert "hand by hand: 1 of 2 in" in text
    assert 'name="t1-0"' not in text
    assert 'name="s1"' not in text
    assert re.findall(r'two-figures__sum">([^<]*)<', text) == ["14", "12", "8", "5"]
    assert "Save scores" not in text
    assert client.post(page, {"round": "1", "hand": "0"}).status_code == 302
    form = {"round": "1", "hand": "0", "t1-0": "14", "t1-1": "12", "t2-0": "", "t2-1": ""}
    assert client.post(page, form).status_code == 302
    assert client.post(page, form | {"t1-0": "15", "t1-1": "11"}).status_code == 422
    assert Sheet.objects.filter(hand=1, score=[8, 5]).count() == 2


@pytest.mark.parametrize(
    ("hand_count", "word"),
    [(0, "playing"), (1, "1 of 3 hands"), (2, "2 of 3 hands"), (3, "19–20")],
)
def test_tile_of_a_table_shows_how_many_hands_are_entered(hand_count: int, word: str) -> None:
    drive, user, _link = create_drive_with_prizes()
    client = sign_in(user)
    Drive.objects.filter(pk=drive.pk).update(hands=3)
    for table in (1, 2):
        enter_sheet(drive=drive, round_number=1, table=table, score=[], by=user)
    for hand, score in enumerate([8, 6, 5][:hand_count], start=1):
        enter_sheet(drive=drive, round_number=1, table=1, hand=hand, score=[score], by=user)
    tiles = re.findall(
        r'tile__word">\s*(.*?)\s*</span>', read_text(client.get(f"{DRIVES_URL}{drive.slug}/"))
    )
    assert tiles == [word, "playing"]


def count_room_queries(user: User, *, tables: int, hands: int) -> int:
    """Count the queries of the room page with this many hands entered at each table."""
    club = user.memberships.get().club
    drive = create_drive_of(size=4 * tables, club=club, hands=3)
    for table in range(1, tables + 1):
        for hand in range(1, hands + 1):
            enter_sheet(drive=drive, round_number=1, table=table, hand=hand, score=[8], by=user)
    client = sign_in(user)
    with CaptureQueriesContext(connection) as queries:
        text = read_text(client.get(f"{DRIVES_URL}{drive.slug}/"))
    assert text.count(f"{hands} of 3 hands") == tables
    return len(queries)


def test_room_page_needs_as_many_queries_for_any_tables_and_hands() -> None:
    user = create_organiser()
    query_counts = {
        (tables, hands): count_room_queries(user, tables=tables, hands=hands)
        for tables in (2, 3, 5)
        for hands in (1, 2)
    }
    assert len(set(query_counts.values())) == 1, query_counts


def test_desk_lists_missing_tables_of_earlier_rounds() -> None:
    drive, user, _link = create_drive_with_prizes()
    client = sign_in(user)
    desk = f"{DRIVES_URL}{drive.slug}/"
    enter_sheet(drive=drive, round_number=1, table=2, score=[], by=user)
    begin_next_round(drive=drive, by=user)
    assert "round 1, table 2" in read_text(client.get(desk))
    enter_sheet(drive=drive, round_number=1, table=2, score=[8], by=user)
    assert "earlier rounds" not in read_text(client.get(desk))


def test_next_drive_starts_with_the_terms_of_this_one() -> None:
    user = create_organiser()
    club = user.memberships.get().club
    client = sign_in(user)
    form = {
        "count": "8", "form": "progressive", "date": "2026-11-27", "form_key": "k",
        "rounds": "6", "hands": "4", "term-first": "-1", "term-bell": "head",
        "first_word": "lady",
    }  # fmt: skip
    begin_drive(client, form)
    drive = Drive.objects.get()
    set_prizes(drive=drive, lines=[{"words": "Ham", "measure": "total-high"}], by=user)
    set_round_minutes(drive=drive, minutes=17, by=user)
    desk = f"{DRIVES_URL}{drive.slug}/"
    assert "Table 1 rings when it finishes" in read_text(client.get(desk))
    response = client.post(f"{desk}house/", {"score_name": "Ours"})
    assert response.status_code == 302
    page = read_text(client.get(f"{DRIVES_URL}new/"))
    assert '<option value="head" selected>' in page
    assert '<option value="-1" selected>' in page
    assert '<option value="own:Ours">Ours</option>' in page
    begin_drive(client, form | {"form_key": "l"})
    second_drive = Drive.objects.exclude(pk=drive.pk).get()
    assert (second_drive.terms, second_drive.first_word) == (
        {"first": -1, "bell": "head"},
        "lady",
    )
    assert [prize.words for prize in second_drive.prizes.all()] == ["Ham"]
    clock = start_clock(drive=second_drive, by=user)
    assert clock.minutes == 17
    begin_drive(client, form | {"form_key": "m", "form": "social", "preset": "own:Ours"})
    third_drive = Drive.objects.exclude(pk__in=[drive.pk, second_drive.pk]).get()
    assert (third_drive.terms, third_drive.score) == ({}, drive.score)
    assert HouseTerms.objects.get(club=club).presets == {"Ours": drive.score}


@pytest.mark.parametrize(("bell_rule", "bell_table"), [("head", 1), ("any", 2), ("clock", 0)])
def test_unfinished_table_keeps_its_score_at_the_bell(bell_rule: str, bell_table: int) -> None:
    user = create_organiser()
    client = sign_in(user)
    begin_drive(client, {
        "count": "8", "form": "progressive", "date": "2026-11-27", "form_key": "k",
        "rounds": "3", "hands": "2", "term-bell": bell_rule,
    })  # fmt: skip
    drive = Drive.objects.get()
    now = f"{DRIVES_URL}{drive.slug}/now/"
    finished_table, second = (bell_table, 3 - bell_table) if bell_table else (1, 2)
    enter_sheet(drive=drive, round_number=1, table=second, hand=1, score=[9], by=user)
    enter_sheet(drive=drive, round_number=1, table=finished_table, hand=1, score=[4], by=user)
    assert "Ring the bell" not in read_text(client.get(now))
    if bell_rule == "clock":
        start_clock(drive=drive, by=user)
        RoundClock.objects.update(started_at=timezone.now() - timedelta(hours=3))
    else:
        enter_sheet(
            drive=drive, round_number=1, table=finished_table, hand=2, score=[4], by=user
        )
    response = client.get(now, headers={"HX-Request": "true"})
    assert "Ring the bell" in read_text(response)
    assert "Next round" in read_text(response)
    create_table_links(drive=drive, by=user)
    link = TableLink.objects.get(evening=drive.evening, table=second)
    assert "The bell has rung" in read_text(Client().get(link.path))
    draw = begin_next_round(drive=drive, shown_round_number=1, by=user)
    assert draw.at_round == 2


@pytest.mark.parametrize(
    ("typed_value", "rounds", "message"),
    [
        ("3", 3, "Rounds: 3."),
        ("", None, "Rounds: no fixed number."),
        ("1001", 4, "“1001” isn’t a number of rounds. Enter 1–100 or leave it empty."),
        ("99999999999999999999", 4, "isn’t a number of rounds"),
        ("four", 4, "“four” isn’t a number of rounds"),
        ("-1", 4, "isn’t a number of rounds"),
        ("2.5", 4, "isn’t a number of rounds"),
        ("0", 4, "1–100 rounds"),
        ("101", 4, "1–100 rounds"),
    ],
)
def test_only_an_empty_field_means_no_fixed_number_of_rounds(
    typed_value: str, rounds: int | None, message: str
) -> None:
    client = sign_in(create_organiser())
    form = {"count": "8", "form": "lot", "date": "2026-11-27", "form_key": "k"}
    begin_drive(client, form | {"rounds": "4"})
    drive = Drive.objects.get()
    response = client.post(
        f"{DRIVES_URL}{drive.slug}/rounds/", {"rounds": typed_value}, follow=True
    )
    drive.refresh_from_db()
    assert drive.rounds == rounds
    assert message in read_text(response)
