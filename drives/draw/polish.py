"""A joint search that improves all rounds after they were drawn one by one.

A change exchanges the seats of two players in one round, the partners at one table, or the
rounds in which two players rest. Rounds that were already played never change. They count only
in the `MeetingCosts`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from drives.draw.annealing import list_rearrangeable_table_starts
from drives.draw.memory import CountMatrix, MeetingCosts
from drives.draw.random_stream import RandomStream

PARTNER_COST, OPPONENT_COST = 40, 10
"""The costs of a repeated partnership and of a repeated opposition."""

TRIES_PER_STEP = 2000
"""The number of exchanges that one step of the search tries in one round."""


@dataclass(frozen=True, kw_only=True)
class AnnealingSchedule:
    """The parameters of the search: numbers of tries, and temperatures.

    Temperatures are in hundredths of a unit of cost.
    """

    try_count: int
    start_temperature: int
    end_temperature: int
    rest_exchange_try_count: int


@dataclass(kw_only=True)
class EveningSeats:
    """The seats of all rounds of an evening, four by four, and the players who rest.

    `earlier_rest_counts` counts the rests of each player this evening before the first of these
    rounds. `fixed_players` are the stationary players and the house players. Their rests never
    change. `movable_seats_by_round` lists for each round the indexes of the seats that may
    change.
    """

    seats_by_round: list[list[int]]
    resting_players_by_round: list[list[int]]
    earlier_rest_counts: Sequence[int]
    season_rest_counts: Sequence[int]
    fixed_players: frozenset[int]
    movable_seats_by_round: Sequence[Sequence[int]]

    def copy_rounds(self) -> "tuple[list[list[int]], list[list[int]]]":
        """Return a copy of the seats and of the resting players, to restore later."""
        return [seats[:] for seats in self.seats_by_round], [
            players[:] for players in self.resting_players_by_round
        ]


def polish_rounds(
    evening: EveningSeats,
    meeting_costs: MeetingCosts,
    random_stream: RandomStream,
    *,
    max_gain: int,
    schedule: AnnealingSchedule,
) -> int:
    """Improve the seats of an evening in place; return the number of tries.

    The search stops when it has reduced the cost by `max_gain`. `meeting_costs` must contain
    the meetings of these rounds, and must not be used afterwards.
    """
    search = _EveningSearch(evening, meeting_costs, max_gain)
    step_count = max(2, schedule.try_count // TRIES_PER_STEP)
    for step_index in range(step_count):
        temperature = schedule.start_temperature + (
            schedule.end_temperature - schedule.start_temperature
        ) * step_index // (step_count - 1)
        round_index = step_index % len(evening.seats_by_round)
        search.try_seat_exchanges(round_index, random_stream, temperature)
        search.try_partner_exchanges(round_index, random_stream, temperature)
        search.try_rest_exchanges(
            round_index, random_stream, temperature, schedule.rest_exchange_try_count
        )
        if search.has_reached_max_gain:
            break
    evening.seats_by_round, evening.resting_players_by_round = search.best_rounds
    return (step_index + 1) * TRIES_PER_STEP


class _EveningSearch:
    """The state of the search; `cost` is the change of the cost since the initial seats."""

    def __init__(
        self, evening: EveningSeats, meeting_costs: MeetingCosts, max_gain: int
    ) -> None:
        self.evening, self.max_gain = evening, max_gain
        self.partner_counts, self.opponent_counts = (
            meeting_costs.partner_counts,
            meeting_costs.opponent_counts,
        )
        self.cost = self.lowest_cost = 0
        self.best_rounds = evening.copy_rounds()
        self.movable_seats_by_round = evening.movable_seats_by_round
        seat_count = len(evening.seats_by_round[0])
        self.rearrangeable_table_starts_by_round = [
            list_rearrangeable_table_starts(seat_count, movable_seats)
            for movable_seats in evening.movable_seats_by_round
        ]
        self.rest_rounds_by_player: list[list[int]] = [[] for _ in evening.season_rest_counts]
        for round_index, resting_players in enumerate(evening.resting_players_by_round):
            for player in resting_players:
                self.rest_rounds_by_player[player].append(round_index)

    @property
    def has_reached_max_gain(self) -> bool:
        """Whether the search has gained `max_gain`, so that no better seats exist."""
        return self.lowest_cost <= -self.max_gain

    def save_best(self) -> None:
        """Store a copy of the seats if they cost less than all seats so far."""
        if self.cost < self.lowest_cost:
            self.lowest_cost, self.best_rounds = self.cost, self.evening.copy_rounds()

    def try_seat_exchanges(
        self, round_index: int, random_stream: RandomStream, temperature: int
    ) -> None:
        """Try exchanges of two seats at different tables of one round."""
        seats, partner_counts, opponent_counts = (
            self.evening.seats_by_round[round_index],
            self.partner_counts,
            self.opponent_counts,
        )
        if len(seats) < 8:
            return
        movable_seats = self.movable_seats_by_round[round_index]
        seat_indexes = [
            movable_seats[k]
            for k in random_stream.draw_integers(len(movable_seats), 2 * TRIES_PER_STEP)
        ]
        limits = random_stream.draw_cost_limits(temperature, TRIES_PER_STEP)
        for i, j, limit in zip(
            seat_indexes[:TRIES_PER_STEP], seat_indexes[TRIES_PER_STEP:], limits, strict=True
        ):
            if i ^ j < 4:  # both seats are at one table
                continue
            # Players x and y exchange seats. Each has a partner (a, d) and two opponents.
            x, y = seats[i], seats[j]
            a, b, c = seats[i ^ 2], seats[i ^ 1], seats[i ^ 3]
            d, e, f = seats[j ^ 2], seats[j ^ 1], seats[j ^ 3]
            x_partner_counts, y_partner_counts, x_opponent_counts, y_opponent_counts = (
                partner_counts[x],
                partner_counts[y],
                opponent_counts[x],
                opponent_counts[y],
            )
            extra_cost = (
                y_opponent_counts[b]
                + y_opponent_counts[c]
                - y_opponent_counts[e]
                - y_opponent_counts[f]
                + x_opponent_counts[e]
                + x_opponent_counts[f]
                - x_opponent_counts[b]
                - x_opponent_counts[c]
                + 4
            )
            extra_cost = OPPONENT_COST * extra_cost + PARTNER_COST * (
                y_partner_counts[a]
                + x_partner_counts[d]
                - x_partner_counts[a]
                - y_partner_counts[d]
                + 2
            )
            if extra_cost <= limit:
                seats[i], seats[j] = y, x
                _replace_meetings(partner_counts, x, y, (a,))
                _replace_meetings(partner_counts, y, x, (d,))
                _replace_meetings(opponent_counts, x, y, (b, c))
                _replace_meetings(opponent_counts, y, x, (e, f))
                self.cost += extra_cost
                if self.cost < self.lowest_cost:
                    self.save_best()

    def try_partner_exchanges(
        self, round_index: int, random_stream: RandomStream, temperature: int
    ) -> None:
        """Try to change partners at a table by exchanging its second and its third player."""
        seats, partner_counts, opponent_counts = (
            self.evening.seats_by_round[round_index],
            self.partner_counts,
            self.opponent_counts,
        )
        table_starts = self.rearrangeable_table_starts_by_round[round_index]
        for index, limit in enumerate(
            random_stream.draw_cost_limits(temperature, 2 * len(table_starts))
        ):
            first_seat_index = table_starts[index >> 1]
            player_1, player_2, player_3, player_4 = seats[
                first_seat_index : first_seat_index + 4
            ]
            if index & 1:
                player_2, player_4 = player_4, player_2
            extra_cost = PARTNER_COST * (
                partner_counts[player_1][player_2] + partner_counts[player_3][player_4] + 2
                - partner_counts[player_1][player_3] - partner_counts[player_2][player_4]
            ) + OPPONENT_COST * (
                opponent_counts[player_1][player_3] + opponent_counts[player_2][player_4] + 2
                - opponent_counts[player_1][player_2] - opponent_counts[player_3][player_4]
            )  # fmt: skip
            if extra_cost <= limit:
                seats[first_seat_index : first_seat_index + 4] = (
                    player_1,
                    player_3,
                    player_2,
                    player_4,
                )
                for meeting_counts, sign in ((partner_counts, 1), (opponent_counts, -1)):
                    for x, y, partner_count_change in (
                        (player_1, player_2, 1),
                        (player_3, player_4, 1),
                        (player_1, player_3, -1),
                        (player_2, player_4, -1),
                    ):
                        meeting_counts[x][y] += sign * partner_count_change
                        meeting_counts[y][x] += sign * partner_count_change
                self.cost += extra_cost
                self.save_best()

    def try_rest_exchanges(
        self, round_index: int, random_stream: RandomStream, temperature: int, try_count: int
    ) -> None:
        """Try exchanges between a player who rests in a round and one who plays in it."""
        resting_players, seats = (
            self.evening.resting_players_by_round[round_index],
            self.evening.seats_by_round[round_index],
        )
        if not resting_players or not try_count:
            return
        resting_player_indexes = random_stream.draw_integers(len(resting_players), try_count)
        movable_seats = self.movable_seats_by_round[round_index]
        seat_indexes = [
            movable_seats[k] for k in random_stream.draw_integers(len(movable_seats), try_count)
        ]
        for resting_player_index, seat_index, limit in zip(
            resting_player_indexes,
            seat_indexes,
            random_stream.draw_cost_limits(temperature, try_count),
            strict=True,
        ):
            exchange = self._find_rest_exchange(
                round_index, resting_players[resting_player_index], seats[seat_index]
            )
            if exchange is None:
                continue
            extra_cost = self._exchange_players(*exchange)
            if extra_cost <= limit:
                self.cost += extra_cost
                self._update_rests(*exchange)
                self.save_best()
            else:
                self._exchange_players(exchange[1], exchange[0], *exchange[2:])

    def _find_rest_exchange(
        self, round_index: int, resting_player: int, playing_player: int
    ) -> tuple[int, int, int, int | None] | None:
        """Return an exchange of the two players by which the resting one plays, or None.

        The result is (new playing player, new resting player, round index, index of the round
        in which the two exchange their rests back). The exchange must be fair: a first rest is
        only exchanged with a first rest, and a second one with a second one. So no player rests
        a second time before all have rested once.
        """
        evening, rest_rounds_by_player = self.evening, self.rest_rounds_by_player
        if {
            resting_player,
            playing_player,
        } & evening.fixed_players or not self._have_rested_equally(
            resting_player, playing_player
        ):
            return None
        rest_index = rest_rounds_by_player[resting_player].index(round_index)
        if len(rest_rounds_by_player[playing_player]) > rest_index:
            return_round_index = rest_rounds_by_player[playing_player][rest_index]
            is_possible = resting_player in evening.seats_by_round[return_round_index]
            return (
                (resting_player, playing_player, round_index, return_round_index)
                if is_possible
                else None
            )
        is_possible = (
            len(rest_rounds_by_player[playing_player]) == rest_index
            and len(rest_rounds_by_player[resting_player]) == rest_index + 1
        )
        return (resting_player, playing_player, round_index, None) if is_possible else None

    def _have_rested_equally(self, player_number: int, other_player_number: int) -> bool:
        """Return whether two players rested equally often, earlier tonight and this season."""
        earlier_rest_counts, season_counts = (
            self.evening.earlier_rest_counts,
            self.evening.season_rest_counts,
        )
        return (
            earlier_rest_counts[player_number] == earlier_rest_counts[other_player_number]
            and season_counts[player_number] == season_counts[other_player_number]
        )

    def _exchange_players(
        self,
        incoming_player: int,
        outgoing_player: int,
        round_index: int,
        return_round_index: int | None,
    ) -> int:
        """Exchange two players in a round and in the return round; return the extra cost."""
        extra_cost = self._replace_player(round_index, outgoing_player, incoming_player)
        return extra_cost + (
            0
            if return_round_index is None
            else self._replace_player(return_round_index, incoming_player, outgoing_player)
        )

    def _replace_player(
        self, round_index: int, outgoing_player: int, incoming_player: int
    ) -> int:
        seats = self.evening.seats_by_round[round_index]
        seat_index = seats.index(outgoing_player)
        seats[seat_index] = incoming_player
        return PARTNER_COST * _replace_player_and_count_meetings(
            self.partner_counts, outgoing_player, incoming_player, [seats[seat_index ^ 2]]
        ) + (
            OPPONENT_COST
            * _replace_player_and_count_meetings(
                self.opponent_counts,
                outgoing_player,
                incoming_player,
                [seats[seat_index ^ 1], seats[seat_index ^ 3]],
            )
        )

    def _update_rests(
        self,
        incoming_player: int,
        outgoing_player: int,
        round_index: int,
        return_round_index: int | None,
    ) -> None:
        resting_players_by_round, rest_rounds_by_player = (
            self.evening.resting_players_by_round,
            self.rest_rounds_by_player,
        )
        resting_players_by_round[round_index][
            resting_players_by_round[round_index].index(incoming_player)
        ] = outgoing_player
        rest_index = rest_rounds_by_player[incoming_player].index(round_index)
        if return_round_index is None:
            rest_rounds_by_player[incoming_player].pop()
            rest_rounds_by_player[outgoing_player].append(round_index)
        else:
            resting_players_by_round[return_round_index][
                resting_players_by_round[return_round_index].index(outgoing_player)
            ] = incoming_player
            (
                rest_rounds_by_player[incoming_player][rest_index],
                rest_rounds_by_player[outgoing_player][rest_index],
            ) = (
                return_round_index,
                round_index,
            )


def _replace_meetings(
    meeting_counts: CountMatrix,
    outgoing_player: int,
    incoming_player: int,
    other_players: tuple[int, ...],
) -> None:
    """Move one meeting with each other player from the outgoing to the incoming player."""
    outgoing_player_counts, incoming_player_counts = (
        meeting_counts[outgoing_player],
        meeting_counts[incoming_player],
    )
    for other_player in other_players:
        other_player_counts = meeting_counts[other_player]
        other_player_counts[outgoing_player] = outgoing_player_counts[other_player] = (
            outgoing_player_counts[other_player] - 1
        )
        other_player_counts[incoming_player] = incoming_player_counts[other_player] = (
            incoming_player_counts[other_player] + 1
        )


def _replace_player_and_count_meetings(
    meeting_counts: CountMatrix,
    outgoing_player: int,
    incoming_player: int,
    other_players: Sequence[int],
) -> int:
    """Call `_replace_meetings`, and return the number of coincidences that this adds."""
    added_coincidence_count = 0
    for other_player in other_players:
        added_coincidence_count += (
            meeting_counts[incoming_player][other_player]
            - meeting_counts[outgoing_player][other_player]
            + 1
        )
        _replace_meetings(meeting_counts, outgoing_player, incoming_player, (other_player,))
    return added_coincidence_count
