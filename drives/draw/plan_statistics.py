"""Counts how often players of a plan meet again, and compares this with the lower bound."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from drives.draw.bounds import compute_coincidence_bound
from drives.draw.participants import PlayerId, SeatedRound

MeetingCounts = Counter[tuple[PlayerId, PlayerId]]


@dataclass(frozen=True, kw_only=True)
class MeetingStatistics:
    """The number of repeated meetings in a plan, the lower bound for it, and the greatest
    number of meetings of one pair.
    """

    coincidence_count: int
    lower_bound: int
    max_meeting_count: int


@dataclass(frozen=True, kw_only=True)
class PlanStatistics:
    """The statistics of a plan; `unmet_pair_count` counts pairs who never sat at one table."""

    partner_statistics: MeetingStatistics
    opponent_statistics: MeetingStatistics
    unmet_pair_count: int
    min_rest_count: int
    max_rest_count: int

    @property
    def is_proved_optimal(self) -> bool:
        """Whether the repeats of partners and of opponents equal their lower bounds."""
        return all(
            statistics.coincidence_count == statistics.lower_bound
            for statistics in (self.partner_statistics, self.opponent_statistics)
        )


def compute_statistics(
    rounds: Sequence[SeatedRound], players: Sequence[PlayerId]
) -> PlanStatistics:
    """Compute the statistics of a plan for its ranked players; house players are ignored."""
    index_by_player = {player: index for index, player in enumerate(players)}
    partner_meetings, opponent_meetings = MeetingCounts(), MeetingCounts()
    for round_ in rounds:
        for player_1, player_2, player_3, player_4 in round_.tables:
            _count_meetings(
                partner_meetings, index_by_player, [(player_1, player_3), (player_2, player_4)]
            )
            _count_meetings(
                opponent_meetings,
                index_by_player,
                [
                    (player_1, player_2),
                    (player_2, player_3),
                    (player_3, player_4),
                    (player_4, player_1),
                ],
            )
    rest_counts = Counter(player for round_ in rounds for player in round_.resting_players)
    pair_count = len(players) * (len(players) - 1) // 2
    return PlanStatistics(
        partner_statistics=_compute_meeting_statistics(partner_meetings, players),
        opponent_statistics=_compute_meeting_statistics(opponent_meetings, players),
        unmet_pair_count=pair_count - len(partner_meetings.keys() | opponent_meetings.keys()),
        min_rest_count=min(rest_counts[player] for player in players),
        max_rest_count=max(rest_counts[player] for player in players),
    )


def _count_meetings(
    meeting_counts: MeetingCounts,
    index_by_player: dict[PlayerId, int],
    pairs: Iterable[tuple[PlayerId, PlayerId]],
) -> None:
    for player, other_player in pairs:
        if player in index_by_player and other_player in index_by_player:
            first_player, second_player = sorted(
                (player, other_player), key=index_by_player.__getitem__
            )
            meeting_counts[first_player, second_player] += 1


def _compute_meeting_statistics(
    meeting_counts: MeetingCounts, players: Sequence[PlayerId]
) -> MeetingStatistics:
    meetings_per_player = Counter[PlayerId]()
    for (player, other_player), meeting_count in meeting_counts.items():
        meetings_per_player[player] += meeting_count
        meetings_per_player[other_player] += meeting_count
    pair_counts = meeting_counts.values()
    return MeetingStatistics(
        coincidence_count=sum(
            meeting_count * (meeting_count - 1) // 2 for meeting_count in pair_counts
        ),
        lower_bound=compute_coincidence_bound(
            [meetings_per_player[player] for player in players]
        ),
        max_meeting_count=max(pair_counts, default=0),
    )
