"""Services that create and revoke the links of an activity's tables."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from django.db import transaction

from clubs.activities.models import EveningActivity
from clubs.activities.services.lifecycle import lock_activity
from clubs.audit import Actor
from clubs.evenings.services import create_evening_table_links, revoke_evening_table_links

ActivityT = TypeVar("ActivityT", bound=EveningActivity)

SINGLE_SECTION_NAME = "A"
"""The section of all tables, because these activities have only one section."""


@transaction.atomic
def create_table_links(
    *, activity: ActivityT, list_table_numbers: Callable[[ActivityT], Iterable[int]], by: Actor
) -> None:
    """Create the missing table links of an activity.

    `list_table_numbers` is called with the locked activity and returns its table numbers. It
    may raise an error to prevent the change.
    Call this service again after tables were added.
    """
    locked_activity = lock_activity(activity)
    sections_and_tables = [
        (SINGLE_SECTION_NAME, table_number)
        for table_number in list_table_numbers(locked_activity)
    ]
    create_evening_table_links(
        evening=locked_activity.evening,
        sections_and_tables=sections_and_tables,
        subject=locked_activity,
        by=by,
    )


@transaction.atomic
def revoke_table_links(
    *, activity: EveningActivity, links: Sequence[int] = (), by: Actor
) -> None:
    """Revoke the table links with these primary keys, or all table links if none are given."""
    locked_activity = lock_activity(activity)
    revoke_evening_table_links(
        evening=locked_activity.evening, link_pks=links, subject=locked_activity, by=by
    )
