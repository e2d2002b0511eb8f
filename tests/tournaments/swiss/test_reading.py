"""A draw from a file: its result, and the message for each error in it."""

import json
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tournaments.swiss import UnreadableField, read_field

FIELD_DATA = {
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
    draw_result: dict = json.loads(output.getvalue())
    return draw_result


def test_same_file_always_gives_same_draw(tmp_path: Path) -> None:
    actual = draw_from_file(tmp_path, FIELD_DATA)
    assert actual == draw_from_file(tmp_path, FIELD_DATA)
    assert list(actual)[:5] == ["pairings", "sit_out", "objective", "seed", "input"]
    assert len(actual["pairings"]) == 2
    assert len(actual["sit_out"]) == 1
    assert len(actual["objective"]) == 9
    assert actual["objective"][:4] == [0, 0, 0, 0]
    assert actual["input"].startswith("sha256 ")
    assert all(pairing["reason"] for pairing in actual["pairings"])


@pytest.mark.parametrize("is_piped", [False, True])
def test_byte_order_mark_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_piped: bool
) -> None:
    expected = draw_from_file(tmp_path, FIELD_DATA)
    file, output = tmp_path / "marked.json", StringIO()
    file.write_text(json.dumps(FIELD_DATA), "utf-8-sig")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(file.read_bytes())))
    call_command("swiss", "draw", "-" if is_piped else str(file), format="json", stdout=output)
    assert json.loads(output.getvalue()) == expected


def build_field_data(**changes: object) -> dict:
    return {**FIELD_DATA, **changes}


INVALID_FIELD_CASES = [
    ([], r"the file: \[\] isn’t a group in braces"),
    (build_field_data(entries=[]), "entries: at least two must play."),
    (build_field_data(entries=[{"id": 1}, {"id": 1}], history=[], apart=[]), "1 appears twice"),
    (
        build_field_data(entries=[{"id": 1, "score": "1.234"}]),
        r"entries\[0\].score: must be a decimal",
    ),
    (
        build_field_data(entries=[{"id": 1, "score": 1.5}]),
        r"entries\[0\].score: must be a decimal",
    ),
    (build_field_data(entries=[{"id": 1, "seat": "sofa"}]), "Enter stays or north-south"),
    (
        build_field_data(entries=[{"id": True}]),
        r"entries\[0\].id: true isn’t a whole number or a name",
    ),
    (build_field_data(entries=[{"id": n} for n in range(2000)]), "at most 1000"),
    (
        build_field_data(history=[{"pairings": [{"ns": 1, "ew": 9}]}]),
        "9 isn’t in the list of entries",
    ),
    (
        build_field_data(history=[{"pairings": [{"ns": 1, "ew": 1}]}]),
        r"pairings\[0\].ew: 1 appears twice",
    ),
    (build_field_data(apart=[[9, 1]]), r"apart\[0\]\[0\]: 9 isn’t in the list of entries"),
    (build_field_data(apart=[[1, 2], [1, 9]]), r"apart\[1\]\[1\]: 9 isn’t in the list"),
    (
        build_field_data(apart=[[1, 1]]),
        r"apart\[0\]\[1\]: 1 appears twice, also at apart\[0\]\[0\]",
    ),
    (build_field_data(apart=[[1]]), r"apart\[0\]: enter two pair or team numbers"),
    (build_field_data(round=0), "round: 0 is out of range. Enter a whole number from 1 to 200"),
    (build_field_data(rounds=0), "rounds: 0 is out of range"),
    (build_field_data(kind="dogs"), "kind: “dogs” isn’t known. Enter pairs or teams"),
    (build_field_data(odd="three-way"), "odd: only teams can play three-way"),
    (build_field_data(teams=[]), "teams: Unknown key"),
    (build_field_data(**{"two\nlines": 1}), "“two.lines”: Unknown key"),
    (
        build_field_data(entries=[{"id": 1, "nom": "Ann"}]),
        r"entries\[0\].nom: Unknown key",
    ),
    (
        build_field_data(history=[{"sitout": [5]}]),
        r"history\[0\].sitout: Unknown key. Did you mean sit_out",
    ),
    (build_field_data(history=[{"note": "\ud800"}]), r"history\[0\].note: Unknown key"),
    (
        build_field_data(history=[{"pairings": [{"ns": 1, "ew": 2, "tabel": 3}]}]),
        r"history\[0\].pairings\[0\].tabel: Unknown key. Did you mean table",
    ),
]


@pytest.mark.parametrize(("data", "error_message"), INVALID_FIELD_CASES)
def test_error_is_reported_with_position_and_solution(data: object, error_message: str) -> None:
    with pytest.raises(UnreadableField, match=error_message) as exc_info:
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
@pytest.mark.parametrize("output_format", ["text", "json"])
def test_unprintable_text_is_refused(tmp_path: Path, text: str, output_format: str) -> None:
    """Wherever the name is, one line gives its place, and nothing else happens."""
    file = tmp_path / "field.json"
    places = [
        build_field_data(entries=[{"id": text}, {"id": 2}], history=[], apart=[]),
        build_field_data(entries=[{"id": 1, "name": text}, {"id": 2}], history=[], apart=[]),
        build_field_data(entries=[{"id": 1, "seat": text}, {"id": 2}], history=[], apart=[]),
        build_field_data(seed=text),
        build_field_data(apart=[[1, text]]),
        build_field_data(history=[{"sit_out": [text]}]),
        build_field_data(history=[{"pairings": [{"ns": 1, "ew": text}]}]),
        build_field_data(method=text),
    ]
    for data in places:
        file.write_text(json.dumps(data), "utf-8")
        with pytest.raises(CommandError) as exc_info:
            call_command("swiss", "draw", str(file), format=output_format, stdout=StringIO())
        assert str(exc_info.value).isprintable()


@pytest.mark.parametrize("key", ["entries", "history", "\ud800", "two\nlines"])
def test_duplicate_key_is_refused(tmp_path: Path, key: str) -> None:
    file, json_member = tmp_path / "field.json", f"{json.dumps(key)}: []"
    for text in (
        f"{{{json_member}, {json_member}}}",
        f'{{"entries": [{{{json_member}, {json_member}}}]}}',
    ):
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


def test_simulation_compares_ranking_quality_of_draw_methods() -> None:
    output = StringIO()
    call_command(
        "swiss", "rehearse", entries=8, rounds=4, tournaments=4, kind="teams", skill="2",
        method="all", format="json", stdout=output,
    )  # fmt: skip
    rows = json.loads(output.getvalue())
    assert [row["method"] for row in rows] == ["swiss", "danish", "monrad", "random", "arrears"]
    assert all(0 < row["tau"] <= 1 for row in rows)
    assert all(0 <= row["best_wins"] <= 1 for row in rows)
