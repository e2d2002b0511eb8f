"""From rows to lines: what the arithmetic sees of an event, in a few queries at any size.

Rulings are applied here and nowhere else. Only deals that a ruling touches go through them, so
an event without rulings costs no more than its results.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from scoring.methods import Line
from scoring.methods.adjust import Counted, adjust
from scoring.methods.remedies import Made
from scoring.methods.remedies import Outcome as MadeOutcome
from scoring.methods.revoke import Reading
from scoring.models import Outcome, Result, Ruling
from scoring.reckoning.remedies import deduction_of, remedy_of
from scoring.reckoning.seats import Sides, sittings_of
from tournaments.models import Event

Play = tuple[int, int]
"""A sitting and a board."""
DealKey = tuple[int, str, int]
"""The session, the section or "" for all of them, and the board."""
UNSAVED = -1
DEALS_A_ROUND = 16
"""No board is dealt anew so often in one round; it keeps rounds and new deals in order."""
_OUTCOMES = {
    Outcome.PLAYED: MadeOutcome.PLAYED,
    Outcome.NOT_PLAYED: MadeOutcome.NOT_PLAYED,
    Outcome.CLEARED: MadeOutcome.TO_COME,
}


class DealName(NamedTuple):
    """What people call a deal that is compared."""

    session: int
    section: str  # empty where the sections are compared as one
    board: int
    begins: int = 0  # the round from which another deal was in the tray; 0 for the first


class Row(NamedTuple):
    """One stored result."""

    pk: int
    sitting: int
    board: int
    deal: int
    outcome: str
    ns_tricks: int | None


@dataclass(slots=True)
class Pool:
    """Lines that are compared together: a section's, or a session's across its sections."""

    lines: list[Line] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)  # in the order of the lines


@dataclass(slots=True)
class Tally:
    """All lines of an event, what was ruled, and how much is still to come."""

    pools: dict[tuple[int, str], Pool] = field(default_factory=lambda: defaultdict(Pool))
    names: dict[int, DealName] = field(default_factory=dict)  # by the deal of a line
    ruled: dict[Play, Counted] = field(default_factory=dict)  # where a ruling touches the deal
    rulings: dict[Play, list[Ruling]] = field(default_factory=lambda: defaultdict(list))
    penalties: list[Ruling] = field(default_factory=list)
    losses: dict[int, dict[int, Fraction]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Fraction))
    )  # by session and entry
    expected: int = 0
    entered: int = 0

    @property
    def missing(self) -> int:
        """How many results are still to come."""
        return self.expected - self.entered

    @property
    def lines(self) -> list[Line]:
        """Every line of the event."""
        return [line for pool in self.pools.values() for line in pool.lines]

    @property
    def open_rulings(self) -> list[Play]:
        """The plays whose rulings may still change, or that the director has to confirm."""
        return [play for play, it in self.ruled.items() if it.provisional or it.confirm]


def tally(event: Event, *, draft: Ruling | None = None) -> Tally:
    """Read every result of an event as lines; deals of different pools are kept apart.

    A `draft` is applied as if it had been made, to show what it would do.
    """
    found = Tally()
    sittings = sittings_of(event)
    by_result = _rulings(event, found)
    rows = [*_rows(event), *_drafted(draft, by_result)]
    rows = [row for row in rows if row.outcome != Outcome.CLEARED or row.pk in by_result]
    deals: dict[DealKey, int] = {}
    of_row = [_deal(deals, row, sittings) for row in rows]
    found.names = {key: DealName(*name) for name, key in deals.items()}
    touched = {deal for row, deal in zip(rows, of_row, strict=True) if row.pk in by_result}
    ruled = []
    for row, deal in zip(rows, of_row, strict=True):
        if deal in touched:
            ruled.append((row, deal))
        elif row.ns_tricks is not None:
            seated = sittings[row.sitting]
            _put(found, seated, _plain(row.ns_tricks, deal, seated), (row.sitting, row.board))
    _count_entered(found, sittings, rows, by_result)
    if touched:
        seen = {(row.sitting, row.board) for row in rows}
        ruled += _to_come(touched, deals, sittings, seen)
        _apply(found, event, ruled, sittings, by_result)
    return found


def _deal(deals: dict[DealKey, int], row: Row, sittings: dict[int, Sides]) -> int:
    """Number the deals that are compared, from 1 on."""
    seated = sittings[row.sitting]
    return deals.setdefault((seated.session, seated.pool, row.board), len(deals) + 1)


def _plain(ns_tricks: int, deal: int, seated: Sides) -> Line:
    return Line(
        deal,
        seated.ns,
        seated.ew,
        ns_tricks,
        13 - ns_tricks,
        seated.overplay,
        seated.session,
    )


def _put(found: Tally, seated: Sides, line: Line, play: Play) -> None:
    pool = found.pools[seated.session, seated.pool]
    pool.lines.append(line)
    pool.plays.append(play)


def _rows(event: Event) -> Iterator[Row]:
    rows = Result.objects.filter(sitting__section__session__event=event)
    ordered = rows.order_by("board", "sitting", "deal")
    for row in ordered.values_list("pk", "sitting", "board", "deal", "outcome", "ns_tricks"):
        yield Row(*row)


def _rulings(event: Event, found: Tally) -> dict[int, list[Ruling]]:
    """Read the rulings that stand: those about results by their results, penalties apart."""
    by_result: dict[int, list[Ruling]] = defaultdict(list)
    rows = Ruling.objects.in_force().filter(session__event=event)
    for ruling in rows.select_related("result", "entry", "session"):
        if ruling.result is not None:
            by_result[ruling.result.pk].append(ruling)
            found.rulings[ruling.result.sitting_id, ruling.result.board].append(ruling)
        elif ruling.entry is not None:
            found.penalties.append(ruling)
            loss = deduction_of(ruling, ruling.entry.number)
            found.losses[ruling.session.number][loss.entry] += loss.amount
    return dict(by_result)


def _drafted(draft: Ruling | None, by_result: dict[int, list[Ruling]]) -> Iterator[Row]:
    """Count a ruling that is not saved; a result without a row is lent one."""
    if draft is None or draft.result is None:
        return
    result = draft.result
    pk = result.pk or UNSAVED
    by_result.setdefault(pk, []).append(draft)
    if result._state.adding:
        yield Row(pk, result.sitting_id, result.board, result.deal, result.outcome, None)


_SETTLED = (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED)


def _count_entered(
    found: Tally,
    sittings: dict[int, Sides],
    rows: Iterable[Row],
    by_result: dict[int, list[Ruling]],
) -> None:
    """Count the results expected, and those that are in: entered, or settled by a ruling."""
    found.expected = sum(len(each.boards) for each in sittings.values() if each.is_played)
    latest = {(row.sitting, row.board): row for row in rows}
    found.entered = sum(
        row.outcome != Outcome.CLEARED
        or any(ruling.kind in _SETTLED for ruling in by_result.get(row.pk, ()))
        for row in latest.values()
    )


def _apply(
    found: Tally,
    event: Event,
    plays: Sequence[tuple[Row, int]],
    sittings: dict[int, Sides],
    by_result: dict[int, list[Ruling]],
) -> None:
    """Apply the rulings on the deals they touch, and put the lines they leave into pools."""
    mades = [
        _made(key, row, deal, sittings[row.sitting])
        for key, (row, deal) in enumerate(plays, start=1)
    ]
    remedies = {
        key: [remedy for ruling in by_result[row.pk] if (remedy := remedy_of(ruling))]
        for key, (row, _) in enumerate(plays, start=1)
        if row.pk in by_result
    }
    counted = adjust(
        mades,
        remedies,
        pair_match=event.contest == Event.Contest.PAIRS,
        reading=Reading(event.terms.revokes_read),
    )
    for (row, _), it in zip(plays, counted, strict=True):
        found.ruled[row.sitting, row.board] = it
        if it.line is not None:
            seated = sittings[row.sitting]
            _put(found, seated, it.line, (row.sitting, row.board))
            if it.line.deal < 0:
                began, deal = plays[-it.line.deal - 1]
                name = found.names[deal]._replace(begins=sittings[began.sitting].round)
                found.names[it.line.deal] = name


def _made(key: int, row: Row, deal: int, seated: Sides) -> Made:
    return Made(
        key=key,
        deal=deal,
        ns=seated.ns,
        ew=seated.ew,
        ns_tricks=row.ns_tricks,
        outcome=_OUTCOMES[Outcome(row.outcome)],
        turn=seated.round * DEALS_A_ROUND + row.deal,
        tray=seated.section,
        overplay=seated.overplay,
        match=seated.session,
    )


def _to_come(
    touched: set[int],
    deals: dict[DealKey, int],
    sittings: dict[int, Sides],
    seen: set[Play],
) -> Iterator[tuple[Row, int]]:
    """Yield the plays that have no result yet: what is ruled on their deals waits for them."""
    for pk, seated in sittings.items():
        for board in seated.boards if seated.is_played else ():
            deal = deals.get((seated.session, seated.pool, board), 0)
            if deal in touched and (pk, board) not in seen:
                yield Row(0, pk, board, 1, Outcome.CLEARED, None), deal
