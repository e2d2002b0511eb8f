"""Each change is asked whatever is cheap, and so much that every place is reached."""

from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from coverage import CoverageData
from django.template import Template
from hypothesis import given
from hypothesis import strategies as st

from tests import asked, reach
from tests.reach import AT_LEAST, CHEAP, FEWEST, Reached


def _reached(cost: float, *places: int) -> Reached:
    return Reached(cost, np.array(sorted(places), dtype=np.int64))


TESTS = st.dictionaries(
    st.builds("{}[{}]".format, st.sampled_from("abc"), st.integers(0, 9)),
    st.builds(
        lambda cost, places: _reached(cost, *places),
        st.floats(0, 9, allow_nan=False),
        st.sets(st.integers(0, 12), max_size=8),
    ),
)


@given(tests=TESTS, share=st.floats(0, 1))
def test_what_is_cheap_is_asked_and_what_alone_reaches_many_places(
    tests: dict[str, Reached], share: float
) -> None:
    found = reach.chosen(tests, share=share)
    assert found <= set(tests)
    assert {test for test, each in tests.items() if each.cost <= CHEAP} <= found
    lacking = _places(tests, set(tests)) - _places(tests, found)
    for test in set(tests) - found:
        new = lacking & set(tests[test].places.tolist())
        assert len(new) / (tests[test].cost + AT_LEAST) <= FEWEST


@given(tests=TESTS)
def test_no_more_is_taken_when_the_share_is_spent(tests: dict[str, Reached]) -> None:
    whole = sum(each.cost for each in tests.values())
    found = reach.chosen(tests, share=0.5)
    least = reach.chosen(tests, share=0)
    assert least <= found
    besides = [tests[test].cost for test in found - least]
    if besides:
        spent = sum(tests[test].cost for test in found)
        assert spent - max(besides) <= 0.5 * whole + 1e-9


def test_with_the_whole_share_everything_is_asked() -> None:
    tests = {"a[1]": _reached(1, 1), "a[2]": _reached(2, 1), "b": _reached(3)}
    assert reach.chosen(tests, share=1.01) == set(tests)


def test_of_two_that_reach_the_same_the_cheaper_is_asked() -> None:
    same = range(9)
    tests = {"dear": _reached(0.09, *same), "cheap": _reached(0.03, *same)}
    assert reach.chosen(tests, share=0) == {"cheap"}


def test_another_function_comes_before_another_row() -> None:
    tests = {"a[1]": _reached(1, 1), "a[2]": _reached(1, 1), "b": _reached(1, 1)}
    assert "b" in reach.chosen(tests, share=0.6)


def test_each_piece_of_a_page_is_another_place(monkeypatch: pytest.MonkeyPatch) -> None:
    now: set[int] = set()
    monkeypatch.setattr(asked, "_now", now)
    for node in Template("{{ one }}\n{{ other }}{% if one %}{% endif %}").nodelist:
        reach._drawn(node)
    assert len(now) == 4  # the words between them are a piece too


def test_a_piece_of_a_script_is_noted_where_it_has_run(monkeypatch: pytest.MonkeyPatch) -> None:
    now: set[int] = set()
    monkeypatch.setattr(asked, "_now", now)
    ran = {"startOffset": 1, "endOffset": 5, "count": 1}
    reach._note_scripts(
        [
            {"url": "http://x/static/a.js?v=1", "functions": [{"ranges": [ran]}]},
            {"url": "http://x/static/b.js", "functions": [{"ranges": [ran | {"count": 0}]}]},
            {"url": "", "functions": [{"ranges": [ran]}]},
        ]
    )
    assert now == {reach._place("a.js", 1, "5")}


def test_lines_are_read_as_they_were_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "FOLDER", tmp_path)
    (tmp_path / "1.jsonl").write_text('["one", 2, [7]]\n["two", 1, []]\n')
    data = CoverageData(basename=str(tmp_path / "coverage.here"))
    for test, lines in (("one", [3, 9]), ("two", [9]), ("nobody", [1])):
        data.set_context(test)
        data.add_lines({"/a.py": lines})
    data.write()
    found = reach.read()
    assert {test: each.cost for test, each in found.items()} == {"one": 2, "two": 1}
    assert [len(each.places) for each in found.values()] == [3, 1]
    assert set(found["two"].places) < set(found["one"].places)


@pytest.mark.parametrize(
    ("test", "source", "shared"),
    [
        ("tests/scoring/drawing/test_bars.py::test_a", "scoring/drawing/columns.py", 2),
        ("tests/scoring/drawing/test_bars.py::test_a", "scoring/papers/pack.py", 1),
        ("tests/scoring/test_terms.py::test_a", "scoring/drawing/columns.py", 1),
        ("tests/scoring/test_terms.py::test_a[a/b/c]", "scoring/drawing/columns.py", 1),
        ("tests/scoring/drawing/test_bars.py::test_a", "hall/drawing/columns.py", 0),
        ("tests/browser/test_live.py::test_a", "scoring/views/live.py", 0),
        ("tests/test_copies.py::test_a", "manage.py", 0),
    ],
)
def test_a_test_is_near_what_lies_in_its_room_and_nearer_what_lies_in_its_folder(
    test: str, source: str, shared: int
) -> None:
    assert reach._near(test, source) == shared


def _places(tests: dict[str, Reached], names: set[str]) -> set[int]:
    return set(chain.from_iterable(tests[name].places.tolist() for name in names))
