"""One phone's table as the program reads it: its seats, its results and what was entered."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from clubs.audit import Guest
from clubs.models import DirectorCall, TableLink
from hall.phones.services import guest_at
from hall.phones.table_moves import Seating
from scoring.models import Result, ResultVersion
from scoring.sittings import SeatedSession, SeatedTable, read_sittings


@dataclass(slots=True)
class OwnTable:
    """A phone's table: the rows that answers to it are made from, read once.

    `room` also has the tables that play a board group, if one is entered.
    """

    link: TableLink
    room: SeatedSession
    group: int | None = None
    versions: list[ResultVersion] = field(default_factory=list)  # of the table's own results

    @property
    def seats(self) -> SeatedSession:
        """The session as this table may know it: with its own rounds only."""
        return self.room.at_table(self.link.section, self.link.table)

    @property
    def label(self) -> str:
        """The table as players know it: "13", in one of several sections "A13"."""
        return self.room.called(self.link.section, self.link.table)

    def guest(self, side: str = "") -> Guest:
        """Return the name under which the table's acts are stored."""
        return guest_at(self.label, side)

    def round_of(self, sitting: int) -> SeatedTable | None:
        """Find the table's round by the key of its sitting."""
        return next((each for each in self.seats.tables if each.sitting == sitting), None)

    def versions_of(self, result: Result) -> list[ResultVersion]:
        """Return what was entered for one of its results."""
        return [each for each in self.versions if each.result_id == result.pk]

    def seating(self) -> Seating:
        """Return who sits where in the table's section, and the places that nobody has."""
        section = self.link.section
        own = [row for row in self.room.rows.values() if row.section.letter == section]
        return Seating.of(own, self.room.places)


def last_call(link: TableLink) -> DirectorCall | None:
    """Return when a table last called the director, and when it was answered."""
    if hasattr(link, "called_at"):
        at, answered_at = link.called_at, getattr(link, "answered_at", None)
        return DirectorCall(at=at, answered_at=answered_at) if at else None
    of_table = {"evening": link.evening_id, "section": link.section, "table": link.table}
    return DirectorCall.objects.filter(**of_table).order_by("-at").first()


def read_own_table(link: TableLink, *, group: int | None = None) -> OwnTable:
    """Read the table of a link, and with `group` the tables that play those boards.

    It takes four queries if the link came from `hall.phones.services`, one more if not.
    """
    room = read_sittings(
        link.evening.session,
        only=(link.section, link.table),
        group=group,
        neighbours=True,
        several_sections=getattr(link, "several_sections", None),
    )
    return OwnTable(link, room, group, _versions(room, link))


def _versions(room: SeatedSession, link: TableLink) -> list[ResultVersion]:
    sittings = {each.sitting for each in room.at_table(link.section, link.table).tables}
    own: Sequence[int] = [each.pk for each in room.made if each.sitting_id in sittings]
    return list(ResultVersion.objects.filter(result__in=own).order_by("result", "number"))
