"""docs/asvs.md has a row for every requirement of ASVS 5.0.0, levels 1 and 2."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASVS_TEXT = (ROOT / "docs" / "asvs.md").read_text("utf-8")
ROW_PATTERN = re.compile(r"^\| (\d[\d.*–]*) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
SUMMARY_PATTERN = re.compile(
    r"^\| (\d+) [^|]+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE
)
TEST_PATTERN = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
FILE_PATTERN = re.compile(r"`([\w./-]+(?:/[\w.-]+|\.\w+))`")
ANSWERS = ("met", "partly", "not met", "not applicable")
# The number of requirements of levels 1 and 2 in each section, which are numbered from 1.
COUNTS_BY_SECTION = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1,
    "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4,
    "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3, "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5,
    "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2, "8.1": 2,
    "8.2": 3, "8.3": 1, "8.4": 1, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4,
    "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4,
    "11.5": 1, "11.6": 1, "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2,
    "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3, "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1,
    "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4, "17.3": 2,
}  # fmt: skip
REQUIREMENT_NUMBERS = [
    f"{section}.{n}"
    for section, count in COUNTS_BY_SECTION.items()
    for n in range(1, count + 1)
]


def list_rows() -> list[tuple[str, str, str]]:
    """Return the number, answer and reason of each requirement."""
    return [
        (number, answer, reason)
        for numbers, _topic, answer, reason in ROW_PATTERN.findall(ASVS_TEXT)
        for number in expand_numbers(numbers)
    ]


def expand_numbers(numbers: str) -> list[str]:
    """Expand `10.*` to all requirements of a chapter, and `6.6.1–6.6.3` to a range."""
    if numbers.endswith(".*"):
        return [
            requirement
            for requirement in REQUIREMENT_NUMBERS
            if requirement.startswith(numbers.removesuffix("*"))
        ]
    first_number, _, last_number = numbers.partition("–")
    section, _, start = first_number.rpartition(".")
    end_number = last_number.rpartition(".")[2] or start
    return [f"{section}.{number}" for number in range(int(start), int(end_number) + 1)]


@cache
def read_test_names(path: str) -> frozenset[str]:
    return frozenset(re.findall(r"^def (test_\w+)", (ROOT / path).read_text("utf-8"), re.M))


def test_every_requirement_of_levels_one_and_two_has_one_answer() -> None:
    assert len(REQUIREMENT_NUMBERS) == 253
    assert [number for number, _answer, _reason in list_rows()] == REQUIREMENT_NUMBERS
    assert {answer for _number, answer, _reason in list_rows()} == set(ANSWERS)


def test_every_test_and_file_named_in_the_answers_exists() -> None:
    tests = TEST_PATTERN.findall(ASVS_TEXT)
    assert len(tests) > 90
    assert [
        f"{path}::{test_name}"
        for path, test_name in tests
        if test_name not in read_test_names(path)
    ] == []
    paths = {
        path for path in FILE_PATTERN.findall(TEST_PATTERN.sub("", ASVS_TEXT)) if "/" in path
    }
    assert len(paths) > 5
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []


def test_every_met_requirement_names_its_test_its_module_or_its_reason() -> None:
    for number, _answer, where in list_rows():
        assert len(where.strip()) > 10, number
    met_reasons = [where for _number, answer, where in list_rows() if answer == "met"]
    assert sum("::" in where for where in met_reasons) > 0.7 * len(met_reasons)


def test_summary_has_the_counts_of_the_tables() -> None:
    counts = Counter((number.split(".")[0], answer) for number, answer, _where in list_rows())
    rows = {
        chapter: tuple(map(int, numbers))
        for chapter, *numbers in SUMMARY_PATTERN.findall(ASVS_TEXT)
    }
    assert rows == {
        str(chapter): tuple(counts[str(chapter), answer] for answer in ANSWERS)
        for chapter in range(1, 18)
    }
