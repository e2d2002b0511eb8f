"""Evenings that are taken out of the calendar, and sections that are seated no more.

What is played on an evening makes it and takes it away, so its own act is in the history and
these write none.
"""

from django.db import transaction
from django.db.models import ProtectedError

from clubs.models import DirectorCall, Evening, TableLink


@transaction.atomic
def remove_evening(*, evening: Evening) -> None:
    """Take an evening with its clock, links and calls away, unless something is played then."""
    try:
        evening.delete()
    except ProtectedError:
        return


@transaction.atomic
def forget_section(*, evening: Evening, section: str) -> None:
    """Forget the links and calls of a section's tables: who sits there next gets new ones."""
    for model in (TableLink, DirectorCall):
        model._default_manager.filter(evening=evening, section=section).delete()
