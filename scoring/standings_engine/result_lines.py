"""The result lines of an event: the input of every scoring computation.

They are loaded in a few queries, whatever the size of the event. Only this module applies
rulings. Deals without a ruling are handled by faster code.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.methods import ResultLine
from scoring.methods.apply_rulings import RuledPlayResult, apply_rulings
from scoring.methods.counting import ScoringUnit
from scoring.methods.remedies import PlayOutcome, PlayResult
from scoring.methods.result_line import SAME_AS_COUNTED
from scoring.methods.revoke_penalty import RevokeLawReading
from scoring.models import Outcome, Ruling
from scoring.standings_engine.missed_rounds import find_missed_rounds, find_unplayed_matches
from scoring.standings_engine.remedies import build_deduction, build_remedy, get_scoring_unit
from scoring.standings_engine.result_rows import (
    ResultRow,
    find_entered_plays,
    load_result_rows,
    load_rulings_in_force,
    select_penalties,
)
from scoring.standings_engine.seats import SittingSides, find_sit_outs, load_sitting_sides
from tournaments.models import Event

PlayKey = tuple[int, int]
"""The key of a sitting, and the number of a board."""
DealKey = tuple[int, str, int]
"""A session number, a section letter or "" for all sections, and a board."""
EntryValueFunction = Callable[[Sequence[ResultLine]], Mapping[int, Any]]
"""A function that computes a value for each entry from result lines."""
UNSAVED_RESULT_KEY = -1
MAX_DEALS_PER_ROUND = 16
"""The maximum number of deals of a board in one round; used to sort rounds and new deals."""
_PLAY_OUTCOMES = {
    Outcome.PLAYED: PlayOutcome.PLAYED,
    Outcome.NOT_PLAYED: PlayOutcome.NOT_PLAYED,
    Outcome.CLEARED: PlayOutcome.NOT_YET_PLAYED,
}


class DealName(NamedTuple):
    """The data of a compared deal that pages show."""

    session_number: int
    section_letter: str  # empty if the sections are compared as one
    board_number: int
    first_round: int = 0  # the round after which the tray had this deal; 0: the original deal


@dataclass(slots=True)
class ComparisonPool:
    """The result lines of a section, or of a whole session, that are compared together."""

    lines: list[ResultLine] = field(default_factory=list)
    plays: list[PlayKey] = field(default_factory=list)  # in the order of the lines
    values_by_function: dict[EntryValueFunction, Mapping[int, Any]] = field(
        default_factory=dict, repr=False
    )

    def get_cached_values(self, compute_values: EntryValueFunction) -> Mapping[int, Any]:
        """Return the value of a function on the lines; each function is computed once."""
        if compute_values not in self.values_by_function:
            self.values_by_function[compute_values] = compute_values(self.lines)
        return self.values_by_function[compute_values]


@dataclass(slots=True)
class EventTally:
    """The result lines of an event by pool, its rulings, and its numbers of results."""

    pools_by_key: dict[tuple[int, str], ComparisonPool] = field(
        default_factory=lambda: defaultdict(ComparisonPool)
    )
    # By `ResultLine.deal_number`.
    deal_names_by_number: dict[int, DealName] = field(default_factory=dict)
    # Only plays of deals that a ruling affects.
    ruled_results_by_play: dict[PlayKey, RuledPlayResult] = field(default_factory=dict)
    rulings_by_play: dict[PlayKey, list[Ruling]] = field(
        default_factory=lambda: defaultdict(list)
    )
    penalties: list[Ruling] = field(default_factory=list)
    # The points subtracted, by session and entry.
    penalties_by_session: dict[int, dict[int, Fraction]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Fraction))
    )
    # The missed part (0 to 1) of drawn rounds, by session and then by entry and round.
    missed_rounds_by_session: dict[int, dict[tuple[int, int], Fraction]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    expected_result_count_in_opened_sessions: int = 0
    expected_result_count_in_all_sessions: int = 0
    entered_result_count: int = 0

    @property
    def expected_result_count(self) -> int:
        """The number of results expected in opened sessions; without any, in all sessions."""
        return (
            self.expected_result_count_in_opened_sessions
            or self.expected_result_count_in_all_sessions
        )

    @property
    def missing_result_count(self) -> int:
        """The number of results not entered yet."""
        return self.expected_result_count - self.entered_result_count

    @property
    def lines(self) -> list[ResultLine]:
        """All result lines of the event."""
        return [
            result_line for pool in self.pools_by_key.values() for result_line in pool.lines
        ]

    def count_missed_rounds(self, session_number: int) -> dict[int, Fraction]:
        """Count each entry's missed drawn rounds in a session, including fractions."""
        missed_counts: dict[int, Fraction] = defaultdict(Fraction)
        for (entry_number, _round), missed_part in self.missed_rounds_by_session[
            session_number
        ].items():
            missed_counts[entry_number] += missed_part
        return missed_counts

    @property
    def plays_with_open_rulings(self) -> list[PlayKey]:
        """The plays whose rulings may still change, or need the director's confirmation."""
        return [
            play
            for play, ruled_result in self.ruled_results_by_play.items()
            if ruled_result.is_provisional or ruled_result.is_confirmation_needed
        ]


@dataclass(frozen=True, slots=True)
class EventRows:
    """The stored results and rulings of an event, loaded once and counted in several ways."""

    event: Event
    sides_by_sitting: dict[int, SittingSides]
    results: tuple[ResultRow, ...]
    rulings_by_result: dict[int, list[Ruling]]
    rulings_by_play: dict[PlayKey, list[Ruling]]
    penalties: list[Ruling]
    sit_outs_by_round: Mapping[tuple[int, int], Collection[int]]  # by section and drawn round
    # Deal numbers start after this number, so that no two pools share a deal number.
    deal_number_offset: int = 0


def load_event_rows(
    event: Event,
    *,
    draft_ruling: Ruling | None = None,
    rulings: Sequence[Ruling] | None = None,
    section_ids: Collection[int] | None = None,
) -> EventRows:
    """Load an event's results and rulings, or those of some sections.

    A `draft_ruling` is applied as if it were saved, to preview its effect.
    """
    rulings = load_rulings_in_force(event) if rulings is None else rulings
    rulings_by_result: dict[int, list[Ruling]] = defaultdict(list)
    rulings_by_play: dict[PlayKey, list[Ruling]] = defaultdict(list)
    for ruling in rulings:
        if ruling.result is not None:
            rulings_by_result[ruling.result.pk].append(ruling)
            rulings_by_play[ruling.result.sitting_id, ruling.result.board].append(ruling)
    sides_by_sitting = load_sitting_sides(event, section_ids=section_ids)
    rows = [
        *load_result_rows(event, section_ids),
        *_add_draft_ruling(draft_ruling, rulings_by_result),
    ]
    return EventRows(
        event=event,
        sides_by_sitting=sides_by_sitting,
        results=tuple(
            row for row in rows if row.outcome != Outcome.CLEARED or row.pk in rulings_by_result
        ),
        rulings_by_result=dict(rulings_by_result),
        rulings_by_play=rulings_by_play,
        penalties=select_penalties(rulings),
        sit_outs_by_round=find_sit_outs(event, sides_by_sitting),
    )


def load_tally(event: Event, *, draft_ruling: Ruling | None = None) -> EventTally:
    """Load all results of an event as result lines; deals are numbered within each pool."""
    return tally_results(load_event_rows(event, draft_ruling=draft_ruling))


def tally_results(
    event_rows: EventRows, *, included_sitting_ids: Collection[int] | None = None
) -> EventTally:
    """Build the tally of an event's results, or only of those at some sittings.

    With `included_sitting_ids`, results of other sittings are left out. The rulings about those
    results are still read, because they can decide which deal was in a tray afterwards.
    """
    tally = EventTally(
        rulings_by_play=event_rows.rulings_by_play, penalties=event_rows.penalties
    )
    sides_by_sitting, rulings_by_result = (
        event_rows.sides_by_sitting,
        event_rows.rulings_by_result,
    )
    rows: Sequence[ResultRow] = event_rows.results
    if included_sitting_ids is not None:
        rows = list(_iter_rows_of_sittings(event_rows, included_sitting_ids))
    deal_numbers_by_key: dict[DealKey, int] = {}
    row_deal_numbers = [
        _assign_deal_number(
            deal_numbers_by_key, row, sides_by_sitting, event_rows.deal_number_offset
        )
        for row in rows
    ]
    tally.deal_names_by_number = {
        deal_number: DealName(*deal_key)
        for deal_key, deal_number in deal_numbers_by_key.items()
    }
    ruled_deal_numbers = {
        deal_number
        for row, deal_number in zip(rows, row_deal_numbers, strict=True)
        if row.pk in rulings_by_result
    }
    affected_rows = []
    for row, deal_number in zip(rows, row_deal_numbers, strict=True):
        if deal_number in ruled_deal_numbers:
            affected_rows.append((row, deal_number))
        elif row.ns_value is not None:
            sides = sides_by_sitting[row.sitting_id]
            result_line = _build_plain_line(row.ns_value, row.ns_points_won, deal_number, sides)
            _add_line(tally, sides, result_line, (row.sitting_id, row.board_number))
    _store_result_counts(tally, event_rows, rows, included_sitting_ids)
    if ruled_deal_numbers:
        entered_plays = {(row.sitting_id, row.board_number) for row in rows}
        affected_rows += _iter_placeholder_rows(
            ruled_deal_numbers, deal_numbers_by_key, sides_by_sitting, entered_plays
        )
        _apply_rulings(tally, event_rows, affected_rows, included_sitting_ids)
    _record_missed_rounds(tally, event_rows, rows, included_sitting_ids)
    _add_penalties(tally)
    return tally


def combine_tallies(tallies: Iterable[EventTally], penalties: list[Ruling]) -> EventTally:
    """Combine the tallies of pools into one, with the event's penalties."""
    tally = EventTally(penalties=penalties)
    for pool_tally in tallies:
        tally.pools_by_key |= pool_tally.pools_by_key
        tally.deal_names_by_number |= pool_tally.deal_names_by_number
        tally.ruled_results_by_play |= pool_tally.ruled_results_by_play
        tally.rulings_by_play |= pool_tally.rulings_by_play
        tally.expected_result_count_in_opened_sessions += (
            pool_tally.expected_result_count_in_opened_sessions
        )
        tally.expected_result_count_in_all_sessions += (
            pool_tally.expected_result_count_in_all_sessions
        )
        tally.entered_result_count += pool_tally.entered_result_count
        for session_number, missed_parts in pool_tally.missed_rounds_by_session.items():
            tally.missed_rounds_by_session[session_number] |= missed_parts
    _add_penalties(tally)
    return tally


def _record_missed_rounds(
    tally: EventTally,
    event_rows: EventRows,
    rows: Iterable[ResultRow],
    included_sitting_ids: Collection[int] | None,
) -> None:
    """Record the entries without a match in the drawn rounds that count."""
    played_sitting_ids = {
        play[0] for pool in tally.pools_by_key.values() for play in pool.plays
    }
    unplayed_matches = find_unplayed_matches(
        event_rows.sides_by_sitting,
        played_sitting_ids,
        list_entered_plays=lambda: find_entered_plays(rows, event_rows.rulings_by_result),
        included_sitting_ids=None
        if included_sitting_ids is None
        else set(included_sitting_ids),
    )
    scored_sitting_sides = [
        event_rows.sides_by_sitting[sitting_id] for sitting_id in played_sitting_ids
    ]
    tally.missed_rounds_by_session |= find_missed_rounds(
        scored_sitting_sides, unplayed_matches, event_rows.sit_outs_by_round
    )


def _iter_rows_of_sittings(
    event_rows: EventRows, sitting_ids: Collection[int]
) -> Iterator[ResultRow]:
    """Yield the rows of some sittings; of others only ruled rows, with results removed."""
    for row in event_rows.results:
        if row.sitting_id in sitting_ids:
            yield row
        elif row.pk in event_rows.rulings_by_result:
            yield row._replace(outcome=Outcome.CLEARED, ns_value=None, ns_points_won=None)


def _assign_deal_number(
    deal_numbers_by_key: dict[DealKey, int],
    row: ResultRow,
    sides_by_sitting: dict[int, SittingSides],
    deal_number_offset: int,
) -> int:
    """Return the number of a row's deal; the first unnumbered deal gets the offset + 1."""
    sides = sides_by_sitting[row.sitting_id]
    deal_key = sides.session_number, sides.pool_section_letter, row.board_number
    return deal_numbers_by_key.setdefault(
        deal_key, deal_number_offset + len(deal_numbers_by_key) + 1
    )


def _build_plain_line(
    ns_value: int, ns_points_won: int | None, deal_number: int, sides: SittingSides
) -> ResultLine:
    value_sum = 13 if ns_points_won is None else 0
    first_fields = deal_number, sides.ns, sides.ew, ns_value, value_sum - ns_value
    last_fields = (
        sides.is_overplay,
        sides.match_number,
        SAME_AS_COUNTED,
        value_sum,
        ns_points_won,
    )
    return tuple.__new__(ResultLine, first_fields + last_fields)  # a fast `build_plain_line`


def _add_line(
    tally: EventTally, sides: SittingSides, result_line: ResultLine, play: PlayKey
) -> None:
    pool = tally.pools_by_key[sides.session_number, sides.pool_section_letter]
    pool.lines.append(result_line)
    pool.plays.append(play)


def _add_penalties(tally: EventTally) -> None:
    for ruling in tally.penalties:
        assert ruling.entry is not None
        deduction = build_deduction(ruling, ruling.entry.number)
        tally.penalties_by_session[find_session_of_penalty(tally, ruling)][
            deduction.entry_number
        ] += deduction.amount


def find_session_of_penalty(tally: EventTally, penalty_ruling: Ruling) -> int:
    """Return the number of the session in which a penalty counts.

    This is the session of the penalty. Until a result of that session counts, it is the last
    session with results that count.
    """
    scored_session_numbers = {session for session, _section in tally.pools_by_key}
    session_number = penalty_ruling.session.number
    if session_number in scored_session_numbers:
        return session_number
    return max(scored_session_numbers, default=1)


def _add_draft_ruling(
    draft_ruling: Ruling | None, rulings_by_result: dict[int, list[Ruling]]
) -> Iterator[ResultRow]:
    """Add an unsaved ruling; if its result is unsaved too, yield a temporary row for it."""
    if draft_ruling is None or draft_ruling.result is None:
        return
    result = draft_ruling.result
    result_key = result.pk or UNSAVED_RESULT_KEY
    rulings_by_result.setdefault(result_key, []).append(draft_ruling)
    if result._state.adding:
        yield ResultRow(
            result_key, result.sitting_id, result.board, result.deal, result.outcome, None
        )


def _store_result_counts(
    tally: EventTally,
    event_rows: EventRows,
    rows: Iterable[ResultRow],
    included_sitting_ids: Collection[int] | None,
) -> None:
    """Store the numbers of expected results and of entered results in the tally."""
    played_sittings = [
        sides for sides in event_rows.sides_by_sitting.values() if sides.is_played
    ]
    tally.expected_result_count_in_all_sessions = sum(
        len(sides.boards) for sides in played_sittings
    )
    tally.expected_result_count_in_opened_sessions = sum(
        len(sides.boards) for sides in played_sittings if sides.has_begun
    )
    entered_plays = find_entered_plays(rows, event_rows.rulings_by_result)
    tally.entered_result_count = sum(
        included_sitting_ids is None or sitting_id in included_sitting_ids
        for sitting_id, _board in entered_plays
    )


def _apply_rulings(
    tally: EventTally,
    event_rows: EventRows,
    affected_rows: Sequence[tuple[ResultRow, int]],
    included_sitting_ids: Collection[int] | None,
) -> None:
    """Apply the rulings to the deals they affect, and add the resulting lines to the pools."""
    event, sides_by_sitting = event_rows.event, event_rows.sides_by_sitting
    rulings_by_result = event_rows.rulings_by_result
    scoring_unit = get_scoring_unit(event)
    numbered_rows = [*enumerate(affected_rows, start=event_rows.deal_number_offset + 1)]
    play_results = [
        _build_play_result(
            play_number, row, deal_number, sides_by_sitting[row.sitting_id], scoring_unit
        )
        for play_number, (row, deal_number) in numbered_rows
    ]
    remedies_by_play_number = {
        play_number: [
            remedy
            for ruling in rulings_by_result[row.pk]
            if (remedy := build_remedy(ruling, scoring_unit))
        ]
        for play_number, (row, _) in numbered_rows
        if row.pk in rulings_by_result
    }
    ruled_results = apply_rulings(
        play_results,
        remedies_by_play_number,
        is_pair_match=event.contest == Event.Contest.PAIRS,
        revoke_law_reading=RevokeLawReading(event.terms.revokes_read),
    )
    for (row, _), ruled_result in zip(affected_rows, ruled_results, strict=True):
        if included_sitting_ids is not None and row.sitting_id not in included_sitting_ids:
            continue
        tally.ruled_results_by_play[row.sitting_id, row.board_number] = ruled_result
        if ruled_result.result_line is not None:
            sides = sides_by_sitting[row.sitting_id]
            _add_line(
                tally, sides, ruled_result.result_line, (row.sitting_id, row.board_number)
            )
            if ruled_result.result_line.deal_number < 0:
                row_index = (
                    -ruled_result.result_line.deal_number - event_rows.deal_number_offset - 1
                )
                first_row, deal_number = affected_rows[row_index]
                deal_name = tally.deal_names_by_number[deal_number]._replace(
                    first_round=sides_by_sitting[first_row.sitting_id].round_number
                )
                tally.deal_names_by_number[ruled_result.result_line.deal_number] = deal_name


def _build_play_result(
    play_number: int,
    row: ResultRow,
    deal_number: int,
    sides: SittingSides,
    scoring_unit: ScoringUnit,
) -> PlayResult:
    return PlayResult(
        play_number=play_number,
        deal_number=deal_number,
        ns_entries=sides.ns,
        ew_entries=sides.ew,
        ns_tricks=row.ns_value,
        points_won=row.ns_points_won,
        scoring_unit=scoring_unit,
        outcome=_PLAY_OUTCOMES[Outcome(row.outcome)],
        round_number=sides.round_number * MAX_DEALS_PER_ROUND + row.deal_number,
        deal_copy_number=sides.section_pk,
        is_overplay=sides.is_overplay,
        match_number=sides.match_number,
    )


def _iter_placeholder_rows(
    ruled_deal_numbers: set[int],
    deal_numbers_by_key: dict[DealKey, int],
    sides_by_sitting: dict[int, SittingSides],
    entered_plays: set[PlayKey],
) -> Iterator[tuple[ResultRow, int]]:
    """Yield an empty row for each missing result of a deal that has a ruling."""
    for sitting_id, sides in sides_by_sitting.items():
        for board_number in sides.boards if sides.is_played else ():
            deal_number = deal_numbers_by_key.get(
                (sides.session_number, sides.pool_section_letter, board_number), 0
            )
            if (
                deal_number in ruled_deal_numbers
                and (sitting_id, board_number) not in entered_plays
            ):
                yield (
                    ResultRow(0, sitting_id, board_number, 1, Outcome.CLEARED, None),
                    deal_number,
                )
