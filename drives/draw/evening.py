"""The draw of a whole evening: by the rotation, from whole tournaments, or round by round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from drives.draw.annealing import draw_round
from drives.draw.known_good_seeds import find_seed
from drives.draw.memory import MeetingMemory
from drives.draw.participants import Participants, PlayerId, SeatedRound, check_rounds
from drives.draw.plan_statistics import PlanStatistics, compute_statistics
from drives.draw.polish import AnnealingSchedule, EveningSeats, polish_rounds
from drives.draw.random_stream import RandomStream
from drives.draw.rest_choice import choose_resting_players
from drives.draw.rotation import build_rotation, can_rotate
from drives.draw.table_numbering import number_tables
from drives.draw.whist_tournaments import build_tournament_rounds

TRIES_PER_ROUND, TRIES_PER_PLAYER, MAX_EVENING_TRIES = 60_000, 50, 1_900_000
"""The tries of a round, those for each player above 64, and the maximum of an evening."""

POLISH_TRIES = 1_300_000
SMALL_EVENING_PLAYERS = 18
"""The number of players below which a polish begins warmer and tries more changes of rests."""

SEARCH_CACHE_SIZE = 16
"""The size of the cache of searched evenings without wishes."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The drawn rounds, their statistics, and the number of tries."""

    rounds: tuple[SeatedRound, ...]
    statistics: PlanStatistics
    tries: int


def draw_evening(
    participants: Participants,
    rounds: int,
    secret: bytes,
    *,
    played: Sequence[SeatedRound] = (),
    with_polish: bool = True,
) -> Plan:
    """Draw the remaining rounds of an evening, taking the rounds played into account.

    The same participants, rounds and secret give the same seats. A complete evening without
    wishes
    is searched from a fixed start for its size. The secret then assigns the players to its
    numbers,
    with all assignments equally likely. The statistics include the rounds played. Raises
    UnplayableDrive where no such evening is possible.
    """
    check_rounds(rounds)
    if with_polish and not played and participants.has_no_wishes:
        names = RandomStream(secret, "names").shuffle(participants.players)
        evening = search_evening(
            len(names), rounds, find_seed(len(names), rounds), participants.house
        )
        return _assign_names(evening, names)
    return _draw_plan(participants, rounds, secret, played=played, with_polish=with_polish)


@lru_cache(SEARCH_CACHE_SIZE)
def search_evening(players: int, rounds: int, start: int, house: tuple[PlayerId, ...]) -> Plan:
    """Search for the best plan of an evening without wishes, from a given start number.

    Players are numbered from 0. The result is the same for every evening of that size, so the
    last results are cached.
    """
    participants = Participants(players=tuple(range(players)), house=house)
    return _draw_plan(participants, rounds, f"start {start}".encode())


def _assign_names(plan: Plan, names: Sequence[PlayerId]) -> Plan:
    """Return the plan with its player numbers replaced by the players' names."""
    names_by_number: dict[PlayerId, PlayerId] = dict(enumerate(names))
    rounds = []
    for tables, resting in plan.rounds:
        named_tables = tuple(
            (names_by_number[a], names_by_number[b], names_by_number[c], names_by_number[d])
            for a, b, c, d in tables
        )
        rounds.append(
            SeatedRound(
                named_tables,
                tuple(sorted((names_by_number[player] for player in resting), key=str)),
            )
        )
    return replace(plan, rounds=tuple(rounds))


def _draw_plan(
    participants: Participants,
    rounds: int,
    secret: bytes,
    *,
    played: Sequence[SeatedRound] = (),
    with_polish: bool = True,
) -> Plan:
    drawing = _EveningDraw(participants, rounds, secret, played, with_polish=with_polish)
    if not played and with_polish and drawing.try_rotation():
        return _build_plan(participants, drawing.list_rounds(), drawing.tries)
    drawing.draw_rounds()
    if with_polish:
        drawing.polish_rounds()
    last = {
        player: number
        for round_ in played
        for number, table in enumerate(round_.tables)
        for player in table
    }
    numbered_rounds = number_tables(
        drawing.list_rounds(), participants.seated, last, participants.playing_house_players
    )
    return _build_plan(participants, [*played, *numbered_rounds], drawing.tries, len(played))


def draw_next(
    participants: Participants, secret: bytes, *, played: Sequence[SeatedRound] = ()
) -> SeatedRound:
    """Draw one more round after the given rounds."""
    plan = draw_evening(participants, 1, secret, played=played, with_polish=False)
    return plan.rounds[0]


def _build_plan(
    participants: Participants, rounds: Sequence[SeatedRound], tries: int, played: int = 0
) -> Plan:
    return Plan(
        rounds=tuple(rounds[played:]),
        statistics=compute_statistics(rounds, participants.players),
        tries=tries,
    )


def _choose_annealing_schedule(players: int) -> AnnealingSchedule:
    """Return the parameters of a polish that gave the best results in measurements."""
    if players < SMALL_EVENING_PLAYERS:
        return AnnealingSchedule(
            tries=POLISH_TRIES, start_temperature=400, end_temperature=250, rest_tries=100
        )
    return AnnealingSchedule(
        tries=POLISH_TRIES, start_temperature=250, end_temperature=150, rest_tries=40
    )


class _EveningDraw:
    """The state of a draw: players numbered from 0, their meetings, and the rounds drawn.

    A player outside the participants (a house player, or one who left) has a new number in each
    round, so that repeated meetings cost nothing.
    """

    def __init__(
        self,
        participants: Participants,
        rounds: int,
        secret: bytes,
        played: Sequence[SeatedRound],
        *,
        with_polish: bool,
    ) -> None:
        self.participants, self.rounds, self.secret = participants, rounds, secret
        self.polished = with_polish
        self.first = len(played) + 1
        self.number = {player: place for place, player in enumerate(participants.players)}
        self.names: list[PlayerId] = list(participants.players)
        self.ledger = [participants.ledger.get(player, 0) for player in participants.players]
        self.rested = [0] * len(participants.players)
        past = [self._number_players(round_) for round_ in played]
        self.house = [self._add_house_players() for _round in range(rounds)]
        self.memory = MeetingMemory(
            len(self.names), meets_at_tables=participants.meets_at_tables
        )
        for one, other in sorted(
            sorted(self.number[player] for player in pair) for pair in participants.apart
        ):
            self.memory.keep_apart(one, other)
        for seats in past:
            self.memory.add(seats)
        self.seats: list[list[int]] = []
        self.rests: list[list[int]] = []
        self.tries = 0

    def _number_players(self, drawn_round: SeatedRound) -> list[int]:
        for player in drawn_round.rest:
            if player in self.number:
                self.rested[self.number[player]] += 1
        return [
            self.number[player] if player in self.number else self._add_outsider(player)
            for table in drawn_round.tables
            for player in table
        ]

    def _add_outsider(self, player: PlayerId) -> int:
        self.names.append(player)
        return len(self.names) - 1

    def _add_house_players(self) -> list[int]:
        return [
            self._add_outsider(player) for player in self.participants.playing_house_players
        ]

    def try_rotation(self) -> bool:
        """Use the rotation if it avoids all repeated meetings; return whether it did.

        Players with a wish (to stay seated, or not to be partners) follow the same moves, so
        they never meet. A single house player follows the same moves at the last table.
        """
        participants, house = self.participants, self.house[0]
        stationary = [self.number[player] for player in participants.seated]
        kept_apart = sorted(
            {self.number[p] for pair in participants.apart for p in pair} - set(stationary)
        )
        room = participants.table_count - len(stationary) - len(kept_apart) - len(house)
        if room < 0 or len(house) > 1 or not can_rotate(participants.table_count, self.rounds):
            return False
        random_stream = RandomStream(self.secret, "rotation")
        streams = self._build_streams([*stationary, *kept_apart], house, random_stream)
        course = build_rotation(
            streams,
            self.rounds,
            ledger=self.ledger,
            seated=len(stationary),
            random_stream=random_stream,
        )
        if course is None:
            return False
        self.seats, self.rests = ([row[at] for row in course] for at in (0, 1))
        return True

    def _build_streams(
        self, players_with_wishes: list[int], house: list[int], random_stream: RandomStream
    ) -> list[list[int]]:
        """Return four streams of one player per table.

        The players with the fewest rests this season are left out.
        """
        size = self.participants.table_count
        other_players = [
            p
            for p in range(len(self.participants.players))
            if p not in set(players_with_wishes)
        ]
        order = sorted(
            random_stream.shuffle(other_players), key=lambda player: -self.ledger[player]
        )
        playing = [*players_with_wishes, *order]
        places = [*playing[: size - len(house)], *house, *playing[size - len(house) :]]
        return [places[at : at + size] for at in range(0, 4 * size, size)]

    def draw_rounds(self) -> None:
        """Use complete whist tournaments for the first rounds if they fit, then draw the other
        rounds one by one.
        """
        for number, (seats, is_ready) in enumerate(
            self._iter_initial_rounds(), start=self.first
        ):
            if not is_ready:
                random_stream, movable = (
                    self._open_stream("round", number),
                    self._list_movable_places(seats),
                )
                seats, tries = draw_round(
                    seats, movable, self.memory, random_stream, self._tries_per_round
                )
                self.tries += tries
            self.seats.append(seats)
            self.memory.add(seats)

    @property
    def _tries_per_round(self) -> int:
        tries = TRIES_PER_ROUND + TRIES_PER_PLAYER * max(0, len(self.participants.players) - 64)
        if not self.polished:  # as many tries for one round as for several
            return tries
        return min(tries, max(MAX_EVENING_TRIES // self.rounds, tries // 4))

    def _open_stream(self, *purpose: object) -> RandomStream:
        return RandomStream(self.secret, *purpose)

    def _iter_initial_rounds(self) -> Iterator[tuple[list[int], bool]]:
        """Yield the initial seats of each round, and whether they are final.

        Rounds of a complete tournament come first, and are final.
        """
        participants, rests = self.participants, self.rests
        has_no_wishes = (
            self.polished
            and self.first == 1
            and not (participants.apart or participants.seated or participants.house)
        )
        complete_rounds = (
            build_tournament_rounds(
                len(participants.players), self.rounds, self._open_stream("whole")
            )
            if has_no_wishes
            else []
        )
        for seats in complete_rounds:
            rests.append(sorted(set(range(len(participants.players))) - set(seats)))
            self._add_rests_of_last_round()
            yield seats, True
        for number in range(self.first + len(complete_rounds), self.first + self.rounds):
            random_stream = self._open_stream("seats", number)
            rests.append(
                choose_resting_players(
                    participants.resting_count, self.rested, self.ledger, random_stream
                )
            )
            self._add_rests_of_last_round()
            yield self._order_players(number, random_stream), False

    def _add_rests_of_last_round(self) -> None:
        for player in self.rests[-1]:
            self.rested[player] += 1

    def _order_players(self, number: int, random_stream: RandomStream) -> list[int]:
        """Return the players of a round by table, stationary players first at their tables."""
        resting = set(self.rests[-1])
        stationary = [
            p
            for p in map(self.number.__getitem__, self.participants.seated)
            if p not in resting
        ]
        other_players = random_stream.shuffle(
            [
                p
                for p in range(len(self.participants.players))
                if p not in resting and p not in stationary
            ]
        )
        other_players += self.house[number - self.first]
        seats: list[int] = []
        for table in range(self.participants.table_count):
            first = [stationary[table]] if table < len(stationary) else []
            seats += first + other_players[: 4 - len(first)]
            del other_players[: 4 - len(first)]
        return seats

    def _list_movable_places(self, seats: Sequence[int]) -> list[int]:
        """Return the places whose players are neither stationary nor house players."""
        return [at for at, player in enumerate(seats) if player not in self._fixed_players]

    @cached_property
    def _fixed_players(self) -> frozenset[int]:
        """The stationary players and the house players, by number."""
        seated = {self.number[player] for player in self.participants.seated}
        return frozenset(seated.union(*self.house))

    def polish_rounds(self) -> None:
        """Reduce repeated partners and opponents in all rounds together.

        Does nothing if both numbers have reached their lower bounds.
        """
        statistics = compute_statistics(self.list_rounds(), self.participants.players)
        gain = 40 * (statistics.partners.coincidences - statistics.partners.bound) + 10 * (
            statistics.opponents.coincidences - statistics.opponents.bound
        )
        if gain <= 0:
            return
        base = list(self.rested)
        for resting in self.rests:
            for player in resting:
                base[player] -= 1
        course = EveningSeats(
            seats=self.seats,
            rests=self.rests,
            earlier_rests=base,
            season_rests=self.ledger,
            fixed_players=self._fixed_players,
            movable=[self._list_movable_places(seats) for seats in self.seats],
        )
        schedule = _choose_annealing_schedule(len(self.participants.players))
        self.tries += polish_rounds(
            course, self.memory, self._open_stream("polish"), max_gain=gain, schedule=schedule
        )
        self.seats, self.rests = course.seats, course.rests

    def list_rounds(self) -> list[SeatedRound]:
        """Return the rounds drawn, with the players' own names."""
        names = self.names
        named_rounds = []
        for seats, resting in zip(self.seats, self.rests, strict=True):
            named_seats = [names[place] for place in seats]
            tables = tuple(
                (named_seats[at], named_seats[at + 1], named_seats[at + 2], named_seats[at + 3])
                for at in range(0, len(named_seats), 4)
            )
            named_rounds.append(
                SeatedRound(tables, tuple(sorted((names[p] for p in resting), key=str)))
            )
        return named_rounds
