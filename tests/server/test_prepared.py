"""A question that was put into SQL once answers as Django's own would, with any values."""

from threading import Thread

import pytest
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.test.utils import CaptureQueriesContext

from scoring.models import Result
from server.prepared import Prepared, prepared
from tests import evenings
from tournaments.models import Place, Sitting

pytestmark = pytest.mark.django_db


@prepared
def at_table(session: int, letter: str, table: int) -> QuerySet[Sitting]:
    """The sittings of a table, with who sits North."""
    of_table = Sitting.objects.filter(section__session=session, section__letter=letter)
    return of_table.filter(table=table).select_related("north__entry").order_by("round")


@prepared
def named(places: tuple[int, ...]) -> QuerySet[Place, tuple[int, str, str]]:
    found = Place.objects.filter(pk__in=places).exclude(label="no such")
    return found.order_by("pk").values_list("pk", "label", "entry__name")


@prepared
def boards(sitting: int, least: int) -> QuerySet[Result, int]:
    mean = Q(sitting=sitting, board__gte=least) | Q(sitting=sitting, board=least)
    return Result.objects.filter(mean).values_list("board", flat=True).order_by("-board")


def test_it_answers_as_djangos_own_question_does() -> None:
    session, _user = evenings.played(6)
    for table in (1, 2, 3, 4):
        known = at_table(session.pk, "A", table)
        own = list(at_table.rows(session.pk, "A", table))
        assert known == own
        assert [it.north.entry for it in known] == [it.north.entry for it in own]
    assert at_table(session.pk, "A", 3)
    assert at_table(session.pk, "B", 3) == at_table(session.pk + 1, "A", 3) == []


def test_what_comes_with_a_row_is_there_without_asking_again() -> None:
    session, _user = evenings.played(6)
    at_table(session.pk, "A", 1)
    with CaptureQueriesContext(connection) as asked:
        names = [it.north.entry.name for it in at_table(session.pk, "A", 2) if it.north.entry]
    assert len(names) == 3
    assert len(asked) == 1


def test_single_values_come_as_they_are_asked_for() -> None:
    session, _user = evenings.played(6)
    keys = tuple(Place.objects.filter(section__session=session).values_list("pk", flat=True))
    for some in (keys, keys[:1], keys[1:3], ()):
        assert named(some) == list(named.rows(some))
    assert len(named(keys)) == 6
    sitting = at_table.first(session.pk, "A", 1)
    assert sitting is not None
    for least in (1, 2, 3):
        assert boards(sitting.pk, least) == list(boards.rows(sitting.pk, least))
    assert at_table.first(session.pk, "Z", 1) is None


def test_another_thread_asks_with_its_own_line() -> None:
    at_table(1, "A", 1)
    lines: list[object] = []

    def ask() -> None:
        try:
            at_table(1, "A", 1)
            lines.append(connection.connection)
        finally:
            connection.close()

    other = Thread(target=ask)
    other.start()
    other.join()
    assert lines
    assert lines[0] is not connection.connection


@pytest.mark.parametrize("value", [None, True, 1.5, ["a"]], ids=str)
def test_a_value_that_would_make_another_question_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="cannot be asked with"):
        boards(1, value)  # type: ignore[arg-type]  # what is refused


@pytest.mark.parametrize(
    "question",
    [
        lambda letter: Sitting.objects.filter(section__letter__startswith=letter),
        lambda _letter: Sitting.objects.filter(table=1),
        lambda letter: Sitting.objects.filter(table=F("round") + (letter > "~12")),
        lambda letter: Sitting.objects.filter(section__letter=letter.lower() + "1"),
    ],
    ids=["a part of a value", "not the value", "another question", "another text"],
)
def test_a_question_that_makes_something_else_of_a_value_is_refused(question: object) -> None:
    with pytest.raises(TypeError, match="another question"):
        Prepared(question)("A")  # type: ignore[arg-type]  # what is refused


def test_a_number_that_is_made_of_another_is_not_taken_for_it() -> None:
    question = Prepared(lambda one, two: Sitting.objects.filter(round=one, table=two - 1))
    with pytest.raises(TypeError, match="another question"):
        question(1, 2)


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_inside_a_transaction_alone() -> None:
    locked = Prepared(lambda key: Sitting.objects.select_for_update().filter(pk=key))
    with transaction.atomic():
        assert locked(1) == []
    with pytest.raises(transaction.TransactionManagementError):
        locked(1)


def test_texts_may_be_several_too() -> None:
    session, _user = evenings.played(6)
    labels = tuple(
        Place.objects.filter(section__session=session).values_list("label", flat=True)
    )
    question = Prepared(lambda some: Place.objects.filter(label__in=some).order_by("pk"))
    for some in (labels, labels[:2], ("no such",), ()):
        assert question(some) == list(question.rows(some))
    assert len(question(labels)) == 6


def test_very_many_values_are_answered_all_the_same() -> None:
    session, _user = evenings.played(6)
    last = max(Place.objects.filter(section__session=session).values_list("pk", flat=True))
    many = tuple(range(last, last + 300))
    assert [pk for pk, _label, _name in named(many)] == [last]


def test_a_number_that_no_key_can_be_finds_nothing() -> None:
    question = Prepared(lambda key: Place.objects.filter(pk=key))
    evenings.played(6)
    assert [question(key) for key in (2**63, -(2**70), 2**200)] == [[], [], []]


@pytest.mark.services
def test_the_database_keeps_one_plan_for_small_and_large_keys() -> None:
    def kept() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s",
                ["%tournaments_sitting%"],
            )
            return int(cursor.fetchone()[0])

    before = kept()
    for session in (1, 40_000, 3_000_000_000):
        assert at_table(session, "A", 1) == list(at_table.rows(session, "A", 1))
    assert kept() == before + 1


@pytest.mark.services
def test_long_lists_use_up_no_plans() -> None:
    def kept() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_prepared_statements")
            return int(cursor.fetchone()[0])

    named((1, 2))
    before = kept()
    for length in range(10, 60):
        named(tuple(range(length)))
    assert kept() == before
