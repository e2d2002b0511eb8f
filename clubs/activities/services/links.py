"""Services for the links of an activity's tables: create and revoke."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from django.db import transaction

from clubs.activities.models import EveningActivity
from clubs.activities.services.lifecycle import lock_activity
from clubs.audit import Actor
from clubs.evenings.services import create_links, revoke_links

Kind = TypeVar("Kind", bound=EveningActivity)

SECTION = "A"
"""The section of every table: such an activity has only one."""


@transaction.atomic
def create_table_links(
    *, activity: Kind, tables: Callable[[Kind], Iterable[int]], by: Actor
) -> None:
    """Create the links that tables lack.

    `tables` is called with the locked row, may refuse, and returns the numbers of the tables.
    Tables that are added later get theirs by the next call.
    """
    row = lock_activity(activity)
    numbers = [(SECTION, number) for number in tables(row)]
    create_links(evening=row.evening, tables=numbers, about=row, by=by)


@transaction.atomic
def revoke_table_links(
    *, activity: EveningActivity, links: Sequence[int] = (), by: Actor
) -> None:
    """Revoke the links of all tables, or those of these keys."""
    row = lock_activity(activity)
    revoke_links(evening=row.evening, links=links, about=row, by=by)
