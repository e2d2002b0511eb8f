"""What one table's phone may know: its own rounds, seats and boards, and its own results.

Never a card (Law IV §1; rules D2): once a round is over at the table its results are gone too,
for the next pair may have those boards still to play. What others made of a board is told by
`hall.phones.others` alone, in the answer to the entry that ended the round.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from boards.whist import Declared
from boards.whist.seats import Side
from clubs.evenings.tables import TableState, called_at, sayer_of
from clubs.models import TableLink
from hall.phones.others import others
from hall.phones.own_table import (
    OwnTable,
    last_call,
    read_own_table,
    round_on,
    seated_entries,
    ticket_of,
)
from hall.phones.table_moves import SectionSittings, after_round, shares
from scoring.models import Agreement, Outcome, ResultVersion
from scoring.secrecy import each_board_is_told
from scoring.sittings import SeatedSession, SeatedTable
from tournaments.models import Session

SAID_MOST = 4
"""How many of a board's values are told: a slip, its correction, and what led to both."""


def made_of(mark: str) -> tuple[int | None, int | None]:
    """Read a mark: the tricks of both sides of "8", or the points of "120-40"."""
    ns, parted, ew = mark.partition("-")
    if not ns.isdigit():
        return None, None
    return int(ns), int(ew) if parted else 13 - int(ns)


class Value:
    """A value of a board: its mark, and the code of what was declared."""

    __slots__ = ()
    mark: str
    trump: str

    @property
    def ns(self) -> int | None:
        """The tricks of N-S, or the points it won."""
        return made_of(self.mark)[0]

    @property
    def ew(self) -> int | None:
        """The same of E-W."""
        return made_of(self.mark)[1]

    @property
    def trump_word(self) -> str:
        """The declaration in words."""
        return Declared.parse(self.trump).word if self.trump else ""


@dataclass(frozen=True, slots=True)
class Said(Value):
    """What somebody entered for a board: the tricks of N-S, and who says so."""

    by: str  # "NS", "EW", "table" (one of the two), "desk" (a director or scorer)
    mark: str
    trump: str = ""  # the code of what was declared, where the event notes it: "H"

    @property
    def word(self) -> str:
        """Who says so, in words."""
        if self.by in list(Side):
            return Side(self.by).word
        return _("this table") if self.by == "table" else _("the director")


@dataclass(frozen=True, slots=True)
class TableBoard(Value):
    """One board of a round: what was entered, and whether the other side has said yes."""

    board: int
    mark: str  # "8", "-" not played, "" still to come
    awaits: bool = False
    ruled: bool = False  # the director has ruled, so that no result is needed
    said: tuple[Said, ...] = ()  # all that was entered, the last last
    trump: str = ""  # the code of what the table declared, if the event notes it (Law IV §11)
    stamp: str = ""  # tells a phone that knows the result whether it is still the same
    ticket: str = ""  # shows that a phone was told the result while its round was on

    @property
    def asks(self) -> str:
        """The side that is asked to say yes: the other than that which entered it."""
        return "NS" if self.said and self.said[-1].by == "EW" else "EW"

    @property
    def asks_word(self) -> str:
        """That side in words."""
        return Side(self.asks).word

    @property
    def typed_word(self) -> str:
        """Who typed what stands, in words."""
        return self.said[-1].word if self.said else ""

    @property
    def last_said(self) -> list[Said]:
        """What each of them typed last, the latest last."""
        last = {each.by: each for each in self.said}
        return sorted(last.values(), key=self.said.index)

    @property
    def is_disputed(self) -> bool:
        """Whether two of them typed different values."""
        return len({(each.mark, each.trump) for each in self.last_said}) > 1

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do at the table."""
        return self.ruled or (bool(self.mark) and not self.awaits)


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
    seats: str  # who sits here, so that nothing is entered for others
    shares: str = ""  # with which tables it shares the boards, in words

    @property
    def is_done(self) -> bool:
        """Whether the table may go on to the next round."""
        return all(board.is_done for board in self.boards)


@dataclass(frozen=True, kw_only=True, slots=True)
class TablePage(TableState):
    """A table's page: the round that is on, and those still to come."""

    last: int  # the session's last round
    rounds: tuple[TableRound, ...]  # the round that is on, then those to come
    past: TableRound | None  # the round before it, without its results
    tells_each: bool  # what others made of a board, as soon as it is done
    undrawn: str = ""  # which rounds are still to be drawn, in words

    @property
    def is_over(self) -> bool:
        """Whether the table has played all its rounds, and none is still to be drawn."""
        is_last = len(self.rounds) == 1 and not self.undrawn
        return is_last and self.rounds[0].is_done

    @property
    def just_left(self) -> TableRound | None:
        """The round before, while nothing is in of the one that is on: people still move."""
        has_begun = any(board.mark or board.ruled for board in self.rounds[0].boards)
        return None if has_begun else self.past


def table_page(link: TableLink) -> TablePage:
    """Read the page of a link's table: from the round that is on to the last."""
    return page_of(read_own_table(link))


def page_data(link: TableLink, own: OwnTable | None) -> Mapping[str, object]:
    """Return the page of a table, from what was read if it was; after a yes with `others`.

    Those are what other tables made, for those who sit at this one and have just agreed. A
    table that agrees again is told nothing: others may sit there by then.
    """
    own = own or read_own_table(link)
    page = page_of(own)
    if own.agreed is None:
        return {"page": page}
    sitting, board = own.agreed
    is_over = page.is_over and page.rounds[0].sitting == sitting
    is_left = page.past is not None and page.past.sitting == sitting
    if not (page.tells_each or is_over or is_left):
        return {"page": page}
    found = others(own, sitting, only=board if page.tells_each else None)
    return {"page": page} | ({"others": found} if found else {})


def page_of(own: OwnTable) -> TablePage:
    """Write the page of a table that was read."""
    link, found = own.link, own.seats
    on = round_on(found)
    past = _before(found, on)
    going = SectionSittings.of(own.room, link.section)
    said = _said(own.versions)
    call = last_call(link)
    return TablePage(
        table=own.label,
        last=found.last_planned(link.section),
        rounds=tuple(
            _round(found, each, going, said) for each in found.tables if each.round >= on
        ),
        past=_over(_round(found, past, going, {})) if past else None,
        state=Session.State(found.session.state),
        called=called_at(call),
        coming=call is not None and call.is_being_answered,
        tells_each=each_board_is_told(found.session),
        undrawn=found.undrawn(link.section),
    )


def _before(found: SeatedSession, on: int) -> SeatedTable | None:
    """The round that the table has left: its moves still tell where everybody goes."""
    return next((each for each in reversed(found.tables) if each.round < on), None)


def _over(left: TableRound) -> TableRound:
    """A round without its results: the next pair may have those boards still to play."""
    boards = tuple(
        replace(each, mark="", awaits=False, said=(), trump="", ticket="")
        for each in left.boards
    )
    return replace(left, boards=boards)


Entries = Mapping[int, tuple[Said, ...]]
"""By result, what was entered for it since it was last cleared."""


def _said(versions: Iterable[ResultVersion]) -> Entries:
    found: dict[int, tuple[Said, ...]] = {}
    for each in versions:
        value = Said(sayer_of(each.by), each.mark, each.trump)
        kept = (
            () if each.outcome == Outcome.CLEARED else (*found.get(each.result_id, ()), value)
        )
        found[each.result_id] = kept[-SAID_MOST:]
    return found


def _board(
    found: SeatedSession, table: SeatedTable, board: int, said: Entries | None = None
) -> TableBoard:
    result = found.to_enter(table, board)
    stands = result.mark if result else ""
    ruled = (table.sitting, board) in found.settled
    return TableBoard(
        board=board,
        mark=stands,
        awaits=result is not None and result.agreement == Agreement.AWAITED,
        ruled=ruled,
        trump=result.trump if result else "",
        said=said.get(result.pk, ()) if said and result else (),
        stamp=_stamp(table.sitting, board, "ruled" if ruled else stands),
        ticket=ticket_of(table.sitting, board, stands),
    )


def _stamp(sitting: int, board: int, stands: str) -> str:
    """What nobody can turn back into a result, nor guess without the program's key."""
    text = f"{sitting}/{board}/{stands}"
    return salted_hmac("hall.phones.stamp", text, algorithm="sha256").hexdigest()[:16]


def _round(
    found: SeatedSession, table: SeatedTable, going: SectionSittings, said: Entries
) -> TableRound:
    boards = table.boards if table.is_played else range(0)
    return TableRound(
        round=table.round,
        sitting=table.sitting,
        is_played=table.is_played,
        ns_label=table.ns.short,
        ns_name=table.ns.name,
        ew_label=table.ew.short,
        ew_name=table.ew.name,
        boards=tuple(_board(found, table, board, said) for board in boards),
        moves=tuple(after_round(found, table, going)),
        seats=seated_entries(table),
        shares=shares(found, table, going),
    )
