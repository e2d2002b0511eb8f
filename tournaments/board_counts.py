"""The number of boards that a session needs, and how many of them are not yet recorded."""

from django.db.models import Max
from django.utils.translation import gettext as _

from tournaments.errors import NotNow
from tournaments.models import Section, Session, Sitting
from tournaments.movements.drawn_rounds import DRAWN_KEY, count_planned_sets


def count_boards(session: Session) -> int:
    """Count the boards that the session's movement needs; raise NotNow without a movement."""
    groups = Sitting.objects.filter(section__session=session).aggregate(most=Max("board_group"))
    if groups["most"] is None:
        raise NotNow(_("Choose the movement first. It sets the number of boards."))
    drawn_sections = session.sections.filter(movement=DRAWN_KEY).annotate(
        booked=Max("sittings__board_group")
    )
    planned_groups = max(
        (_count_planned_sets(each, each.booked or 0) for each in drawn_sections), default=0
    )
    return max(int(groups["most"]), planned_groups) * session.boards_a_round


def _count_planned_sets(section: Section, booked: int) -> int:
    """Return the number of board sets of a section with drawn rounds, one or more a draw."""
    last = Sitting.objects.filter(section=section, round=section.rounds)
    tables = last.aggregate(most=Max("table"))["most"] or 0
    return count_planned_sets(section.options, section.rounds, booked=booked, tables=tables)


def count_missing_boards(session: Session) -> int:
    """Return how many more boards the movement needs than its set has; 0 without a set."""
    if session.board_set is None or not session.sections.exists():
        return 0
    return max(0, count_boards(session) - session.board_set.size)


def find_event_name_of_board_set(board_set_id: int) -> str:
    """Return the name of the event of a board set; "" if no session has it."""
    sessions = Session.objects.filter(board_set=board_set_id)
    return sessions.values_list("event__name", flat=True).first() or ""


def find_club_id_of_board_set(board_set_id: int) -> int | None:
    """Return the key of the club that plays a board set; None if no session has it."""
    sessions = Session.objects.filter(board_set=board_set_id)
    return sessions.values_list("event__club", flat=True).first()
