"""Incremental scoring of an event: its comparison pools are cached by section.

A pool's cache key contains the stamps of its sections. Every write of a score replaces the
stamp of the section, so a cached tally always matches the stored rows. Threads share the cached
values and never change them. The total number of cached results is limited.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from django.db.models import QuerySet

from scoring.secrecy import RoundProgress, find_public_sittings
from scoring.standings_engine.result_lines import (
    EventRows,
    EventTally,
    combine_tallies,
    load_event_rows,
    tally_results,
)
from scoring.standings_engine.result_rows import (
    ResultRow,
    load_rulings_in_force,
    select_penalties,
)
from scoring.standings_engine.round_progress import build_round_progress
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

    sections: tuple[tuple[int, int], ...]  # the key and the stamp of each section
    session_state_and_writes: tuple[
        str, int
    ]  # its state, and its number of writes that set no stamp

    @property
    def has_all_stamps(self) -> bool:
        """Whether all sections have stamps; sections from older releases have none."""
        return all(section_stamp for _section_id, section_stamp in self.sections)


@dataclass(frozen=True, slots=True)
class TalliedPool:
    """A pool's rows, its complete tally, and the last tally of only some of its sittings."""

    rows: EventRows
    complete_tally: EventTally
    rounds: list[RoundProgress]
    # The key is the set of sittings that count. Only the last requested tally is stored.
    last_public_tally_by_sittings: dict[frozenset[int], EventTally] = field(
        default_factory=dict
    )

    def tally_sittings(self, included_sitting_ids: frozenset[int]) -> EventTally:
        """Return the tally of some sittings of the pool."""
        pool_sitting_ids = included_sitting_ids.intersection(self.rows.sides_by_sitting)
        if pool_sitting_ids >= {progress.sitting_id for progress in self.rounds}:
            return self.complete_tally
        cached_tally = self.last_public_tally_by_sittings.get(pool_sitting_ids)
        if cached_tally is None:
            cached_tally = tally_results(self.rows, included_sitting_ids=pool_sitting_ids)
            self.last_public_tally_by_sittings.clear()
            self.last_public_tally_by_sittings[pool_sitting_ids] = cached_tally
        return cached_tally


_POOL_CACHE: OrderedDict[PoolCacheKey, TalliedPool] = OrderedDict()
_POOL_CACHE_LOCK = Lock()


def build_event_tallies(event: Event) -> tuple[EventTally, EventTally | None]:
    """Return the complete tally of an event and its public one, or None if the two are
    equal.

    The tallies equal those of `result_lines.tally_results`, but deals are numbered by pool.
    """
    cache_keys_by_pool = _build_cache_keys(event)
    pools_by_key = {
        pool_key: pool
        for pool_key, cache_key in cache_keys_by_pool.items()
        if (pool := _get_cached_pool(cache_key))
    }
    rulings = load_rulings_in_force(event)
    uncached_keys_by_pool = {
        pool_key: cache_key
        for pool_key, cache_key in cache_keys_by_pool.items()
        if pool_key not in pools_by_key
    }
    if uncached_keys_by_pool:
        section_ids = [
            section_id
            for cache_key in uncached_keys_by_pool.values()
            for section_id, _stamp in cache_key.sections
        ]
        section_ids_to_load = (
            None if len(uncached_keys_by_pool) == len(cache_keys_by_pool) else section_ids
        )
        for pool_key, pool in _split_by_pools(
            load_event_rows(event, rulings=rulings, section_ids=section_ids_to_load),
            uncached_keys_by_pool,
        ).items():
            pools_by_key[pool_key] = pool
            _cache_pool(uncached_keys_by_pool[pool_key], pool)
    penalties = select_penalties(rulings)
    complete_tally = combine_tallies(
        [pools_by_key[pool_key].complete_tally for pool_key in cache_keys_by_pool], penalties
    )
    public_sitting_pks = find_public_sittings(
        event,
        [
            progress
            for pool_key in cache_keys_by_pool
            for progress in pools_by_key[pool_key].rounds
        ],
    )
    if public_sitting_pks is None:
        return complete_tally, None
    return complete_tally, combine_tallies(
        [
            pools_by_key[pool_key].tally_sittings(public_sitting_pks)
            for pool_key in cache_keys_by_pool
        ],
        penalties,
    )


def _build_cache_keys(event: Event) -> dict[PoolKey, PoolCacheKey]:
    """Return the cache key of each pool, in the order of sessions and sections."""
    stamped_sections_by_pool: dict[PoolKey, list[tuple[int, int]]] = defaultdict(list)
    states_and_writes_by_pool: dict[PoolKey, tuple[str, int]] = {}
    for section in _query_sections(event.pk):
        session = section.session
        pool_key = session.number, "" if session.across_sections else section.letter
        stamped_sections_by_pool[pool_key].append((section.pk, section.stamp))
        states_and_writes_by_pool[pool_key] = session.state, session.revision - session.stamped
    return {
        pool_key: PoolCacheKey(tuple(stamped_sections), states_and_writes_by_pool[pool_key])
        for pool_key, stamped_sections in stamped_sections_by_pool.items()
    }


def _query_sections(event_id: int) -> QuerySet[Section]:
    sections = Section.objects.filter(session__event=event_id).order_by(
        "session__number", "letter"
    )
    return sections.select_related("session")


def _split_by_pools(
    event_rows: EventRows, cache_keys_by_pool: Mapping[PoolKey, PoolCacheKey]
) -> dict[PoolKey, TalliedPool]:
    """Split an event's rows into pools, and compute the tally of each."""
    pool_key_by_sitting = {
        sitting_id: (sitting.session_number, sitting.pool_section_letter)
        for sitting_id, sitting in event_rows.sides_by_sitting.items()
    }
    sittings_by_pool: dict[PoolKey, dict[int, SittingSides]] = defaultdict(dict)
    results_by_pool: dict[PoolKey, list[ResultRow]] = defaultdict(list)
    for sitting_id, sitting_sides in event_rows.sides_by_sitting.items():
        sittings_by_pool[pool_key_by_sitting[sitting_id]][sitting_id] = sitting_sides
    for result_row in event_rows.results:
        results_by_pool[pool_key_by_sitting[result_row.sitting_id]].append(result_row)
    pools_by_key = {}
    for pool_key, cache_key in cache_keys_by_pool.items():
        pool_rows = replace(
            event_rows,
            sides_by_sitting=sittings_by_pool[pool_key],
            results=tuple(results_by_pool[pool_key]),
            penalties=[],
            deal_number_offset=cache_key.sections[0][0] * DEAL_NUMBER_STRIDE,
        )
        complete_tally = tally_results(pool_rows)
        pools_by_key[pool_key] = TalliedPool(
            pool_rows, complete_tally, build_round_progress(pool_rows, complete_tally)
        )
    return pools_by_key


def _get_cached_pool(cache_key: PoolCacheKey) -> TalliedPool | None:
    with _POOL_CACHE_LOCK:
        pool = _POOL_CACHE.get(cache_key)
        if pool is not None:
            _POOL_CACHE.move_to_end(cache_key)
        return pool


def _cache_pool(cache_key: PoolCacheKey, pool: TalliedPool) -> None:
    if not cache_key.has_all_stamps or len(pool.rows.results) > MAX_CACHED_RESULTS:
        return
    with _POOL_CACHE_LOCK:
        _POOL_CACHE[cache_key] = pool
        while _count_cached_results(_POOL_CACHE.values()) > MAX_CACHED_RESULTS:
            _POOL_CACHE.popitem(last=False)


def _count_cached_results(pools: Iterable[TalliedPool]) -> int:
    return sum(len(pool.rows.results) for pool in pools)
