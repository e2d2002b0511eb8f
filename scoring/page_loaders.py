"""Loaders of the event or session of a scoring page, with the rows that scoring needs."""

from functools import partial

from tournaments import event_access
from tournaments.event_access import load_session

__all__ = ["load_director_event", "load_public_event", "load_scorer_event", "load_session"]

EVENT_RELATIONS = ("terms", "final__stage", "strata", "knockout")
"""The relations of an event that scoring pages load together with the event."""

load_public_event = partial(event_access.load_public_event, prefetches=EVENT_RELATIONS)
load_director_event = partial(event_access.load_director_event, prefetches=EVENT_RELATIONS)
load_scorer_event = partial(event_access.load_scorer_event, prefetches=EVENT_RELATIONS)
