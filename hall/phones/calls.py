"""Who waits for the director, as pages show it and as an open page remembers it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet
from django.utils import timezone

from clubs.models import DirectorCall
from tournaments.movements.words import table_label


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """A table that waits for the director."""

    pk: int
    place: str  # the table as players know it: "13", in one of several sections "A13"
    at: datetime
    is_new: bool
    section: str
    table: int


def waiting_calls(calls: QuerySet[DirectorCall]) -> list[WaitingCall]:
    """Read which of these calls nobody has answered, the oldest first."""
    waiting = calls.filter(answered_at__isnull=True)
    return [
        WaitingCall(
            pk=call.pk,
            place=table_label(call.table, call.section if call.sections > 1 else ""),
            at=call.at,
            is_new=call.is_new,
            section=call.section,
            table=call.table,
        )
        for call in waiting.annotate(sections=Count("evening__session__sections"))
    ]


def seen_calls(calls: Iterable[WaitingCall]) -> str:
    """Write down which calls a page shows, and for how many minutes each has waited."""
    now = timezone.now()
    return ",".join(f"{call.pk}.{int((now - call.at).total_seconds() // 60)}" for call in calls)
