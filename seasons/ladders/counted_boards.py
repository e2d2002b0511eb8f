"""The boards that a score a board is divided by where earlier sessions count in part."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from uuid import UUID

from scoring.reckoning.scores import scored
from tournaments.models import Entry, Event

MAX_EVENTS_CACHED = 600


def counted_boards(event: Event, version: int) -> Mapping[int, Fraction]:
    """Return the boards of each entry, by its key, those of earlier sessions at their part.

    Empty if earlier sessions count in full, since then it is the number of boards. Computed
    once for each `version` of the standings.
    """
    if event.terms.carry_over == "1":
        return {}
    return _count_boards(event.pk, event.uid, version)


@lru_cache(maxsize=MAX_EVENTS_CACHED)
def _count_boards(event_pk: int, _uid: UUID, _version: int) -> Mapping[int, Fraction]:
    event = Event.objects.select_related("terms").get(pk=event_pk)
    weights = scored(event).weights
    numbers = Entry.objects.filter(event=event).values_list("number", "pk")
    return {pk: Fraction(weights[number]) for number, pk in numbers if weights.get(number)}
