"""The draw of a round from the standings: ranks 1 to 4 at table 1, the first with the fourth.

No player has a partner twice while that can be avoided: the four then take other partners, or
if necessary a player of lower rank moves up.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from drives.draw.annealing import draw_round
from drives.draw.memory import REPEATED_PARTNER_COST, MeetingMemory
from drives.draw.participants import Participants, PlayerId, SeatedRound, Seats
from drives.draw.random_stream import RandomStream
from drives.draw.rest_choice import choose_resting_players

MAX_RANKS_DOWN = 7
"""The maximum number of ranks below its first player from which a table is filled."""

MAX_SEARCH_STEPS, MAX_TRIES = 5_000, 60_000

Pair = frozenset[PlayerId]
PartnerCheck = Callable[[PlayerId, PlayerId], bool]


def draw_by_standings(
    participants: Participants,
    ranked_players: Sequence[PlayerId],
    secret: bytes,
    *,
    played: Sequence[SeatedRound] = (),
) -> SeatedRound:
    """Draw the next round from the present standings, best first.

    Players who are not in the standings are placed last. The choice of resting players is the
    same
    as in every draw.
    """
    ranks = {player: place for place, player in enumerate(ranked_players)}
    random_stream = RandomStream(secret, "standing", len(played) + 1)
    names = participants.players
    rested = [sum(name in round_.rest for round_ in played) for name in names]
    ledger = [participants.ledger.get(name, 0) for name in names]
    resting = {
        names[k]
        for k in choose_resting_players(
            participants.resting_count, rested, ledger, random_stream
        )
    }
    order = sorted(
        [*(name for name in names if name not in resting), *participants.playing_house_players],
        key=lambda name: ranks.get(name, len(ranks)),
    )
    met = {
        pair
        for round_ in played
        for table in round_.tables
        for pair in list_partnerships(table)
    }
    met |= participants.apart
    tables = _fill_tables(tuple(order), lambda one, other: frozenset((one, other)) not in met)
    if tables is None:
        tables = _search_tables(order, met, random_stream)
    return SeatedRound(tuple(tables), tuple(name for name in names if name in resting))


def list_partnerships(table: Seats) -> tuple[Pair, Pair]:
    """Return the two partnerships of a table."""
    one, two, three, four = table
    return frozenset((one, three)), frozenset((two, four))


def _search_tables(
    order: Sequence[PlayerId], met: set[Pair], random_stream: RandomStream
) -> list[Seats]:
    """Search for tables with the fewest repeated partners; sort them by their best players."""
    number = {player: place for place, player in enumerate(order)}
    memory = MeetingMemory(len(order))
    for one, other in (tuple(pair) for pair in met if pair <= number.keys()):
        memory.partner_cost[number[one]][number[other]] = REPEATED_PARTNER_COST
        memory.partner_cost[number[other]][number[one]] = REPEATED_PARTNER_COST
    places = range(len(order))
    seats, _tries = draw_round(places, places, memory, random_stream, MAX_TRIES)
    tables = sorted(
        (seats[at : at + 4] for at in range(0, len(seats), 4)),
        key=lambda four: sum(sorted(four)[:2]),
    )
    table_players = [[order[place] for place in four] for four in tables]
    return [(one, two, three, four) for one, two, three, four in table_players]


def _fill_tables(
    order: tuple[PlayerId, ...], may_be_partners: PartnerCheck
) -> list[Seats] | None:
    """Fill table after table with backtracking; None where that is impossible."""
    tables: list[Seats] = []
    iterators: list[Iterator[tuple[Seats, tuple[PlayerId, ...]]]] = [
        _iter_choices(order, may_be_partners)
    ]
    for _look in range(MAX_SEARCH_STEPS):
        choice = next(iterators[-1], None)
        if choice is None:
            iterators.pop()
            if not iterators:
                break
            tables = tables[: len(iterators) - 1]
            continue
        table, remaining_players = choice
        tables = [*tables[: len(iterators) - 1], table]
        if not remaining_players:
            return tables
        iterators.append(_iter_choices(remaining_players, may_be_partners))
    return None


def _iter_choices(
    order: tuple[PlayerId, ...], may_be_partners: PartnerCheck
) -> Iterator[tuple[Seats, tuple[PlayerId, ...]]]:
    """Yield the possible tables of the first player, nearest ranks first."""
    first = order[0]
    for chosen_places in combinations(range(1, min(len(order), 1 + MAX_RANKS_DOWN)), 3):
        four = [first, *(order[place] for place in chosen_places)]
        remaining_players = tuple(
            p for place, p in enumerate(order) if place and place not in chosen_places
        )
        for table in _list_partnerings(four, may_be_partners):
            if all(may_be_partners(*pair) for pair in list_partnerships(table)):
                yield table, remaining_players


def _list_partnerings(four: Sequence[PlayerId], may_be_partners: PartnerCheck) -> list[Seats]:
    """Return the three ways to pair four players, those with fewest repeated partners first."""
    one, two, three, four_ = four
    partnerings: list[Seats] = [
        (one, two, four_, three),
        (one, two, three, four_),
        (one, three, two, four_),
    ]
    return sorted(
        partnerings,
        key=lambda partnering: sum(
            not may_be_partners(*pair) for pair in list_partnerships(partnering)
        ),
    )
