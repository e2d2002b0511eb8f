"""Who waits for the director, as an open page remembers it."""

from collections.abc import Iterable

from django.utils import timezone

from scoring.models import DirectorCall


def seen_calls(calls: Iterable[DirectorCall]) -> str:
    """Write down which calls a page shows, and for how many minutes each has waited."""
    now = timezone.now()
    return ",".join(f"{call.pk}.{int((now - call.at).total_seconds() // 60)}" for call in calls)
