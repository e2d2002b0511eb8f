"""Lists of pairs are read as clubs write them, and errors have clear messages."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.whist import WhistError
from clubs.people.limits import UnreadableList
from tournaments import rosters
from tournaments.errors import InvalidRoster
from tournaments.rosters import RosterRow


def check_roster(roster: rosters.Roster) -> list[RosterRow]:
    if roster.invalid_lines:
        raise InvalidRoster(roster.problems)
    return roster.rows


def read_rows(text: str, names_each: int = 2) -> list[RosterRow]:
    return check_roster(rosters.read_text(text, names_each))


def read_file_rows(content: bytes) -> list[RosterRow]:
    return check_roster(rosters.read_file(content))


def read_heading(text: str) -> str:
    return rosters.read_text(text).heading.replace("\t", ", ")


@pytest.mark.parametrize("separator", [",", ";", "\t", " & ", " / ", " and "])
def test_two_names_may_have_any_usual_separator(separator: str) -> None:
    rows = read_rows(f"Ada Pole{separator}Łucja Nowak\nHenry Jones{separator}Fiona Ó Briain")
    assert [row.names for row in rows] == [
        ("Ada Pole", "Łucja Nowak"),
        ("Henry Jones", "Fiona Ó Briain"),
    ]


def test_tab_separated_row_is_parsed_among_comma_separated_rows() -> None:
    rows = read_rows("Ada Pole,Jan Nowak\n3\tQueenie Quin\tRoy Reed\nC,D")
    assert [row.names for row in rows] == [
        ("Ada Pole", "Jan Nowak"),
        ("Queenie Quin", "Roy Reed"),
        ("C", "D"),
    ]


def test_comma_in_name_of_tab_separated_row_does_not_split_name() -> None:
    rows = read_rows('"Pole, Ada"\tJan Nowak\nA\tB')
    assert rows[0].names == ("Ada Pole", "Jan Nowak")


@pytest.mark.parametrize(
    "line", ["The Aces: A, B, C, D", "1. The Aces: A & B, C & D", "The Aces:\tA\tB\tC\tD"]
)
def test_team_name_may_precede_colon(line: str) -> None:
    row = read_rows(line, 4)[0]
    assert (row.team_name, row.names) == ("The Aces", ("A", "B", "C", "D"))


def test_heading_names_columns_in_any_order() -> None:
    rows = read_rows("player 2;pair;player 1\nNowak;1;Pole\nBriain;2;Jones")
    assert [row.names for row in rows] == [("Nowak", "Pole"), ("Briain", "Jones")]


def test_pairs_with_directions_are_ordered_north_south_first() -> None:
    text = "pair,direction,player 1,player 2\n2,EW,G,H\n1,EW,E,F\n2,NS,C,D\n1,NS,A,B\n"
    assert ["".join(row.names) for row in read_rows(text)] == ["AB", "CD", "EF", "GH"]


def test_pairs_with_numbers_are_sorted_by_number() -> None:
    assert [row.entry_number for row in read_rows("2,C,D\n1,A,B")] == [1, 2]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_file_is_read_in_encoding_of_spreadsheet(encoding: str) -> None:
    content = "Émile Zähringer;Marta Señor\r\n".encode(encoding)
    assert read_file_rows(content)[0].names == ("Émile Zähringer", "Marta Señor")


def test_quoted_name_with_comma_is_one_name() -> None:
    rows = read_rows('"Pole, Ada","Nowak, Łucja"')
    assert rows[0].names == ("Ada Pole", "Łucja Nowak")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The list is empty. Enter one pair on each line."),
        ("player 1,player 2\n", "The list has a heading but no pairs."),
        (
            "A,B\nAda Pole\n",
            "Line 2: add the partner of Ada Pole, or “?” if not known yet.",
        ),
        ("A,B\nC,D,E\n", "Line 2: a pair has two names. Found 3: C, D, E."),
    ],
)
def test_invalid_list_is_refused_with_position(text: str, message: str) -> None:
    with pytest.raises(InvalidRoster) as exc_info:
        read_rows(text)
    assert exc_info.value.problems == [message]


def test_all_invalid_rows_are_reported_together() -> None:
    with pytest.raises(InvalidRoster) as exc_info:
        read_rows("A,B\nC\nD,E\nF\n")
    assert [problem.split(":")[0] for problem in exc_info.value.problems] == [
        "Line 2",
        "Line 4",
    ]


def test_binary_spreadsheet_is_refused() -> None:
    with pytest.raises(UnreadableList, match="Save it again, or as CSV"):
        read_file_rows(b"PK\x03\x04\x00\xff\x00\xfe")


def test_oversized_file_is_refused() -> None:
    with pytest.raises(UnreadableList, match=r"1\.5 MB"):
        read_file_rows(b"A,B\n" * 600_000)


def read_pairs_or_problems(
    read_roster: Callable[[], list[RosterRow]],
) -> tuple[list[RosterRow], list[str]]:
    try:
        return read_roster(), []
    except WhistError as error:
        return [], getattr(error, "problems", [str(error)])


@given(st.binary(max_size=200))
def test_any_file_is_read_or_refused_with_message(content: bytes) -> None:
    rows, problems = read_pairs_or_problems(lambda: read_file_rows(content))
    assert bool(rows) != bool(problems)
    assert all(len(row.names) == 2 and all(row.names) for row in rows)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_with_message(text: str) -> None:
    rows, problems = read_pairs_or_problems(lambda: read_rows(text))
    assert bool(rows) != bool(problems)
    assert all(len(row.names) == 2 and all(row.names) for row in rows)


def test_heading_in_another_language_is_not_read_as_pair() -> None:
    assert [row.names for row in read_rows("Gracz 1;Gracz 2\nPole;Nowak")] == [
        ("Pole", "Nowak")
    ]


def test_row_numbers_and_bullets_before_names_are_ignored() -> None:
    rows = read_rows(
        "1. Henry Jones & Ada Pole\n2) Kate Wheelock - John Trist\n"
        "3 - Jan Nowak and Fiona Ó Briain\n• Marta Señor — Zoë Mott"
    )
    assert [row.names for row in rows] == [
        ("Henry Jones", "Ada Pole"),
        ("Kate Wheelock", "John Trist"),
        ("Jan Nowak", "Fiona Ó Briain"),
        ("Marta Señor", "Zoë Mott"),
    ]


@pytest.mark.parametrize("line", ["Ada Pole & –", "Ada Pole; ..."])
def test_placeholder_for_partner_is_refused_as_missing_partner(line: str) -> None:
    with pytest.raises(InvalidRoster, match="add the partner of Ada Pole"):
        read_rows(line)


def test_rows_may_use_different_separators() -> None:
    rows = read_rows("A, B\nC, D\nE; F\nG & H")
    assert [row.names for row in rows] == [("A", "B"), ("C", "D"), ("E", "F"), ("G", "H")]


@pytest.mark.parametrize(
    "line",
    [
        "Player Aone, Player Atwo",
        "Ada North, John South",
        "Adam West & Eve East",
        "Smith, Smith",
        "North, Smith",
        "Name Brown; Table Green",
    ],
)
def test_first_row_of_names_is_never_read_as_heading(line: str) -> None:
    text = (
        f"{line}\nKate Wheelock{',' if ',' in line else ';' if ';' in line else ' & '}Jo Trist"
    )
    assert len(read_rows(text)) == 2
    assert read_heading(text) == ""


@pytest.mark.parametrize(
    "line",
    ["Player 1,Player 2", "North,South", "Pair,Direction,Player 1,Player 2", "Name,Partner"],
)
def test_skipped_heading_row_is_reported(line: str) -> None:
    assert read_heading(f"{line}\n1,NS,A,B" if "Pair" in line else f"{line}\nA,B") == (
        line.replace(",", ", ")
    )


def test_list_has_at_most_two_thousand_rows() -> None:
    lines = [f"Ann {number}, Bo {number}" for number in range(2_001)]
    assert len(rosters.read_text("\n".join(lines[:2_000])).rows) == 2_000
    with pytest.raises(UnreadableList, match=r"^Row 2001: .* more than 2,000 rows"):
        rosters.read_text("\n".join(lines))
    with pytest.raises(UnreadableList, match=r"^Row 2001: .* more than 2,000 rows"):
        rosters.read_file("\n".join(lines).encode())
