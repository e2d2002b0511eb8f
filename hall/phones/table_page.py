"""What one table's phone may know: its own rounds, seats and boards, and its own results.

Never a card and never what others made of a board (Law IV §1; rules D2): once a round is over
at the table its results are gone too, for the next pair may have those boards still to play.
"""

from dataclasses import dataclass

from clubs.models import DirectorCall, TableLink
from hall.phones.table_moves import Seating, after_round, seating
from scoring.models import Agreement
from scoring.sittings import SeatedSession, SeatedTable, read_sittings
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class TableBoard:
    """One board of a round: what was entered, and whether the other side has said yes."""

    board: int
    mark: str  # "8", "-" not played, "" still to come
    awaits: bool = False
    ruled: bool = False  # the director has ruled, so that no result is needed

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do at the table."""
        return self.ruled or (bool(self.mark) and not self.awaits)

    @property
    def ns(self) -> int | None:
        """The tricks of N-S."""
        return int(self.mark) if self.mark.isdigit() else None

    @property
    def ew(self) -> int | None:
        """The tricks of E-W."""
        return 13 - int(self.mark) if self.mark.isdigit() else None


@dataclass(frozen=True, slots=True)
class TableRound:
    """One round at the table."""

    round: int
    sitting: int
    is_played: bool
    ns_label: str
    ns_name: str
    ew_label: str
    ew_name: str
    boards: tuple[TableBoard, ...]
    moves: tuple[str, ...]  # where the people and the boards go after it

    @property
    def is_done(self) -> bool:
        """Whether the table may go on to the next round."""
        return all(board.is_done for board in self.boards)


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table's page: the round that is on, and those still to come."""

    table: int
    section: str  # the letter, empty where there is one section only
    last: int  # the session's last round
    rounds: tuple[TableRound, ...]  # the round that is on, then those to come
    state: str  # of the session
    called: str  # when the director was called, while nobody has come: ISO 8601
    coming: bool  # the director said a moment ago that he is on his way

    @property
    def is_over(self) -> bool:
        """Whether the table has played all its rounds."""
        return len(self.rounds) == 1 and self.rounds[0].is_done


def table_page(link: TableLink) -> TablePage:
    """Read the page of a link's table: from the round that is on to the last."""
    session = link.evening.session
    found = read_sittings(session, only=(link.section, link.table))
    on = _round_on(found)
    seats = seating(link, on)
    call = DirectorCall.objects.filter(
        evening=link.evening_id, section=link.section, table=link.table
    ).last()
    return TablePage(
        table=link.table,
        section=link.section if len(found.sections) > 1 else "",
        last=next((each.rounds for each in found.sections if each.letter == link.section), 0),
        rounds=tuple(_round(found, each, seats) for each in found.tables if each.round >= on),
        state=Session.State(session.state),
        called=call.at.isoformat() if call and call.answered_at is None else "",
        coming=call is not None and call.is_being_answered,
    )


def _round_on(found: SeatedSession) -> int:
    """The round that the table is playing: the last with a result, or the one after it."""
    begun = [
        each for each in found.tables if any(_board(found, each, b).mark for b in each.boards)
    ]
    if not begun:
        return next((each.round for each in found.tables if each.is_played), 1)
    last = begun[-1]
    if not all(_board(found, last, board).is_done for board in last.boards):
        return last.round
    later = [each.round for each in found.tables if each.round > last.round]
    return later[0] if later else last.round


def _board(found: SeatedSession, table: SeatedTable, board: int) -> TableBoard:
    result = found.to_enter(table, board)
    return TableBoard(
        board=board,
        mark=result.mark if result else "",
        awaits=result is not None and result.agreement == Agreement.AWAITED,
        ruled=(table.sitting, board) in found.settled,
    )


def _round(found: SeatedSession, table: SeatedTable, seats: Seating) -> TableRound:
    boards = table.boards if table.is_played else range(0)
    return TableRound(
        round=table.round,
        sitting=table.sitting,
        is_played=table.is_played,
        ns_label=table.ns.label,
        ns_name=table.ns.name,
        ew_label=table.ew.label,
        ew_name=table.ew.name,
        boards=tuple(_board(found, table, board) for board in boards),
        moves=tuple(after_round(found, table, seats)),
    )
