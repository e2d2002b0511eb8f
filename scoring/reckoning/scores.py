"""From lines to scores: the event's method, its penalties, and what sessions carry over."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods import METHODS, Line, Method, method_for
from scoring.methods.comparing import compared
from scoring.methods.ranking import carry_over, settled
from scoring.models import Ruling
from scoring.reckoning.lines import Play, Pool, Tally, tally
from scoring.reckoning.seats import Seat, seats_of
from tournaments.models import Event

NOTHING = Fraction()
Both = tuple[Fraction | None, Fraction | None]
"""One figure for N-S and one for E-W."""
NOBODY: Both = (None, None)


@dataclass(frozen=True, slots=True)
class Counts:
    """What one play counts: the tricks after rulings, the averages, and the scores."""

    tricks: Both
    averages: Both
    scores: Both


@dataclass(frozen=True, slots=True)
class Scored:
    """An event's scores, with the lines that they were made of."""

    tally: Tally
    seats: dict[int, Seat]
    method: Method
    scores: dict[int, Fraction]
    worth: dict[int, Fraction]  # what places the entries: a share, or the score itself
    losses: dict[int, Fraction]  # penalties of the last session
    carried: dict[int, Fraction]  # what the earlier sessions brought
    tricks: dict[int, Fraction]
    boards: dict[int, int]
    available: dict[int, Fraction]  # the most that each entry could have, for shares
    last: int  # the session that counts whole; earlier ones count `part`
    part: Fraction

    @property
    def has_shares(self) -> bool:
        """Whether entries are placed by percentages."""
        return self.method.available is not None


def method_of(event: Event) -> Method:
    """Return the method by which an event is scored, on the terms that it settled."""
    terms = event.terms
    return method_for(event.contest, terms.method, to_whole_tricks=terms.whole_averages)


def scored(event: Event, *, draft: Ruling | None = None) -> Scored:
    """Score an event as it stands: every session, its rulings and penalties.

    A `draft` is a ruling that is not made yet, counted to show what it would do.
    """
    found = tally(event, draft=draft)
    method = method_of(event)
    part = Fraction(event.terms.carry_over)
    last = max((session for session, _ in found.pools), default=1)
    by_session = {
        number: _added(method.score(pool.lines) for pool in pools)
        for number, pools in _sessions(found).items()
    }
    earlier = [
        settled(scores, losses=found.losses.get(number))
        for number, scores in by_session.items()
        if number != last
    ]
    carried = carry_over(earlier, part)
    losses = dict(found.losses.get(last, {}))
    scores = settled(by_session.get(last, {}), losses=losses, carried=carried)
    available = _available(method, found, last, part)
    tricks, boards = totals(found)
    return Scored(
        tally=found,
        seats=seats_of(event),
        method=method,
        scores=scores,
        worth=_shares(scores, available) if method.available else scores,
        losses=losses,
        carried=carried,
        tricks=tricks,
        boards=boards,
        available=available,
        last=last,
        part=part,
    )


def counts_of(found: Tally, method: Method) -> dict[Play, Counts]:
    """Say what each play counts, in tricks and in the method's unit."""
    counts: dict[Play, Counts] = {}
    for pool in found.pools.values():
        on_deals = compared(pool.lines)
        parts: Sequence[Both] = (
            method.parts(pool.lines) if method.parts else [(None, None)] * len(pool.lines)
        )
        for line, play, scores in zip(pool.lines, pool.plays, parts, strict=True):
            ns, ew = on_deals[line.deal]
            averages = ns.average, ew.average
            counts[play] = Counts(_tricks(line, averages), averages, scores)
    return counts


def totals(found: Tally) -> tuple[dict[int, Fraction], dict[int, int]]:
    """Add up each entry's tricks, an average as its side's average, and count its boards."""
    tricks = _added(METHODS["tricks"].score(pool.lines) for pool in found.pools.values())
    boards: dict[int, int] = defaultdict(int)
    for pool in found.pools.values():
        for line in pool.lines:
            for entry in (*line.ns, *line.ew):
                boards[entry] += 1
    return defaultdict(Fraction, tricks), boards


def _tricks(line: Line, averages: Both) -> Both:
    if line.ns_tricks is None or line.ew_tricks is None:
        return averages
    return Fraction(line.ns_tricks), Fraction(line.ew_tricks)


def _sessions(found: Tally) -> dict[int, list[Pool]]:
    sessions: dict[int, list[Pool]] = defaultdict(list)
    for (number, _), pool in sorted(found.pools.items()):
        sessions[number].append(pool)
    return sessions


def _added(scores: Iterable[dict[int, Fraction]]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = defaultdict(Fraction)
    for each in scores:
        for entry, score in each.items():
            sums[entry] += score
    return dict(sums)


def _available(method: Method, found: Tally, last: int, part: Fraction) -> dict[int, Fraction]:
    """Add up the most that each entry could have, earlier sessions at their part."""
    most: dict[int, Fraction] = defaultdict(Fraction)
    if method.available is None:
        return most
    for (number, _), pool in found.pools.items():
        for entry, had in method.available(pool.lines).items():
            most[entry] += had if number == last else had * part
    return most


def _shares(scores: dict[int, Fraction], available: dict[int, Fraction]) -> dict[int, Fraction]:
    return {
        entry: score / available[entry] if available.get(entry) else Fraction(1, 2)
        for entry, score in scores.items()
    }
