"""Deletion of evenings, and of the table links of sections that are no longer seated.

The activity of an evening creates and deletes it and records the act, so these functions record
none.
"""

from django.db import transaction
from django.db.models import ProtectedError

from clubs.models import DirectorCall, Evening, TableLink


@transaction.atomic
def delete_evening(*, evening: Evening) -> None:
    """Delete an evening with its clock, links and calls, unless something is played on it."""
    try:
        evening.delete()
    except ProtectedError:
        return


@transaction.atomic
def delete_section_links(*, evening: Evening, section: str) -> None:
    """Delete the links and calls of a section's tables, so that new players get new ones."""
    for model in (TableLink, DirectorCall):
        model._default_manager.filter(evening=evening, section=section).delete()
