"""Loads the object of a page for scoring: the event comes with its terms."""

from functools import partial

from tournaments import visits
from tournaments.visits import session_of

__all__ = ["director_event", "public_event", "scorer_event", "session_of"]

ALONG = ("terms", "final__stage", "strata", "knockout")

public_event = partial(visits.public_event, along=ALONG)
director_event = partial(visits.director_event, along=ALONG)
scorer_event = partial(visits.scorer_event, along=ALONG)
