"""Who of a team sits on which side in each round."""

from collections.abc import Iterable, Mapping

from tournaments.models import Event, Place, Section, Session, Sitting
from tournaments.movements.systems.league import LEAGUE_FOURS, line_up_at, sets_of

Pairs = tuple[str | None, str | None]
"""Who of a team sits N-S and who E-W: letters, "" as its place says; None for no team."""


def line_ups_of(
    session: Session,
    sections: Iterable[Section],
    rows: Iterable[Sitting],
    places: Mapping[int, Place],
) -> dict[tuple[int, int, int], Pairs]:
    """Who of its team sits where, by section, round and table, where teams play.

    In a match of two teams the four change partners with each set: two have each place, and
    keep it when the tables are changed.
    """
    if session.event.contest != Event.Contest.TEAMS:
        return {}
    fours = {it.pk: sets_of(it.rounds) for it in sections if it.movement == LEAGUE_FOURS.name}
    found: dict[tuple[int, int, int], Pairs] = {}
    for row in rows:
        pairs: Pairs = ("", "")
        if sets := fours.get(row.section_id):
            labels = (places[row.north_id].label, places[row.east_id].label)
            at = row.round, row.board_group, sets
            pairs = (line_up_at(labels[0], *at), line_up_at(labels[1], *at))
        found[row.section_id, row.round, row.table] = pairs
    return found
