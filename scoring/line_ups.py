"""The members of a team who sit on each side of a table in each round."""

from collections.abc import Iterable, Mapping

from tournaments.models import Event, Place, Section, Session, Sitting
from tournaments.movements.systems.league import (
    LEAGUE_FOURS_SYSTEM,
    count_league_sets,
    find_line_up,
)

LineUps = tuple[str | None, str | None]
"""The letters of the team members who sit N-S and E-W at a table.

"" if the place determines the players, None if the event has no teams.
"""


def find_line_ups(
    session: Session,
    sections: Iterable[Section],
    sittings: Iterable[Sitting],
    places_by_id: Mapping[int, Place],
) -> dict[tuple[int, int, int], LineUps]:
    """Return the `LineUps` of each table, by (section id, round, table); {} without teams.

    In a match of two teams, the players of a team change partners with each set of boards. A
    place therefore does not determine who sits there.
    """
    if session.event.contest != Event.Contest.TEAMS:
        return {}
    match_set_count_by_section = {
        section.pk: count_league_sets(section.rounds)
        for section in sections
        if section.movement == LEAGUE_FOURS_SYSTEM.name
    }
    line_ups_by_table: dict[tuple[int, int, int], LineUps] = {}
    for sitting in sittings:
        table_line_ups: LineUps = ("", "")
        if set_count := match_set_count_by_section.get(sitting.section_id):
            place_labels = (
                places_by_id[sitting.north_id].label,
                places_by_id[sitting.east_id].label,
            )
            line_up_arguments = sitting.round, sitting.board_group, set_count
            table_line_ups = (
                find_line_up(place_labels[0], *line_up_arguments),
                find_line_up(place_labels[1], *line_up_arguments),
            )
        line_ups_by_table[sitting.section_id, sitting.round, sitting.table] = table_line_ups
    return line_ups_by_table
