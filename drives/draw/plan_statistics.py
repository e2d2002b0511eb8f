"""The statistics of a plan, each with its theoretical bound."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from drives.draw.bounds import compute_coincidence_bound
from drives.draw.participants import PlayerId, SeatedRound

Meetings = Counter[tuple[PlayerId, PlayerId]]


@dataclass(frozen=True, kw_only=True)
class MeetingStatistics:
    """The repeated meetings of a plan: number, lower bound, and maximum of any pair."""

    coincidences: int
    bound: int
    max_meetings: int


@dataclass(frozen=True, kw_only=True)
class PlanStatistics:
    """The statistics of a plan; `never_met` counts pairs who never sat at one table."""

    partners: MeetingStatistics
    opponents: MeetingStatistics
    never_met: int
    min_rests: int
    max_rests: int

    @property
    def is_proved_optimal(self) -> bool:
        """Whether the plan is proved optimal: both coincidences equal their bounds."""
        return all(
            round_.coincidences == round_.bound for round_ in (self.partners, self.opponents)
        )


def compute_statistics(
    rounds: Sequence[SeatedRound], players: Sequence[PlayerId]
) -> PlanStatistics:
    """Compute the statistics of a plan for its ranked players; house players are ignored."""
    order = {player: place for place, player in enumerate(players)}
    partners, opponents = Meetings(), Meetings()
    for round_ in rounds:
        for one, two, three, four in round_.tables:
            _count_meetings(partners, order, [(one, three), (two, four)])
            _count_meetings(
                opponents, order, [(one, two), (two, three), (three, four), (four, one)]
            )
    rests = Counter(player for round_ in rounds for player in round_.rest)
    pairs = len(players) * (len(players) - 1) // 2
    return PlanStatistics(
        partners=_compute_meeting_statistics(partners, players),
        opponents=_compute_meeting_statistics(opponents, players),
        never_met=pairs - len(partners.keys() | opponents.keys()),
        min_rests=min(rests[player] for player in players),
        max_rests=max(rests[player] for player in players),
    )


def _count_meetings(
    meetings: Meetings, order: dict[PlayerId, int], pairs: Iterable[tuple[PlayerId, PlayerId]]
) -> None:
    for one, other in pairs:
        if one in order and other in order:
            first, second = sorted((one, other), key=order.__getitem__)
            meetings[first, second] += 1


def _compute_meeting_statistics(
    meetings: Meetings, players: Sequence[PlayerId]
) -> MeetingStatistics:
    met = Counter[PlayerId]()
    for (one, other), count in meetings.items():
        met[one] += count
        met[other] += count
    times = meetings.values()
    return MeetingStatistics(
        coincidences=sum(count * (count - 1) // 2 for count in times),
        bound=compute_coincidence_bound([met[player] for player in players]),
        max_meetings=max(times, default=0),
    )
