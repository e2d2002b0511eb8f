"""Clubs' lists of people are read: rows above the heading, dates, doubts, faulty rows."""

from io import StringIO
from time import process_time
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Player
from clubs.names.cells import guard_formula, unguard_formula
from clubs.people.dates import detect_date_order, parse_date
from clubs.people.import_preview import build_preview
from clubs.people.tables import parse_list_file
from exchange.data_tables import DataTable, encode_csv
from exchange.workbooks import build_workbook
from seasons.publishing.club_files import PEOPLE_COLUMNS, iter_people_rows
from tests import evenings
from tournaments.services.people import import_people, preview_people

HEADING_AND_ROWS = "Surname,First name,Member no\nAlder,Ann,0001\nBirch,Bo,0002\n"
TITLE_ROWS = "Members of the club as at 1 November 2026,,\n,,\n"


def list_new_people(content: str, **options: Any) -> list[str]:
    club, _user = evenings.create_club_with_director()
    preview = preview_people(club=club, content=content.encode(), **options)
    assert preview.row_errors == []
    return [
        f"{row.values_by_field.get('number', '')} {row.name}".strip()
        for row in preview.new_people
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "leading_text",
    [
        "",
        TITLE_ROWS,
        "sep=,\n",
        "\ufeffsep=,\r\n",
        '"sep=,"\n' + TITLE_ROWS,
        "\n\n" + TITLE_ROWS,
    ],
)
@pytest.mark.parametrize("column_numbers", [None, {"surname": 0, "first": 1, "number": 2}])
def test_heading_is_found_below_a_title(
    leading_text: str, column_numbers: dict[str, int] | None
) -> None:
    assert list_new_people(leading_text + HEADING_AND_ROWS, column_numbers=column_numbers) == [
        "0001 Ann Alder",
        "0002 Bo Birch",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("sep=;\nName;No\nAlder, Ann;1\n", ["1 Ann Alder"]),
        ("Members\n\nName\nAnn Alder\n", ["Ann Alder"]),
        ("Name\nSam Last\nLast\n", ["Sam Last", "Last"]),
        ("Name\n1. Mrs Ann Alder\n2. Dr Bo Birch\n", ["Ann Alder", "Bo Birch"]),
        ("Name\n-Ann Dash\n+Bo Plus\n", ["-Ann Dash", "+Bo Plus"]),
        ("Title,First name,Surname\nMrs,Ann,Alder\n", ["Ann Alder"]),
    ],
)
def test_people_list_is_parsed(content: str, names: list[str]) -> None:
    assert list_new_people(content) == names


@pytest.mark.django_db
def test_ambiguous_name_is_doubtful_and_a_row_of_two_people_is_invalid() -> None:
    club, _user = evenings.create_club_with_director()
    content = 'Name\n"Smith Jones, Ann"\nJohn & Mary Hall\nAnn Alder\n'
    trial = preview_people(club=club, content=content.encode())
    assert [row.person.doubts for row in trial.doubtful_people] == [
        ("Read as Ann Smith Jones.",)
    ]
    assert [(row.row_number, row.reason) for row in trial.row_errors] == [
        (3, "This names 2 people. Use one row for each.")
    ]
    Player.objects.create(club=club, name="John & Mary Hall")
    assert preview_people(club=club, content=content.encode()).row_errors == []


@given(st.text(alphabet="'=+-@\t\uff0b aZ9", max_size=6))
def test_removing_the_formula_guard_restores_the_text(text: str) -> None:
    assert unguard_formula(guard_formula(text)) == text
    assert guard_formula(text)[:1] not in tuple("=+-@\t\uff0b")


@pytest.mark.django_db
@pytest.mark.parametrize("encode_table", [encode_csv, lambda sheet: build_workbook([sheet])])
def test_exported_list_of_people_changes_nothing_on_import(encode_table: Any) -> None:
    club, _user = evenings.create_club_with_director()
    names = [
        *("-Ann Dash", "+Bo Plus", "=Cy", "@Di", "'+Ed", "Jones/Jones", "John & Mary SMITH"),
        *("Alder, Ann", "1 Ann Alder", "Mrs Joan Hall", "First name Surname", "sep="),
    ]
    for number, name in enumerate(names):
        phone = f"{'+' if number % 2 else '-'}44 7700 {number}"
        Player.objects.create(club=club, name=name, number=f"{number:04}", phone=phone)
    content = encode_table(DataTable("people", PEOPLE_COLUMNS, list(iter_people_rows(club))))
    trial = preview_people(club=club, content=content)
    assert (trial.new_people, trial.changed_people, trial.row_errors) == ([], [], [])
    assert len(trial.unchanged_people) == len(names)


@pytest.mark.parametrize(
    ("texts", "expected_order"),
    [
        (["3/13/2020", "1/2/2020"], ("month", False)),
        (["13/3/2020", "1/2/2020"], ("day", False)),
        (["3/4/2020"], ("day", True)),
        (["4/4/2020", "2020-03-04"], ("day", False)),
        (["13/3/2020", "3/13/2020", "1/2/2020"], ("day", True)),
        (["13/3/2020", "3/13/2020"], ("day", False)),
    ],
)
def test_date_order_is_decided_by_the_whole_list(
    texts: list[str], expected_order: tuple[str, bool]
) -> None:
    assert detect_date_order(texts) == expected_order


def test_date_is_parsed_in_the_given_order() -> None:
    assert str(parse_date("3/4/2020", "day")) == "2020-04-03"
    assert str(parse_date("3/4/2020", "month")) == "2020-03-04"
    assert str(parse_date("2020-03-04 00:00", "month")) == "2020-03-04"
    assert parse_date("13/3/2020", "month") is parse_date("2001") is None


LIST_WITH_BAD_ROW = "Name,Joined\nAnn Alder,2001\nBo Birch,3/4/2020\nCy Cedar,\n"


@pytest.mark.django_db
def test_valid_rows_are_imported_while_an_invalid_row_stays_on_the_page() -> None:
    club, user = evenings.create_club_with_director()
    client = Client()
    client.force_login(user)
    url = reverse("people_list")
    response = client.post(url, {"paste": LIST_WITH_BAD_ROW})
    text = response.content.decode()
    for arguments in ("Bo Birch", "Cy Cedar", "“2001” isn’t a date", "Add good rows"):
        assert arguments in text
    assert not club.players.exists()
    form = {"content": response.context["content"], "column-0": "name", "column-1": "joined"}
    refused_response = client.post(url, form | {"take": "yes"})
    assert (refused_response.status_code, club.players.count()) == (400, 0)
    accepted_response = client.post(url, form | {"take": "good", "order": "month"})
    assert str(Player.objects.get(name="Bo Birch").joined) == "2020-03-04"
    assert sorted(club.players.values_list("name", flat=True)) == ["Bo Birch", "Cy Cedar"]
    assert accepted_response.context["paste"].splitlines() == [
        "Name\tJoined",
        "Ann Alder\t2001",
    ]
    assert "Row 2, joined:" in accepted_response.content.decode()
    corrected_response = client.post(
        url, {"paste": accepted_response.context["paste"].replace("2001", "2001-05-01")}
    )
    assert [row.name for row in corrected_response.context["trial"].new_people] == ["Ann Alder"]


@pytest.mark.django_db
def test_command_lists_new_people_and_imports_valid_rows(tmp_path: Any) -> None:
    club, _user = evenings.create_club_with_director()
    file = tmp_path / "people.csv"
    file.write_text(LIST_WITH_BAD_ROW)
    output = StringIO()
    arguments = ("people", "import", str(file), "--club", club.slug, "--good-rows")
    call_command(*arguments, stdout=output)
    assert output.getvalue().splitlines()[:3] == [
        "new: row 3, Bo Birch",
        "new: row 4, Cy Cedar",
        "dates: day first (--dates month reads 3/4/2020 as 4 March)",
    ]
    assert club.players.count() == 2


@pytest.mark.django_db
def test_importing_valid_rows_twice_changes_nothing() -> None:
    club, _user = evenings.create_club_with_director()
    import_people(
        club=club, content=LIST_WITH_BAD_ROW.encode(), should_skip_invalid_rows=True, by=None
    )
    repeated_import = import_people(
        club=club, content=LIST_WITH_BAD_ROW.encode(), should_skip_invalid_rows=True, by=None
    )
    assert not repeated_import.has_importable_rows


NAMES = {
    "one surname, all initials": [f"A. {n:x} Smith" for n in range(4_900)],
    "one surname": [f"A{n:x}x Smith" for n in range(4_900)],
    "long and alike": [f"{'Abcdefghi ' * 6}{n:x}" for n in range(4_900)],
    "many marks": ["a & " * 60] * 4_900,
    "many commas": [f'"{"a, " * 80}"'] * 4_900,
}


@pytest.mark.parametrize("list_name", NAMES)
def test_reading_any_list_takes_bounded_time(list_name: str) -> None:
    rows = parse_list_file("\n".join(["Name", *NAMES[list_name]]).encode())
    started_at = process_time()
    build_preview(rows[1:], {"name": 0}, [])
    assert process_time() - started_at < 4
