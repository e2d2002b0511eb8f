"""Services that delete an evening, or the table links of a section.

They record no act, because the activity of the evening records its own changes.
"""

from django.db import transaction
from django.db.models import ProtectedError

from clubs.models import DirectorCall, Evening, TableLink


@transaction.atomic
def delete_evening(*, evening: Evening) -> None:
    """Delete an evening with its clock, links and calls, unless an activity is played on it."""
    try:
        evening.delete()
    except ProtectedError:
        return


@transaction.atomic
def delete_section_links(*, evening: Evening, section_letter: str) -> None:
    """Delete the table links and calls of a section whose seating is deleted.

    The links of a check-in remain: they belong to the tables, at which people already sit.
    """
    models_to_delete = (DirectorCall,) if evening.check_in_state else (TableLink, DirectorCall)
    for model in models_to_delete:
        model._default_manager.filter(evening=evening, section=section_letter).delete()
