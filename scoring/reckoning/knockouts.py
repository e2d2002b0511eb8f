"""A bracket with the scores of its matches: typed, or played at the tables of the event."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations

from scoring.methods.comparing import compared
from scoring.methods.lines import Line
from scoring.models import Knockout
from scoring.reckoning.lines import EventLines, EventRows, counted, read, rounds_of
from scoring.secrecy import rounds_that_count
from tournaments.models import Event
from tournaments.movements.drawn_rounds import count_halves
from tournaments.stages.brackets import Key
from tournaments.stages.matches import KnockoutMatch, MatchScore, build_matches, read_score

NOTHING = Fraction()
MIN_TABLES = 3
"""The number of tables from which a board's mean is used instead of an even share."""


OnDeal = tuple[int, int, frozenset[int]]
"""A match, a deal, and the two entries that met on it."""
Meetings = Mapping[tuple[int, int, int], Fraction | None]
"""By round, N-S and E-W: the margin of N-S; None while results are missing."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """The current state of a knock-out."""

    knockout: Knockout
    rounds: tuple[tuple[KnockoutMatch, ...], ...]
    played: Mapping[Key, MatchScore]  # the scores at the tables
    seated: Mapping[Key, tuple[int, ...]] = field(
        default_factory=dict
    )  # who advanced, by the tables of the next round, if it is seated
    unsettled: Mapping[Key, tuple[int, ...]] = field(
        default_factory=dict
    )  # of those, matches corrected since: who would advance by their scores

    @property
    def champion(self) -> int | None:
        """The number of the entry that has won; None while there is no winner."""
        return self.entry(self.rounds[-1][0].winner)

    def entry(self, seed: int | None) -> int | None:
        """Return the number of the entry with a seed."""
        return None if seed is None else self.knockout.seeds[seed - 1]


def knockout_of(event: Event) -> Knockout | None:
    """Return the knock-out of an event, or None."""
    try:
        return event.knockout
    except Knockout.DoesNotExist:
        return None


def bracket_of(knockout: Knockout, *, publicly: bool = False) -> Bracket:
    """Read a bracket with its matches' results at the tables; `publicly`, only public results.

    Entries that are seated in the next round have advanced: a correction never moves them
    automatically.
    """
    rows = read(knockout.event)
    is_seated = any(it.is_knocked for it in rows.sittings.values())
    made = _at_tables(rows, publicly=publicly) if is_seated else {}
    typed = {key_of(name): read_score(data) for name, data in knockout.matches.items()}
    scores: dict[Key, MatchScore] = {}
    played: dict[Key, MatchScore] = {}
    seated: dict[Key, tuple[int, ...]] = {}
    unsettled: dict[Key, tuple[int, ...]] = {}
    for number in range(len(_rounds(knockout, {}))):
        for match in _rounds(knockout, scores)[number]:
            if not match.can_be_played:
                continue
            played[match.key] = MatchScore(_segments(knockout, match, made))
            scores[match.key] = _over(typed.get(match.key, MatchScore()), played[match.key])
        row = _rounds(knockout, scores)[number]
        seated |= _went_on(knockout, row, made)
        for match in row:
            if seated.get(match.key, match.going) != match.going and not match.score.given:
                if match.going or not publicly:  # else its scores are only not public yet
                    unsettled[match.key] = match.going
                scores[match.key] = replace(match.score, given=seated[match.key])
    return Bracket(knockout, _rounds(knockout, scores), played, seated, unsettled)


def _went_on(
    knockout: Knockout, row: Sequence[KnockoutMatch], made: Meetings
) -> dict[Key, tuple[int, ...]]:
    """Return the entries that advanced from each match, where the next round is seated."""
    couples = {
        frozenset((ns, ew))
        for round_, ns, ew in made
        if -(-_segment_of(knockout, round_) // knockout.segments) == row[0].round + 1
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


def key_of(name: str) -> Key:
    """Parse the name of a match in a row: "2-1"."""
    number, _dash, match = name.partition("-")
    return int(number), int(match)


def name_of(key: Key) -> str:
    """Return the name of a match in a row, such as "2-1"."""
    return f"{key[0]}-{key[1]}"


def _over(typed: MatchScore, played: MatchScore) -> MatchScore:
    """Return the typed score, with the tables' margins where none were typed."""
    return MatchScore(typed.margins or played.margins, typed.extra, typed.given)


def _rounds(
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


def _at_tables(rows: EventRows, *, publicly: bool) -> Meetings:
    """Return the margins in the bracket's rounds; the event may have Swiss rounds too.

    Teams: tricks over half of all, to be compared with the other table; a board that one of the
    two did not validly play counts at neither. Pairs: tricks less the mean of all tables that
    played the board, or less six and a half where fewer than three did.
    """
    tally = counted(rows)
    rounds = rounds_of(rows, tally)
    whole = {it.sitting for it in rounds if it.is_whole}
    counting = rounds_that_count(rows.event, rounds) if publicly else None
    if counting is not None:
        tally, whole = counted(rows, only=counting), whole & counting
    made = _plus(tally, teams=rows.event.contest == Event.Contest.TEAMS)
    return {
        (sides.round, sides.ns[0], sides.ew[0]): made[pk] if pk in whole else None
        for pk, sides in rows.sittings.items()
        if sides.is_played and sides.is_knocked
    }


def _plus(tally: EventLines, *, teams: bool) -> dict[int, Fraction]:
    """Return half the margin of N-S at each sitting; for pairs, each side over its mean.

    In a split score each side counts the value set for it.
    """
    found: dict[int, Fraction] = defaultdict(Fraction)
    for pool in tally.pools.values():
        on_deals = compared(pool.lines)
        both_ways = _both_ways(pool.lines) if teams else set()
        for line, (sitting, _board) in zip(pool.lines, pool.plays, strict=True):
            if line.ns_tricks is None or line.ew_tricks is None:
                continue
            if teams and _meeting_on(line) not in both_ways:
                continue
            ns, ew = on_deals[line.deal]
            level = NOTHING
            if not teams and ns.plays >= MIN_TABLES:
                level = (ns.average or NOTHING) - (ew.average or NOTHING)
            found[sitting] += (line.ns_tricks - line.ew_tricks - level) / 2
    return found


def _both_ways(lines: Sequence[Line]) -> set[OnDeal]:
    """Return the deals that two teams played both ways; others cannot be compared."""
    ways: dict[OnDeal, set[tuple[int, ...]]] = defaultdict(set)
    for line in lines:
        if line.ns_tricks is not None:
            ways[_meeting_on(line)].add(line.ns)
    return {meeting for meeting, held in ways.items() if len(held) > 1}


def _meeting_on(line: Line) -> OnDeal:
    return line.match, line.deal, frozenset((*line.ns, *line.ew))


def _segment_of(knockout: Knockout, round_: int) -> int:
    """Return the segment, numbered through the event, to which a round belongs."""
    return -(-round_ // count_halves({"three_way": knockout.three_way}))


def _segments(knockout: Knockout, match: KnockoutMatch, made: Meetings) -> tuple[Fraction, ...]:
    """Return the margins by segment up to the first incomplete one; three each for three teams.

    Rounds of the event are numbered in turn: the first `segments` rounds are the first round of
    the bracket. With three-way matches a segment is two rounds.
    """
    last = match.round * knockout.segments
    margins: list[Fraction] = []
    for segment in range(last - knockout.segments + 1, last + 1):
        found = [_margin(knockout, couple, segment, made) for couple in match.couples]
        whole = [margin for margin in found if margin is not None]
        if len(whole) < len(found):
            break
        margins += whole
    return tuple(margins)


def _margin(
    knockout: Knockout, couple: tuple[int, int], segment: int, made: Meetings
) -> Fraction | None:
    """Return the margin of the first of two entries in a segment; None if incomplete."""
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
    return sum((sign * (figure or NOTHING) for sign, figure in held), NOTHING)
