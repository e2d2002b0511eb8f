"""The ASVS table in docs/asvs.md: every requirement has its row and its test."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(
    r"^\| ([\d.]+(?:–[\d.]+)?) \| (yes|partly|no|n/a) \| (.+) \| (?:`(\w+)`)? ?\|$",
    re.MULTILINE,
)
TEST = re.compile(r"^def (test_\w+)", re.MULTILINE)
# The number of rows of each section at level 2, and those that level 2 does not require.
SECTIONS = {
    "2.1": 12, "2.2": 3, "2.3": 3, "2.4": 6, "2.5": 7, "2.6": 3, "2.7": 6, "2.8": 7, "2.9": 3,
    "2.10": 4, "3.1": 1, "3.2": 4, "3.3": 4, "3.4": 5, "3.5": 3, "3.7": 1, "4.1": 5, "4.2": 2,
    "4.3": 3, "6.1": 3, "6.2": 6, "6.3": 2, "6.4": 2, "7.1": 4, "7.2": 2, "7.3": 4, "7.4": 3,
    "8.1": 4, "8.2": 3, "8.3": 8,
}  # fmt: skip
DELETED = {"4.1.4", "7.3.2"}


def list_requirements() -> list[tuple[str, str, str, str]]:
    """Return a row for each requirement; a line such as 2.7.1–2.7.6 has several."""
    found_texts = ROW.findall((ROOT / "docs" / "asvs.md").read_text("utf-8"))
    return [
        (number, *rest) for numbers, *rest in found_texts for number in expand_numbers(numbers)
    ]


def expand_numbers(numbers: str) -> list[str]:
    first, _, last = numbers.partition("–")
    section, _, start = first.rpartition(".")
    end = last.rpartition(".")[2] or start
    return [f"{section}.{number}" for number in range(int(start), int(end) + 1)]


@cache
def list_test_names() -> frozenset[str]:
    """Return the name of every test."""
    texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    return frozenset(name for text in texts for name in TEST.findall(text))


def test_the_table_has_every_line_of_its_chapters_once() -> None:
    asked = [
        f"{section}.{number}"
        for section, most in SECTIONS.items()
        for number in range(1, most + 1)
    ]
    assert [row[0] for row in list_requirements()] == [
        item for item in asked if item not in DELETED
    ]


def test_every_test_that_a_line_names_is_there() -> None:
    named = {row[3] for row in list_requirements() if row[3]}
    assert len(named) > 40
    assert sorted(named - list_test_names()) == []


def test_a_line_without_a_test_is_the_exception() -> None:
    held = [row[0] for row in list_requirements() if row[1] == "yes" and not row[3]]
    assert held == ["2.10.2", "6.3.2", "8.1.3"]
