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
    changed_winners: Mapping[Key, tuple[int, ...]] = field(
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


def load_bracket(knockout: Knockout, *, public_only: bool = False) -> Bracket:
    """Load a bracket with its matches' results at the tables; with `public_only` only public
    results.

    Entries already seated in the next round have advanced; a correction never moves them
    automatically.
    """
    rows = load_event_rows(knockout.event)
    is_seated = any(sitting.is_knockout for sitting in rows.sittings.values())
    table_margins = _compute_table_margins(rows, public_only=public_only) if is_seated else {}
    typed_scores = {
        parse_match_name(name): read_score(data) for name, data in knockout.matches.items()
    }
    scores: dict[Key, MatchScore] = {}
    played_scores: dict[Key, MatchScore] = {}
    seated_winners: dict[Key, tuple[int, ...]] = {}
    changed_winners: dict[Key, tuple[int, ...]] = {}
    for number in range(len(_build_rounds(knockout, {}))):
        for match in _build_rounds(knockout, scores)[number]:
            if not match.can_be_played:
                continue
            played_scores[match.key] = MatchScore(
                _list_segment_margins(knockout, match, table_margins)
            )
            scores[match.key] = _merge_scores(
                typed_scores.get(match.key, MatchScore()), played_scores[match.key]
            )
        row = _build_rounds(knockout, scores)[number]
        seated_winners |= _find_seated_winners(knockout, row, table_margins)
        for match in row:
            if (
                seated_winners.get(match.key, match.going) != match.going
                and not match.score.advancing_seeds
            ):
                if match.going or not public_only:  # else its scores are only not public yet
                    changed_winners[match.key] = match.going
                scores[match.key] = replace(
                    match.score, advancing_seeds=seated_winners[match.key]
                )
    return Bracket(
        knockout,
        _build_rounds(knockout, scores),
        played_scores,
        seated_winners,
        changed_winners,
    )


def _find_seated_winners(
    knockout: Knockout, row: Sequence[KnockoutMatch], table_margins: MarginsByMeeting
) -> dict[Key, tuple[int, ...]]:
    """Return the entries that advanced from each match whose next round is already seated."""
    couples = {
        frozenset((ns, ew))
        for round_, ns, ew in table_margins
        if -(-_compute_segment_number(knockout, round_) // knockout.segments)
        == row[0].round + 1
    }
    next_matches = {place: match for match in row for place in match.leads_to}

    def sits(seed: int, place: int) -> bool:
        numbers = [knockout.seeds[side - 1] for side in next_matches[place ^ 1].sides]
        return any(
            frozenset((knockout.seeds[seed - 1], number)) in couples for number in numbers
        )

    winners_by_match = {}
    for match in row:
        if not couples or not match.can_be_played:
            continue
        possible_winners = [*permutations(match.sides, len(match.leads_to))]
        for winner_seeds in (
            [match.going, *possible_winners] if match.going else possible_winners
        ):
            if all(
                sits(*leading) for leading in zip(winner_seeds, match.leads_to, strict=True)
            ):
                winners_by_match[match.key] = winner_seeds
                break
    return winners_by_match


def parse_match_name(name: str) -> Key:
    """Parse the name of a match, its round and match number: "2-1"."""
    number, _dash, match = name.partition("-")
    return int(number), int(match)


def format_match_name(key: Key) -> str:
    """Return the name of a match, its round and match number: "2-1"."""
    return f"{key[0]}-{key[1]}"


def _merge_scores(typed_score: MatchScore, played: MatchScore) -> MatchScore:
    """Return the typed score, with margins from the tables where none were typed."""
    return MatchScore(
        typed_score.margins or played.margins, typed_score.extra, typed_score.advancing_seeds
    )


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


def _compute_table_margins(rows: EventRows, *, public_only: bool) -> MarginsByMeeting:
    """Return the margins of the bracket's rounds; the event may have Swiss rounds too.

    For teams a margin is the tricks over half of all, to be compared with the other table. A
    board that one of the two tables did not validly play counts at neither. For pairs it is
    the tricks less the mean of all tables that played the board, or less six and a half if
    fewer than three did.
    """
    tally = count_rows(rows)
    rounds = build_round_progress(rows, tally)
    complete_sittings = {progress.sitting for progress in rounds if progress.is_complete}
    counting = find_public_sittings(rows.event, rounds) if public_only else None
    if counting is not None:
        tally, complete_sittings = (
            count_rows(rows, only_sittings=counting),
            complete_sittings & counting,
        )
    table_margins = _compute_half_margins(
        tally, is_of_teams=rows.event.contest == Event.Contest.TEAMS
    )
    return {
        (sides.round, sides.ns[0], sides.ew[0]): table_margins[pk]
        if pk in complete_sittings
        else None
        for pk, sides in rows.sittings.items()
        if sides.is_played and sides.is_knockout
    }


def _compute_half_margins(tally: EventTally, *, is_of_teams: bool) -> dict[int, Fraction]:
    """Return half the margin of N-S at each sitting; for pairs, the margin over each side's
    mean.

    In a split score each side counts its own value.
    """
    half_margins: dict[int, Fraction] = defaultdict(Fraction)
    for pool in tally.pools.values():
        comparisons = compare_deals(pool.lines)
        both_ways = _find_deals_played_both_ways(pool.lines) if is_of_teams else set()
        for line, (sitting, _board) in zip(pool.lines, pool.plays, strict=True):
            if line.ns_tricks is None or line.ew_tricks is None:
                continue
            if is_of_teams and _find_meeting(line) not in both_ways:
                continue
            ns, ew = comparisons[line.deal]
            level = ZERO
            if not is_of_teams and ns.plays >= MIN_TABLES_FOR_MEAN:
                level = (ns.average or ZERO) - (ew.average or ZERO)
            half_margins[sitting] += (line.ns_tricks - line.ew_tricks - level) / 2
    return half_margins


def _find_deals_played_both_ways(lines: Sequence[ResultLine]) -> set[DealMeeting]:
    """Return the deals that two teams played both ways, and which are therefore comparable."""
    sides_by_meeting: dict[DealMeeting, set[tuple[int, ...]]] = defaultdict(set)
    for line in lines:
        if line.ns_tricks is not None:
            sides_by_meeting[_find_meeting(line)].add(line.ns)
    return {meeting for meeting, sides_seen in sides_by_meeting.items() if len(sides_seen) > 1}


def _find_meeting(line: ResultLine) -> DealMeeting:
    return line.match, line.deal, frozenset((*line.ns, *line.ew))


def _compute_segment_number(knockout: Knockout, round_: int) -> int:
    """Return the number of a round's segment, counted through the whole event."""
    return -(-round_ // count_halves({"three_way": knockout.three_way}))


def _list_segment_margins(
    knockout: Knockout, match: KnockoutMatch, table_margins: MarginsByMeeting
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
        segment_margins = [
            _compute_segment_margin(knockout, seed_pair, segment, table_margins)
            for seed_pair in match.couples
        ]
        complete_margins = [margin for margin in segment_margins if margin is not None]
        if len(complete_margins) < len(segment_margins):
            break
        margins += complete_margins
    return tuple(margins)


def _compute_segment_margin(
    knockout: Knockout,
    entry_pair: tuple[int, int],
    segment: int,
    table_margins: MarginsByMeeting,
) -> Fraction | None:
    """Return the first entry's margin over the second in a segment; None if it is
    incomplete.
    """
    one_entry, other = (knockout.seeds[seed - 1] for seed in entry_pair)
    halves = count_halves({"three_way": knockout.three_way})
    signed_margins = [
        (side_sign, table_margins[key])
        for round_ in range((segment - 1) * halves + 1, segment * halves + 1)
        for side_sign, key in (
            (1, (round_, one_entry, other)),
            (-1, (round_, other, one_entry)),
        )
        if key in table_margins
    ]
    if not signed_margins or any(figure is None for _sign, figure in signed_margins):
        return None
    sign_counts = Counter(side_sign for side_sign, _figure in signed_margins)
    if knockout.event.contest == Event.Contest.TEAMS and sign_counts[1] != sign_counts[-1]:
        return None  # a half is missing: N-S tricks need those of the other table
    return sum((side_sign * (figure or ZERO) for side_sign, figure in signed_margins), ZERO)
