"""From rows to lines: the input of the arithmetic for an event, in a few queries at any size.

Rulings are applied only here. Only deals with a ruling pass through them, so an event without
rulings costs no more than its results.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.methods import Line
from scoring.methods.adjust import Counted, adjust
from scoring.methods.counting import Counting
from scoring.methods.lines import AS_COUNTED
from scoring.methods.remedies import Made
from scoring.methods.remedies import Outcome as MadeOutcome
from scoring.methods.revoke import Reading
from scoring.models import Outcome, Result, Ruling
from scoring.reckoning.missed import missed_rounds, unplayed_matches
from scoring.reckoning.remedies import counting_of, deduction_of, remedy_of
from scoring.reckoning.seats import Sides, sat_out, sittings_of
from scoring.sittings import RoundSoFar
from tournaments.models import Event

Play = tuple[int, int]
"""A sitting and a board."""
DealKey = tuple[int, str, int]
"""A session, a section or "" for all of them, and a board."""
Reckoning = Callable[[Sequence[Line]], Mapping[int, Any]]
"""Computes a value for each entry from lines."""
UNSAVED = -1
DEALS_A_ROUND = 16
"""More deals than a board has in one round; used to order rounds and new deals."""
_OUTCOMES = {
    Outcome.PLAYED: MadeOutcome.PLAYED,
    Outcome.NOT_PLAYED: MadeOutcome.NOT_PLAYED,
    Outcome.CLEARED: MadeOutcome.TO_COME,
}


class DealName(NamedTuple):
    """The parts of a compared deal's name for readers."""

    session: int
    section: str  # empty if the sections are compared as one
    board: int
    begins: int = 0  # the round from which another deal was in the tray; 0 for the first


class ResultRow(NamedTuple):
    """One stored result."""

    pk: int
    sitting: int
    board: int
    deal: int
    outcome: str
    made: int | None  # the value for N-S: tricks, or points won less points lost
    won: int | None = None  # the points that N-S won


@dataclass(slots=True)
class Pool:
    """Lines that are compared together: of a section, or of a session across its sections."""

    lines: list[Line] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)  # in the order of the lines
    found: dict[Reckoning, Mapping[int, Any]] = field(default_factory=dict, repr=False)

    def by(self, reckoning: Reckoning) -> Mapping[int, Any]:
        """Return the result of a computation on the lines; it is cached."""
        if reckoning not in self.found:
            self.found[reckoning] = reckoning(self.lines)
        return self.found[reckoning]


@dataclass(slots=True)
class EventLines:
    """All lines of an event, its rulings, and the number of results still to come."""

    pools: dict[tuple[int, str], Pool] = field(default_factory=lambda: defaultdict(Pool))
    names: dict[int, DealName] = field(default_factory=dict)  # by the deal of a line
    ruled: dict[Play, Counted] = field(default_factory=dict)  # if a ruling affects the deal
    rulings: dict[Play, list[Ruling]] = field(default_factory=lambda: defaultdict(list))
    penalties: list[Ruling] = field(default_factory=list)
    losses: dict[int, dict[int, Fraction]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Fraction))
    )  # by session and entry
    missed: dict[int, dict[tuple[int, int], Fraction]] = field(
        default_factory=lambda: defaultdict(dict)
    )  # rounds without a match where rounds are drawn: by session, the entry and the round
    begun: int = 0  # results of the sessions that were opened
    planned: int = 0  # of all of them
    entered: int = 0

    @property
    def expected(self) -> int:
        """The number of results expected; before any session is opened, of all sessions."""
        return self.begun or self.planned

    @property
    def missing(self) -> int:
        """The number of results still to come."""
        return self.expected - self.entered

    @property
    def lines(self) -> list[Line]:
        """Every line of the event."""
        return [line for pool in self.pools.values() for line in pool.lines]

    def missed_in(self, session: int) -> dict[int, Fraction]:
        """Count each entry's drawn rounds without a match in a session."""
        often: dict[int, Fraction] = defaultdict(Fraction)
        for (entry, _round), part in self.missed[session].items():
            often[entry] += part
        return often

    @property
    def open_rulings(self) -> list[Play]:
        """The plays whose rulings may still change, or which the director must confirm."""
        return [play for play, it in self.ruled.items() if it.provisional or it.confirm]


@dataclass(frozen=True, slots=True)
class EventRows:
    """All results and rulings of an event, read once for every way of counting them."""

    event: Event
    sittings: dict[int, Sides]
    results: tuple[ResultRow, ...]
    by_result: dict[int, list[Ruling]]
    rulings: dict[Play, list[Ruling]]
    penalties: list[Ruling]
    sat_out: Mapping[tuple[int, int], Collection[int]]  # where rounds are drawn
    before: int = 0  # deals are numbered after this, so that pools have different numbers


def read(
    event: Event,
    *,
    draft: Ruling | None = None,
    rulings: Sequence[Ruling] | None = None,
    sections: Collection[int] | None = None,
) -> EventRows:
    """Read an event's results and rulings, or those of some sections.

    A `draft` is applied as if it were saved, to show its effect.
    """
    rulings = rulings_in_force(event) if rulings is None else rulings
    by_result: dict[int, list[Ruling]] = defaultdict(list)
    by_play: dict[Play, list[Ruling]] = defaultdict(list)
    for ruling in rulings:
        if ruling.result is not None:
            by_result[ruling.result.pk].append(ruling)
            by_play[ruling.result.sitting_id, ruling.result.board].append(ruling)
    sittings = sittings_of(event, sections=sections)
    rows = [*_rows(event, sections), *_drafted(draft, by_result)]
    return EventRows(
        event=event,
        sittings=sittings,
        results=tuple(
            row for row in rows if row.outcome != Outcome.CLEARED or row.pk in by_result
        ),
        by_result=dict(by_result),
        rulings=by_play,
        penalties=penalties_among(rulings),
        sat_out=sat_out(event, sittings),
    )


def rulings_in_force(event: Event) -> list[Ruling]:
    """Return the rulings of an event that are in force; one query."""
    rulings = Ruling.objects.in_force().filter(session__event=event)
    return list(rulings.select_related("result", "entry", "session"))


def penalties_among(rulings: Iterable[Ruling]) -> list[Ruling]:
    """Return the rulings that are penalties against an entry, not about a result."""
    return [it for it in rulings if it.result is None and it.entry is not None]


def tally(event: Event, *, draft: Ruling | None = None) -> EventLines:
    """Read all results of an event as lines; a deal has a separate number in each pool."""
    return counted(read(event, draft=draft))


def counted(of: EventRows, *, only: Collection[int] | None = None) -> EventLines:
    """Count an event's results, or those of some sittings as if there were no others.

    Rulings at other sittings still decide which deal was in the tray, but count nothing.
    """
    found = EventLines(rulings=of.rulings, penalties=of.penalties)
    sittings, by_result = of.sittings, of.by_result
    rows = of.results if only is None else list(_known_rows(of, only))
    deals: dict[DealKey, int] = {}
    of_row = [_deal(deals, row, sittings, of.before) for row in rows]
    found.names = {key: DealName(*name) for name, key in deals.items()}
    touched = {deal for row, deal in zip(rows, of_row, strict=True) if row.pk in by_result}
    ruled = []
    for row, deal in zip(rows, of_row, strict=True):
        if deal in touched:
            ruled.append((row, deal))
        elif row.made is not None:
            seated = sittings[row.sitting]
            line = _plain(row.made, row.won, deal, seated)
            _put(found, seated, line, (row.sitting, row.board))
    _count_entered(found, of, rows, only)
    if touched:
        seen = {(row.sitting, row.board) for row in rows}
        ruled += _to_come(touched, deals, sittings, seen)
        _apply(found, of, ruled, only)
    _count_missed(found, of, rows, only)
    _add_losses(found)
    return found


def gathered(parts: Iterable[EventLines], penalties: list[Ruling]) -> EventLines:
    """Combine the counts of pools, with the penalties of the whole event."""
    found = EventLines(penalties=penalties)
    for part in parts:
        found.pools |= part.pools
        found.names |= part.names
        found.ruled |= part.ruled
        found.rulings |= part.rulings
        found.begun += part.begun
        found.planned += part.planned
        found.entered += part.entered
        for session, missed in part.missed.items():
            found.missed[session] |= missed
    _add_losses(found)
    return found


def _count_missed(
    found: EventLines, of: EventRows, rows: Iterable[ResultRow], only: Collection[int] | None
) -> None:
    """Count the entries without a match in the drawn rounds that count."""
    played = {play[0] for pool in found.pools.values() for play in pool.plays}
    unplayed = unplayed_matches(
        of.sittings,
        played,
        entered=lambda: _entered(rows, of.by_result),
        only=None if only is None else set(only),
    )
    counting = [of.sittings[pk] for pk in played]
    found.missed |= missed_rounds(counting, unplayed, of.sat_out)


def rounds_of(of: EventRows, found: EventLines) -> list[RoundSoFar]:
    """Return the progress of each round at each table, from the rows and their lines.

    Only scores made at the table are counted, not scores set by the director or averages.
    """
    entered = _entered(of.results, of.by_result, renewed=False)
    made: Counter[int] = Counter()
    for pool in found.pools.values():
        for line, play in zip(pool.lines, pool.plays, strict=True):
            set_by_ruling = any(it.kind in _SETTLED for it in of.rulings.get(play, ()))
            made[play[0]] += line.ns_tricks is not None and not set_by_ruling
    return [
        RoundSoFar(
            session=seated.session,
            sitting=pk,
            boards=seated.boards,
            is_whole=all((pk, board) in entered for board in seated.boards),
            made=made[pk],
        )
        for pk, seated in of.sittings.items()
        if seated.is_played
    ]


def _known_rows(of: EventRows, only: Collection[int]) -> Iterator[ResultRow]:
    """Yield the rows of some sittings; of others only those with rulings, without tricks."""
    for row in of.results:
        if row.sitting in only:
            yield row
        elif row.pk in of.by_result:
            yield row._replace(outcome=Outcome.CLEARED, made=None, won=None)


def _deal(
    deals: dict[DealKey, int], row: ResultRow, sittings: dict[int, Sides], before: int
) -> int:
    """Number the compared deals, starting after `before`."""
    seated = sittings[row.sitting]
    return deals.setdefault((seated.session, seated.pool, row.board), before + len(deals) + 1)


def _plain(made: int, won: int | None, deal: int, seated: Sides) -> Line:
    in_all = 13 if won is None else 0
    is_later, match = seated.overplay, seated.match
    values = (deal, seated.ns, seated.ew, made, in_all - made, is_later, match, AS_COUNTED)
    return tuple.__new__(Line, (*values, in_all, won))  # as `methods.lines.played` does


def _put(found: EventLines, seated: Sides, line: Line, play: Play) -> None:
    pool = found.pools[seated.session, seated.pool]
    pool.lines.append(line)
    pool.plays.append(play)


def _rows(event: Event, sections: Collection[int] | None) -> Iterator[ResultRow]:
    rows = Result.objects.order_by("board", "sitting", "deal")
    if sections is None:
        rows = rows.filter(sitting__section__session__event=event)
    else:
        rows = rows.filter(sitting__section__in=sections)
    if not event.counts_points:
        tricks = rows.values_list("pk", "sitting", "board", "deal", "outcome", "ns_tricks")
        yield from itertools.starmap(ResultRow, tricks)
        return
    for each in rows:
        yield ResultRow(
            each.pk,
            each.sitting_id,
            each.board,
            each.deal,
            each.outcome,
            each.written.made,
            each.ns_points,
        )


def _add_losses(found: EventLines) -> None:
    for ruling in found.penalties:
        assert ruling.entry is not None
        loss = deduction_of(ruling, ruling.entry.number)
        found.losses[counts_in(found, ruling)][loss.entry] += loss.amount


def counts_in(found: EventLines, penalty: Ruling) -> int:
    """Return the session in which a penalty counts.

    It is the penalty's own session. While nothing counts of that, for example before its first
    round is complete, it is the last session that counts.
    """
    sessions = {session for session, _section in found.pools}
    own = penalty.session.number
    return own if own in sessions else max(sessions, default=1)


def _drafted(draft: Ruling | None, by_result: dict[int, list[Ruling]]) -> Iterator[ResultRow]:
    """Add an unsaved ruling, with a temporary row if its result has none."""
    if draft is None or draft.result is None:
        return
    result = draft.result
    pk = result.pk or UNSAVED
    by_result.setdefault(pk, []).append(draft)
    if result._state.adding:
        yield ResultRow(pk, result.sitting_id, result.board, result.deal, result.outcome, None)


_SETTLED = (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED)


def _count_entered(
    found: EventLines,
    of: EventRows,
    rows: Iterable[ResultRow],
    only: Collection[int] | None,
) -> None:
    """Count the results expected and those entered."""
    played = [each for each in of.sittings.values() if each.is_played]
    found.planned = sum(len(each.boards) for each in played)
    found.begun = sum(len(each.boards) for each in played if each.is_begun)
    entered = _entered(rows, of.by_result)
    found.entered = sum(only is None or sitting in only for sitting, _board in entered)


def _entered(
    rows: Iterable[ResultRow],
    by_result: Mapping[int, Sequence[Ruling]],
    *,
    renewed: bool = True,
) -> set[Play]:
    """Return the plays that are entered, or settled by a ruling.

    Without `renewed`, plays whose only result was voided by a new deal are left out.
    """
    latest = {(row.sitting, row.board): row for row in rows}
    found = set()
    for play, row in latest.items():
        kinds = {ruling.kind for ruling in by_result.get(row.pk, ())}
        is_void = Ruling.Kind.NEW_DEAL in kinds and not renewed
        if kinds & {*_SETTLED} or (row.outcome != Outcome.CLEARED and not is_void):
            found.add(play)
    return found


def _apply(
    found: EventLines,
    of: EventRows,
    plays: Sequence[tuple[ResultRow, int]],
    only: Collection[int] | None,
) -> None:
    """Apply the rulings on the deals that they affect, and add the resulting lines to pools."""
    event, sittings, by_result = of.event, of.sittings, of.by_result
    counting = counting_of(event)
    mades = [
        _made(key, row, deal, sittings[row.sitting], counting)
        for key, (row, deal) in enumerate(plays, start=of.before + 1)
    ]
    remedies = {
        key: [remedy for ruling in by_result[row.pk] if (remedy := remedy_of(ruling, counting))]
        for key, (row, _) in enumerate(plays, start=of.before + 1)
        if row.pk in by_result
    }
    after = adjust(
        mades,
        remedies,
        pair_match=event.contest == Event.Contest.PAIRS,
        reading=Reading(event.terms.revokes_read),
    )
    for (row, _), it in zip(plays, after, strict=True):
        if only is not None and row.sitting not in only:
            continue
        found.ruled[row.sitting, row.board] = it
        if it.line is not None:
            seated = sittings[row.sitting]
            _put(found, seated, it.line, (row.sitting, row.board))
            if it.line.deal < 0:
                began, deal = plays[-it.line.deal - of.before - 1]
                name = found.names[deal]._replace(begins=sittings[began.sitting].round)
                found.names[it.line.deal] = name


def _made(key: int, row: ResultRow, deal: int, seated: Sides, counting: Counting) -> Made:
    return Made(
        key=key,
        deal=deal,
        ns=seated.ns,
        ew=seated.ew,
        ns_tricks=row.made,
        won=row.won,
        counting=counting,
        outcome=_OUTCOMES[Outcome(row.outcome)],
        turn=seated.round * DEALS_A_ROUND + row.deal,
        tray=seated.section,
        overplay=seated.overplay,
        match=seated.match,
    )


def _to_come(
    touched: set[int],
    deals: dict[DealKey, int],
    sittings: dict[int, Sides],
    seen: set[Play],
) -> Iterator[tuple[ResultRow, int]]:
    """Yield the plays without a result on deals with rulings, which wait for them."""
    for pk, seated in sittings.items():
        for board in seated.boards if seated.is_played else ():
            deal = deals.get((seated.session, seated.pool, board), 0)
            if deal in touched and (pk, board) not in seen:
                yield ResultRow(0, pk, board, 1, Outcome.CLEARED, None), deal
