"""An act whose n-th write fails changes nothing, for every n, and the next try succeeds."""

import pytest
from django.db import transaction

import clubs.services
from server.models import User
from tests.faults.cases import CASES
from tests.faults.write_faults import (
    WriteFailed,
    fail_write,
    list_changed_tables,
    read_all_rows,
)

pytestmark = pytest.mark.django_db
MAX_WRITES = 2000


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_act_with_a_failed_write_changes_nothing(name: str) -> None:
    check_every_write(name)


@pytest.mark.services
@pytest.mark.parametrize("name", CASES)
def test_act_with_a_failed_write_changes_nothing_on_postgresql(name: str) -> None:
    check_every_write(name)


def check_every_write(name: str) -> None:
    act = CASES[name]()
    rows_before = read_all_rows()
    for number in range(1, MAX_WRITES):
        with fail_write(number) as counter:
            try:
                act()
            except WriteFailed:
                changed_tables = list_changed_tables(rows_before, read_all_rows())
                assert changed_tables == [], f"write {number}"
                continue
        assert counter.write_count < number, f"The error of write {number} was swallowed."
        break
    assert number > 1
    assert list_changed_tables(rows_before, read_all_rows())


def test_comparison_finds_a_write_without_transaction() -> None:
    """Two writes in two transactions leave the first one behind."""
    rows_before = read_all_rows()
    with fail_write(2), pytest.raises(WriteFailed):
        create_two_users()
    assert list_changed_tables(rows_before, read_all_rows()) == ["server_user"]


def test_first_write_has_number_one() -> None:
    user = User.objects.create(username="owner")
    with fail_write(1), pytest.raises(WriteFailed, match="Write 1 "):
        clubs.services.create_club(name="Club", owner=user, by=user)


def create_two_users() -> None:
    for login in ("first", "second"):
        with transaction.atomic():
            User.objects.create(username=login)
