"""The members of a team that sit on each side in each round."""

from collections.abc import Iterable, Mapping

from tournaments.models import Event, Place, Section, Session, Sitting
from tournaments.movements.systems.league import LEAGUE_FOURS, count_sets, find_line_up

LineUps = tuple[str | None, str | None]
"""The members of a team that sit N-S and E-W, as letters.

"" if the place determines the members, None without teams.
"""


def find_line_ups(
    session: Session,
    sections: Iterable[Section],
    rows: Iterable[Sitting],
    places: Mapping[int, Place],
) -> dict[tuple[int, int, int], LineUps]:
    """Return the members of teams at each table, by section, round and table.

    In a match of two teams the four change partners with each set. Two of them have each place,
    also when the tables are exchanged.
    """
    if session.event.contest != Event.Contest.TEAMS:
        return {}
    fours = {
        section.pk: count_sets(section.rounds)
        for section in sections
        if section.movement == LEAGUE_FOURS.name
    }
    line_ups: dict[tuple[int, int, int], LineUps] = {}
    for row in rows:
        pairs: LineUps = ("", "")
        if set_count := fours.get(row.section_id):
            labels = (places[row.north_id].label, places[row.east_id].label)
            key = row.round, row.board_group, set_count
            pairs = (find_line_up(labels[0], *key), find_line_up(labels[1], *key))
        line_ups[row.section_id, row.round, row.table] = pairs
    return line_ups
