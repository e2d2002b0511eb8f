"""The rotation: the four of each table move 0, 1, 2 and 3 tables, and no two meet twice.

It is valid for as many rounds as T/gcd(T, d) for each difference d of two steps, with T tables.
The moves can be announced by voice, and are computed immediately for any number of players.
Where some rest, a returning player takes over the moves of one who goes to rest. This is
possible if the returning player has met no one at the further tables of those moves.
"""

from collections.abc import Sequence
from itertools import combinations
from math import gcd

from drives.draw.random_stream import RandomStream
from drives.draw.rest_choice import choose_resting_players

STREAM_STEPS = (0, 1, 2, 3)

RoundSeats = tuple[list[int], list[int]]
"""The seats four by four, and the players who rest; players are numbered from 0."""


def can_rotate(tables: int, rounds: int) -> bool:
    """Return whether no two players meet twice in this number of rounds."""
    return all(
        tables // gcd(tables, other - one) >= rounds
        for one, other in combinations(STREAM_STEPS, 2)
    )


def build_rotation(
    streams: Sequence[Sequence[int]],
    rounds: int,
    *,
    ledger: Sequence[int],
    seated: int,
    random_stream: RandomStream,
) -> list[RoundSeats] | None:
    """Build the rotation for four streams of players, each with one player per table.

    The first stream stays seated, and its first `seated` players never rest. `ledger` has a row
    for every player: those beyond the streams begin with a rest. Return None if a rest would
    make two players meet again, or if a player would rest twice.
    """
    tables = len(streams[0])
    if rounds * (len(ledger) - 4 * tables) > len(ledger) - seated:
        return None
    lines = _Streams(streams, rounds)
    playing = {player for stream in streams for player in stream}
    resting = [player for player in range(len(ledger)) if player not in playing]
    stationary = set(streams[0][:seated])
    rested = [0] * len(ledger)
    seated_rounds: list[RoundSeats] = []
    for number in range(rounds):
        if number and resting:
            order = choose_resting_players(len(ledger), rested, ledger, random_stream)
            candidates = [
                player for player in order if player not in resting and player not in stationary
            ]
            resting = [
                lines.exchange_rester(player, candidates, rested, number) for player in resting
            ]
            if -1 in resting:
                return None
        for player in resting:
            rested[player] += 1
        seated_rounds.append((lines.seat_round(number), list(resting)))
    return seated_rounds


class _Streams:
    """Four streams of moves, with the player who currently makes each move."""

    def __init__(self, streams: Sequence[Sequence[int]], rounds: int) -> None:
        self.streams = [list(stream) for stream in streams]
        self.tables, self.rounds = len(streams[0]), rounds
        self.where = {
            player: (stream, at)
            for stream, players in enumerate(self.streams)
            for at, player in enumerate(players)
        }
        self.met: dict[int, set[int]] = {}

    def seat_round(self, number: int) -> list[int]:
        """Return the seats of a round, table by table, and record the meetings."""
        seats = []
        for table in range(self.tables):
            four = [
                stream[(table - step * number) % self.tables]
                for stream, step in zip(self.streams, STREAM_STEPS, strict=True)
            ]
            for player in four:
                self.met.setdefault(player, set()).update(four)
            seats += four
        return seats

    def exchange_rester(
        self, incoming: int, order: list[int], rested: Sequence[int], number: int
    ) -> int:
        """Exchange a resting player with the first player who may rest and whose moves are
        possible for them; return -1 if there is none.

        The player who goes to rest is removed from the order.
        """
        for place, outgoing in enumerate(order):
            if rested[outgoing] > rested[order[0]]:
                break
            if not self._find_later_mates(outgoing, number) & self.met.get(incoming, set()):
                del order[place]
                stream, at = self.where.pop(outgoing)
                self.streams[stream][at] = incoming
                self.where[incoming] = (stream, at)
                return outgoing
        return -1

    def _find_later_mates(self, player: int, number: int) -> set[int]:
        """Return the players whom a player meets from a round on, if he follows his moves."""
        own_stream, at = self.where[player]
        mates = set()
        for round_ in range(number, self.rounds):
            table = (at + STREAM_STEPS[own_stream] * round_) % self.tables
            for stream, step in enumerate(STREAM_STEPS):
                if stream != own_stream:
                    mates.add(self.streams[stream][(table - step * round_) % self.tables])
        return mates
