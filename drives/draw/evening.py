"""Draws an evening by rotation, from complete whist tournaments, or round by round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from drives.draw.annealing import draw_round
from drives.draw.known_good_seeds import find_seed
from drives.draw.memory import MeetingCosts
from drives.draw.participants import Participants, PlayerId, SeatedRound, check_round_count
from drives.draw.plan_statistics import PlanStatistics, compute_statistics
from drives.draw.polish import AnnealingSchedule, EveningSeats, polish_rounds
from drives.draw.random_stream import RandomStream
from drives.draw.rest_choice import choose_resting_players
from drives.draw.rotation import build_rotation, can_rotate
from drives.draw.table_numbering import number_tables
from drives.draw.whist_tournaments import build_tournament_rounds

TRIES_PER_ROUND, TRIES_PER_PLAYER, MAX_EVENING_TRIES = 60_000, 50, 1_900_000
"""The exchanges of two players to try in one round, the additional tries for each player above
64, and the maximum number of tries for an evening.
"""

POLISH_EXCHANGE_TRY_COUNT = 1_300_000
SMALL_EVENING_PLAYER_LIMIT = 18
"""With fewer players than this, `polish_rounds` starts at a higher temperature and tries more
exchanges of rests.
"""

SEARCH_CACHE_SIZE = 16
"""The number of plans that `search_draw_plan` keeps in its cache."""


@dataclass(frozen=True, kw_only=True)
class DrawPlan:
    """The drawn rounds, their statistics, and the number of exchanges that the search tried."""

    rounds: tuple[SeatedRound, ...]
    statistics: PlanStatistics
    try_count: int


def draw_evening(
    participants: Participants,
    round_count: int,
    secret: bytes,
    *,
    played_rounds: Sequence[SeatedRound] = (),
    is_polished: bool = True,
) -> DrawPlan:
    """Draw the remaining rounds of an evening, taking the rounds played into account.

    The same participants, rounds and secret give the same seats. The plan of a complete evening
    without preferences depends only on the numbers of players and rounds. The secret then only
    decides which player gets which number in the plan. The statistics include the rounds
    played. Raises UnplayableDrive if no such evening is possible.
    """
    check_round_count(round_count)
    if is_polished and not played_rounds and participants.has_no_preferences:
        shuffled_players = RandomStream(secret, "names").shuffle(participants.players)
        plan = search_draw_plan(
            len(shuffled_players),
            round_count,
            find_seed(len(shuffled_players), round_count),
            participants.house_players,
        )
        return _assign_players(plan, shuffled_players)
    return _draw_plan(
        participants, round_count, secret, played_rounds=played_rounds, is_polished=is_polished
    )


@lru_cache(SEARCH_CACHE_SIZE)
def search_draw_plan(
    player_count: int, round_count: int, random_seed: int, house_players: tuple[PlayerId, ...]
) -> DrawPlan:
    """Search for the best plan of an evening without preferences, from a given seed.

    Players are numbered from 0. The result is the same for every evening of that size, so the
    last results are cached.
    """
    participants = Participants(players=tuple(range(player_count)), house_players=house_players)
    return _draw_plan(participants, round_count, f"start {random_seed}".encode())


def _assign_players(plan: DrawPlan, player_ids: Sequence[PlayerId]) -> DrawPlan:
    """Return the plan with each player number n replaced by `player_ids[n]`."""
    player_by_number: dict[PlayerId, PlayerId] = dict(enumerate(player_ids))
    rounds = []
    for tables, resting_players in plan.rounds:
        tables_with_players = tuple(
            (player_by_number[a], player_by_number[b], player_by_number[c], player_by_number[d])
            for a, b, c, d in tables
        )
        resting_ids = sorted((player_by_number[player] for player in resting_players), key=str)
        rounds.append(SeatedRound(tables_with_players, tuple(resting_ids)))
    return replace(plan, rounds=tuple(rounds))


def _draw_plan(
    participants: Participants,
    round_count: int,
    secret: bytes,
    *,
    played_rounds: Sequence[SeatedRound] = (),
    is_polished: bool = True,
) -> DrawPlan:
    evening_draw = _EveningDraw(
        participants, round_count, secret, played_rounds, is_polished=is_polished
    )
    if not played_rounds and is_polished and evening_draw.try_rotation():
        return _build_plan(participants, evening_draw.list_rounds(), evening_draw.try_count)
    evening_draw.draw_rounds()
    if is_polished:
        evening_draw.polish_rounds()
    previous_table_by_player = {
        player: table_index
        for round_ in played_rounds
        for table_index, table in enumerate(round_.tables)
        for player in table
    }
    numbered_rounds = number_tables(
        evening_draw.list_rounds(),
        participants.stationary_players,
        previous_table_by_player,
        participants.playing_house_players,
    )
    return _build_plan(
        participants,
        [*played_rounds, *numbered_rounds],
        evening_draw.try_count,
        len(played_rounds),
    )


def draw_next_round(
    participants: Participants, secret: bytes, *, played_rounds: Sequence[SeatedRound] = ()
) -> SeatedRound:
    """Draw one more round after the given rounds."""
    plan = draw_evening(participants, 1, secret, played_rounds=played_rounds, is_polished=False)
    return plan.rounds[0]


def _build_plan(
    participants: Participants,
    rounds: Sequence[SeatedRound],
    try_count: int,
    played_round_count: int = 0,
) -> DrawPlan:
    return DrawPlan(
        rounds=tuple(rounds[played_round_count:]),
        statistics=compute_statistics(rounds, participants.players),
        try_count=try_count,
    )


def _choose_annealing_schedule(player_count: int) -> AnnealingSchedule:
    """Return the parameters of `polish_rounds` that gave the best plans in measurements."""
    if player_count < SMALL_EVENING_PLAYER_LIMIT:
        return AnnealingSchedule(
            try_count=POLISH_EXCHANGE_TRY_COUNT,
            start_temperature=400,
            end_temperature=250,
            rest_exchange_try_count=100,
        )
    return AnnealingSchedule(
        try_count=POLISH_EXCHANGE_TRY_COUNT,
        start_temperature=250,
        end_temperature=150,
        rest_exchange_try_count=40,
    )


class _EveningDraw:
    """The state of a draw: players numbered from 0, their meetings, and the rounds drawn.

    House players, and players who have left, get a new number in each round. So it costs
    nothing to meet them again.
    """

    def __init__(
        self,
        participants: Participants,
        round_count: int,
        secret: bytes,
        played_rounds: Sequence[SeatedRound],
        *,
        is_polished: bool,
    ) -> None:
        self.participants, self.round_count, self.secret = participants, round_count, secret
        self.is_polished = is_polished
        self.first_round_number = len(played_rounds) + 1
        self.entry_number_by_player = {
            player: index for index, player in enumerate(participants.players)
        }
        self.players: list[PlayerId] = list(participants.players)
        self.season_rest_counts = [
            participants.season_rest_counts.get(player, 0) for player in participants.players
        ]
        self.rest_counts = [
            participants.missed_round_counts.get(player, 0) for player in participants.players
        ]
        seats_of_played_rounds = [self._record_played_round(round_) for round_ in played_rounds]
        self.house_players_by_round = [
            self._add_house_players() for _round in range(round_count)
        ]
        self.meeting_costs = MeetingCosts(
            len(self.players),
            should_avoid_table_repeats=participants.should_avoid_table_repeats,
        )
        for player_number, other_player_number in sorted(
            sorted(self.entry_number_by_player[player] for player in pair)
            for pair in participants.pairs_kept_apart
        ):
            self.meeting_costs.penalise_partnership(player_number, other_player_number)
        for seats in seats_of_played_rounds:
            self.meeting_costs.add_round(seats)
        self.seats_by_round: list[list[int]] = []
        self.resting_players_by_round: list[list[int]] = []
        self.try_count = 0

    def _record_played_round(self, seated_round: SeatedRound) -> list[int]:
        for player in seated_round.resting_players:
            if player in self.entry_number_by_player:
                self.rest_counts[self.entry_number_by_player[player]] += 1
        return [
            self.entry_number_by_player[player]
            if player in self.entry_number_by_player
            else self._add_nonparticipant(player)
            for table in seated_round.tables
            for player in table
        ]

    def _add_nonparticipant(self, player: PlayerId) -> int:
        self.players.append(player)
        return len(self.players) - 1

    def _add_house_players(self) -> list[int]:
        return [
            self._add_nonparticipant(player)
            for player in self.participants.playing_house_players
        ]

    def try_rotation(self) -> bool:
        """Use the rotation if it avoids all repeated meetings; return whether it was used.

        Players who make the same moves never sit at one table. All players who should stay
        seated or be kept apart are therefore in one group, which makes the same moves. A single
        house player belongs to this group too, and starts at the last table.
        """
        participants, house_players = self.participants, self.house_players_by_round[0]
        stationary_entry_numbers = [
            self.entry_number_by_player[player] for player in participants.stationary_players
        ]
        kept_apart_players = frozenset[PlayerId]().union(*participants.pairs_kept_apart)
        kept_apart_entry_numbers = sorted(
            {self.entry_number_by_player[player] for player in kept_apart_players}
            - set(stationary_entry_numbers)
        )
        entry_numbers_with_preferences = [*stationary_entry_numbers, *kept_apart_entry_numbers]
        free_table_count = (
            participants.table_count - len(entry_numbers_with_preferences) - len(house_players)
        )
        if (
            free_table_count < 0
            or len(house_players) > 1
            or not can_rotate(participants.table_count, self.round_count)
        ):
            return False
        random_stream = RandomStream(self.secret, "rotation")
        moving_groups = self._build_moving_groups(
            entry_numbers_with_preferences, house_players, random_stream
        )
        rotation_rounds = build_rotation(
            moving_groups,
            self.round_count,
            season_rest_counts=self.season_rest_counts,
            stationary_count=len(stationary_entry_numbers),
            random_stream=random_stream,
        )
        if rotation_rounds is None:
            return False
        self.seats_by_round, self.resting_players_by_round = (
            [seated_round[index] for seated_round in rotation_rounds] for index in (0, 1)
        )
        return True

    def _build_moving_groups(
        self,
        players_with_preferences: list[int],
        house_players: list[int],
        random_stream: RandomStream,
    ) -> list[list[int]]:
        """Return four moving groups: lists of one player per table who make the same moves.

        The players with the fewest rests this season are left out.
        """
        table_count = self.participants.table_count
        other_players = [
            player
            for player in range(len(self.participants.players))
            if player not in set(players_with_preferences)
        ]
        players_most_rested_first = sorted(
            random_stream.shuffle(other_players),
            key=lambda player: -self.season_rest_counts[player],
        )
        playing_players = [*players_with_preferences, *players_most_rested_first]
        seat_order = [
            *playing_players[: table_count - len(house_players)],
            *house_players,
            *playing_players[table_count - len(house_players) :],
        ]
        return [
            seat_order[start : start + table_count]
            for start in range(0, 4 * table_count, table_count)
        ]

    def draw_rounds(self) -> None:
        """Take the first rounds from complete whist tournaments if possible, and draw the other
        rounds one by one.
        """
        for round_number, (seats, is_final) in enumerate(
            self._iter_initial_rounds(), start=self.first_round_number
        ):
            if not is_final:
                seats, try_count = draw_round(
                    seats,
                    self._list_movable_seats(seats),
                    self.meeting_costs,
                    self._create_random_stream("round", round_number),
                    self._tries_per_round,
                )
                self.try_count += try_count
            self.seats_by_round.append(seats)
            self.meeting_costs.add_round(seats)

    @property
    def _tries_per_round(self) -> int:
        try_count = TRIES_PER_ROUND + TRIES_PER_PLAYER * max(
            0, len(self.participants.players) - 64
        )
        if not self.is_polished:  # only one round is drawn: no limit for an evening applies
            return try_count
        return min(try_count, max(MAX_EVENING_TRIES // self.round_count, try_count // 4))

    def _create_random_stream(self, *purpose_parts: object) -> RandomStream:
        return RandomStream(self.secret, *purpose_parts)

    def _iter_initial_rounds(self) -> Iterator[tuple[list[int], bool]]:
        """Yield (players by seat, whether these seats are final) for each round to draw.

        Rounds of complete whist tournaments come first, and are final. The seats of all other
        rounds are the start of a search.
        """
        participants, resting_players_by_round = (
            self.participants,
            self.resting_players_by_round,
        )
        has_no_preferences = (
            self.is_polished
            and self.first_round_number == 1
            and not (
                participants.pairs_kept_apart
                or participants.stationary_players
                or participants.house_players
            )
        )
        tournament_rounds = (
            build_tournament_rounds(
                len(participants.players), self.round_count, self._create_random_stream("whole")
            )
            if has_no_preferences
            else []
        )
        for seated_players in tournament_rounds:
            resting_players_by_round.append(
                sorted(set(range(len(participants.players))) - set(seated_players))
            )
            self._add_rests_of_last_round()
            yield seated_players, True
        for round_number in range(
            self.first_round_number + len(tournament_rounds),
            self.first_round_number + self.round_count,
        ):
            random_stream = self._create_random_stream("seats", round_number)
            resting_players_by_round.append(
                choose_resting_players(
                    participants.resting_count,
                    self.rest_counts,
                    self.season_rest_counts,
                    random_stream,
                )
            )
            self._add_rests_of_last_round()
            yield self._order_players(round_number, random_stream), False

    def _add_rests_of_last_round(self) -> None:
        for player in self.resting_players_by_round[-1]:
            self.rest_counts[player] += 1

    def _order_players(self, round_number: int, random_stream: RandomStream) -> list[int]:
        """Return the players of a round by table, stationary players first at their tables."""
        resting_players = set(self.resting_players_by_round[-1])
        stationary_entry_numbers = [
            player
            for player in map(
                self.entry_number_by_player.__getitem__, self.participants.stationary_players
            )
            if player not in resting_players
        ]
        other_players = random_stream.shuffle(
            [
                player
                for player in range(len(self.participants.players))
                if player not in resting_players and player not in stationary_entry_numbers
            ]
        )
        other_players += self.house_players_by_round[round_number - self.first_round_number]
        seats: list[int] = []
        for table_index in range(self.participants.table_count):
            stationary_players = stationary_entry_numbers[table_index : table_index + 1]
            seats += stationary_players + other_players[: 4 - len(stationary_players)]
            del other_players[: 4 - len(stationary_players)]
        return seats

    def _list_movable_seats(self, seats: Sequence[int]) -> list[int]:
        """Return the seats whose players are neither stationary nor house players."""
        return [
            index for index, player in enumerate(seats) if player not in self._fixed_players
        ]

    @cached_property
    def _fixed_players(self) -> frozenset[int]:
        """The numbers of the stationary players and the house players."""
        stationary_players = {
            self.entry_number_by_player[player]
            for player in self.participants.stationary_players
        }
        return frozenset(stationary_players.union(*self.house_players_by_round))

    def polish_rounds(self) -> None:
        """Reduce repeated partners and opponents in all rounds together.

        This does nothing if both numbers have reached their lower bounds.
        """
        statistics = compute_statistics(self.list_rounds(), self.participants.players)
        partners, opponents = statistics.partner_statistics, statistics.opponent_statistics
        max_gain = 40 * (partners.coincidence_count - partners.lower_bound) + 10 * (
            opponents.coincidence_count - opponents.lower_bound
        )
        if max_gain <= 0:
            return
        earlier_rest_counts = list(self.rest_counts)
        for resting_players in self.resting_players_by_round:
            for player in resting_players:
                earlier_rest_counts[player] -= 1
        evening_seats = EveningSeats(
            seats_by_round=self.seats_by_round,
            resting_players_by_round=self.resting_players_by_round,
            earlier_rest_counts=earlier_rest_counts,
            season_rest_counts=self.season_rest_counts,
            fixed_players=self._fixed_players,
            movable_seats_by_round=[
                self._list_movable_seats(seats) for seats in self.seats_by_round
            ],
        )
        self.try_count += polish_rounds(
            evening_seats,
            self.meeting_costs,
            self._create_random_stream("polish"),
            max_gain=max_gain,
            schedule=_choose_annealing_schedule(len(self.participants.players)),
        )
        self.seats_by_round, self.resting_players_by_round = (
            evening_seats.seats_by_round,
            evening_seats.resting_players_by_round,
        )

    def list_rounds(self) -> list[SeatedRound]:
        """Return the drawn rounds, with player ids instead of numbers from 0."""
        players = self.players
        drawn_rounds = []
        for seats, resting_players in zip(
            self.seats_by_round, self.resting_players_by_round, strict=True
        ):
            table_players = [players[player_number] for player_number in seats]
            tables = tuple(
                (
                    table_players[start],
                    table_players[start + 1],
                    table_players[start + 2],
                    table_players[start + 3],
                )
                for start in range(0, len(table_players), 4)
            )
            resting_ids = sorted((players[number] for number in resting_players), key=str)
            drawn_rounds.append(SeatedRound(tables, tuple(resting_ids)))
        return drawn_rounds
