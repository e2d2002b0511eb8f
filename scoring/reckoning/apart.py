"""Incremental counting of an event: pools are cached, so one entry recounts one section.

The cache is keyed by each section's stamp, which every write of its scores replaces. So the
cached count of a stamp always matches the stored rows. Cached values are shared and never
changed; the size of the cache is bounded by the number of rows.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from django.db.models import QuerySet

from scoring.reckoning.lines import (
    EventLines,
    EventRows,
    ResultRow,
    counted,
    gathered,
    penalties_among,
    read,
    rounds_of,
    rulings_in_force,
)
from scoring.reckoning.seats import Sides
from scoring.secrecy import rounds_that_count
from scoring.sittings import RoundSoFar
from tournaments.models import Event, Section

MOST_ROWS = 40_000
"""The number of results cached in a process; some twenty megabytes with what is computed."""
DEALS_APART = 1_000_000
"""The offset between the deal numbers of two sections; no section has as many deals."""
PoolKey = tuple[int, str]
"""A session, and a section or "" for all of them."""


@dataclass(frozen=True, slots=True)
class Stamped:
    """The cache key of a pool: its sections with their stamps, and the state of its session."""

    sections: tuple[tuple[int, int], ...]
    session: tuple[str, int]

    @property
    def is_known(self) -> bool:
        """Whether all its sections have stamps; sections of older releases have none."""
        return all(stamp for _section, stamp in self.sections)


@dataclass(frozen=True, slots=True)
class CountedPool:
    """The counts of one pool: all results, and those that count publicly."""

    rows: EventRows
    whole: EventLines
    rounds: list[RoundSoFar]
    seen: dict[frozenset[int], EventLines] = field(
        default_factory=dict
    )  # only the last request

    def of(self, counting: frozenset[int]) -> EventLines:
        """Count the results of some sittings."""
        mine = counting.intersection(self.rows.sittings)
        if mine >= {it.sitting for it in self.rounds}:
            return self.whole
        found = self.seen.get(mine)
        if found is None:
            found = counted(self.rows, only=mine)
            self.seen.clear()
            self.seen[mine] = found
        return found


_KEPT: OrderedDict[Stamped, CountedPool] = OrderedDict()
_LOCK = Lock()


def counted_apart(event: Event) -> tuple[EventLines, EventLines | None]:
    """Return the tallies of an event, complete and public; None for the second if equal.

    They are those of `lines.counted`, except that deals are numbered pool by pool.
    """
    names = _names(event)
    parts = {key: part for key, name in names.items() if (part := _kept(name))}
    rulings = rulings_in_force(event)
    missing = {key: name for key, name in names.items() if key not in parts}
    if missing:
        sections = [pk for name in missing.values() for pk, _stamp in name.sections]
        chosen = None if len(missing) == len(names) else sections
        for key, part in _parted(
            read(event, rulings=rulings, sections=chosen), missing
        ).items():
            parts[key] = part
            _keep(missing[key], part)
    penalties = penalties_among(rulings)
    whole = gathered([parts[key].whole for key in names], penalties)
    counting = rounds_that_count(event, [it for key in names for it in parts[key].rounds])
    if counting is None:
        return whole, None
    return whole, gathered([parts[key].of(counting) for key in names], penalties)


def _names(event: Event) -> dict[PoolKey, Stamped]:
    """Return the cache keys of an event's pools, in their order."""
    sections: dict[PoolKey, list[tuple[int, int]]] = defaultdict(list)
    sessions: dict[PoolKey, tuple[str, int]] = {}
    for section in _sections_of(event.pk):
        session = section.session
        key = session.number, "" if session.across_sections else section.letter
        sections[key].append((section.pk, section.stamp))
        sessions[key] = session.state, session.revision - session.stamped
    return {key: Stamped(tuple(own), sessions[key]) for key, own in sections.items()}


def _sections_of(event: int) -> QuerySet[Section]:
    rows = Section.objects.filter(session__event=event).order_by("session__number", "letter")
    return rows.select_related("session")


def _parted(rows: EventRows, names: Mapping[PoolKey, Stamped]) -> dict[PoolKey, CountedPool]:
    """Split the rows by pools and count each."""
    of_sitting = {pk: (it.session, it.pool) for pk, it in rows.sittings.items()}
    sittings: dict[PoolKey, dict[int, Sides]] = defaultdict(dict)
    results: dict[PoolKey, list[ResultRow]] = defaultdict(list)
    for pk, sides in rows.sittings.items():
        sittings[of_sitting[pk]][pk] = sides
    for row in rows.results:
        results[of_sitting[row.sitting]].append(row)
    found = {}
    for key, name in names.items():
        own = replace(
            rows,
            sittings=sittings[key],
            results=tuple(results[key]),
            penalties=[],
            before=name.sections[0][0] * DEALS_APART,
        )
        whole = counted(own)
        found[key] = CountedPool(own, whole, rounds_of(own, whole))
    return found


def _kept(name: Stamped) -> CountedPool | None:
    with _LOCK:
        part = _KEPT.get(name)
        if part is not None:
            _KEPT.move_to_end(name)
        return part


def _keep(name: Stamped, part: CountedPool) -> None:
    if not name.is_known or len(part.rows.results) > MOST_ROWS:
        return
    with _LOCK:
        _KEPT[name] = part
        while _size(_KEPT.values()) > MOST_ROWS:
            _KEPT.popitem(last=False)


def _size(parts: Iterable[CountedPool]) -> int:
    return sum(len(part.rows.results) for part in parts)
