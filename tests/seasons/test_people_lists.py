"""Lists of people are read from any file, previewed, imported completely and undone."""

import csv
from io import StringIO
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import clubs.undo
from clubs import audit
from clubs.models import Club, Consent, Player, TwoPeople
from clubs.names.people import put_first_name_first
from clubs.people.columns import determine_columns, parse_columns
from clubs.people.limits import ListRow
from clubs.people.similar_names import SimilarNameIndex, list_similar_name_pairs
from clubs.people.tables import UnreadableList, parse_list_file
from exchange.data_tables import DataTable, DateCell
from exchange.workbooks import build_workbook
from hall.history.inverses import CLUB_INVERSES as ALL_INVERSES
from seasons.ladders.models import Handicap, SeatElsewhere
from seasons.people.views import people as views
from seasons.people.views.people import list_similar_names
from tests import evenings
from tests.factories import HandicapFactory, LadderFactory, SeatElsewhereFactory
from tournaments.errors import InvalidEntry, InvalidRoster
from tournaments.services import merge_players, remove_player
from tournaments.services import people as services
from tournaments.services.inverses import CLUB_INVERSES
from tournaments.services.people import import_people, preview_people

pytestmark = pytest.mark.django_db

MESSY_PEOPLE_LIST = """No;Member name;E-mail;Phone;Type;Joined
0012;"Lee, Ann";ann@example.org;;Member;10/03/2020

0013;Łucja Nowak;;+48 1;guest;
;Zoe Whitfield;;;;
"""


def read_list_rows(content: bytes) -> list[tuple[str, ...]]:
    return [row.cells for row in parse_list_file(content)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_list_is_read_in_any_encoding_and_with_any_delimiter(
    encoding: str, delimiter: str
) -> None:
    text = delimiter.join(["Name", "No"]) + "\r\n" + delimiter.join(["Łucja Nowak", "0012"])
    assert read_list_rows(text.encode(encoding)) == [("Name", "No"), ("Łucja Nowak", "0012")]


def test_list_in_old_windows_encoding_is_read() -> None:
    assert read_list_rows("name,no\nZoë,1\n".encode("cp1252")) == [("name", "no"), ("Zoë", "1")]


def test_workbook_import_keeps_equals_signs_and_leading_zeros() -> None:
    sheet = DataTable(
        "people", ("Name", "No", "Joined"), [["=Ann", "0012", DateCell("2026-03-10")]]
    )
    assert read_list_rows(build_workbook([sheet])) == [
        ("Name", "No", "Joined"),
        ("=Ann", "0012", "2026-03-10"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"PK\x03\x04rubbish", b"\xd0\xcf\x11\xe0old", b"\x00" * 99, b"x" * 5_000_001),
        b'name,number\n"' + b"Lee " * 40_000,
    ],
)
def test_invalid_list_is_refused_with_message(content: bytes) -> None:
    cells = csv.field_size_limit()
    with pytest.raises(UnreadableList):
        parse_list_file(content)
    assert csv.field_size_limit() == cells, "and other readers keep their own limit"


def test_columns_are_detected_from_header_or_specified() -> None:
    rows = parse_list_file(b"Surname,First name,Email\nLee,Ann,a@b.org")
    assert determine_columns(rows)[0] == {"surname": 0, "first": 1, "email": 2}
    headerless_rows = parse_list_file(b"12,Ann Lee\n13,Bo Low")
    column_positions, people = determine_columns(
        headerless_rows, parse_columns("name=2, number=1")
    )
    assert (column_positions, len(people)) == ({"name": 1, "number": 0}, 2)
    with pytest.raises(UnreadableList):
        determine_columns(headerless_rows)
    for invalid_columns in ("name", "name=0", "nam=1", "name=9"):
        with pytest.raises(UnreadableList):
            determine_columns(headerless_rows, parse_columns(invalid_columns))


def test_only_similar_names_are_reported_as_possible_matches() -> None:
    assert put_first_name_first("Lee,  Ann") == "Ann Lee"
    names = ["Ann Lee", "Lee Ann", "A. Lee", "Zoë Whitfield", "Zoe Whitfeld", "Bo Low", "Bo Lo"]
    assert set(list_similar_name_pairs(names)) >= {
        ("Ann Lee", "Lee Ann"),
        ("Ann Lee", "A. Lee"),
        ("Zoë Whitfield", "Zoe Whitfeld"),
    }
    assert list_similar_name_pairs(["Ann", "Anna", "Jim Lee", "Tim Fox"]) == []


def test_list_import_has_preview_is_idempotent_and_can_be_undone() -> None:
    club, user = evenings.create_club_with_director()
    Player.objects.create(club=club, name="Zoë Whitfield", phone="1")
    ann = Player.objects.create(club=club, name="Ann Lee", phone="7")
    players_before = list(Player.objects.order_by("pk").values())
    preview = preview_people(club=club, content=MESSY_PEOPLE_LIST.encode())
    assert [row.name for row in preview.new_people] == ["Łucja Nowak", "Zoe Whitfield"]
    assert [row.similar_names for row in preview.doubtful_people] == [("Zoë Whitfield",)]
    assert preview.changed_people[0].changes_by_field["number"] == ("", "0012")
    assert list(Player.objects.order_by("pk").values()) == players_before
    import_people(club=club, content=MESSY_PEOPLE_LIST.encode(), by=user)
    ann.refresh_from_db()
    assert (ann.number, ann.phone, str(ann.joined)) == ("0012", "7", "2020-03-10")
    assert Player.objects.get(number="0013").kind == "visitor"
    assert import_people(club=club, content=MESSY_PEOPLE_LIST.encode(), by=user).is_unchanged
    acts = audit.list_acts(club).filter(action="people.imported")
    assert acts.count() == 1
    whole = audit.list_acts(club)
    clubs.undo.undo_recorded_act(whole, acts[0], CLUB_INVERSES, club=club, by=user)
    assert list(Player.objects.order_by("pk").values()) == players_before


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("7,", "name"),
        ("7," + "x" * 81, "name"),
        ("0012,Bo Low", "number"),
        (",ann lee,other@example.org", "name"),
        (",Bo Low,no address", "email"),
        (",Bo\x07Low", "name"),
        (",Bo Low,,lion", "kind"),
        (",Bo Low,,,31/31/2020", "joined"),
    ],
)
def test_error_names_row_and_column_and_nothing_is_imported(row: str, column: str) -> None:
    club, user = evenings.create_club_with_director()
    text = f"no,name,email,type,joined\n0012,Ann Lee\n{row}\n"
    with pytest.raises(InvalidRoster) as exc_info:
        import_people(club=club, content=text.encode(), by=user)
    assert [
        problem.startswith(f"Row 3, {column}: ") for problem in exc_info.value.problems
    ] == [True]
    assert not Player.objects.exists()


def test_people_command_reports_counts_of_new_and_changed_people(tmp_path: Path) -> None:
    evenings.create_club_with_director()
    file = tmp_path / "people.csv"
    file.write_text(MESSY_PEOPLE_LIST, encoding="utf-8")

    def run_people_command(*more: str) -> list[str]:
        output = StringIO()
        arguments = ("people", "import", str(file), "--club", "riverside-whist-club", *more)
        call_command(*arguments, stdout=output)
        return output.getvalue().splitlines()

    expected_summary = "3 new, 0 changed, 0 same, 0 uncertain, 0 errors"
    assert run_people_command("--dry-run")[-1] == expected_summary
    assert run_people_command()[-1] == expected_summary
    assert run_people_command()[-1].startswith("nothing changed")
    with pytest.raises(CommandError, match="not found"):
        call_command("people", "import", str(file), "--club", "nowhere")


def test_two_thousand_people_are_imported_quickly() -> None:
    club, user = evenings.create_club_with_director()
    rows = [f"{n:04},Person{n} Name{n % 97},p{n}@example.org" for n in range(2000)]
    start_time = process_time()
    import_people(club=club, content="\n".join(["no,name,email", *rows]).encode(), by=user)
    assert club.players.count() == 2000
    assert process_time() - start_time < 3


@pytest.mark.parametrize("extra_fields", [{}, {"take": "yes", "column-0": "name"}])
def test_people_list_page_parses_pasted_list_only_once(
    client: Client, monkeypatch: pytest.MonkeyPatch, extra_fields: dict[str, str]
) -> None:
    _club, user = evenings.create_club_with_director()
    client.force_login(user)
    contents = []

    def read_and_count(content: bytes) -> list[ListRow]:
        contents.append(content)
        return parse_list_file(content)

    monkeypatch.setattr(views, "parse_list_file", read_and_count)
    monkeypatch.setattr(services, "parse_list_file", read_and_count)
    client.post(reverse("people_list"), {"paste": "Name\nAnn Alder\nBo Birch", **extra_fields})
    assert len(contents) == 1


@pytest.mark.parametrize(
    ("line_template", "expected_template"),
    [("Ann Alder{},wrong", "Row {}, email:"), ("Bo Birch{} (?),", "Row {}: Bo Birch")],
    ids=["errors", "doubts"],
)
def test_people_list_page_shows_at_most_two_hundred_problems(
    client: Client, line_template: str, expected_template: str
) -> None:
    _club, user = evenings.create_club_with_director()
    client.force_login(user)
    lines = [line_template.format(n) for n in range(1000, 1300)]
    response = client.post(reverse("people_list"), {"paste": "\n".join(["Name,Email", *lines])})
    page = " ".join(response.content.decode().split())
    assert expected_template.format(201) in page
    assert expected_template.format(202) not in page
    assert "<li>…</li>" in page


def test_at_most_ten_similar_names_are_found() -> None:
    name_index = SimilarNameIndex()
    for letter in "abcdefghijklmnopqrst":
        name_index.add_name(f"Ann Alder{letter}")
    assert len(name_index.find_similar_names("Ann Alder")) == 10


def test_page_previews_and_imports_pasted_list() -> None:
    club, user = evenings.create_club_with_director()
    client = Client()
    client.force_login(user)
    page = reverse("people_list")
    assert client.get(page).status_code == 200
    response = client.post(page, {"paste": MESSY_PEOPLE_LIST})
    assert response.status_code == 200
    assert "3 new, 0 changed" in response.content.decode()
    assert not club.players.exists()
    confirmation_form = {
        "content": response.context["content"],
        "column-1": "name",
        "take": "yes",
    }
    page_text = client.post(page, confirmation_form, follow=True).content.decode()
    assert "3 new, 0 changed" in page_text
    assert not club.players.exclude(number="").exists()
    assert client.post(page, {"paste": ""}).status_code == 400


def dump_people(club: Club) -> dict[str, Any]:
    models = (Player, Consent, Handicap, SeatElsewhere)
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


def test_merge_moves_all_references_and_undo_restores_every_row() -> None:
    seat = SeatElsewhereFactory()
    removed_player, club = seat.player, seat.evening.season.club
    stored_player = Player.objects.create(club=club, name="Ann Lee", phone="1")
    removed_player.number, removed_player.phone, removed_player.email = (
        "0012",
        "2",
        "a@example.org",
    )
    removed_player.save()
    ladder = LadderFactory(season=seat.evening.season)
    HandicapFactory(ladder=ladder, player=removed_player)
    now = timezone.now()
    for player, has_consented in ((removed_player, True), (stored_player, False)):
        Consent.objects.create(player=player, what="mail", given=has_consented, at=now, by="x")
    people_before = dump_people(club)
    with pytest.raises(InvalidEntry):
        remove_player(player=removed_player, by=None)
    merge_players(
        removed_player=Player.objects.get(pk=removed_player.pk),
        kept_player=stored_player,
        by=None,
    )
    stored_player.refresh_from_db()
    assert (stored_player.number, stored_player.phone, stored_player.email) == (
        "0012",
        "1",
        "a@example.org",
    )
    assert SeatElsewhere.objects.get().player == stored_player
    assert Handicap.objects.get().player == stored_player
    assert Consent.objects.get().given is False
    acts = audit.list_acts(club)
    clubs.undo.undo_recorded_act(acts, acts[0], CLUB_INVERSES, club=club, by=None)
    assert dump_people(club) == people_before


def test_people_who_met_in_imported_evening_are_not_merged() -> None:
    seat = SeatElsewhereFactory()
    other_seat_elsewhere = SeatElsewhereFactory(entry=seat.entry, order=2)
    with pytest.raises(InvalidEntry, match="same evening"):
        merge_players(
            removed_player=seat.player, kept_player=other_seat_elsewhere.player, by=None
        )


def test_similar_names_are_listed_until_marked_as_different_people() -> None:
    club, user = evenings.create_club_with_director()
    for name in ("Ann Lee", "A. Lee", "Bo Low", "Zoë Whitfield"):
        Player.objects.create(club=club, name=name)
    ann, bo = (Player.objects.get(name=name) for name in ("Ann Lee", "Bo Low"))
    for player in (ann, bo):
        player.email = "home@example.org"
        player.save()
    client = Client()
    client.force_login(user)
    page = reverse("doubles")
    shown = {
        (
            similar_name.first_player.name,
            similar_name.second_player.name,
        ): similar_name.is_certain_match
        for similar_name in list_similar_names(club)
    }
    assert shown == {("Ann Lee", "A. Lee"): False, ("Ann Lee", "Bo Low"): True}
    assert "A. Lee" in client.get(page).content.decode()
    response = client.post(page, {"one": ann.pk, "other": bo.pk}, follow=True)
    assert "stay separate players" in response.content.decode()
    client.post(page, {"one": bo.pk, "other": ann.pk})
    assert TwoPeople.objects.count() == 1
    assert len(list_similar_names(club)) == 1
    acts = audit.list_acts(club)
    clubs.undo.undo_recorded_act(acts, acts[0], ALL_INVERSES, club=club, by=user)
    assert not TwoPeople.objects.exists()
