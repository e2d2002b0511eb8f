"""Services for tables that call the director."""

from django.db import transaction
from django.utils import timezone

from clubs import audit
from clubs.audit import Actor
from clubs.models import DirectorCall, Evening, TableLink


@transaction.atomic
def call_director(*, link: TableLink) -> DirectorCall:
    """Record that a table calls the director.

    If a previous call of the table is unanswered, that call is returned.
    """
    # Lock the evening, because two phones of one table may call at the same time.
    Evening.objects.select_for_update().get(pk=link.evening_id)
    table_values = {"evening_id": link.evening_id, "section": link.section, "table": link.table}
    unanswered_call = DirectorCall.objects.filter(
        **table_values, answered_at__isnull=True
    ).first()
    return unanswered_call or DirectorCall.objects.create(**table_values, at=timezone.now())


@transaction.atomic
def answer_call(*, call: DirectorCall, by: Actor) -> DirectorCall:
    """Record that a director is on the way to the table."""
    if call.answered_at is None:
        call.answered_at, call.answered_by = timezone.now(), audit.format_author_key(by)
        call.save(update_fields=["answered_at", "answered_by"])
    return call
