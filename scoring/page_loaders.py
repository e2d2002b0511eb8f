"""Loaders of the event or session of a scoring page, with the rows that scoring needs."""

from functools import partial

from tournaments import visits
from tournaments.visits import load_session

__all__ = ["director_event", "load_session", "public_event", "scorer_event"]

RELATED_ROWS = ("terms", "final__stage", "strata", "knockout")
"""The relations of an event that scoring pages load together with the event."""

public_event = partial(visits.load_public_event, prefetches=RELATED_ROWS)
director_event = partial(visits.load_director_event, prefetches=RELATED_ROWS)
scorer_event = partial(visits.load_scorer_event, prefetches=RELATED_ROWS)
