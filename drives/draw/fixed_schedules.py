"""Fixed schedules without a draw: pairs who stay together, and forts.

Source: the partner drive of klaverjas clubs (odd pairs move, even pairs stay); military whist.
"""

from drives.draw.participants import Participants, PlayerId, SeatedRound, Seats


def build_partner_rounds(participants: Participants, rounds: int) -> list[SeatedRound]:
    """Seat pairs 1 and 2, 3 and 4 … together; odd pairs move one table up, even ones stay.

    A pair is two players with consecutive numbers. With an odd number of pairs, a table has
    only one pair, which rests that round.
    """
    players = [*participants.players, *participants.playing_house_players]
    pairs = list(zip(players[::2], players[1::2], strict=True))
    odd_pairs, even_pairs = pairs[::2], [*pairs[1::2]]
    size = len(odd_pairs)
    schedule = []
    for number in range(rounds):
        tables: list[Seats] = []
        resting: tuple[PlayerId, ...] = ()
        for place in range(size):
            moving_pair = odd_pairs[(place - number) % size]
            if place < len(even_pairs):
                tables.append(
                    (moving_pair[0], even_pairs[place][0], moving_pair[1], even_pairs[place][1])
                )
            else:
                resting = moving_pair
        schedule.append(SeatedRound(tuple(tables), resting))
    return schedule


def build_fort_rounds(participants: Participants, rounds: int) -> list[SeatedRound]:
    """Seat the away pair of fort f at fort f + d in each round; its home pair receives another.

    A fort is four players with consecutive numbers: the home pair, then the away pair. As long
    as no two forts need to meet twice, a step d is not used after its reverse.
    """
    players = [*participants.players, *participants.playing_house_players]
    forts = [players[at : at + 4] for at in range(0, len(players), 4)]
    size = len(forts)
    steps = [*range(1, (size + 1) // 2), *range((size + 1) // 2, size)] or [0]
    schedule = []
    for number in range(rounds):
        step = steps[number % len(steps)]
        tables: list[Seats] = []
        for place, fort in enumerate(forts):
            guests = forts[(place - step) % size]
            tables.append((fort[0], guests[2], fort[1], guests[3]))
        schedule.append(SeatedRound(tuple(tables)))
    return schedule
