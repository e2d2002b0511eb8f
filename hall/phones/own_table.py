"""The data of one table's phone: the table's seats, its results and their versions."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from boards.whist.seats import Side
from clubs.audit import GuestAuthor
from clubs.evenings.tables import build_table_author
from clubs.models import DirectorCall, TableLink
from scoring.models import Agreement, Result, ResultVersion
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from tournaments.errors import ActionUnavailable


@dataclass(slots=True)
class OwnTable:
    """The table of a phone, with all rows that responses to the phone need.

    For a request about a board, `snapshot` also contains the other tables that play the same
    board group (`board_group`). `confirmed_play` is the sitting and board of a result that the
    other side has just confirmed.
    """

    link: TableLink
    snapshot: SessionSnapshot
    board_group: int | None = None
    versions: list[ResultVersion] = field(default_factory=list)  # of the table's own results
    confirmed_play: tuple[int, int] | None = None

    @property
    def own_rounds_snapshot(self) -> SessionSnapshot:
        """The snapshot with only this table's rounds, which is all that its players may see."""
        return self.snapshot.restrict_to_table(self.link.section, self.link.table)

    @property
    def label(self) -> str:
        """The table's label: "13", or "A13" if there are several sections."""
        return self.snapshot.format_table_label(self.link.section, self.link.table)

    def build_guest(self, side_code: str = "") -> GuestAuthor:
        """Return the author under which the history stores actions of this table."""
        return build_table_author(self.label, side_code, sides=Side)

    def find_seated_table(self, sitting_pk: int) -> SeatedTable | None:
        """Return the table's round that has the given sitting key, or None."""
        return next(
            (
                table
                for table in self.own_rounds_snapshot.tables
                if table.sitting_id == sitting_pk
            ),
            None,
        )

    def has_left_round(self, table: SeatedTable) -> bool:
        """Return whether the table already plays a later round than that of `table`.

        The results of rounds that a table has left are hidden on its phone.
        """
        return table.round < find_current_round(self.own_rounds_snapshot)

    def list_versions(self, result: Result) -> list[ResultVersion]:
        """Return the stored versions of one of this table's results."""
        return [version for version in self.versions if version.result_id == result.pk]


def find_last_call(link: TableLink) -> DirectorCall | None:
    """Return the last call for the director from a link's table, or None."""
    if hasattr(link, "called_at"):
        called_at, answered_at = link.called_at, getattr(link, "answered_at", None)
        return DirectorCall(at=called_at, answered_at=answered_at) if called_at else None
    table_filter = {"evening": link.evening_id, "section": link.section, "table": link.table}
    return DirectorCall.objects.filter(**table_filter).order_by("-at").first()


def load_own_table(link: TableLink, *, board_group: int | None = None) -> OwnTable:
    """Load the table of a link; with `board_group`, also load the tables that play that group.

    Executes four queries if the link was loaded by `hall.phones.services`, otherwise five.
    """
    snapshot = load_session_snapshot(
        link.evening.session,
        table_key=(link.section, link.table),
        board_group=board_group,
        should_load_whole_section=True,
        has_several_sections=getattr(link, "several_sections", None),
    )
    return OwnTable(link, snapshot, board_group, _load_versions(snapshot, link))


def _load_versions(snapshot: SessionSnapshot, link: TableLink) -> list[ResultVersion]:
    sitting_pks = {
        table.sitting_id
        for table in snapshot.restrict_to_table(link.section, link.table).tables
    }
    own_result_pks: Sequence[int] = [
        result.pk for result in snapshot.all_results if result.sitting_id in sitting_pks
    ]
    return list(
        ResultVersion.objects.filter(result__in=own_result_pks).order_by("result", "number")
    )


def find_current_round(snapshot: SessionSnapshot) -> int:
    """Return the number of a table's current round.

    This is the last round with a result, or the next round if all boards of that round are
    done.
    """
    begun_tables = [
        table for table in snapshot.tables if any(_list_entered_flags(snapshot, table))
    ]
    if not begun_tables:
        return next((table.round for table in snapshot.tables if table.is_played), 1)
    last_begun_table = begun_tables[-1]
    if not all(
        _is_board_done(snapshot, last_begun_table, board_number)
        for board_number in last_begun_table.boards
    ):
        return last_begun_table.round
    later_rounds = [
        table.round for table in snapshot.tables if table.round > last_begun_table.round
    ]
    return later_rounds[0] if later_rounds else last_begun_table.round


def _list_entered_flags(snapshot: SessionSnapshot, table: SeatedTable) -> list[bool]:
    results = [
        snapshot.find_result_to_replace(table, board_number) for board_number in table.boards
    ]
    return [result is not None and bool(result.mark) for result in results]


def _is_board_done(snapshot: SessionSnapshot, table: SeatedTable, board_number: int) -> bool:
    if (table.sitting_id, board_number) in snapshot.settled_plays:
        return True
    result = snapshot.find_result_to_replace(table, board_number)
    if result is None or not result.mark:
        return False
    return result.agreement != Agreement.AWAITED


def format_seated_entries(table: SeatedTable) -> str:
    """Return the numbers of the entries at a table, N-S first, as in "3|7"."""
    sides = (table.ns.entries, table.ew.entries)
    return "|".join("+".join(map(str, side_entries)) for side_entries in sides)


def check_seats(table: SeatedTable, seen_entries: str) -> None:
    """Raise ActionUnavailable if the table's entries have changed since the page was loaded.

    `seen_entries` is the output of `format_seated_entries` that the page included.
    """
    if seen_entries and seen_entries != format_seated_entries(table):
        raise ActionUnavailable(
            _("Different players are at this table now. Enter their score.")
        )


def compute_result_signature(sitting_pk: int, board_number: int, result_mark: str) -> str:
    """Return a keyed hash with which a phone proves that it has seen a result.

    The table's page contains the hash. It is empty without a result.
    """
    if not result_mark:
        return ""
    hash_input = f"{sitting_pk}/{board_number}/{result_mark}"
    return salted_hmac("hall.phones.ticket", hash_input, algorithm="sha256").hexdigest()[:16]
