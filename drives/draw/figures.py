"""The statistics of a plan, each with its theoretical bound."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from drives.draw.bounds import least_coincidences
from drives.draw.company import Drawn, Player

Meetings = Counter[tuple[Player, Player]]


@dataclass(frozen=True, kw_only=True)
class Evenness:
    """Repeated meetings: their number, its bound, and the maximum of any two players."""

    coincidences: int
    bound: int
    most: int


@dataclass(frozen=True, kw_only=True)
class PlanFigures:
    """The statistics of a plan; `never_met` counts pairs who never sat at one table."""

    partners: Evenness
    opponents: Evenness
    never_met: int
    least_rests: int
    most_rests: int

    @property
    def proved(self) -> bool:
        """Whether the plan is proved optimal: both coincidences equal their bounds."""
        return all(each.coincidences == each.bound for each in (self.partners, self.opponents))


def figures(rounds: Sequence[Drawn], players: Sequence[Player]) -> PlanFigures:
    """Compute the statistics of a plan for its ranked players; house players are ignored."""
    order = {player: place for place, player in enumerate(players)}
    partners, opponents = Meetings(), Meetings()
    for drawn in rounds:
        for one, two, three, four in drawn.tables:
            _count(partners, order, [(one, three), (two, four)])
            _count(opponents, order, [(one, two), (two, three), (three, four), (four, one)])
    rests = Counter(player for drawn in rounds for player in drawn.rest)
    pairs = len(players) * (len(players) - 1) // 2
    return PlanFigures(
        partners=_evenness(partners, players),
        opponents=_evenness(opponents, players),
        never_met=pairs - len(partners.keys() | opponents.keys()),
        least_rests=min(rests[player] for player in players),
        most_rests=max(rests[player] for player in players),
    )


def _count(
    meetings: Meetings, order: dict[Player, int], pairs: Iterable[tuple[Player, Player]]
) -> None:
    for one, other in pairs:
        if one in order and other in order:
            first, second = sorted((one, other), key=order.__getitem__)
            meetings[first, second] += 1


def _evenness(meetings: Meetings, players: Sequence[Player]) -> Evenness:
    met = Counter[Player]()
    for (one, other), count in meetings.items():
        met[one] += count
        met[other] += count
    times = meetings.values()
    return Evenness(
        coincidences=sum(count * (count - 1) // 2 for count in times),
        bound=least_coincidences([met[player] for player in players]),
        most=max(times, default=0),
    )
