"""`manage.py drive`: strict schemas, and a one-line message for every error."""

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drives import recount

ROOT = Path(__file__).resolve().parents[2]
SHEET = {"table": 1, "seats": [1, 2, 3, 4], "score": [8, 5]}
DRIVE_STATE = {
    "format": "overplay-drive-state",
    "form": "progressive",
    "terms": {},
    "tables": [
        {"table": 1, "seats": ["L1", "L2", "G1", "G2"], "winner": "A"},
        {"table": 2, "seats": ["L3", "L4", "G3", "G4"], "winner": "B"},
        {"table": 3, "seats": ["L5", "G5"], "winner": None},
    ],
}
FIRST_TABLE = {"table": 1, "seats": ["L1", "L2", "G1", "G2"], "winner": "A"}
LOT_STATE = {
    "format": "overplay-drive-state",
    "form": "lot",
    "history": [{"tables": [[1, 2, 3, 4], [5, 6, 7, 8]], "rest": [9]}],
    "seed": "aa",
}
DRIVE_FILE = {
    "format": "overplay-drive",
    "version": 1,
    "name": "Friday",
    "form": "social",
    "hands": 1,
    "score": {"kind": "tricks", "sum": 13, "rest": "round-average"},
    "players": [
        {"number": n, "name": f"P{n}", "role": ["second", "first"][n % 2], "house": n == 4}
        for n in (1, 2, 3, 4, 9)
    ],
    "played": [
        {"round": 1, "tables": [SHEET], "rest": [9]},
    ],
    "totals": [],
    "prizes": [
        {"words": "Highest lady", "field": "first", "measure": "total-high", "count": 1,
         "ties": "share"},
        {"words": "Luck", "field": "all", "measure": "lucky-number", "count": 1, "ties": "lot"},
    ],
    "secret": "c0ffee",
}  # fmt: skip


def run_command(*arguments: str, file: object = None, monkeypatch=None) -> dict:
    """Return the command's JSON output; a file becomes its standard input."""
    output = io.StringIO()
    if file is None:
        call_command("drive", *arguments, stdout=output)
    else:
        text = file if isinstance(file, str) else json.dumps(file)
        stream = io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")))
        stdin_before, sys.stdin = sys.stdin, stream
        try:
            call_command("drive", *arguments, "-", stdout=output)
        finally:
            sys.stdin = stdin_before
    return json.loads(output.getvalue())


def read_refusal(*arguments: str, file: object = None) -> str:
    with pytest.raises(CommandError) as problem:
        run_command(*arguments, file=file)
    assert problem.value.returncode == 2
    assert "\n" not in str(problem.value)
    return str(problem.value)


def test_plan_command_prints_the_exact_schema() -> None:
    arguments = (
        "--players",
        "11",
        "--rounds",
        "3",
        "--seed",
        "ab",
        "--apart",
        "1-2",
        "--seated",
        "5",
    )
    plan = run_command("plan", *arguments, "--form", "social", "--format", "json")
    assert list(plan) == [
        *("format", "version", "form", "players", "rounds", "tables", "schedule", "figures"),
        *("proved", "tries", "seconds"),
    ]
    assert plan["format"] == "overplay-drive-plan"
    assert [item["trumps"] for item in plan["schedule"]] == ["H", "C", "D"]
    assert list(plan["schedule"][0]) == ["round", "trumps", "tables", "rest"]
    schedule = [([t["seats"] for t in r["tables"]], r["rest"]) for r in plan["schedule"]]
    assert recount.find_faults(schedule, range(1, 12)) == []
    bounds = recount.compute_bounds(schedule, range(1, 12))
    statistics = plan["figures"]
    assert (statistics["partners"]["bound"], statistics["opponents"]["bound"]) == bounds
    assert list(statistics["partners"]) == ["coincidences", "bound", "most"]
    assert set(statistics["rests"]) == {"least", "most"}
    repeated_output = run_command("plan", *arguments)
    assert plan | {"seconds": 0} == repeated_output | {"seconds": 0}
    house = run_command("plan", "--players", "10", "--rounds", "1", "--house", "2")
    (round_,) = house["schedule"]
    assert {-1, -2} < set(round_["tables"][-1]["seats"])
    assert (house["tables"], round_["rest"]) == (3, [])


@pytest.mark.parametrize(
    ("texts", "expected_text"),
    [
        (("--players", "3", "--rounds", "2"), "4–2000 players for a drive, not 3"),
        (("--players", "2001", "--rounds", "2"), "4–2000"),
        (("--players", "8", "--rounds", "0"), "1–100 rounds for a drive, not 0"),
        (("--players", "8", "--rounds", "101"), "1–100"),
        (("--players", "8"), "--rounds must be a whole number"),
        (("--players", "½", "--rounds", "2"), "--players must be"),
        (("--players", "8", "--rounds", "2", "--form", "salsa"), "not found"),
        (("--players", "8", "--rounds", "2", "--apart", "3-9"), "Player 9"),
        (("--players", "8", "--rounds", "2", "--apart", "3"), "3-7,4-9"),
        (("--players", "8", "--rounds", "2", "--apart", "3-3"), "different"),
        (("--players", "8", "--rounds", "2", "--seated", "1,2,3"), "2 tables"),
        (("--players", "8", "--rounds", "2", "--seed", "xy"), "--seed"),
        (("--players", "8", "--rounds", "2", "--house", "4"), "0 to 3"),
    ],
)
def test_impossible_plan_gives_a_one_line_error(texts: tuple, expected_text: str) -> None:
    assert expected_text in read_refusal("plan", *texts)


def test_commands_move_by_results_and_draw_by_lot_as_specified() -> None:
    output = run_command("next", "--format", "json", file=DRIVE_STATE)
    assert output["tables"][0] == {"table": 1, "seats": ["L1", "L5", "G3", "G1"]}
    assert (output["rest"], list(output)) == (["L3", "G2"], ["tables", "rest", "call"])
    assert output["call"].startswith("Losers move")
    output_with_rests = run_command("next", file=DRIVE_STATE | {"rests": {"L3": 1}})
    assert output_with_rests["rest"] == ["L2", "G2"]
    drawn_output = run_command("draw", file=LOT_STATE)
    seats = [p for t in drawn_output["tables"] for p in t["seats"]] + drawn_output["rest"]
    assert sorted(seats) == list(range(1, 10))
    assert drawn_output["rest"] != [9]
    assert drawn_output == run_command("draw", file=LOT_STATE)
    pairs = {frozenset(t["seats"][k::2]) for t in drawn_output["tables"] for k in (0, 1)}
    assert not pairs & {frozenset(p) for p in ((1, 3), (2, 4), (5, 7), (6, 8))}
    standing = LOT_STATE | {"form": "standing", "standing": [7, 3, 1, 5], "rests": {}}
    (first_table, _second) = run_command("draw", file=standing)["tables"]
    assert first_table["seats"].count(7) == 1
    names = {"history": [{"tables": [["Ann", "Bo", "Cy", "Di"]], "rest": []}], "players": None}
    assert run_command("draw", file=LOT_STATE | names)["tables"][0]["seats"].count("Ann") == 1
    now = {"tables": [{"table": 1, "seats": [1, 2, 3, 4]}], "history": []}
    assert run_command("draw", file=LOT_STATE | now)["tables"]


def test_cards_handed_in_after_a_typed_round_count_for_the_other_rounds() -> None:
    """One table plays four rounds of 26 tricks; the first is typed, the cards have the rest."""
    totals = [{"number": n, "total": total} for n, total in enumerate((19, 20, 19, 20), 1)]
    changes = {
        "players": [{"number": n, "name": f"P{n}"} for n in (1, 2, 3, 4)],
        "played": [{"round": 1, "tables": [SHEET], "rest": []}],
        "totals": totals,
        "rounds": 4,
    }
    output = run_command("standings", file=DRIVE_FILE | changes)
    assert output["check"] == {"expected": "104", "got": "104", "off": "0"}


def test_commands_rank_verify_and_award_prizes() -> None:
    output = run_command("standings", "--format", "json", file=DRIVE_FILE)
    assert output["standings"] == [
        {"number": 1, "points": "8", "rank": 1, "tied": True, "rests": 0},
        {"number": 3, "points": "8", "rank": 1, "tied": True, "rests": 0},
        {"number": 9, "points": "13/2", "rank": 3, "tied": False, "rests": 1},
        {"number": 2, "points": "5", "rank": 4, "tied": False, "rests": 0},
    ]
    assert output["check"] == {"expected": "26", "got": "26", "off": "0"}
    assert [(a["prize"], a["number"]) for a in output["awards"][:2]] == [(1, 1), (1, 3)]
    assert list(output["awards"][0]) == ["prize", "number", "why"]
    assert run_command("verify", file=DRIVE_FILE | {"awards": output["awards"]}) == {
        "verified": True
    }
    cards = [
        {"number": n, "total": 70 + n, "part": 1, "rests": int(n == 9)} for n in (1, 2, 3, 9)
    ]
    totals = run_command(
        "standings", file=DRIVE_FILE | {"played": [], "totals": cards, "rounds": 12}
    )
    assert totals["standings"][0]["points"] == "171/2"
    assert totals["check"]["expected"] == "312"
    wrong_drive = DRIVE_FILE | {
        "awards": [{"prize": 2, "number": 77, "why": "x"}],
        "commitment": "00",
    }
    with pytest.raises(CommandError, match=r"fingerprint(.|\n)*player 77 has it in the file"):
        run_command("verify", file=wrong_drive)
    assert "secret" in read_refusal("verify", file=DRIVE_FILE | {"secret": None})


def build_played_state(**more) -> dict:
    table = SHEET | {"table": 2} | more
    return DRIVE_FILE | {"played": [{"round": 3, "tables": [table], "rest": []}]}


@pytest.mark.parametrize(
    ("subcommand", "file", "says"),
    [
        ("next", "{", "line 1, column 2"),
        ("next", "[1]", "isn’t a group in braces"),
        ("next", {}, "format"),
        ("next", DRIVE_STATE | {"form": "lot"}, "isn’t moved by results"),
        ("next", DRIVE_STATE | {"tables": [FIRST_TABLE | {"winner": "C"}]}, "tables[0].winner"),
        (
            "next",
            DRIVE_STATE | {"tables": [FIRST_TABLE | {"winner": None}]},
            "Table 1: the winner",
        ),
        (
            "next",
            DRIVE_STATE | {"tables": [{"table": 1, "seats": [1, 2, 3, 4, 5]}]},
            "tables[0].seats: The list is too long. Use at most 4",
        ),
        ("next", DRIVE_STATE | {"terms": {"first": 0}}, "“first”"),
        ("next", DRIVE_STATE | {"terms": {"a\nb": 0}}, "“a b”"),
        ("next", DRIVE_STATE | {"form": "x\ud800\ny"}, "form: “x??y” contains"),
        (
            "next",
            DRIVE_STATE | {"tables": [FIRST_TABLE | {"seats": ["\ud800"]}]},
            "tables[0].seats[0]",
        ),
        ("next", DRIVE_STATE | {"terms": [1]}, "terms: [1] isn’t a group"),
        ("draw", DRIVE_STATE, "isn’t drawn by rounds"),
        ("draw", LOT_STATE | {"seed": "x"}, "seed"),
        (
            "draw",
            LOT_STATE | {"history": [{"tables": [[1, 2, 3]]}]},
            "history[0].tables[0]: enter four seats",
        ),
        (
            "draw",
            LOT_STATE | {"history": [{"tables": [[1, 2, 3, 3]]}]},
            "history[0].tables[0][3]: 3 appears twice",
        ),
        ("draw", LOT_STATE | {"history": []}, "4–2000 players for a drive, not 0"),
        ("draw", LOT_STATE | {"apart": [[1, 77]]}, "77"),
        (
            "standings",
            build_played_state(score=[7, 7]),
            "played[0].tables[0]: 7 and 7 add up to 14",
        ),
        (
            "standings",
            build_played_state(score=[14, -1]),
            "played[0].tables[0]: 14 is not between",
        ),
        ("standings", build_played_state(score=["8", "5"]), "Write the number without quotes"),
        ("standings", build_played_state(score=[0.5, 12.5]), "whole number"),
        (
            "standings",
            build_played_state(score=[10**9, 4]),
            "score[0]: 1000000000 is out of range",
        ),
        (
            "standings",
            build_played_state(seats=[1, 2, 3, 3]),
            "played[0].tables[0].seats[3]: 3 appears twice",
        ),
        ("standings", build_played_state(seats=[1, 2, 3, 77]), "player 77 not found"),
        ("standings", DRIVE_FILE | {"totals": [{"number": 1, "total": 7}] * 2}, "totals[1]: "),
        ("standings", DRIVE_FILE | {"totals": [{"number": 77, "total": 7}]}, "77"),
        ("standings", DRIVE_FILE | {"version": 2}, "version"),
        ("standings", DRIVE_FILE | {"players": []}, "players: The list is empty"),
        ("standings", DRIVE_FILE | {"score": {"kind": "goals"}}, "score.kind"),
        ("standings", DRIVE_FILE | {"score": {"kind": "side", "ties": ["x"]}}, "score.ties[0]"),
        (
            "standings",
            DRIVE_FILE | {"prizes": [{"words": "x", "measure": "y"}]},
            "prizes[0].measure",
        ),
        ("standings", DRIVE_FILE | {"name": ""}, "name"),
    ],
)
def test_error_of_a_faulty_file_names_the_position(subcommand: str, file, says: str) -> None:
    assert says in read_refusal(subcommand, file=file)


MALFORMED_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_malformed_files_are_refused_or_processed_without_a_crash(data: st.DataObject) -> None:
    verb, file = data.draw(
        st.sampled_from(
            [
                ("next", DRIVE_STATE),
                ("draw", LOT_STATE),
                ("standings", DRIVE_FILE),
                ("verify", DRIVE_FILE),
            ]
        )
    )
    spoilt_file = json.loads(json.dumps(file))
    node = spoilt_file
    while isinstance(node, dict | list) and node:
        key = data.draw(
            st.sampled_from([*node] if isinstance(node, dict) else range(len(node)))
        )
        if data.draw(st.booleans()):
            node[key] = data.draw(MALFORMED_VALUES)
            break
        node = node[key]
    with contextlib.suppress(CommandError):  # anything else fails the test
        assert run_command(verb, file=spoilt_file)


@pytest.mark.slow
def test_bad_shell_arguments_give_one_line_and_exit_code_2(tmp_path) -> None:
    for arguments in (["plan", "--salsa"], ["next", str(tmp_path / "none.json")]):
        process = subprocess.run(
            [sys.executable, "manage.py", "drive", *arguments],
            cwd=ROOT,
            env={"SECRET_KEY": "x", "DATA_DIR": str(tmp_path), "PATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (process.returncode, process.stdout) == (2, "")
        assert len(process.stderr.strip().splitlines()) == 1
    assert [*tmp_path.glob("*.sqlite3")] == []
