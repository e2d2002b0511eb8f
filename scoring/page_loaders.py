"""Loaders of the event or session of a scoring page, with the rows that scoring needs."""

from functools import partial

from tournaments import visits
from tournaments.visits import load_session

__all__ = ["load_director_event", "load_public_event", "load_scorer_event", "load_session"]

EVENT_RELATIONS = ("terms", "final__stage", "strata", "knockout")
"""The relations of an event that scoring pages load together with the event."""

load_public_event = partial(visits.load_public_event, prefetches=EVENT_RELATIONS)
load_director_event = partial(visits.load_director_event, prefetches=EVENT_RELATIONS)
load_scorer_event = partial(visits.load_scorer_event, prefetches=EVENT_RELATIONS)
