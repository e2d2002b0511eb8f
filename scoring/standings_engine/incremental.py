"""Incremental scoring of an event: its comparison pools are cached by section.

A pool's cache key contains the stamps of its sections. Every write of scores replaces the
stamp of its section, so a cached tally always matches the stored rows. Cached values are
shared between threads and never changed. The total number of cached results is bounded.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from django.db.models import QuerySet

from scoring.secrecy import find_public_sittings
from scoring.session_snapshot import RoundProgress
from scoring.standings_engine.result_lines import (
    EventRows,
    EventTally,
    ResultRow,
    build_round_progress,
    combine_tallies,
    count_rows,
    load_event_rows,
    load_rulings_in_force,
    select_penalties,
)
from scoring.standings_engine.seats import SittingSides
from tournaments.models import Event, Section

MAX_CACHED_RESULTS = 40_000
"""The maximum number of results cached in a process, which need about 20 MB with their
tallies.
"""
DEAL_NUMBER_STRIDE = 1_000_000
"""The distance between the deal numbers of two sections; larger than any section's number of
deals.
"""
PoolKey = tuple[int, str]
"""A session number, and a section letter, or "" for all sections."""


@dataclass(frozen=True, slots=True)
class PoolCacheKey:
    """The cache key of a pool: its sections with their stamps, and the state of its session."""

    sections: tuple[tuple[int, int], ...]
    session_state: tuple[str, int]

    @property
    def has_all_stamps(self) -> bool:
        """Whether all its sections have stamps; sections from older releases have none."""
        return all(stamp for _section, stamp in self.sections)


@dataclass(frozen=True, slots=True)
class CountedPool:
    """The tallies of one pool: the complete one, and the last one of its public results."""

    rows: EventRows
    complete_tally: EventTally
    rounds: list[RoundProgress]
    last_public_tally: dict[frozenset[int], EventTally] = field(
        default_factory=dict
    )  # only the last one requested

    def count_sittings(self, counting: frozenset[int]) -> EventTally:
        """Return the tally of some sittings of the pool."""
        own_sittings = counting.intersection(self.rows.sittings)
        if own_sittings >= {progress.sitting for progress in self.rounds}:
            return self.complete_tally
        cached_tally = self.last_public_tally.get(own_sittings)
        if cached_tally is None:
            cached_tally = count_rows(self.rows, only_sittings=own_sittings)
            self.last_public_tally.clear()
            self.last_public_tally[own_sittings] = cached_tally
        return cached_tally


_POOL_CACHE: OrderedDict[PoolCacheKey, CountedPool] = OrderedDict()
_POOL_CACHE_LOCK = Lock()


def count_event_by_pools(event: Event) -> tuple[EventTally, EventTally | None]:
    """Return the complete tally of an event and its public one, or None if the two are
    equal.

    The tallies are those of `result_lines.count_rows`, except that deals are numbered by pool.
    """
    names = _build_cache_keys(event)
    parts = {key: part for key, name in names.items() if (part := _get_cached_pool(name))}
    rulings = load_rulings_in_force(event)
    missing = {key: name for key, name in names.items() if key not in parts}
    if missing:
        sections = [pk for name in missing.values() for pk, _stamp in name.sections]
        missing_sections = None if len(missing) == len(names) else sections
        for key, part in _split_by_pools(
            load_event_rows(event, rulings=rulings, sections=missing_sections), missing
        ).items():
            parts[key] = part
            _cache_pool(missing[key], part)
    penalties = select_penalties(rulings)
    complete_tally = combine_tallies([parts[key].complete_tally for key in names], penalties)
    counting = find_public_sittings(
        event, [progress for key in names for progress in parts[key].rounds]
    )
    if counting is None:
        return complete_tally, None
    return complete_tally, combine_tallies(
        [parts[key].count_sittings(counting) for key in names], penalties
    )


def _build_cache_keys(event: Event) -> dict[PoolKey, PoolCacheKey]:
    """Return the cache keys of an event's pools, in their order."""
    sections: dict[PoolKey, list[tuple[int, int]]] = defaultdict(list)
    sessions: dict[PoolKey, tuple[str, int]] = {}
    for section in _query_sections(event.pk):
        session = section.session
        key = session.number, "" if session.across_sections else section.letter
        sections[key].append((section.pk, section.stamp))
        sessions[key] = session.state, session.revision - session.stamped
    return {key: PoolCacheKey(tuple(own), sessions[key]) for key, own in sections.items()}


def _query_sections(event: int) -> QuerySet[Section]:
    rows = Section.objects.filter(session__event=event).order_by("session__number", "letter")
    return rows.select_related("session")


def _split_by_pools(
    rows: EventRows, names: Mapping[PoolKey, PoolCacheKey]
) -> dict[PoolKey, CountedPool]:
    """Split an event's rows into pools, and compute the tally of each."""
    of_sitting = {pk: (sitting.session, sitting.pool) for pk, sitting in rows.sittings.items()}
    sittings: dict[PoolKey, dict[int, SittingSides]] = defaultdict(dict)
    results: dict[PoolKey, list[ResultRow]] = defaultdict(list)
    for pk, sides in rows.sittings.items():
        sittings[of_sitting[pk]][pk] = sides
    for row in rows.results:
        results[of_sitting[row.sitting]].append(row)
    pools_by_key = {}
    for key, name in names.items():
        own_rows = replace(
            rows,
            sittings=sittings[key],
            results=tuple(results[key]),
            penalties=[],
            deal_number_offset=name.sections[0][0] * DEAL_NUMBER_STRIDE,
        )
        complete_tally = count_rows(own_rows)
        pools_by_key[key] = CountedPool(
            own_rows, complete_tally, build_round_progress(own_rows, complete_tally)
        )
    return pools_by_key


def _get_cached_pool(name: PoolCacheKey) -> CountedPool | None:
    with _POOL_CACHE_LOCK:
        part = _POOL_CACHE.get(name)
        if part is not None:
            _POOL_CACHE.move_to_end(name)
        return part


def _cache_pool(name: PoolCacheKey, part: CountedPool) -> None:
    if not name.has_all_stamps or len(part.rows.results) > MAX_CACHED_RESULTS:
        return
    with _POOL_CACHE_LOCK:
        _POOL_CACHE[name] = part
        while _count_cached_results(_POOL_CACHE.values()) > MAX_CACHED_RESULTS:
            _POOL_CACHE.popitem(last=False)


def _count_cached_results(parts: Iterable[CountedPool]) -> int:
    return sum(len(part.rows.results) for part in parts)
