"""A draw from a file: its result, and the message for each error in it."""

import json
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tournaments.swiss import UnreadableField, read_field

FIELD = {
    "kind": "pairs",
    "round": 2,
    "seed": "tuesday",
    "entries": [
        {"id": 1, "name": "Ann & Bob", "score": "12.25"},
        {"id": 2, "score": "-3.50", "seat": "stays"},
        {"id": 3, "score": "0"},
        {"id": 4, "score": "-8.75", "left": False},
        {"id": 5, "score": "1.00"},
    ],
    "history": [
        {"round": 1, "pairings": [{"ns": 1, "ew": 2}, {"ns": 3, "ew": 4}], "sit_out": [5]}
    ],
    "apart": [[1, 5]],
}


def draw_from_file(tmp_path: Path, data: object) -> dict:
    file = tmp_path / "field.json"
    file.write_text(json.dumps(data), "utf-8")
    output = StringIO()
    call_command("swiss", "draw", str(file), format="json", stdout=output)
    found: dict = json.loads(output.getvalue())
    return found


def test_same_file_always_gives_same_draw(tmp_path: Path) -> None:
    actual = draw_from_file(tmp_path, FIELD)
    assert actual == draw_from_file(tmp_path, FIELD)
    assert list(actual)[:5] == ["pairings", "sit_out", "objective", "seed", "input"]
    assert len(actual["pairings"]) == 2
    assert len(actual["sit_out"]) == 1
    assert len(actual["objective"]) == 9
    assert actual["objective"][:4] == [0, 0, 0, 0]
    assert actual["input"].startswith("sha256 ")
    assert all(pairing["reason"] for pairing in actual["pairings"])


@pytest.mark.parametrize("piped", [False, True])
def test_byte_order_mark_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, piped: bool
) -> None:
    expected = draw_from_file(tmp_path, FIELD)
    file, output = tmp_path / "marked.json", StringIO()
    file.write_text(json.dumps(FIELD), "utf-8-sig")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(file.read_bytes())))
    call_command("swiss", "draw", "-" if piped else str(file), format="json", stdout=output)
    assert json.loads(output.getvalue()) == expected


def change_field(**changes: object) -> dict:
    return {**FIELD, **changes}


SLIPS = [
    ([], r"the file: \[\] isn’t a group in braces"),
    (change_field(entries=[]), "entries: at least two must play."),
    (change_field(entries=[{"id": 1}, {"id": 1}], history=[], apart=[]), "1 appears twice"),
    (
        change_field(entries=[{"id": 1, "score": "1.234"}]),
        r"entries\[0\].score: must be a decimal",
    ),
    (change_field(entries=[{"id": 1, "score": 1.5}]), r"entries\[0\].score: must be a decimal"),
    (change_field(entries=[{"id": 1, "seat": "sofa"}]), "Enter stays or north-south"),
    (
        change_field(entries=[{"id": True}]),
        r"entries\[0\].id: true isn’t a whole number or a name",
    ),
    (change_field(entries=[{"id": n} for n in range(2000)]), "at most 1000"),
    (
        change_field(history=[{"pairings": [{"ns": 1, "ew": 9}]}]),
        "9 isn’t in the list of entries",
    ),
    (
        change_field(history=[{"pairings": [{"ns": 1, "ew": 1}]}]),
        r"pairings\[0\].ew: 1 appears twice",
    ),
    (change_field(apart=[[9, 1]]), r"apart\[0\]\[0\]: 9 isn’t in the list of entries"),
    (change_field(apart=[[1, 2], [1, 9]]), r"apart\[1\]\[1\]: 9 isn’t in the list"),
    (
        change_field(apart=[[1, 1]]),
        r"apart\[0\]\[1\]: 1 appears twice, also at apart\[0\]\[0\]",
    ),
    (change_field(apart=[[1]]), r"apart\[0\]: enter two pair or team numbers"),
    (change_field(round=0), "round: 0 is out of range. Enter a whole number from 1 to 200"),
    (change_field(rounds=0), "rounds: 0 is out of range"),
    (change_field(kind="dogs"), "kind: “dogs” isn’t known. Enter pairs or teams"),
    (change_field(odd="three-way"), "odd: only teams can play three-way"),
    (change_field(teams=[]), "teams: Unknown key"),
    (change_field(**{"two\nlines": 1}), "“two.lines”: Unknown key"),
    (
        change_field(entries=[{"id": 1, "nom": "Ann"}]),
        r"entries\[0\].nom: Unknown key",
    ),
    (
        change_field(history=[{"sitout": [5]}]),
        r"history\[0\].sitout: Unknown key. Did you mean sit_out",
    ),
    (change_field(history=[{"note": "\ud800"}]), r"history\[0\].note: Unknown key"),
    (
        change_field(history=[{"pairings": [{"ns": 1, "ew": 2, "tabel": 3}]}]),
        r"history\[0\].pairings\[0\].tabel: Unknown key. Did you mean table",
    ),
]


@pytest.mark.parametrize(("data", "text"), SLIPS)
def test_error_is_reported_with_position_and_solution(data: object, text: str) -> None:
    with pytest.raises(UnreadableField, match=text) as exc_info:
        read_field(data)
    assert "\n" not in str(exc_info.value)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"entries": NaN}', "\x00"])
def test_invalid_json_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "field.json"
    file.write_text(text, "utf-8")
    with pytest.raises(CommandError) as exc_info:
        call_command("swiss", "draw", str(file))
    assert "\n" not in str(exc_info.value)


@pytest.mark.parametrize("text", ["\ud800", "a\nb", "\x07", "x" * 201])
@pytest.mark.parametrize("style", ["text", "json"])
def test_unprintable_name_is_not_drawn(tmp_path: Path, text: str, style: str) -> None:
    """Wherever the name is, one line gives its place, and nothing else happens."""
    file = tmp_path / "field.json"
    places = [
        change_field(entries=[{"id": text}, {"id": 2}], history=[], apart=[]),
        change_field(entries=[{"id": 1, "name": text}, {"id": 2}], history=[], apart=[]),
        change_field(entries=[{"id": 1, "seat": text}, {"id": 2}], history=[], apart=[]),
        change_field(seed=text),
        change_field(apart=[[1, text]]),
        change_field(history=[{"sit_out": [text]}]),
        change_field(history=[{"pairings": [{"ns": 1, "ew": text}]}]),
        change_field(method=text),
    ]
    for data in places:
        file.write_text(json.dumps(data), "utf-8")
        with pytest.raises(CommandError) as exc_info:
            call_command("swiss", "draw", str(file), format=style, stdout=StringIO())
        assert str(exc_info.value).isprintable()


@pytest.mark.parametrize("key", ["entries", "history", "\ud800", "two\nlines"])
def test_duplicate_key_is_refused(tmp_path: Path, key: str) -> None:
    file, twice = tmp_path / "field.json", f"{json.dumps(key)}: []"
    for text in (f"{{{twice}, {twice}}}", f'{{"entries": [{{{twice}, {twice}}}]}}'):
        file.write_text(text, "utf-8")
        with pytest.raises(CommandError, match="appears twice in one group") as exc_info:
            call_command("swiss", "draw", str(file))
        assert str(exc_info.value).isprintable()


def test_invalid_request_is_refused() -> None:
    for arguments in (["draw"], ["draw", "nowhere.json"], ["deal"]):
        with pytest.raises(CommandError):
            call_command("swiss", *arguments)
    with pytest.raises(CommandError, match="--method must be"):
        call_command("swiss", "rehearse", method="guess")
    with pytest.raises(CommandError, match="--entries must be a whole number from 4 to 200"):
        call_command("swiss", "rehearse", entries="many")


def test_simulation_compares_draw_methods_by_recovered_ranking() -> None:
    output = StringIO()
    call_command(
        "swiss", "rehearse", entries=8, rounds=4, tournaments=4, kind="teams", skill="2",
        method="all", format="json", stdout=output,
    )  # fmt: skip
    rows = json.loads(output.getvalue())
    assert [row["method"] for row in rows] == ["swiss", "danish", "monrad", "random", "arrears"]
    assert all(0 < row["tau"] <= 1 for row in rows)
    assert all(0 <= row["best_wins"] <= 1 for row in rows)
