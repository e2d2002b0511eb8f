"""The command `movement`: text and JSON output, and one clear line for an error."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def run_movement_command(*arguments: str) -> str:
    output = StringIO()
    call_command("movement", *arguments, stdout=output)
    return output.getvalue()


def test_command_prints_movement_as_text() -> None:
    text = run_movement_command("compass", "--tables", "3")
    assert text.splitlines()[:6] == [
        "Mitchell, 3 tables",
        "3 tables, 3 rounds, 3 sets, two winners",
        "",
        "Round  Table 1       Table 2       Table 3",
        "1      1NS v 1EW: 1  2NS v 2EW: 2  3NS v 3EW: 3",
        "2      1NS v 3EW: 2  2NS v 1EW: 3  3NS v 2EW: 1",
    ]
    assert "Boards move down one table." in text
    assert "Meetings     1 (9 of 9 meet)" in text
    assert "Stationary   3 (1NS, 2NS, 3NS)" in text


def test_command_prints_movement_as_json() -> None:
    data = json.loads(run_movement_command("howell", "--pairs", "8", "--format", "json"))
    assert (data["name"], data["tables"], data["rounds"]) == ("howell", 4, 7)
    assert len(data["meetings"]) == 28
    assert data["balance"]["comparisons"] == {"least": 3, "most": 3}


def test_many_tables_are_printed_in_columns_and_idle_ones_as_dash() -> None:
    text = run_movement_command(
        "compass-skip", "--tables", "8", "--absent", "8EW", "--rounds", "2"
    )
    assert text.count("Round  Table") == 2
    assert "\n1      -\n" in text


def test_balance_output_of_individual_movement_includes_partners() -> None:
    text = run_movement_command("whist-individual", "--players", "13")
    assert "Partners     1\nOpponents    2" in text


def test_command_can_make_arrow_switches() -> None:
    assert "arrow switch in rounds 2, 3)" in run_movement_command(
        "compass", "--tables", "5", "--switch", "2,3"
    )
    data = json.loads(
        run_movement_command("compass", "--tables", "5", "--one-winner", "--format", "json")
    )
    assert data["winners"] == 1


def test_command_prints_advice_as_text_and_json() -> None:
    arguments = ("--suggest", "--pairs", "14", "--boards", "26", "--stationary", "1")
    assert run_movement_command(*arguments).startswith(
        "1. Howell, 14 pairs: 13 rounds of 2 boards\n"
    )
    best_suggestion = json.loads(run_movement_command(*arguments, "--format", "json"))[0]
    assert (
        best_suggestion["name"],
        best_suggestion["rounds"],
        best_suggestion["boards_a_round"],
    ) == ("howell", 13, 2)
    assert best_suggestion["meetings"] == {"met": 91, "possible": 91}
    assert best_suggestion["comparisons"] == {"least": 5, "most": 7}


@pytest.mark.parametrize(
    ("texts", "expected_error"),
    [
        (("howel", "--tables", "4"), "Movement howel not found"),
        (("howell", "--tables", "four"), "--tables must be a whole number, not four."),
        (("howell", "--tables", "-4"), "--tables must be a whole number, not -4."),
        (("compass", "--tables", "9999"), "It needs an odd number of tables from 3 to 59"),
        (("compass", "--tables", "7", "--rounds", "8"), "Choose from 1 to 7"),
        (("compass", "--tables", "7", "--switch", "x"), "--switch must be a whole number"),
        (("compass", "--tables", "7", "--absent", "8NS"), "has no place 8NS"),
        (("compass",), "Enter the number of tables for Mitchell."),
        ((), "Enter a movement, or use --suggest."),
        (
            ("--suggest", "--boards", "26"),
            "Enter only one of these: pairs, players, teams or tables.",
        ),
        (("--suggest", "--pairs", "1"), "No movement suits 1 pair with"),
    ],
)
def test_command_prints_refusal_in_one_line(
    texts: tuple[str, ...], expected_error: str
) -> None:
    with pytest.raises(CommandError) as refusal:
        run_movement_command(*texts)
    assert expected_error in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_command_prints_teams_by_number() -> None:
    assert "\n1      1 v 1: 1  2 v 2: 2  3 v 3: 3" in run_movement_command(
        "gilman", "--teams", "3"
    )


def test_command_finds_movement_by_common_name() -> None:
    assert run_movement_command("mitchell", "--tables", "7").startswith("Mitchell, 7 tables\n")
    assert run_movement_command("mitchell", "--tables", "8").startswith(
        "Skip Mitchell, 8 tables\n"
    )
    assert run_movement_command("three-quarter Howell", "--pairs", "12").startswith(
        "Three-quarter Howell"
    )


def test_command_prints_cost_and_helpful_changes_before_list() -> None:
    text = run_movement_command(
        "--suggest", "--pairs", "26", "--boards-at-hand", "24", "--explain"
    )
    assert text.startswith(
        "With 24 boards 26 pairs can play 13 each. 26 boards make 13 rounds of two boards."
    )
    assert "\n   cost 25.150: boards per round 20.000, few boards 5.150\n" in text
    assert "Downside: One board per round: more walking than play." in text
    assert "price" not in run_movement_command("--suggest", "--pairs", "26")


def test_command_accepts_sections_copies_and_system() -> None:
    two_section_suggestion = json.loads(
        run_movement_command(
            "--suggest", "--pairs", "38", "--sections", "2", "--sets", "2", "--format", "json"
        )
    )[0]
    assert (
        two_section_suggestion["name"],
        two_section_suggestion["copies"],
        two_section_suggestion["same_boards"],
    ) == ("sections", 2, True)
    assert [
        section["options"]["pairs"] for section in two_section_suggestion["options"]["sections"]
    ] == [20, 18]
    assert "Howell" in run_movement_command(
        "--suggest", "--pairs", "20", "--system", "howell", "--late-pair"
    )
    with pytest.raises(CommandError, match="--sections must be a whole number"):
        run_movement_command("--suggest", "--pairs", "20", "--sections", "many")


def test_command_prints_warning_if_usual_limit_is_exceeded() -> None:
    lines = run_movement_command(
        "--suggest", "--teams", "17", "--system", "howell-teams"
    ).splitlines()
    assert "3 rounds more than usual." in lines[1]


def test_too_few_copies_for_web_are_refused_with_required_number() -> None:
    with pytest.raises(CommandError, match="needs three copies of each board, not 2"):
        call_command("movement", "web", tables="27", rounds="13", sets="2")
    output = StringIO()
    call_command("movement", "web", tables="27", rounds="13", sets="3", stdout=output)
    assert "Web Mitchell, 27 tables, 13 rounds" in output.getvalue()


def test_command_suggests_swiss_where_suitable() -> None:
    rows = json.loads(
        run_movement_command("--suggest", "--teams", "16", "--sets", "4", "--format", "json")
    )
    first_row = rows[0]
    assert (first_row["name"], first_row["rounds"], first_row["boards_a_round"]) == (
        "swiss",
        6,
        4,
    )
    assert run_movement_command("--suggest", "--teams", "40").startswith(
        "Swiss: 7 rounds of 4 boards, 208 min"
    )
    rows = json.loads(run_movement_command("--suggest", "--pairs", "20", "--format", "json"))
    assert [row["name"] for row in rows].index("swiss") == len(rows) - 1
    assert "copies are needed" in rows[-1]["lacking"]
    assert "Swiss" not in run_movement_command("--suggest", "--pairs", "20", "--winners", "2")
    swiss_output = run_movement_command("--suggest", "--pairs", "20", "--system", "swiss")
    assert swiss_output.startswith("Swiss: 6 rounds of 4 boards")
    with pytest.raises(CommandError, match="fit these options"):
        run_movement_command("--suggest", "--pairs", "4", "--system", "swiss")
