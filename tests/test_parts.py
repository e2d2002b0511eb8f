"""What waits for a release is written down, read, and drawn by lot."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import parts

ROOT = Path(__file__).resolve().parent.parent
NAMES = st.builds(
    "tests/test_{}.py::test_{}".format,
    st.sampled_from("ab"),
    st.sampled_from(
        ["one", "other", *(f"table[{row}]" for row in ("1", " 2", "a[b]-]", "#", ""))]
    ),
)


@given(every=st.sets(NAMES), waiting=st.sets(NAMES))
def test_what_is_written_down_waits_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, every: set[str], waiting: set[str]
) -> None:
    file = tmp_path_factory.getbasetemp() / "waiting.txt"
    parts.write(waiting & every, every, file)
    waits = parts.waits(file)
    assert {test for test in every if waits(test)} == waiting & every


def test_a_new_test_is_asked_and_so_is_a_new_row_of_a_table_that_waits_in_part(
    tmp_path: Path,
) -> None:
    file = tmp_path / "waiting.txt"
    parts.write(
        ["a::whole[1]", "a::part[1]"], ["a::whole[1]", "a::part[1]", "a::part[2]"], file
    )
    waits = parts.waits(file)
    assert not waits("a::new")
    assert not waits("a::part[3]")
    assert waits("a::whole[3]")


def test_lots_of_several_changes_come_to_all_that_waits() -> None:
    tests = {f"a::test[{number}]" for number in range(200)}
    drawn = [{test for test in tests if parts.is_drawn(test, str(lot))} for lot in range(100)]
    assert set.union(*drawn) == tests
    assert 15 < sum(map(len, drawn)) / len(drawn) < 25
    assert not any(parts.is_drawn(test, "") for test in tests)


def test_what_waits_is_there() -> None:
    """One that is renamed is asked again until the next choice; its old name goes at once."""
    gone = []
    for test in parts.read():
        module, *_, name = test.split("::")
        if f"def {name}(" not in _text(ROOT / module):
            gone.append(test)
    assert gone == []


@cache
def _text(module: Path) -> str:
    return module.read_text("utf-8") if module.exists() else ""
