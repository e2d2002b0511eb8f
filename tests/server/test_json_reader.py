"""Test the only JSON reader: the errors that it reports, and their paths."""

import json
from dataclasses import dataclass
from datetime import date as Date
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.json_reader.decoder import decode_json
from server.json_reader.formats import (
    JsonKey,
    JsonKeys,
    build_list_reader,
    read_document,
    report_duplicates,
)
from server.json_reader.problems import MAX_PROBLEMS, JsonPath, UnreadableJson
from server.json_reader.values import (
    build_text_reader,
    build_whole_number_reader,
    parse_fraction,
)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Leaf:
    name: Annotated[str, build_text_reader(5)]
    number: Annotated[int, build_whole_number_reader(1, 9)] = 1
    more: "Leaf | None" = None


@dataclass(frozen=True)
class Tree:
    leaves: Annotated[tuple[Leaf, ...], build_list_reader(Leaf, min_length=1, max_length=600)]
    is_old: Annotated[bool, JsonKey("old")]
    colour: Colour = Colour.RED
    day: Date | None = None
    height: Fraction = Fraction()
    pair: tuple[int, int] = (0, 0)
    counts: dict[str, int] | None = None
    terms: Annotated[dict[str, Any], JsonKeys(("a", "b"))] = None

    def validate(self, at: JsonPath) -> None:
        leaves = at.iter_items("leaves", self.leaves)
        report_duplicates((place.get_key_path("name"), leaf.name) for place, leaf in leaves)


TREE = {"leaves": [{"name": "Ann"}], "old": True}


def read_problems(document: object, **options: Any) -> tuple[str, ...]:
    with pytest.raises(UnreadableJson) as exc_info:
        read_document(document, Tree, UnreadableJson, **options)
    return exc_info.value.problems


def test_document_is_parsed_as_its_format_declares() -> None:
    more = {"name": "Bo", "number": 9, "more": {"name": "Cy"}}
    tree = TREE | {"leaves": [more], "colour": "blue", "day": "2026-03-10", "a": [1]}
    tree |= {"height": "5/2", "pair": [1, 2], "counts": {"x": 3}, "b": None}
    document = read_document(b"\xef\xbb\xbf" + json.dumps(tree).encode(), Tree, UnreadableJson)
    assert document == Tree(
        (Leaf("Bo", 9, Leaf("Cy")),),
        is_old=True,
        colour=Colour.BLUE,
        day=Date(2026, 3, 10),
        height=Fraction(5, 2),
        pair=(1, 2),
        counts={"x": 3},
        terms={"a": [1]},
    )


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"leaves": None}, "leaves: This is missing."),
        ({"leaves": []}, "leaves: The list is empty. Add at least one."),
        ({"leaves": {}}, "leaves: {} isn’t a list in brackets [ ]."),
        ({"leaves": [1] * 601}, "leaves: The list is too long. Use at most 600."),
        ({"leaves": [3]}, "leaves[0]: 3 isn’t a group in braces { }."),
        ({"leaves": [{}]}, "leaves[0].name: This is missing."),
        (
            {"leaves": [{"name": "Ann", "more": {"name": "longer"}}]},
            "leaves[0].more.name: “longer” is longer than 5 characters. Shorten it.",
        ),
        (
            {"leaves": [{"name": "A"}, {"name": "A"}]},
            "leaves[1].name: “A” appears twice, also at leaves[0].name.",
        ),
        (
            {"leaves": [{"name": 3}]},
            'leaves[0].name: 3 is a number. Write it as text in quotes: "3".',
        ),
        ({"leaves": [{"name": " "}]}, "leaves[0].name: The text is empty."),
        (
            {"leaves": [{"name": "A\x00"}]},
            "leaves[0].name: “A?” contains a character that can’t be printed.",
        ),
        (
            {"leaves": [{"name": "A", "nunber": 1}]},
            "leaves[0].nunber: Unknown key. Did you mean number?",
        ),
        (
            {"leaves": [{"name": "A", "number": "2"}]},
            "leaves[0].number: “2” is text. Write the number without quotes: 2.",
        ),
        (
            {"leaves": [{"name": "A", "number": 10}]},
            ("leaves[0].number: 10 is out of range. Enter a whole number "
            "from 1 to 9."),
        ),
        ({"old": 1}, "old: 1 isn’t true or false."),
        ({"colour": "green"}, "colour: “green” isn’t known. Enter red or blue."),
        ({"day": "10.3.2026"}, "day: “10.3.2026” isn’t a date. Enter it as 2026-03-10."),
        (
            {"height": "1/0"},
            "height: “1/0” isn’t a number. Enter 3, 2.5 or, in quotes, \"-5/2\".",
        ),
        ({"pair": [1]}, "pair: [1] isn’t a list of 2 items."),
        ({"counts": {"a\nb": True}}, "counts.“a?b”: true isn’t a whole number."),
    ],
)  # fmt: skip
def test_problem_is_named_by_path(change: dict[str, Any], problem: str) -> None:
    assert read_problems(TREE | change) == (problem,)


def test_all_problems_are_reported_up_to_a_limit() -> None:
    assert len(read_problems({"leaves": [{}, 4], "colour": 1})) == 4
    problems = read_problems({"leaves": [1] * 600, "old": True})
    assert len(problems) == MAX_PROBLEMS + 1
    assert problems[-1].startswith("There are more problems")


def test_custom_path_prefix_is_followed_by_comma() -> None:
    assert read_problems({"leaves": [{}], "old": True}, path="tree 3") == (
        "tree 3, leaves[0], name: This is missing.",
    )


def test_reader_can_ignore_unknown_keys() -> None:
    assert read_document(
        TREE | {"x": 1}, Tree, UnreadableJson, should_ignore_unknown_keys=True
    ).is_old
    assert read_problems(TREE | {"x": 1})[0].startswith("x: Unknown key. Choose from")


def test_wrong_format_is_the_only_reported_problem() -> None:
    assert read_problems({"leaves": 1}, format="tree/1") == ("format: This is missing.",)
    assert read_problems({"format": "tree/2"}, format="tree/1") == (
        "format: this is “tree/2”, but this program reads tree/1.",
    )
    assert read_document(
        TREE | {"format": "tree/1"}, Tree, UnreadableJson, format="tree/1"
    ).is_old


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (b" \r\n", "The file is empty."),
        (b'{\n "a": 1,}', "The file isn’t JSON: line 2, column "),
        (b'{"a":\n "\xe9"}', "The file isn’t UTF-8 text: line 2, column 3 has the byte E9."),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "The key “c” appears twice in one group"),
        (b"[NaN]", "The file isn’t JSON: NaN isn’t a number."),
        (b"[-Infinity]", "The file isn’t JSON: -Infinity isn’t a number."),
        (b"[1e999]", "The number 1e999… is too long."),
        (b"9" * 5000, "The number 999999999999999… is too long."),
        (b"[" * 100_000, "The file’s brackets are nested too deeply."),
        (b'{"a":' * 100_000, "The file’s brackets are nested too deeply."),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_invalid_json_is_refused_in_one_sentence(document: bytes, problem: str) -> None:
    with pytest.raises(UnreadableJson) as exc_info:
        decode_json(document)
    assert str(exc_info.value).startswith(problem)


@given(st.fractions(max_denominator=1000) | st.integers() | st.floats(-1e6, 1e6))
def test_number_is_read_exactly_or_refused(number: Any) -> None:
    fraction_input = str(number) if isinstance(number, Fraction) else number
    assert parse_fraction(fraction_input) == Fraction(
        repr(number) if isinstance(number, float) else number
    )
    assert parse_fraction(float("1e300")) is None
    assert parse_fraction(True) is None


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@given(JSON_VALUES, st.sampled_from([*TREE, "colour", "day", "height", "pair", "counts"]))
def test_random_junk_is_read_or_refused_with_printable_messages(junk: Any, key: str) -> None:
    problems: tuple[str, ...] = ()
    try:
        read_document(TREE | {key: junk}, Tree, UnreadableJson)
    except UnreadableJson as error:
        problems = error.problems
    assert all(item.isprintable() for item in problems)
