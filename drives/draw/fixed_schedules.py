"""Fixed schedules without a draw: for pairs who stay together, and for forts.

Sources: the partner drives of klaverjas clubs, and the rules of military whist.
"""

from drives.draw.participants import Participants, PlayerId, SeatedRound, Seats


def build_partner_rounds(participants: Participants, round_count: int) -> list[SeatedRound]:
    """Seat pairs 1 and 2, 3 and 4 … together; odd pairs move one table up, even ones stay.

    A pair is two players with consecutive numbers. With an odd number of pairs, a table has
    only one pair, which rests that round.
    """
    players = [*participants.players, *participants.playing_house_players]
    pairs = list(zip(players[::2], players[1::2], strict=True))
    odd_pairs, even_pairs = pairs[::2], [*pairs[1::2]]
    table_count = len(odd_pairs)
    schedule = []
    for round_index in range(round_count):
        tables: list[Seats] = []
        resting_players: tuple[PlayerId, ...] = ()
        for table_index in range(table_count):
            moving_pair = odd_pairs[(table_index - round_index) % table_count]
            if table_index < len(even_pairs):
                tables.append(
                    (
                        moving_pair[0],
                        even_pairs[table_index][0],
                        moving_pair[1],
                        even_pairs[table_index][1],
                    )
                )
            else:
                resting_players = moving_pair
        schedule.append(SeatedRound(tuple(tables), resting_players))
    return schedule


def build_fort_rounds(participants: Participants, round_count: int) -> list[SeatedRound]:
    """Seat each fort's away pair at another fort, and its home pair at the fort's own table.

    A fort is four players with consecutive numbers: the home pair, then the away pair. In a
    round with step d, the away pair of fort f visits fort f + d. Steps whose reverse was used
    before come last, because the same forts then meet again.
    """
    players = [*participants.players, *participants.playing_house_players]
    forts = [players[start : start + 4] for start in range(0, len(players), 4)]
    fort_count = len(forts)
    steps = [*range(1, (fort_count + 1) // 2), *range((fort_count + 1) // 2, fort_count)] or [0]
    schedule = []
    for round_index in range(round_count):
        step = steps[round_index % len(steps)]
        tables: list[Seats] = []
        for table_index, fort in enumerate(forts):
            visiting_fort = forts[(table_index - step) % fort_count]
            tables.append((fort[0], visiting_fort[2], fort[1], visiting_fort[3]))
        schedule.append(SeatedRound(tuple(tables)))
    return schedule
