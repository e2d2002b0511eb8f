"""The bar that every director's page of a rehearsal carries."""

from django import template

from hall.models import Rehearsal
from hall.rehearsal.sheets import RehearsalSheet, rehearsal_sheet
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def rehearsal_of(event: Event) -> RehearsalSheet | None:
    """Say where the rehearsal stands that an event is; None for a real one."""
    found = Rehearsal.objects.filter(event=event).first()
    return rehearsal_sheet(found) if found else None
