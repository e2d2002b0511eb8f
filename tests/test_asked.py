"""The run with services takes so many tests that each question is asked of PostgreSQL."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Club
from server.prepared import prepared
from tests import asked
from tests.asked import AT_LEAST, OFTEN, Asked

BESIDES = st.lists(st.builds(Asked, st.just(0.0), st.frozensets(st.integers(1, 12))))
TESTS = st.dictionaries(
    st.text("abc[]", min_size=1, max_size=6),
    st.builds(
        Asked,
        st.floats(0, 60, allow_nan=False),
        st.frozensets(st.integers(1, 12), max_size=8),
    ),
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a FROM b WHERE c IN (%s)", "SELECT a FROM b WHERE c IN (%s, %s, %s)"),
        ("INSERT INTO a (b) VALUES (%s, %s)", "INSERT INTO a (b) VALUES (%s, %s), (%s, %s)"),
        ("SELECT a FROM b LIMIT 1", "SELECT a FROM b LIMIT 21"),
        ("UPDATE a SET b = NULL WHERE c = %s", "UPDATE a SET b = %s WHERE c = %s"),
        ("SELECT a WHERE (b = %s)", "SELECT a WHERE (b = %s) OR (b = %s) OR (b = %s)"),
    ],
)
def test_a_question_is_the_same_with_other_values_and_with_more_of_them(
    one: str, other: str
) -> None:
    assert asked.question(one) == asked.question(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a FROM b WHERE c = %s", "SELECT a FROM b WHERE d = %s"),
        ("SELECT a FROM b", "SELECT a FROM b ORDER BY a"),
        ("SELECT a FROM b", "SELECT a FROM b LIMIT 1"),
        ("SELECT a FROM b WHERE c = %s", "SELECT a FROM b WHERE c IS NULL"),
    ],
)
def test_another_column_order_or_limit_is_another_question(one: str, other: str) -> None:
    assert asked.question(one) != asked.question(other)


@given(tests=TESTS, besides=BESIDES)
def test_each_question_is_asked_as_often_as_is_wanted_or_by_all_who_ask_it(
    tests: dict[str, Asked], besides: list[Asked]
) -> None:
    found = asked.chosen(tests, besides)
    assert found <= set(tests)
    asking = Counter(each for test in tests.values() for each in test.questions)
    now = Counter(each for test in found for each in tests[test].questions)
    now += Counter(each for test in besides for each in test.questions)
    assert all(now[each] >= min(OFTEN, times) for each, times in asking.items())


@given(tests=TESTS)
def test_nothing_is_asked_for_nothing(tests: dict[str, Asked]) -> None:
    """Whatever is chosen asks something, and where all others ask it often enough, is left."""
    assert all(tests[test].questions for test in asked.chosen(tests))
    enough = [Asked(0, frozenset(range(1, 13)))] * OFTEN
    assert asked.chosen(tests, enough) == set()


def test_of_two_that_ask_the_same_the_cheaper_is_taken() -> None:
    same = frozenset({1, 2})
    tests = {"dear": Asked(9 + AT_LEAST, same), "cheap": Asked(0, same), "also": Asked(0, same)}
    assert asked.chosen(tests) == {"cheap", "also"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ask", "noted"),
    [
        (lambda: _ask("SELECT 1 + 1"), ["SELECT 2 + 2"]),
        (lambda: _ask("SELECT a FROM b"), ["SELECT a FROM b", "refused: SELECT a FROM b"]),
        (lambda: Club.objects.select_for_update(), ["locked []: Club"]),
        (
            lambda: Club.objects.select_for_update(skip_locked=True),
            ["locked ['skip_locked']: Club"],
        ),
        (lambda: Club.objects.all(), []),
    ],
)
def test_what_is_asked_refused_and_locked_is_noted(
    ask: Callable[[], object], noted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now: set[int] = set()
    monkeypatch.setattr(asked, "_now", now)
    asked.note_questions(monkeypatch.setattr)
    with suppress(DatabaseError), transaction.atomic():
        ask()
    assert now == {*map(asked.question, noted)}


@pytest.mark.django_db
def test_a_question_that_is_kept_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now: set[int] = set()
    monkeypatch.setattr(asked, "_now", now)
    asked.note_questions(monkeypatch.setattr)
    sql = str(_club_keys.rows(7).query).replace(" 7", " %s")
    _club_keys(7)
    assert now == {*map(asked.question, (sql, f"kept: {sql}"))}


def test_what_one_run_notes_the_next_one_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked, "FOLDER", tmp_path / "asked")
    monkeypatch.setattr(asked, "_now", {5})
    assert asked.read() == {}
    asked.begin()
    with asked.noted("one", dear=False):
        asked._now |= {7, 3}
    assert asked.read()["one"].questions == {3, 7}
    assert asked.read()["one"].cost >= 0
    asked.begin()
    assert asked.read() == {}


@prepared
def _club_keys(key: int) -> QuerySet[Club, int]:
    return Club.objects.filter(pk=key).order_by("pk").values_list("pk", flat=True)


def _ask(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
