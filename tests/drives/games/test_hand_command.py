"""The command `drive hand` prints points, tables and games without a database."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[3]
HAND_FILE_DATA = {
    "game": "colour-whist",
    "seats": ["Ann", "Bea", "Cy", "Di"],
    "hands": [
        {"contract": "together-8", "by": ["Ann", "Cy"], "tricks": 9},
        {"contract": "grand-misere", "by": ["Ann", "Bea"], "tricks": [0, 1], "passed": 1},
        {"fines": [{"by": "Di", "each": 5, "why": "revoke"}]},
    ],
}


def run_command(*arguments: str, standard_input: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "drive", "hand", *arguments]
    return subprocess.run(
        command,
        cwd=ROOT,
        input=standard_input,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_hands_from_standard_input_are_scored_and_explained() -> None:
    output = run_command(
        "score", "-", "--format", "json", standard_input=json.dumps(HAND_FILE_DATA)
    )
    assert (output.returncode, output.stderr) == (0, "")
    scored_hands = json.loads(output.stdout)
    assert scored_hands["total"] == [112, -102, 16, -26]
    assert scored_hands["hands"][0] == {
        "hand": 1,
        "made": [True],
        "stake": [11],
        "times": 1,
        "points": [11, -11, 11, -11],
        "lines": [
            {"seat": 1, "from": "made", "points": 11},
            {"seat": 2, "from": "against", "points": -11},
            {"seat": 3, "from": "made", "points": 11},
            {"seat": 4, "from": "against", "points": -11},
        ],
        "told": ["Ann and Cy: Together 8, made with 9 tricks, +11 each."],
    }
    assert scored_hands["hands"][1]["told"][-1] == "After 1 passed deal: points × 2."
    assert scored_hands["hands"][2]["told"] == ["Di: fine (revoke), 5 to each of three, −15."]


def test_error_is_one_line_with_exit_code_2() -> None:
    hand = {"contract": "together-8", "by": ["Ann"], "tricks": 9}
    faulty_file = HAND_FILE_DATA | {"hands": [*HAND_FILE_DATA["hands"][:2], hand]}
    output = run_command("score", "-", standard_input=json.dumps(faulty_file))
    assert output.returncode == 2
    assert output.stdout == ""
    assert output.stderr == "CommandError: hand 3: by: Together 8 is played by 2, not 1.\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "The file is empty."),
        ("[]", "isn’t a group"),
        ("{", "isn’t JSON"),
        ('{"game": "bridge", "hands": []}', "game: Game “bridge” not found"),
        ('{"game": "wiezen"}', "hands: This is missing"),
        ('{"game": "wiezen", "hands": [], "pot": 1}', "pot: Unknown key"),
        ('{"game": "wiezen", "custom": "x", "hands": []}', "custom: “x” isn’t known"),
        ('{"game": "wiezen", "seats": [1, 1, 2, 3], "hands": []}', "seats: enter four"),
        ('{"game": "wiezen", "seats": ["A\\tB", 2, 3, 4], "hands": []}', "seats: enter four"),
        ('{"game": "wiezen", "hands": [3]}', "hand 1: 3 isn’t a group"),
        ('{"game": "wiezen", "game": "rikken", "hands": []}', "appears twice"),
    ],
)
def test_invalid_file_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "hands.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError) as exc_info:
        call_command("drive", "hand", "score", str(file))
    assert fault in str(exc_info.value)
    assert "\n" not in str(exc_info.value)
    assert exc_info.value.returncode == 2


def test_table_shows_the_changes_of_the_house_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "house.json"
    house = {"contracts": {"misere": {"made": [10], "lost": [10]}}, "passed": "adds"}
    file.write_text(json.dumps({"game": "wiezen", "house": house, "hands": []}))
    call_command("drive", "hand", "table", "wiezen", str(file))
    table = json.loads(capsys.readouterr().out)
    assert table["changed"] == ["misere.made", "misere.lost", "passed"]
    (misere,) = [contract for contract in table["contracts"] if contract["code"] == "misere"]
    assert misere["made"] == [10]


def test_table_of_a_variant_has_no_changes_of_the_house(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "variant.json"
    file.write_text(json.dumps({"game": "wiezen", "custom": "card-clubs", "hands": []}))
    call_command("drive", "hand", "table", "wiezen", str(file))
    table = json.loads(capsys.readouterr().out)
    assert (table["custom"], table["changed"]) == ("card-clubs", [])
    call_command("drive", "hand", "table", "wiezen")
    assert json.loads(capsys.readouterr().out)["contracts"] != table["contracts"]


def test_games_are_listed_with_their_variants(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("drive", "hand", "games")
    games = {game["game"]: game for game in json.loads(capsys.readouterr().out)["games"]}
    assert set(games["wiezen"]["customs"]) == {"card-clubs", "fifteen", "thirteen-plain"}
    assert "sol" in games["danish-whist"]["doubt"]
