"""From lines to scores: the event's method, penalties, and carry-over between sessions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods import METHODS, Line, Method, method_for
from scoring.methods.comparing import compared
from scoring.methods.lines import boards_had
from scoring.methods.opponents import corrected as corrected_of
from scoring.methods.opponents import rounds_each
from scoring.methods.ranking import carry_over, settled
from scoring.models import Ruling, Terms
from scoring.reckoning.brought import CarriedScore, brought_into
from scoring.reckoning.lines import (
    EventLines,
    EventRows,
    Play,
    Pool,
    counted,
    read,
    rounds_of,
    tally,
)
from scoring.reckoning.seats import Seat, seats_of
from scoring.secrecy import rounds_that_count
from tournaments.models import Event

NOTHING = Fraction()
Both = tuple[Fraction | None, Fraction | None]
"""A number for N-S and one for E-W."""
NOBODY: Both = (None, None)


@dataclass(frozen=True, slots=True)
class Counts:
    """The values of one play: the tricks after rulings, the averages, and the scores."""

    tricks: Both
    averages: Both
    scores: Both


@dataclass(frozen=True, slots=True)
class Scored:
    """An event's scores, with the lines from which they were computed."""

    tally: EventLines
    seats: dict[int, Seat]
    method: Method
    scores: dict[int, Fraction]
    worth: dict[int, Fraction]  # the number that ranks the entries: a share, or the score
    losses: dict[int, Fraction]  # penalties of the last session
    carried: dict[int, Fraction]  # from the earlier sessions
    tricks: dict[int, Fraction]
    boards: dict[int, int]
    available: dict[int, Fraction]  # the most that each entry could have scored, for shares
    last: int  # the session that counts in full; earlier ones count `part`
    part: Fraction
    a_board: dict[int, Fraction]  # scores a board, if entries are ranked by these
    weights: dict[int, Fraction]  # boards; those of earlier sessions count `part`
    corrected: dict[int, Fraction]  # with the opponents' totals, if the terms use them
    averages: dict[int, Fraction]  # the totals of an average entry in as many rounds, for these
    brought: dict[int, CarriedScore]  # the part of `carried` from the qualifying, in a final

    @property
    def by_corrected(self) -> bool:
        """Whether entries are ranked by their corrected totals."""
        return bool(self.corrected) and self.worth is self.corrected

    @property
    def has_shares(self) -> bool:
        """Whether entries are ranked by percentages."""
        return self.method.available is not None


def method_of(event: Event) -> Method:
    """Return the scoring method of an event, by its terms."""
    terms = event.terms
    return method_for(
        event.contest,
        terms.method,
        to_whole_tricks=terms.whole_averages,
        in_points=event.counts_points,
    )


def scored(event: Event, *, draft: Ruling | None = None) -> Scored:
    """Score all results of an event: every session, its rulings and penalties.

    A `draft` is an unsaved ruling, counted to show its effect.
    """
    return score(event, tally(event, draft=draft), seats_of(event))


def public_tally(of: EventRows, whole: EventLines) -> EventLines | None:
    """Count the public results of an event; None if all results are public."""
    counting = rounds_that_count(of.event, rounds_of(of, whole))
    return None if counting is None else counted(of, only=counting)


def publicly_scored(event: Event) -> Scored:
    """Score the public results of an event (scoring.secrecy)."""
    rows = read(event)
    whole = counted(rows)
    return score(event, public_tally(rows, whole) or whole, seats_of(event))


def score(
    event: Event, found: EventLines, seats: dict[int, Seat], *, last: int | None = None
) -> Scored:
    """Score a tally, with the last session that has counting lines as the current one.

    `last` names another session, to get its carry-over before anything in it counts.
    """
    method = method_of(event)
    part = Fraction(event.terms.carry_over)
    if last is None:
        last = max((session for session, _ in found.pools), default=1)
    by_session = {
        number: _added(
            [
                *(pool.by(method.score) for pool in pools),
                _sat_out(method, found, number),
            ]
        )
        for number, pools in _sessions(found).items()
    }
    earlier = [
        settled(scores, losses=found.losses.get(number))
        for number, scores in by_session.items()
        if number != last
    ]
    brought = brought_into(event)
    amounts = {entry: each.amount for entry, each in brought.items() if entry in seats}
    carried = _added([carry_over(earlier, part), amounts])
    losses = dict(found.losses.get(last, {}))
    scores = settled(by_session.get(last, {}), losses=losses, carried=carried)
    available = _available(method, found, last, part)
    tricks, boards = totals(found)
    weights, a_board = _weights(found, last, part), {}
    if _is_by_board(event, method) and not is_level(boards, seats):
        a_board = _a_board(scores, weights)
    shares = _shares(scores, available) if method.available else {}
    averages = averages_of(method, found, last, part)
    corrected = _corrected(event, found, scores, averages)
    return Scored(
        tally=found,
        seats=seats,
        method=method,
        scores=scores,
        worth=(corrected if event.terms.by_corrected else {}) or shares or a_board or scores,
        losses=losses,
        carried=carried,
        tricks=tricks,
        boards=boards,
        available=available,
        last=last,
        part=part,
        a_board=a_board,
        weights=weights,
        corrected=corrected,
        averages=averages,
        brought=brought,
    )


def _sat_out(method: Method, found: EventLines, session: int) -> dict[int, Fraction]:
    """Return the score of rounds without a match: the field's average."""
    if not method.sits_out:
        return {}
    missed = found.missed_in(session)
    return {entry: method.sits_out * often for entry, often in missed.items()}


def averages_of(
    method: Method, found: EventLines, last: int, part: Fraction
) -> dict[int, Fraction]:
    """Return the total of an average entry in each entry's rounds.

    Earlier sessions count at the part that is carried over.
    """
    averages: dict[int, Fraction] = defaultdict(Fraction)
    if not method.sits_out:
        return averages
    for number, pools in _sessions(found).items():
        weight = method.sits_out * (1 if number == last else part)
        rounds = [found.missed_in(number), *(rounds_each(pool.lines) for pool in pools)]
        for entry, often in _added(rounds).items():
            averages[entry] += weight * often
    return averages


def _corrected(
    event: Event,
    found: EventLines,
    scores: Mapping[int, Fraction],
    averages: Mapping[int, Fraction],
) -> dict[int, Fraction]:
    if not (event.terms.by_corrected or "corrected" in event.terms.tie_breaks):
        return {}
    return corrected_of(found.lines, scores, averages)


def is_level(boards: Mapping[int, int], entries: Iterable[int]) -> bool:
    """Return whether all entries played equal numbers of boards, so sums are comparable."""
    return len({boards.get(entry, 0) for entry in entries}) < 2


def _is_by_board(event: Event, method: Method) -> bool:
    """Return whether the terms rank unequal numbers of boards by the score a board.

    A method without scores by board has no such score, and percentages do not need it.
    """
    is_wanted = event.terms.unequal_boards == Terms.Unequal.PER_BOARD
    return is_wanted and method.parts is not None and method.available is None


def _weights(found: EventLines, last: int, part: Fraction) -> dict[int, Fraction]:
    weights: dict[int, Fraction] = defaultdict(Fraction)
    for (number, _), pool in found.pools.items():
        weight = 1 if number == last else part
        for entry, boards in pool.by(boards_had).items():
            weights[entry] += boards * weight
    return weights


def _a_board(
    scores: Mapping[int, Fraction], weights: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    return {
        entry: score / weights[entry] if weights.get(entry) else NOTHING
        for entry, score in scores.items()
    }


def counts_of(found: EventLines, method: Method) -> dict[Play, Counts]:
    """Return the values of each play, in tricks and in the method's unit."""
    counts: dict[Play, Counts] = {}
    for pool in found.pools.values():
        sides = {
            deal: ((ns.ruled, ew.ruled), (ns.average, ew.average))
            for deal, (ns, ew) in compared(pool.lines).items()
        }
        parts: Sequence[Both] = (
            method.parts(pool.lines) if method.parts else [(None, None)] * len(pool.lines)
        )
        for line, play, scores in zip(pool.lines, pool.plays, parts, strict=True):
            ruled, averages = sides[line.deal]
            counts[play] = Counts(_tricks(line, ruled), averages, scores)
    return counts


def totals(found: EventLines) -> tuple[dict[int, Fraction], dict[int, int]]:
    """Return each entry's tricks and boards; an average counts as its side's average."""
    method = METHODS["tricks"]
    tricks = _added(pool.by(method.score) for pool in found.pools.values())
    boards: dict[int, int] = defaultdict(int)
    for pool in found.pools.values():
        for entry, had in pool.by(boards_had).items():
            boards[entry] += had
    return defaultdict(Fraction, tricks), boards


def _tricks(line: Line, ruled: Both) -> Both:
    if line.ns_tricks is None or line.ew_tricks is None:
        return ruled
    return Fraction(line.ns_tricks), Fraction(line.ew_tricks)


def _sessions(found: EventLines) -> dict[int, list[Pool]]:
    sessions: dict[int, list[Pool]] = defaultdict(list)
    for (number, _), pool in sorted(found.pools.items()):
        sessions[number].append(pool)
    return sessions


def _added(scores: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = {}
    for each in scores:
        for entry, score in each.items():
            sums[entry] = sums[entry] + score if entry in sums else score
    return sums


def _available(
    method: Method, found: EventLines, last: int, part: Fraction
) -> dict[int, Fraction]:
    """Add up the most that each entry could have scored; earlier sessions count in part."""
    most: dict[int, Fraction] = defaultdict(Fraction)
    if method.available is None:
        return most
    for (number, _), pool in found.pools.items():
        for entry, had in pool.by(method.available).items():
            most[entry] += had if number == last else had * part
    return most


def _shares(scores: dict[int, Fraction], available: dict[int, Fraction]) -> dict[int, Fraction]:
    return {
        entry: score / available[entry] if available.get(entry) else Fraction(1, 2)
        for entry, score in scores.items()
    }
