"""The result lines of an event: the input of every scoring computation.

They are loaded in a few queries, whatever the size of the event. Only this module applies
rulings. Deals without a ruling take a short path, so an event without rulings costs no more
than its results.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.methods import ResultLine
from scoring.methods.apply_rulings import RuledPlayResult, apply_rulings
from scoring.methods.counting import Counting
from scoring.methods.remedies import PlayOutcome as MadeOutcome
from scoring.methods.remedies import PlayResult
from scoring.methods.result_line import AS_COUNTED
from scoring.methods.revoke_penalty import RevokeReading
from scoring.models import Outcome, Result, Ruling
from scoring.session_snapshot import RoundProgress
from scoring.standings_engine.missed_rounds import find_missed_rounds, find_unplayed_matches
from scoring.standings_engine.remedies import build_deduction, build_remedy, find_counting
from scoring.standings_engine.seats import SittingSides, find_sit_outs, load_sitting_sides
from tournaments.models import Event

PlayKey = tuple[int, int]
"""A sitting and a board."""
DealKey = tuple[int, str, int]
"""A session number, a section letter or "" for all sections, and a board."""
LinesFunction = Callable[[Sequence[ResultLine]], Mapping[int, Any]]
"""A function that computes a value for each entry from result lines."""
UNSAVED_RESULT_KEY = -1
MAX_DEALS_PER_ROUND = 16
"""An upper bound of the deals of a board in one round; used to order rounds and new deals."""
_OUTCOMES_BY_MODEL = {
    Outcome.PLAYED: MadeOutcome.PLAYED,
    Outcome.NOT_PLAYED: MadeOutcome.NOT_PLAYED,
    Outcome.CLEARED: MadeOutcome.TO_COME,
}


class DealName(NamedTuple):
    """The session, section, board and first round by which a page names a compared deal."""

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
class ComparisonPool:
    """The result lines of a section, or of a whole session, that are compared together."""

    lines: list[ResultLine] = field(default_factory=list)
    plays: list[PlayKey] = field(default_factory=list)  # in the order of the lines
    cached_results: dict[LinesFunction, Mapping[int, Any]] = field(
        default_factory=dict, repr=False
    )

    def compute_cached(self, compute: LinesFunction) -> Mapping[int, Any]:
        """Return the value of a function on the lines; each function is computed once."""
        if compute not in self.cached_results:
            self.cached_results[compute] = compute(self.lines)
        return self.cached_results[compute]


@dataclass(slots=True)
class EventTally:
    """The result lines of an event by pool, its rulings, and its numbers of results."""

    pools: dict[tuple[int, str], ComparisonPool] = field(
        default_factory=lambda: defaultdict(ComparisonPool)
    )
    deal_names: dict[int, DealName] = field(default_factory=dict)  # by the deal of a line
    ruled_plays: dict[PlayKey, RuledPlayResult] = field(
        default_factory=dict
    )  # if a ruling affects the deal
    rulings: dict[PlayKey, list[Ruling]] = field(default_factory=lambda: defaultdict(list))
    penalties: list[Ruling] = field(default_factory=list)
    penalties_by_session: dict[int, dict[int, Fraction]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Fraction))
    )  # by session and entry
    missed_rounds: dict[int, dict[tuple[int, int], Fraction]] = field(
        default_factory=lambda: defaultdict(dict)
    )  # drawn rounds without a match, by session and then by entry and round
    expected_in_begun_sessions: int = 0
    expected_in_all_sessions: int = 0
    entered_result_count: int = 0

    @property
    def expected_result_count(self) -> int:
        """The number of results expected in opened sessions; without any, in all sessions."""
        return self.expected_in_begun_sessions or self.expected_in_all_sessions

    @property
    def missing_result_count(self) -> int:
        """The number of results not entered yet."""
        return self.expected_result_count - self.entered_result_count

    @property
    def lines(self) -> list[ResultLine]:
        """All result lines of the event."""
        return [line for pool in self.pools.values() for line in pool.lines]

    def count_missed_rounds(self, session: int) -> dict[int, Fraction]:
        """Count each entry's missed drawn rounds in a session, including fractions."""
        missed_counts: dict[int, Fraction] = defaultdict(Fraction)
        for (entry, _round), part in self.missed_rounds[session].items():
            missed_counts[entry] += part
        return missed_counts

    @property
    def open_rulings(self) -> list[PlayKey]:
        """The plays whose rulings may still change, or need the director's confirmation."""
        return [
            play
            for play, each in self.ruled_plays.items()
            if each.is_provisional or each.needs_confirmation
        ]


@dataclass(frozen=True, slots=True)
class EventRows:
    """The stored results and rulings of an event, loaded once and counted in several ways."""

    event: Event
    sittings: dict[int, SittingSides]
    results: tuple[ResultRow, ...]
    rulings_by_result: dict[int, list[Ruling]]
    rulings_by_play: dict[PlayKey, list[Ruling]]
    penalties: list[Ruling]
    sit_outs: Mapping[tuple[int, int], Collection[int]]  # (section, round); drawn rounds only
    deal_number_offset: int = (
        0  # deals are numbered after this, so that pools have different numbers
    )


def load_event_rows(
    event: Event,
    *,
    draft: Ruling | None = None,
    rulings: Sequence[Ruling] | None = None,
    sections: Collection[int] | None = None,
) -> EventRows:
    """Load an event's results and rulings, or those of some sections.

    A `draft` ruling is applied as if it were saved, to preview its effect.
    """
    rulings = load_rulings_in_force(event) if rulings is None else rulings
    by_result: dict[int, list[Ruling]] = defaultdict(list)
    by_play: dict[PlayKey, list[Ruling]] = defaultdict(list)
    for ruling in rulings:
        if ruling.result is not None:
            by_result[ruling.result.pk].append(ruling)
            by_play[ruling.result.sitting_id, ruling.result.board].append(ruling)
    sittings = load_sitting_sides(event, sections=sections)
    rows = [*_load_result_rows(event, sections), *_add_draft_ruling(draft, by_result)]
    return EventRows(
        event=event,
        sittings=sittings,
        results=tuple(
            row for row in rows if row.outcome != Outcome.CLEARED or row.pk in by_result
        ),
        rulings_by_result=dict(by_result),
        rulings_by_play=by_play,
        penalties=select_penalties(rulings),
        sit_outs=find_sit_outs(event, sittings),
    )


def load_rulings_in_force(event: Event) -> list[Ruling]:
    """Return the rulings of an event that are in force; one query."""
    rulings = Ruling.objects.in_force().filter(session__event=event)
    return list(rulings.select_related("result", "entry", "session"))


def select_penalties(rulings: Iterable[Ruling]) -> list[Ruling]:
    """Return the rulings that are penalties against an entry, not about a result."""
    return [each for each in rulings if each.result is None and each.entry is not None]


def load_tally(event: Event, *, draft: Ruling | None = None) -> EventTally:
    """Load all results of an event as result lines; deals are numbered within each pool."""
    return count_rows(load_event_rows(event, draft=draft))


def count_rows(
    event_rows: EventRows, *, only_sittings: Collection[int] | None = None
) -> EventTally:
    """Build the tally of an event's results, or only of those at some sittings.

    Rulings at other sittings only decide which deal was in the tray.
    """
    tally = EventTally(rulings=event_rows.rulings_by_play, penalties=event_rows.penalties)
    sittings, by_result = event_rows.sittings, event_rows.rulings_by_result
    rows: Sequence[ResultRow] = event_rows.results
    if only_sittings is not None:
        rows = list(_iter_rows_of_sittings(event_rows, only_sittings))
    deals: dict[DealKey, int] = {}
    of_row = [_number_deal(deals, row, sittings, event_rows.deal_number_offset) for row in rows]
    tally.deal_names = {key: DealName(*name) for name, key in deals.items()}
    ruled_deals = {deal for row, deal in zip(rows, of_row, strict=True) if row.pk in by_result}
    ruled = []
    for row, deal in zip(rows, of_row, strict=True):
        if deal in ruled_deals:
            ruled.append((row, deal))
        elif row.made is not None:
            sides = sittings[row.sitting]
            line = _build_plain_line(row.made, row.won, deal, sides)
            _add_line(tally, sides, line, (row.sitting, row.board))
    _count_entered(tally, event_rows, rows, only_sittings)
    if ruled_deals:
        plays_seen = {(row.sitting, row.board) for row in rows}
        ruled += _iter_plays_to_come(ruled_deals, deals, sittings, plays_seen)
        _apply_rulings(tally, event_rows, ruled, only_sittings)
    _count_missed(tally, event_rows, rows, only_sittings)
    _add_penalties(tally)
    return tally


def combine_tallies(parts: Iterable[EventTally], penalties: list[Ruling]) -> EventTally:
    """Combine the tallies of pools into one, with the event's penalties."""
    tally = EventTally(penalties=penalties)
    for part in parts:
        tally.pools |= part.pools
        tally.deal_names |= part.deal_names
        tally.ruled_plays |= part.ruled_plays
        tally.rulings |= part.rulings
        tally.expected_in_begun_sessions += part.expected_in_begun_sessions
        tally.expected_in_all_sessions += part.expected_in_all_sessions
        tally.entered_result_count += part.entered_result_count
        for session, missed_by_entry in part.missed_rounds.items():
            tally.missed_rounds[session] |= missed_by_entry
    _add_penalties(tally)
    return tally


def _count_missed(
    tally: EventTally,
    event_rows: EventRows,
    rows: Iterable[ResultRow],
    only_sittings: Collection[int] | None,
) -> None:
    """Record the entries without a match in the drawn rounds that count."""
    played_sittings = {play[0] for pool in tally.pools.values() for play in pool.plays}
    unplayed = find_unplayed_matches(
        event_rows.sittings,
        played_sittings,
        list_entered_plays=lambda: _find_entered_plays(rows, event_rows.rulings_by_result),
        only_sittings=None if only_sittings is None else set(only_sittings),
    )
    counting = [event_rows.sittings[pk] for pk in played_sittings]
    tally.missed_rounds |= find_missed_rounds(counting, unplayed, event_rows.sit_outs)


def build_round_progress(event_rows: EventRows, tally: EventTally) -> list[RoundProgress]:
    """Return the progress of each round at each table, from the rows and their lines.

    Only scores made at the table are counted; averages and scores set by the director are not.
    """
    entered_plays = _find_entered_plays(
        event_rows.results, event_rows.rulings_by_result, counts_voided=False
    )
    score_counts: Counter[int] = Counter()
    for pool in tally.pools.values():
        for line, play in zip(pool.lines, pool.plays, strict=True):
            rulings = event_rows.rulings_by_play.get(play, ())
            is_set_by_ruling = any(each.kind in _SETTLING_KINDS for each in rulings)
            score_counts[play[0]] += line.ns_tricks is not None and not is_set_by_ruling
    return [
        RoundProgress(
            session=sides.session,
            sitting=pk,
            boards=sides.boards,
            is_complete=all((pk, board) in entered_plays for board in sides.boards),
            scores_made=score_counts[pk],
        )
        for pk, sides in event_rows.sittings.items()
        if sides.is_played
    ]


def _iter_rows_of_sittings(event_rows: EventRows, keys: Collection[int]) -> Iterator[ResultRow]:
    """Yield the rows of some sittings, and the rows with rulings of others without tricks."""
    for row in event_rows.results:
        if row.sitting in keys:
            yield row
        elif row.pk in event_rows.rulings_by_result:
            yield row._replace(outcome=Outcome.CLEARED, made=None, won=None)


def _number_deal(
    deals: dict[DealKey, int], row: ResultRow, sittings: dict[int, SittingSides], before: int
) -> int:
    """Return the number of a compared deal; new deals are numbered from `before` + 1."""
    sides = sittings[row.sitting]
    return deals.setdefault((sides.session, sides.pool, row.board), before + len(deals) + 1)


def _build_plain_line(
    ns_value: int, won: int | None, deal: int, sides: SittingSides
) -> ResultLine:
    total = 13 if won is None else 0
    is_later, match = sides.overplay, sides.match
    values = (deal, sides.ns, sides.ew, ns_value, total - ns_value, is_later, match, AS_COUNTED)
    return tuple.__new__(ResultLine, (*values, total, won))  # as `build_plain_line` does


def _add_line(tally: EventTally, sides: SittingSides, line: ResultLine, play: PlayKey) -> None:
    pool = tally.pools[sides.session, sides.pool]
    pool.lines.append(line)
    pool.plays.append(play)


def _load_result_rows(event: Event, sections: Collection[int] | None) -> Iterator[ResultRow]:
    rows = Result.objects.order_by("board", "sitting", "deal")
    if sections is None:
        rows = rows.filter(sitting__section__session__event=event)
    else:
        rows = rows.filter(sitting__section__in=sections)
    if not event.is_scored_in_points:
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
            each.written_score.ns_value,
            each.ns_points,
        )


def _add_penalties(tally: EventTally) -> None:
    for ruling in tally.penalties:
        assert ruling.entry is not None
        loss = build_deduction(ruling, ruling.entry.number)
        tally.penalties_by_session[find_session_of_penalty(tally, ruling)][loss.entry] += (
            loss.amount
        )


def find_session_of_penalty(tally: EventTally, penalty: Ruling) -> int:
    """Return the number of the session in which a penalty counts.

    It is the penalty's own session. Until a result of that session counts, it is the last
    session with counting results.
    """
    sessions = {session for session, _section in tally.pools}
    own_number = penalty.session.number
    return own_number if own_number in sessions else max(sessions, default=1)


def _add_draft_ruling(
    draft: Ruling | None, by_result: dict[int, list[Ruling]]
) -> Iterator[ResultRow]:
    """Add an unsaved ruling; yield a temporary row if its result has none."""
    if draft is None or draft.result is None:
        return
    result = draft.result
    pk = result.pk or UNSAVED_RESULT_KEY
    by_result.setdefault(pk, []).append(draft)
    if result._state.adding:
        yield ResultRow(pk, result.sitting_id, result.board, result.deal, result.outcome, None)


_SETTLING_KINDS = (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED)


def _count_entered(
    tally: EventTally,
    event_rows: EventRows,
    rows: Iterable[ResultRow],
    only_sittings: Collection[int] | None,
) -> None:
    """Count the results expected and those entered."""
    sittings = [each for each in event_rows.sittings.values() if each.is_played]
    tally.expected_in_all_sessions = sum(len(each.boards) for each in sittings)
    tally.expected_in_begun_sessions = sum(
        len(each.boards) for each in sittings if each.is_begun
    )
    entered_plays = _find_entered_plays(rows, event_rows.rulings_by_result)
    tally.entered_result_count = sum(
        only_sittings is None or sitting in only_sittings for sitting, _board in entered_plays
    )


def _find_entered_plays(
    rows: Iterable[ResultRow],
    by_result: Mapping[int, Sequence[Ruling]],
    *,
    counts_voided: bool = True,
) -> set[PlayKey]:
    """Return the plays with a result, or with a ruling that replaces one.

    Without `counts_voided`, plays whose only result was voided by a new deal are omitted.
    """
    latest = {(row.sitting, row.board): row for row in rows}
    entered_plays = set()
    for play, row in latest.items():
        kinds = {ruling.kind for ruling in by_result.get(row.pk, ())}
        is_void = Ruling.Kind.NEW_DEAL in kinds and not counts_voided
        if kinds & {*_SETTLING_KINDS} or (row.outcome != Outcome.CLEARED and not is_void):
            entered_plays.add(play)
    return entered_plays


def _apply_rulings(
    tally: EventTally,
    event_rows: EventRows,
    plays: Sequence[tuple[ResultRow, int]],
    only_sittings: Collection[int] | None,
) -> None:
    """Apply the rulings to the deals they affect, and add the resulting lines to the pools."""
    event, sittings, by_result = (
        event_rows.event,
        event_rows.sittings,
        event_rows.rulings_by_result,
    )
    counting = find_counting(event)
    play_results = [
        _build_play_result(key, row, deal, sittings[row.sitting], counting)
        for key, (row, deal) in enumerate(plays, start=event_rows.deal_number_offset + 1)
    ]
    remedies = {
        key: [
            remedy for ruling in by_result[row.pk] if (remedy := build_remedy(ruling, counting))
        ]
        for key, (row, _) in enumerate(plays, start=event_rows.deal_number_offset + 1)
        if row.pk in by_result
    }
    after = apply_rulings(
        play_results,
        remedies,
        is_pair_match=event.contest == Event.Contest.PAIRS,
        reading=RevokeReading(event.terms.revokes_read),
    )
    for (row, _), each in zip(plays, after, strict=True):
        if only_sittings is not None and row.sitting not in only_sittings:
            continue
        tally.ruled_plays[row.sitting, row.board] = each
        if each.line is not None:
            sides = sittings[row.sitting]
            _add_line(tally, sides, each.line, (row.sitting, row.board))
            if each.line.deal < 0:
                first_row, deal = plays[-each.line.deal - event_rows.deal_number_offset - 1]
                name = tally.deal_names[deal]._replace(begins=sittings[first_row.sitting].round)
                tally.deal_names[each.line.deal] = name


def _build_play_result(
    key: int, row: ResultRow, deal: int, sides: SittingSides, counting: Counting
) -> PlayResult:
    return PlayResult(
        key=key,
        deal=deal,
        ns=sides.ns,
        ew=sides.ew,
        ns_tricks=row.made,
        won=row.won,
        counting=counting,
        outcome=_OUTCOMES_BY_MODEL[Outcome(row.outcome)],
        round=sides.round * MAX_DEALS_PER_ROUND + row.deal,
        deal_copy=sides.section,
        overplay=sides.overplay,
        match=sides.match,
    )


def _iter_plays_to_come(
    ruled_deals: set[int],
    deals: dict[DealKey, int],
    sittings: dict[int, SittingSides],
    seen: set[PlayKey],
) -> Iterator[tuple[ResultRow, int]]:
    """Yield the plays without a result on deals whose rulings depend on them."""
    for pk, sides in sittings.items():
        for board in sides.boards if sides.is_played else ():
            deal = deals.get((sides.session, sides.pool, board), 0)
            if deal in ruled_deals and (pk, board) not in seen:
                yield ResultRow(0, pk, board, 1, Outcome.CLEARED, None), deal
