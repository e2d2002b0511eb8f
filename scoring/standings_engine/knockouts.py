"""A bracket with the scores of its matches, which are typed in or played at the event's
tables.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations

from scoring.methods.deal_comparison import compare_deals
from scoring.methods.result_line import ResultLine
from scoring.models import Knockout
from scoring.secrecy import find_public_sittings
from scoring.standings_engine.result_lines import (
    EventRows,
    EventTally,
    build_round_progress,
    count_rows,
    load_event_rows,
)
from tournaments.models import Event
from tournaments.movements.drawn_rounds import count_halves
from tournaments.stages.brackets import Key
from tournaments.stages.matches import KnockoutMatch, MatchScore, build_matches, read_score

ZERO = Fraction()
MIN_TABLES_FOR_MEAN = 3
"""The minimum number of tables for using a board's mean; with fewer, half the tricks are
used.
"""


DealMeeting = tuple[int, int, frozenset[int]]
"""A match, a deal, and the two entries that played each other on it."""
MarginsByMeeting = Mapping[tuple[int, int, int], Fraction | None]
"""The margin of N-S by round, N-S entry and E-W entry; None while results are missing."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """The current state of a knock-out: its rounds, scores and advancing entries."""

    knockout: Knockout
    rounds: tuple[tuple[KnockoutMatch, ...], ...]
    match_scores: Mapping[Key, MatchScore]  # the scores at the tables
    seated_winners: Mapping[Key, tuple[int, ...]] = field(
        default_factory=dict
    )  # the entries that advanced, if the next round is seated
    unsettled: Mapping[Key, tuple[int, ...]] = field(
        default_factory=dict
    )  # for matches corrected since then: the entries that would advance now

    @property
    def champion(self) -> int | None:
        """The number of the entry that has won; None while there is no winner."""
        return self.find_entry(self.rounds[-1][0].winner)

    def find_entry(self, seed: int | None) -> int | None:
        """Return the number of the entry with this seed."""
        return None if seed is None else self.knockout.seeds[seed - 1]


def find_knockout(event: Event) -> Knockout | None:
    """Return the knock-out of an event, or None."""
    try:
        return event.knockout
    except Knockout.DoesNotExist:
        return None


def load_bracket(knockout: Knockout, *, publicly: bool = False) -> Bracket:
    """Load a bracket with its matches' results at the tables; with `publicly` only public
    results.

    Entries already seated in the next round have advanced; a correction never moves them
    automatically.
    """
    rows = load_event_rows(knockout.event)
    is_seated = any(it.is_knockout for it in rows.sittings.values())
    made = _compute_table_margins(rows, publicly=publicly) if is_seated else {}
    typed = {
        parse_match_name(name): read_score(data) for name, data in knockout.matches.items()
    }
    scores: dict[Key, MatchScore] = {}
    played: dict[Key, MatchScore] = {}
    seated: dict[Key, tuple[int, ...]] = {}
    unsettled: dict[Key, tuple[int, ...]] = {}
    for number in range(len(_build_rounds(knockout, {}))):
        for match in _build_rounds(knockout, scores)[number]:
            if not match.can_be_played:
                continue
            played[match.key] = MatchScore(_list_segment_margins(knockout, match, made))
            scores[match.key] = _merge_scores(
                typed.get(match.key, MatchScore()), played[match.key]
            )
        row = _build_rounds(knockout, scores)[number]
        seated |= _find_seated_winners(knockout, row, made)
        for match in row:
            if (
                seated.get(match.key, match.going) != match.going
                and not match.score.advancing_seeds
            ):
                if match.going or not publicly:  # else its scores are only not public yet
                    unsettled[match.key] = match.going
                scores[match.key] = replace(match.score, advancing_seeds=seated[match.key])
    return Bracket(knockout, _build_rounds(knockout, scores), played, seated, unsettled)


def _find_seated_winners(
    knockout: Knockout, row: Sequence[KnockoutMatch], made: MarginsByMeeting
) -> dict[Key, tuple[int, ...]]:
    """Return the entries that advanced from each match whose next round is already seated."""
    couples = {
        frozenset((ns, ew))
        for round_, ns, ew in made
        if -(-_compute_segment_number(knockout, round_) // knockout.segments)
        == row[0].round + 1
    }
    comes_to = {place: match for match in row for place in match.leads_to}

    def sits(seed: int, place: int) -> bool:
        numbers = [knockout.seeds[each - 1] for each in comes_to[place ^ 1].sides]
        return any(frozenset((knockout.seeds[seed - 1], each)) in couples for each in numbers)

    found = {}
    for match in row:
        if not couples or not match.can_be_played:
            continue
        ways = [*permutations(match.sides, len(match.leads_to))]
        for way in [match.going, *ways] if match.going else ways:
            if all(sits(*each) for each in zip(way, match.leads_to, strict=True)):
                found[match.key] = way
                break
    return found


def parse_match_name(name: str) -> Key:
    """Parse the name of a match in a row: "2-1"."""
    number, _dash, match = name.partition("-")
    return int(number), int(match)


def format_match_name(key: Key) -> str:
    """Return the name of a match in a row, such as "2-1"."""
    return f"{key[0]}-{key[1]}"


def _merge_scores(typed: MatchScore, played: MatchScore) -> MatchScore:
    """Return the typed score, with margins from the tables where none were typed."""
    return MatchScore(typed.margins or played.margins, typed.extra, typed.advancing_seeds)


def _build_rounds(
    knockout: Knockout, scores: Mapping[Key, MatchScore]
) -> tuple[tuple[KnockoutMatch, ...], ...]:
    rows = build_matches(
        len(knockout.seeds),
        scores,
        segments=knockout.segments,
        seed_wins=knockout.seed_wins,
        three_way=knockout.three_way,
    )
    return tuple(tuple(row) for row in rows)


def _compute_table_margins(rows: EventRows, *, publicly: bool) -> MarginsByMeeting:
    """Return the margins of the bracket's rounds; the event may have Swiss rounds too.

    For teams a margin is the tricks over half of all, to be compared with the other table. A
    board that one of the two tables did not validly play counts at neither. For pairs it is
    the tricks less the mean of all tables that played the board, or less six and a half if
    fewer than three did.
    """
    tally = count_rows(rows)
    rounds = build_round_progress(rows, tally)
    whole = {it.sitting for it in rounds if it.is_complete}
    counting = find_public_sittings(rows.event, rounds) if publicly else None
    if counting is not None:
        tally, whole = count_rows(rows, only=counting), whole & counting
    made = _compute_half_margins(tally, teams=rows.event.contest == Event.Contest.TEAMS)
    return {
        (sides.round, sides.ns[0], sides.ew[0]): made[pk] if pk in whole else None
        for pk, sides in rows.sittings.items()
        if sides.is_played and sides.is_knockout
    }


def _compute_half_margins(tally: EventTally, *, teams: bool) -> dict[int, Fraction]:
    """Return half the margin of N-S at each sitting; for pairs, the margin over each side's
    mean.

    In a split score each side counts its own value.
    """
    found: dict[int, Fraction] = defaultdict(Fraction)
    for pool in tally.pools.values():
        on_deals = compare_deals(pool.lines)
        both_ways = _find_deals_played_both_ways(pool.lines) if teams else set()
        for line, (sitting, _board) in zip(pool.lines, pool.plays, strict=True):
            if line.ns_tricks is None or line.ew_tricks is None:
                continue
            if teams and _find_meeting(line) not in both_ways:
                continue
            ns, ew = on_deals[line.deal]
            level = ZERO
            if not teams and ns.plays >= MIN_TABLES_FOR_MEAN:
                level = (ns.average or ZERO) - (ew.average or ZERO)
            found[sitting] += (line.ns_tricks - line.ew_tricks - level) / 2
    return found


def _find_deals_played_both_ways(lines: Sequence[ResultLine]) -> set[DealMeeting]:
    """Return the deals that two teams played both ways, and which are therefore comparable."""
    ways: dict[DealMeeting, set[tuple[int, ...]]] = defaultdict(set)
    for line in lines:
        if line.ns_tricks is not None:
            ways[_find_meeting(line)].add(line.ns)
    return {meeting for meeting, held in ways.items() if len(held) > 1}


def _find_meeting(line: ResultLine) -> DealMeeting:
    return line.match, line.deal, frozenset((*line.ns, *line.ew))


def _compute_segment_number(knockout: Knockout, round_: int) -> int:
    """Return the number of a round's segment, counted through the whole event."""
    return -(-round_ // count_halves({"three_way": knockout.three_way}))


def _list_segment_margins(
    knockout: Knockout, match: KnockoutMatch, made: MarginsByMeeting
) -> tuple[Fraction, ...]:
    """Return a match's margins by segment up to the first incomplete one; three each for
    three
    teams.

    Rounds of the event are numbered consecutively: the first `segments` rounds are the first
    round of the bracket. With three-way matches a segment is two rounds.
    """
    last = match.round * knockout.segments
    margins: list[Fraction] = []
    for segment in range(last - knockout.segments + 1, last + 1):
        found = [
            _compute_segment_margin(knockout, couple, segment, made) for couple in match.couples
        ]
        whole = [margin for margin in found if margin is not None]
        if len(whole) < len(found):
            break
        margins += whole
    return tuple(margins)


def _compute_segment_margin(
    knockout: Knockout, couple: tuple[int, int], segment: int, made: MarginsByMeeting
) -> Fraction | None:
    """Return the first entry's margin over the second in a segment; None if it is
    incomplete.
    """
    one, other = (knockout.seeds[seed - 1] for seed in couple)
    halves = count_halves({"three_way": knockout.three_way})
    held = [
        (sign, made[key])
        for round_ in range((segment - 1) * halves + 1, segment * halves + 1)
        for sign, key in ((1, (round_, one, other)), (-1, (round_, other, one)))
        if key in made
    ]
    if not held or any(figure is None for _sign, figure in held):
        return None
    ways = Counter(sign for sign, _figure in held)
    if knockout.event.contest == Event.Contest.TEAMS and ways[1] != ways[-1]:
        return None  # a half is missing: N-S tricks need those of the other table
    return sum((sign * (figure or ZERO) for sign, figure in held), ZERO)
