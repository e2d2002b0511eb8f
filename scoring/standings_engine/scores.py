"""The scores of an event: its method, penalties, and carry-over between sessions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods import METHODS, Method, ResultLine, find_method_for_contest
from scoring.methods.deal_comparison import compare_deals
from scoring.methods.opponents import compute_corrected_totals as corrected_of
from scoring.methods.opponents import count_matches
from scoring.methods.ranking import add_penalties_and_carry_over, compute_carry_over
from scoring.methods.result_line import count_boards
from scoring.models import Ruling, Terms
from scoring.secrecy import find_public_sittings
from scoring.standings_engine.carry_over import QualifyingCarryOver, compute_carry_overs
from scoring.standings_engine.result_lines import (
    ComparisonPool,
    EventRows,
    EventTally,
    PlayKey,
    build_round_progress,
    count_rows,
    load_event_rows,
    load_tally,
)
from scoring.standings_engine.seats import Seat, load_seats
from tournaments.models import Event

ZERO = Fraction()
SideValues = tuple[Fraction | None, Fraction | None]
"""A number for N-S and a number for E-W."""
NO_SIDE_VALUES: SideValues = (None, None)


@dataclass(frozen=True, slots=True)
class PlayValues:
    """The values of one play: tricks after rulings, averages, and scores."""

    tricks: SideValues
    averages: SideValues
    scores: SideValues


@dataclass(frozen=True, slots=True)
class ScoredEvent:
    """An event's scores, with the tally from which they were computed."""

    tally: EventTally
    seats: dict[int, Seat]
    method: Method
    scores: dict[int, Fraction]
    ranking_values: dict[
        int, Fraction
    ]  # the number that ranks each entry: a percentage, or the score
    penalties: dict[int, Fraction]  # penalties of the last session
    carried_scores: dict[int, Fraction]  # from the earlier sessions
    tricks: dict[int, Fraction]
    boards: dict[int, int]
    available_points: dict[int, Fraction]  # the maximum score of each entry, for percentages
    last_session: (
        int  # the session that counts in full; earlier ones count by `carry_over_share`
    )
    carry_over_share: Fraction
    scores_per_board: dict[int, Fraction]  # if entries are ranked by these
    weighted_boards: dict[int, Fraction]  # earlier sessions count by `carry_over_share`
    corrected_totals: dict[int, Fraction]  # with the opponents' totals, if the terms use them
    average_totals: dict[int, Fraction]  # the totals of an average entry in the same rounds
    qualifying_carry_over: dict[
        int, QualifyingCarryOver
    ]  # in a final, the part of `carried_scores` from the qualifying

    @property
    def is_ranked_by_corrected(self) -> bool:
        """Whether entries are ranked by their corrected totals."""
        return bool(self.corrected_totals) and self.ranking_values is self.corrected_totals

    @property
    def is_ranked_by_percentage(self) -> bool:
        """Whether entries are ranked by percentages."""
        return self.method.available is not None


def find_method(event: Event) -> Method:
    """Return the scoring method of an event from its terms."""
    terms = event.terms
    return find_method_for_contest(
        event.contest,
        terms.method,
        to_whole_tricks=terms.whole_averages,
        in_points=event.is_scored_in_points,
    )


def score_event(event: Event, *, draft: Ruling | None = None) -> ScoredEvent:
    """Score all results of an event: every session, with rulings and penalties.

    A `draft` is an unsaved ruling that is counted to preview its effect.
    """
    return score_tally(event, load_tally(event, draft=draft), load_seats(event))


def tally_public_results(
    event_rows: EventRows, complete_tally: EventTally
) -> EventTally | None:
    """Return the tally of an event's public results; None if all results are public."""
    counting = find_public_sittings(
        event_rows.event, build_round_progress(event_rows, complete_tally)
    )
    return None if counting is None else count_rows(event_rows, only_sittings=counting)


def score_public_results(event: Event) -> ScoredEvent:
    """Score the public results of an event (`scoring.secrecy`)."""
    rows = load_event_rows(event)
    complete_tally = count_rows(rows)
    return score_tally(
        event, tally_public_results(rows, complete_tally) or complete_tally, load_seats(event)
    )


def score_tally(
    event: Event, tally: EventTally, seats: dict[int, Seat], *, last: int | None = None
) -> ScoredEvent:
    """Score a tally; the last session with counting lines counts in full.

    `last` names another session, to get its carry-over before any of its results count.
    """
    method = find_method(event)
    part = Fraction(event.terms.carry_over)
    if last is None:
        last = max((session for session, _ in tally.pools), default=1)
    by_session = {
        number: _add_up_scores(
            [
                *(pool.compute_cached(method.score) for pool in pools),
                _score_sit_outs(method, tally, number),
            ]
        )
        for number, pools in _group_pools_by_session(tally).items()
    }
    earlier = [
        add_penalties_and_carry_over(scores, losses=tally.penalties_by_session.get(number))
        for number, scores in by_session.items()
        if number != last
    ]
    carry_overs = compute_carry_overs(event)
    amounts = {
        entry: carry_over.amount for entry, carry_over in carry_overs.items() if entry in seats
    }
    carried_scores = _add_up_scores([compute_carry_over(earlier, part), amounts])
    losses = dict(tally.penalties_by_session.get(last, {}))
    scores = add_penalties_and_carry_over(
        by_session.get(last, {}), losses=losses, carried=carried_scores
    )
    available = _compute_available_points(method, tally, last, part)
    tricks, boards = compute_totals(tally)
    weights, a_board = _compute_weighted_boards(tally, last, part), {}
    if _is_ranked_per_board(event, method) and not have_equal_board_counts(boards, seats):
        a_board = _compute_scores_per_board(scores, weights)
    percentages = _compute_shares(scores, available) if method.available else {}
    averages = compute_average_totals(method, tally, last, part)
    corrected_totals = _compute_corrected_totals(event, tally, scores, averages)
    return ScoredEvent(
        tally=tally,
        seats=seats,
        method=method,
        scores=scores,
        ranking_values=(corrected_totals if event.terms.by_corrected else {})
        or percentages
        or a_board
        or scores,
        penalties=losses,
        carried_scores=carried_scores,
        tricks=tricks,
        boards=boards,
        available_points=available,
        last_session=last,
        carry_over_share=part,
        scores_per_board=a_board,
        weighted_boards=weights,
        corrected_totals=corrected_totals,
        average_totals=averages,
        qualifying_carry_over=carry_overs,
    )


def _score_sit_outs(method: Method, tally: EventTally, session: int) -> dict[int, Fraction]:
    """Return the score of rounds without a match, which is the field's average."""
    if not method.sits_out:
        return {}
    missed_rounds = tally.count_missed_rounds(session)
    return {
        entry: method.sits_out * missed_count for entry, missed_count in missed_rounds.items()
    }


def compute_average_totals(
    method: Method, tally: EventTally, last: int, part: Fraction
) -> dict[int, Fraction]:
    """Return, for each entry, the total of an average entry in the same rounds.

    Earlier sessions count by the share that is carried over.
    """
    averages: dict[int, Fraction] = defaultdict(Fraction)
    if not method.sits_out:
        return averages
    for number, pools in _group_pools_by_session(tally).items():
        weight = method.sits_out * (1 if number == last else part)
        rounds = [
            tally.count_missed_rounds(number),
            *(count_matches(pool.lines) for pool in pools),
        ]
        for entry, missed_count in _add_up_scores(rounds).items():
            averages[entry] += weight * missed_count
    return averages


def _compute_corrected_totals(
    event: Event,
    tally: EventTally,
    scores: Mapping[int, Fraction],
    averages: Mapping[int, Fraction],
) -> dict[int, Fraction]:
    if not (event.terms.by_corrected or "corrected" in event.terms.tie_breaks):
        return {}
    return corrected_of(tally.lines, scores, averages)


def have_equal_board_counts(boards: Mapping[int, int], entries: Iterable[int]) -> bool:
    """Return whether the entries played equal numbers of boards, which makes sums
    comparable.
    """
    return len({boards.get(entry, 0) for entry in entries}) < 2


def _is_ranked_per_board(event: Event, method: Method) -> bool:
    """Return whether unequal numbers of boards are ranked by the score per board.

    Methods that do not score board by board cannot be, and percentages do not need it.
    """
    is_chosen = event.terms.unequal_boards == Terms.Unequal.PER_BOARD
    return is_chosen and method.parts is not None and method.available is None


def _compute_weighted_boards(
    tally: EventTally, last: int, part: Fraction
) -> dict[int, Fraction]:
    weights: dict[int, Fraction] = defaultdict(Fraction)
    for (number, _), pool in tally.pools.items():
        weight = 1 if number == last else part
        for entry, boards in pool.compute_cached(count_boards).items():
            weights[entry] += boards * weight
    return weights


def _compute_scores_per_board(
    scores: Mapping[int, Fraction], weights: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    return {
        entry: score / weights[entry] if weights.get(entry) else ZERO
        for entry, score in scores.items()
    }


def compute_play_values(tally: EventTally, method: Method) -> dict[PlayKey, PlayValues]:
    """Return the values of each play, in tricks and in the unit of the method."""
    values_by_play: dict[PlayKey, PlayValues] = {}
    for pool in tally.pools.values():
        sides = {
            deal: ((ns.ruled_average, ew.ruled_average), (ns.average, ew.average))
            for deal, (ns, ew) in compare_deals(pool.lines).items()
        }
        parts: Sequence[SideValues] = (
            method.parts(pool.lines) if method.parts else [(None, None)] * len(pool.lines)
        )
        for line, play, scores in zip(pool.lines, pool.plays, parts, strict=True):
            ruled, averages = sides[line.deal]
            values_by_play[play] = PlayValues(_choose_tricks(line, ruled), averages, scores)
    return values_by_play


def compute_totals(tally: EventTally) -> tuple[dict[int, Fraction], dict[int, int]]:
    """Return each entry's tricks and boards; an average counts as the average of its side."""
    method = METHODS["tricks"]
    tricks = _add_up_scores(pool.compute_cached(method.score) for pool in tally.pools.values())
    boards: dict[int, int] = defaultdict(int)
    for pool in tally.pools.values():
        for entry, board_count in pool.compute_cached(count_boards).items():
            boards[entry] += board_count
    return defaultdict(Fraction, tricks), boards


def _choose_tricks(line: ResultLine, ruled: SideValues) -> SideValues:
    if line.ns_tricks is None or line.ew_tricks is None:
        return ruled
    return Fraction(line.ns_tricks), Fraction(line.ew_tricks)


def _group_pools_by_session(tally: EventTally) -> dict[int, list[ComparisonPool]]:
    sessions: dict[int, list[ComparisonPool]] = defaultdict(list)
    for (number, _), pool in sorted(tally.pools.items()):
        sessions[number].append(pool)
    return sessions


def _add_up_scores(scores: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = {}
    for each in scores:
        for entry, score in each.items():
            sums[entry] = sums[entry] + score if entry in sums else score
    return sums


def _compute_available_points(
    method: Method, tally: EventTally, last: int, part: Fraction
) -> dict[int, Fraction]:
    """Return the maximum score of each entry; earlier sessions count by the carry-over
    share.
    """
    most: dict[int, Fraction] = defaultdict(Fraction)
    if method.available is None:
        return most
    for (number, _), pool in tally.pools.items():
        for entry, available_points in pool.compute_cached(method.available).items():
            most[entry] += available_points if number == last else available_points * part
    return most


def _compute_shares(
    scores: dict[int, Fraction], available: dict[int, Fraction]
) -> dict[int, Fraction]:
    return {
        entry: score / available[entry] if available.get(entry) else Fraction(1, 2)
        for entry, score in scores.items()
    }
