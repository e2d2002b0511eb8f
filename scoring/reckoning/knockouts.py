"""A bracket with the scores of its matches: typed, or made at the tables of the event."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods.comparing import compared
from scoring.models import Knockout
from scoring.reckoning.lines import EventRows, Tally, counted, read, rounds_of
from tournaments.models import Event
from tournaments.stages.brackets import Key, bracket
from tournaments.stages.matches import Match, Score, matches, score_of

NOTHING = Fraction()
ENOUGH = 3
"""Tables with a board from which on their mean says more than an even share."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """A knock-out as it stands."""

    knockout: Knockout
    rounds: tuple[tuple[Match, ...], ...]
    played: Mapping[Key, Score]  # what the tables say

    @property
    def champion(self) -> int | None:
        """The number of the entry that has won; None while nobody has."""
        return self.entry(self.rounds[-1][0].winner)

    def entry(self, seed: int | None) -> int | None:
        """The number of the entry with a seed."""
        return None if seed is None else self.knockout.seeds[seed - 1]


def knockout_of(event: Event) -> Knockout | None:
    """The knock-out of an event; None where it has none."""
    try:
        return event.knockout
    except Knockout.DoesNotExist:
        return None


def bracket_of(knockout: Knockout) -> Bracket:
    """Read a bracket with what the tables say of its matches."""
    rows = read(knockout.event)
    made = _at_tables(rows) if any(it.is_drawn for it in rows.sittings.values()) else {}
    typed = {key_of(name): score_of(data) for name, data in knockout.matches.items()}
    scores: dict[Key, Score] = {}
    played: dict[Key, Score] = {}
    for number in range(1, len(bracket(len(knockout.seeds))) + 1):
        for match in _rounds(knockout, scores)[number - 1]:
            if not match.can_be_played:
                continue
            played[match.key] = Score(_segments(knockout, match, made))
            scores[match.key] = _over(typed.get(match.key, Score()), played[match.key])
    return Bracket(knockout, _rounds(knockout, scores), played)


def key_of(name: str) -> Key:
    """Read how a row names a match: "2-1"."""
    number, _dash, match = name.partition("-")
    return int(number), int(match)


def name_of(key: Key) -> str:
    """How a row names a match."""
    return f"{key[0]}-{key[1]}"


def _over(typed: Score, played: Score) -> Score:
    """What was typed, with the margins of the tables where none were typed."""
    return Score(typed.margins or played.margins, typed.extra, typed.given)


def _rounds(knockout: Knockout, scores: Mapping[Key, Score]) -> tuple[tuple[Match, ...], ...]:
    rows = matches(
        len(knockout.seeds),
        scores,
        segments=knockout.segments,
        seed_wins=knockout.seed_wins,
    )
    return tuple(tuple(row) for row in rows)


Meetings = Mapping[tuple[int, int, int], Fraction | None]
"""By round, N-S and E-W: what N-S made more; None while results are missing."""


def _at_tables(rows: EventRows) -> Meetings:
    """What was made in the rounds that were drawn.

    Teams: the tricks of N-S, to be set against those of the other table. Pairs: tricks less the
    mean of all tables with the board, or less six and a half where fewer than three have it.
    """
    tally = counted(rows)
    whole = {it.sitting for it in rounds_of(rows, tally) if it.is_whole}
    made = _plus(tally, teams=rows.event.contest == Event.Contest.TEAMS)
    return {
        (sides.round, sides.ns[0], sides.ew[0]): made[pk] if pk in whole else None
        for pk, sides in rows.sittings.items()
        if sides.is_played and sides.is_drawn
    }


def _plus(tally: Tally, *, teams: bool) -> dict[int, Fraction]:
    """What N-S made at each sitting: tricks, or for pairs the plus over the mean."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for pool in tally.pools.values():
        on_deals = compared(pool.lines)
        tables = Counter(line.deal for line in pool.lines)
        for line, (sitting, _board) in zip(pool.lines, pool.plays, strict=True):
            if line.ns_tricks is None:
                continue
            average = on_deals[line.deal][0].average
            is_enough = average is not None and tables[line.deal] >= ENOUGH
            even = Fraction(line.in_all, 2)  # of points, where nothing is made in all, nothing
            level = (average or NOTHING) if is_enough else even
            found[sitting] += line.ns_tricks - (NOTHING if teams else level)
    return found


def _segments(knockout: Knockout, match: Match, made: Meetings) -> tuple[Fraction, ...]:
    """The margins of the first side by segment, up to the first that is not all in.

    Rounds of the event count in turn: the first `segments` are the first round of the bracket.
    """
    assert match.one is not None
    assert match.other is not None
    one, other = knockout.seeds[match.one - 1], knockout.seeds[match.other - 1]
    last = match.round * knockout.segments
    margins = []
    for round_ in range(last - knockout.segments + 1, last + 1):
        held = [
            (sign, made[key])
            for sign, key in ((1, (round_, one, other)), (-1, (round_, other, one)))
            if key in made
        ]
        if not held or any(figure is None for _sign, figure in held):
            break
        margins.append(sum((sign * (each or NOTHING) for sign, each in held), NOTHING))
    return tuple(margins)
