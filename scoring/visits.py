"""Loads the object of a page for scoring: the event comes with its terms."""

from functools import partial

from tournaments import visits
from tournaments.visits import load_session

__all__ = ["director_event", "load_session", "public_event", "scorer_event"]

ALONG = ("terms", "final__stage", "strata", "knockout")

public_event = partial(visits.load_public_event, along=ALONG)
director_event = partial(visits.load_director_event, along=ALONG)
scorer_event = partial(visits.load_scorer_event, along=ALONG)
