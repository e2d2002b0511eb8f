"""The number of boards that a session needs, and how many of them are not yet recorded."""

from django.db.models import Max
from django.utils.translation import gettext as _

from tournaments.errors import ActionUnavailable
from tournaments.models import Section, Session, Sitting
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME, count_planned_board_sets


def count_boards(session: Session) -> int:
    """Count the boards that a session's movement needs.

    Raises ActionUnavailable if the session has no movement.
    """
    group_aggregates = Sitting.objects.filter(section__session=session).aggregate(
        last_group=Max("board_group")
    )
    if group_aggregates["last_group"] is None:
        raise ActionUnavailable(_("Choose the movement first. It sets the number of boards."))
    drawn_sections = session.sections.filter(movement=DRAWN_MOVEMENT_NAME).annotate(
        last_group=Max("sittings__board_group")
    )
    planned_group_count = max(
        (_count_planned_sets(section, section.last_group or 0) for section in drawn_sections),
        default=0,
    )
    return (
        max(int(group_aggregates["last_group"]), planned_group_count) * session.boards_a_round
    )


def _count_planned_sets(section: Section, used_set_count: int) -> int:
    """Return the number of board sets that a section with drawn rounds needs in all rounds."""
    last_round_sittings = Sitting.objects.filter(section=section, round=section.rounds)
    table_count = last_round_sittings.aggregate(last_table=Max("table"))["last_table"] or 0
    return count_planned_board_sets(
        section.options, section.rounds, used_set_count=used_set_count, table_count=table_count
    )


def count_missing_boards(session: Session) -> int:
    """Return how many boards must be added to a session's set for the movement.

    Without a board set or a movement, this is 0.
    """
    if session.board_set is None or not session.sections.exists():
        return 0
    return max(0, count_boards(session) - session.board_set.size)


def find_event_name_of_board_set(board_set_id: int) -> str:
    """Return the name of an event whose session plays a board set, or ""."""
    sessions = Session.objects.filter(board_set=board_set_id)
    return sessions.values_list("event__name", flat=True).first() or ""


def find_club_id_of_board_set(board_set_id: int) -> int | None:
    """Return the primary key of a club whose session plays a board set, or None."""
    sessions = Session.objects.filter(board_set=board_set_id)
    return sessions.values_list("event__club", flat=True).first()
