"""Services that create and revoke the links of an activity's tables."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from django.db import transaction

from clubs.activities.models import EveningActivity
from clubs.activities.services.lifecycle import lock_activity
from clubs.audit import Actor
from clubs.evenings.services import create_links, revoke_links

Kind = TypeVar("Kind", bound=EveningActivity)

SECTION = "A"
"""The section of all tables, because these activities have only one section."""


@transaction.atomic
def create_table_links(
    *, activity: Kind, tables: Callable[[Kind], Iterable[int]], by: Actor
) -> None:
    """Create a link for each table of an activity that has none.

    `tables` is called with the locked row and returns the table numbers; it may raise an error
    to refuse. Call this service again after tables were added.
    """
    row = lock_activity(activity)
    numbers = [(SECTION, number) for number in tables(row)]
    create_links(evening=row.evening, tables=numbers, about=row, by=by)


@transaction.atomic
def revoke_table_links(
    *, activity: EveningActivity, links: Sequence[int] = (), by: Actor
) -> None:
    """Revoke the table links with these primary keys, or all table links if none are given."""
    row = lock_activity(activity)
    revoke_links(evening=row.evening, links=links, subject=row, by=by)
