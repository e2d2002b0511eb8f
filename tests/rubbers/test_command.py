"""The command `rubber`: strict schemas, and a one-line error with its place."""

import copy
import json
import random
import sys
from dataclasses import MISSING, fields, replace
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rubbers.files.rubber_file import evaluate_cut_file, score_rubber_file
from rubbers.rubber.codes import LAW_CODES_BY_NAME, LawCode
from rubbers.rubber.errors import UnreadableRubber
from rubbers.rubber.terms import build_terms_data, change_terms
from server.json_reader.problems import format_value

ROOT = Path(__file__).resolve().parents[2]
HAND = {"tricks": {"A": 7, "B": 6}}


def run_command(monkeypatch, verb, data, *arguments):
    file_bytes = data if isinstance(data, bytes) else json.dumps(data).encode()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(file_bytes)))
    output = StringIO()
    call_command("rubber", verb, "-", *arguments, stdout=output)
    return json.loads(output.getvalue())


def test_hand_with_a_revoke_is_scored_in_the_documented_format(tmp_path):
    file = tmp_path / "rubber.json"
    hand = {
        "tricks": {"A": 11, "B": 2},
        "honours": {"A": 0, "B": 3},
        "claimed": True,
        "revokes": [{"by": "B", "penalty": "tricks"}],
        "called": None,
    }
    night = {"code": "pole", "terms": {}, "sides": {"A": ["a", "c"], "B": ["b", "d"]}}
    file.write_text(json.dumps(night | {"hands": [hand, hand, HAND]}), encoding="utf-8")
    output = StringIO()
    call_command("rubber", "score", str(file), "--format", "json", stdout=output)
    game = {"winner": "A", "losers": 0, "value": 3}
    rubber = {"winner": "A", "games": 2, "points": 8}
    five_point_hand = {
        "lines": [{"side": "A", "from": "tricks", "points": 5}],
        "score": {"A": 5, "B": 0},
        "game": game,
    }
    one_point_line = [{"side": "A", "from": "tricks", "points": 1}]
    assert json.loads(output.getvalue()) == {
        "hands": [
            {"hand": 1, **five_point_hand, "rubber": None},
            {"hand": 2, **five_point_hand, "rubber": rubber},
            {
                "hand": 3,
                "lines": one_point_line,
                "score": {"A": 1, "B": 0},
                "game": None,
                "rubber": None,
            },
        ],
        "games": [game, game],
        "rubbers": [rubber],
        "score": {"A": 1, "B": 0},
    }


def test_unfinished_rubber_is_included_at_closing_time(monkeypatch):
    hands = [{"tricks": {"A": 13, "B": 0}}, {"tricks": {"A": 0, "B": 13}}]
    output = run_command(monkeypatch, "score", {"code": "pole", "hands": hands, "closed": True})
    assert output["unfinished"] == {"winner": None, "games": 2, "points": 0}
    empty_output = run_command(
        monkeypatch, "score", {"code": "pole", "hands": [], "closed": True}
    )
    assert empty_output["unfinished"] is None
    assert empty_output["score"] == {"A": 0, "B": 0}


def test_entered_honours_count_as_claimed_and_a_side_may_be_omitted(monkeypatch):
    hand = HAND | {"honours": {"B": 4}}
    output = run_command(monkeypatch, "score", {"code": "pole", "hands": [hand]})
    assert output["score"] == {"A": 1, "B": 4}
    output = run_command(
        monkeypatch, "score", {"code": "long", "hands": [hand | {"claimed": False}]}
    )
    assert output["score"] == {"A": 1, "B": 0}


def test_penalty_may_be_omitted_if_only_one_is_possible(monkeypatch):
    hand = HAND | {"revokes": [{"by": "A"}]}
    for code, score in (("american-league", {"A": 0, "B": 2}), ("long", {"A": 1, "B": 3})):
        output = run_command(monkeypatch, "score", {"code": code, "hands": [hand]})
        assert output["score"] == score


def test_value_that_cannot_be_formatted_shows_an_ellipsis():
    nested_list: list[object] = []
    for _ in range(100_000):
        nested_list = [nested_list]
    assert format_value(nested_list) == "…"


def test_cut_is_printed_in_the_documented_format(monkeypatch):
    cuts = [{"a": "3", "b": "6", "c": "6", "d": "J"}, {"b": "K", "c": "Q"}]
    night = {"players": ["a", "b", "c", "d"], "cuts": cuts}
    assert run_command(monkeypatch, "cut", night) == {
        "partners": [["a", "c"], ["b", "d"]],
        "dealer": "a",
        "again": [],
    }
    assert run_command(monkeypatch, "cut", night | {"cuts": cuts[:1]}) == {
        "partners": None,
        "dealer": None,
        "again": ["b", "c"],
    }
    five = {"players": list("abcde"), "cuts": [dict(zip("abcde", "A2J43", strict=True))]}
    output = run_command(monkeypatch, "cut", five)
    assert (output["playing"], output["again"]) == (list("abde"), list("abde"))
    leaving_file = {
        "players": list("abcd"),
        "consecutive": {"a": 2, "b": 1, "c": 1, "d": 2},
        "out": 1,
    }
    assert run_command(monkeypatch, "cut", leaving_file) == {"out": [], "again": ["a", "d"]}
    decided_file = leaving_file | {"cuts": [{"a": "10", "d": "t"}, {"a": "k", "d": "A"}]}
    assert run_command(monkeypatch, "cut", decided_file) == {"out": ["a"], "again": []}


def build_pole_file(*hands, **more):
    return {"code": "pole", "hands": list(hands)} | more


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"{", "The file isn’t JSON: line 1, column 2"),
        (b"", "The file is empty."),
        (b"\xff", "-: this isn’t UTF-8"),
        (b"[" * 100_000, "The file’s brackets are nested too deeply."),
        (b'{"code": ' + b"9" * 5000 + b"}", "The number 999999999999999… is too long."),
        (b'{"code": NaN}', "The file isn’t JSON: NaN isn’t a number"),
        (b'{"code": "pole", "code": "long"}', "The key “code” appears twice in one group"),
        ([], "the file: [] isn’t a group in braces { }."),
        ({}, "code: This is missing."),
        ({"code": "bridge"}, "code: one of: pole, english-1900, american-league, long"),
        ({"code": []}, "code: one of: pole, english-1900, american-league, long"),
        ({"code": "pole"}, "hands: This is missing."),
        (build_pole_file(term={}), "term: Unknown key. Did you mean terms?"),
        (build_pole_file(terms=[]), "terms: [] isn’t a group in braces"),
        (
            build_pole_file(terms={"game": 0}),
            "terms: game: 0 is out of range. Enter a whole number from 1 to 100",
        ),
        (build_pole_file(terms={"x\n" * 99: 0}), "terms: setting “x?x?x"),
        (build_pole_file(closed=1), "closed: 1 isn’t true or false"),
        (build_pole_file() | {"hands": {}}, "hands: {} isn’t a list in brackets"),
        (build_pole_file(sides={"A": ["a", "c"]}), "sides.B: This is missing."),
        (
            build_pole_file(sides={"A": ["a", "c"], "B": ["a", "d"]}),
            "sides: each side needs two different players",
        ),
        (
            build_pole_file(sides={"A": ["a", "b", "c"], "B": ["d"]}),
            'sides.A: ["a", "b", "c"] isn’t a list of 2 items.',
        ),
        (
            build_pole_file(sides={"A": ["a", 4], "B": ["b", "d"]}),
            "sides.A[1]: 4 is a number. Write it as text",
        ),
        (build_pole_file(HAND, 4), "hands[1]: 4 isn’t a group in braces"),
        (build_pole_file(HAND, {}), "hands[1]: enter the tricks"),
        (
            build_pole_file(*[HAND] * 3, {"tricks": {"A": 7, "B": 7}}),
            "hands[3]: tricks 7 and 7 add up to 14",
        ),
        (
            build_pole_file({"tricks": {"A": 6, "B": 6}}),
            "hands[0]: tricks 6 and 6 add up to 12",
        ),
        (
            build_pole_file({"tricks": {"A": 14, "B": -1}}),
            "hands[0].tricks.A: 14 is out of range. Enter a whole number from 0 to 13",
        ),
        (
            build_pole_file({"tricks": {"A": 7.0, "B": 6}}),
            "hands[0].tricks.A: 7.0 isn’t a whole number",
        ),
        (
            build_pole_file({"tricks": {"A": 1e9, "B": 6}}),
            "hands[0].tricks.A: 1000000000.0 isn’t a whole",
        ),
        (
            build_pole_file({"tricks": {"A": True, "B": 12}}),
            "hands[0].tricks.A: true isn’t a whole number",
        ),
        (
            build_pole_file({"tricks": {"A": "a\n\u2028b", "B": 12}}),
            "hands[0].tricks.A: “a??b” isn’t a whole",
        ),
        (build_pole_file({"tricks": {"A": "x" * 999, "B": 6}}), "hands[0].tricks.A: “xxxxxxxx"),
        (build_pole_file({"tricks": {"A": 7}}), "hands[0]: tricks 7 and 0 add up to 7"),
        (
            build_pole_file({"tricks": [7, 6]}),
            "hands[0].tricks: [7, 6] isn’t a group in braces",
        ),
        (
            build_pole_file({"tricks": {"A": 7, "B": 6, "C": 0}}),
            "hands[0].tricks.C: Unknown key",
        ),
        (
            build_pole_file(HAND | {"honors": {}}),
            "hands[0].honors: Unknown key. Did you mean honours?",
        ),
        (
            build_pole_file(HAND | {"honours": {"A": 3, "B": 2}}),
            "hands[0]: honours can’t add up to more than",
        ),
        (
            build_pole_file(HAND | {"honours": {"A": 5}}),
            "hands[0]: honours must be 0 to 4",
        ),
        (
            build_pole_file(HAND | {"claimed": "no"}),
            "hands[0].claimed: “no” isn’t true or false",
        ),
        (
            build_pole_file(HAND | {"revokes": 0}),
            "hands[0].revokes: 0 isn’t a list in brackets",
        ),
        (
            build_pole_file(HAND | {"revokes": [0]}),
            "hands[0].revokes[0]: 0 isn’t a group in braces",
        ),
        (build_pole_file(HAND | {"revokes": [{}]}), "hands[0].revokes[0].by: This is missing."),
        (
            build_pole_file(HAND | {"revokes": [{"by": []}]}),
            "hands[0].revokes[0].by: [] isn’t known. Enter A or B.",
        ),
        (
            build_pole_file(HAND | {"revokes": [{"by": "A"}]}),
            "hand 1: choose the penalty for side A’s revoke",
        ),
        (
            build_pole_file(HAND | {"revokes": [{"by": "A", "penalty": 3}]}),
            ("hands[0].revokes[0].penalty: 3 isn’t known. Enter tricks or minus or plus."),
        ),
        (build_pole_file({"called": "A"}), "hand 1: honours can’t be called in this code"),
        (build_pole_file({"called": "C"}), "hands[0].called: “C” isn’t known. Enter A or B."),
    ],
)
def test_unreadable_rubber_is_refused_with_its_position(monkeypatch, data, text):
    check_file_is_rejected(monkeypatch, "score", data, text)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({}, "players: This is missing."),
        ({"players": ["a"]}, "players: 2 to 6 different players must cut for a table"),
        ({"players": ["a", "b", "c", ""]}, "players[3]: The text is empty."),
        ({"players": ["a", "b", "c", "d" * 101]}, "players[3]: “ddddd"),
        ({"players": ["a", "b", "c", "\ud800"]}, "players[3]: “?” contains a character"),
        ({"players": list("abcd"), "cuts": 1}, "cuts: 1 isn’t a list in brackets"),
        ({"players": list("abcd"), "cuts": [1]}, "cuts[0]: 1 isn’t a group in braces"),
        (
            {"players": list("abcd"), "cuts": [{"a": "1"}]},
            "cuts[0].a: “1” isn’t a card. Enter A, 2",
        ),
        (
            {"players": list("abcd"), "cuts": [{"a": 3}]},
            "cuts[0].a: 3 isn’t a card. Enter A, 2 to",
        ),
        (
            {"players": list("abcd"), "cuts": [{"a": "3"}]},
            "cut 1: the players to cut are a, b, c, d",
        ),
        ({"players": list("ab"), "out": 1}, "consecutive: each player needs a number"),
        (
            {"players": list("ab"), "consecutive": {"a": 1}},
            "consecutive: each player needs a number",
        ),
        (
            {"players": list("ab"), "consecutive": {"a": 1, "b": -1}},
            "consecutive.b: -1 is out of range. Enter a whole number from 0 to 9999",
        ),
        (
            {"players": list("ab"), "consecutive": {"a": 1, "b": 1}, "out": 3},
            "out: 3 is out of range. Enter a whole number from 0 to 2",
        ),
    ],
)
def test_unreadable_cut_is_refused_with_its_position(monkeypatch, data, text):
    check_file_is_rejected(monkeypatch, "cut", data, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ((), "enter: rubber score FILE, or: rubber cut FILE"),
        (("shuffle", "-"), "enter: rubber score FILE, or: rubber cut FILE"),
        (("score",), "enter: rubber score FILE, or: rubber cut FILE"),
        (("score", "-", "--format", "xml"), "--format can only be json"),
        (("score", "/no/such/file"), "/no/such/file: No such file or directory"),
        (("score", "/"), "/: Is a directory"),
    ],
)
def test_invalid_command_line_is_refused_in_one_line(text, expected):
    with pytest.raises(CommandError) as exc_info:
        call_command("rubber", *text)
    assert (str(exc_info.value), exc_info.value.returncode) == (expected, 2)


def check_file_is_rejected(monkeypatch, verb, data, text):
    with pytest.raises(CommandError) as exc_info:
        run_command(monkeypatch, verb, data)
    error_text = str(exc_info.value)
    assert error_text.startswith(text)
    assert error_text.isprintable()
    assert len(error_text) < 200
    assert exc_info.value.returncode == 2


def test_law_code_record_requires_all_its_texts():
    assert all(field.kw_only for field in fields(LawCode))
    assert {field.name for field in fields(LawCode) if field.default is MISSING} == {
        *("name", "terms", "title", "blurb", "source")
    }
    with pytest.raises(TypeError, match="title"):
        LawCode(name="half a code")
    assert all(LAW_CODES_BY_NAME[name].name == name for name in LAW_CODES_BY_NAME)
    assert len({item.title for item in LAW_CODES_BY_NAME.values()}) == len(LAW_CODES_BY_NAME)


def test_additional_law_code_needs_only_one_record(monkeypatch):
    six_point_code = replace(
        LAW_CODES_BY_NAME["pole"],
        name="six",
        terms=change_terms(LAW_CODES_BY_NAME["pole"].terms, {"game": 6}),
    )
    monkeypatch.setitem(LAW_CODES_BY_NAME, six_point_code.name, six_point_code)
    output = run_command(
        monkeypatch, "score", {"code": "six", "hands": [{"tricks": {"A": 12, "B": 1}}]}
    )
    assert output["games"] == [{"winner": "A", "losers": 0, "value": 3}]
    assert "long, six" in str(find_error(score_rubber_file, {"code": "seven"}))


def test_rubber_page_names_every_code_and_term():
    page = (ROOT / "docs" / "rubber.md").read_text(encoding="utf-8")
    names = {*LAW_CODES_BY_NAME, *build_terms_data(LAW_CODES_BY_NAME["pole"].terms)}
    assert {name for name in names if f"`{name}`" not in page} == set()


ODD_VALUES = (
    *(None, True, 0, -1, 14, 1e9, 0.5, 10**30, "", "A", "\n\u2028", "\ud800", "9" * 300),
    *([], {}, [[]], {"A": 1}, {"a": {"b": 1}}),
)


def test_any_file_content_is_scored_or_refused_in_one_line():
    chance = random.Random("odd")
    hand = {
        "tricks": {"A": 11, "B": 2},
        "honours": {"A": 0, "B": 3},
        "claimed": True,
        "revokes": [{"by": "B", "penalty": "plus"}],
    }
    night = {
        **{"code": "long", "terms": {"game": 10, "penalties": ["plus"]}, "closed": True},
        **{"sides": {"A": ["a", "c"], "B": ["b", "d"]}, "hands": [hand, hand]},
    }
    cut_file = {"players": list("abcd"), "cuts": [dict(zip("abcd", "366J", strict=True))]}
    for _ in range(1500):
        for parse_file, file in ((score_rubber_file, night), (evaluate_cut_file, cut_file)):
            damaged_file = copy.deepcopy(file)
            damage_value(chance, damaged_file)
            line = str(find_error(parse_file, damaged_file) or "fine")
            assert line.isprintable()
            assert len(line) < 200


def damage_value(chance, node):
    """Replace one value at any depth with an odd one, or delete it."""
    keys = list(node) if isinstance(node, dict) else range(len(node))
    if not keys:
        return
    damaged_key = chance.choice(keys)
    if isinstance(node[damaged_key], dict | list) and chance.random() < 0.75:
        damage_value(chance, node[damaged_key])
    elif chance.random() < 0.2:
        del node[damaged_key]
    else:
        node[damaged_key] = chance.choice(ODD_VALUES)


def find_error(read, file):
    """Return the error for a file, or None if it can be read and printed."""
    try:
        json.dumps(read(json.dumps(file)), ensure_ascii=False).encode()
    except UnreadableRubber as problem:
        return problem
    return None
