"""The services for the phones of a session's tables: their links and their requests."""

from contextlib import suppress

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import QueryDict
from django.utils.translation import gettext as _

import clubs.evenings.services
from boards.whist.seats import Side
from clubs.audit import Actor, Data, Guest
from clubs.errors import EnteredMeanwhile, NotNow, RoundLeft
from clubs.evenings.services import call_director
from clubs.evenings.tables import Taken, guest_at
from clubs.models import DirectorCall, TableLink
from hall.phones.own_table import (
    OwnTable,
    check_seats,
    read_own_table,
    ticket_of,
)
from scoring.errors import NoSuchPlay
from scoring.models import ResultVersion
from scoring.services import NewScore, confirm_in_locked_session, record_in_locked_session
from scoring.session_snapshot import SeatedTable
from server.numbers import whole_number
from tournaments.models import Section, Session, Sitting
from tournaments.models.seating import has_several_sections
from tournaments.movements.formatting import format_table


@transaction.atomic
def make_links(
    *, session: Session, by: Actor, only: tuple[int, int] | None = None
) -> list[TableLink]:
    """Create the links that tables lack, or `only` that of one section and table.

    Raises NotNow without a movement, and once the session is closed.
    """
    session = (  # another screen may close it
        Session.objects.select_for_update(of=("self",))
        .select_related("evening", "event")
        .get(pk=session.pk)
    )
    if session.state == Session.State.CLOSED:
        raise NotNow(_("The session is closed, and its tables' pages with it."))
    wanted = Sitting.objects.filter(section__session=session)
    if only is not None:
        wanted = wanted.filter(section=only[0], table=only[1])
    tables = sorted(set(wanted.values_list("section__letter", "table")))
    if not tables:
        raise NotNow(_("Choose the movement first: it says which tables there are."))
    return clubs.evenings.services.make_links(
        evening=session.evening, tables=tables, about=session.event, by=by
    )


def revoke_link(*, link: TableLink, by: Actor) -> TableLink:
    """Revoke a table's link."""
    return clubs.evenings.services.revoke_link(
        link=link, where=_table(link), about=link.evening.session.event, by=by
    )


def links_of(token: str) -> QuerySet[TableLink]:
    """Return a queryset of the session's table link with a token, with the data of its page.

    One query can find the link and lock its session.
    """
    return _with_page(TableLink.with_token(token))


def _with_page(links: QuerySet[TableLink]) -> QuerySet[TableLink]:
    """Restrict links to sessions' tables, and add the first data of their pages.

    `several_sections` is whether the session has other sections than the link's. `called_at`
    and `answered_at` are of the last call for the director from this table.
    """
    others = Section.objects.filter(session=OuterRef("evening__session"))
    last = DirectorCall.objects.filter(
        evening=OuterRef("evening"), section=OuterRef("section"), table=OuterRef("table")
    ).order_by("-at")
    rows = links.filter(evening__session__isnull=False).order_by("pk")
    return rows.select_related(
        "evening__club",
        "evening__session__board_set",
        "evening__session__event__club",
        "evening__session__event__terms",
    ).annotate(
        several_sections=Exists(others.exclude(letter=OuterRef("section"))),
        called_at=Subquery(last.values("at")[:1]),
        answered_at=Subquery(last.values("answered_at")[:1]),
    )


def is_over(link: TableLink) -> bool:
    """Return whether the session of a table's link is closed."""
    state: str = link.evening.session.state
    return state == Session.State.CLOSED


def take(link: TableLink, sent: QueryDict) -> Taken:
    """Process a request of a table's phone: enter or confirm a result, or call the director.

    The caller must hold the lock on the session in its transaction. The returned state is the
    table after the change. Raises WhistError.

    Raises RoundLeft if the table has left the round. The response then never depends on stored
    results, because the players now at the table may still have its boards to play (rules D2).
    """
    if sent.get("act") == "call":
        call_director(link=link)
        return Taken(read_own_table(_with_page(TableLink.objects.filter(pk=link.pk)).get()))
    sitting, board = whole_number(sent.get("sitting", "")), whole_number(sent.get("board"))
    if sitting is None or board is None:
        raise _no_such_board()
    own = read_own_table(link, group=link.evening.session.group_of(board))
    table = own.round_of(sitting)
    if table is None:
        raise _no_such_board()
    check_seats(table, sent.get("seats", ""))
    try:
        if sent.get("act") == "confirm":
            return _confirm(own, table, board, sent)
        return _enter(own, table, board, sent)
    except EnteredMeanwhile as stale:
        if own.has_left(table):
            raise _round_left() from stale
        raise


def _no_such_board() -> NoSuchPlay:
    return NoSuchPlay(_("This table has no such board. Load the page again."))


def _round_left() -> RoundLeft:
    return RoundLeft(_("That round is over here. Tell the director if its result is another."))


def _confirm(own: OwnTable, table: SeatedTable, board: int, sent: QueryDict) -> Taken:
    """Record a confirmation; for a round that the table has left, do not reveal a match."""
    row, trump = own.room.rows[table.sitting], sent.get("trump")
    shown = NewScore(row, board, sent.get("seen", ""), trump=trump)
    ticket, mark = sent.get("ticket", ""), own.room.find_current_result(row, board).mark
    has_ticket = ticket and ticket == ticket_of(table.sitting, board, mark)
    if not has_ticket and own.has_left(table):
        with suppress(EnteredMeanwhile):
            confirm_in_locked_session(own.room, shown, by=own.guest())
        return Taken(own, _round_left())  # not raised, so that the confirmation is stored
    if confirm_in_locked_session(own.room, shown, by=own.guest()).changed:
        own.agreed = (table.sitting, board)
    return Taken(own)


def _enter(own: OwnTable, table: SeatedTable, board: int, sent: QueryDict) -> Taken:
    """Record a result; for a round that the table has left, only one that is still missing."""
    seen, key = sent.get("seen", ""), sent.get("key", "")[:40]
    if seen and own.has_left(table):
        raise _round_left()
    row = own.room.rows[table.sitting]
    entered = record_in_locked_session(  # only the director sees a doubt
        own.room,
        NewScore(row, board, _mark(sent), seen, _declared(sent)),
        versions=own.versions,
        by=own.guest(sent.get("side", "")),
        via=ResultVersion.Via.PHONE,
        key=key,
    )
    is_own = entered.changed or (
        key and any(each.key == key for each in own.versions_of(entered.result))
    )
    if not is_own and own.has_left(table):
        raise _round_left()
    return Taken(own)


def _mark(sent: QueryDict) -> str:
    """Return the submitted result; a table never clears a result.

    In an event scored in points, a page without JavaScript sends it in two fields.
    """
    value = sent.get("value", "").strip()
    if value == "points":
        value = "-".join(sent.get(side, "").strip() or "?" for side in ("ns", "ew"))
    return value or "?"


def _declared(sent: QueryDict) -> str | None:
    """Return the code of the declaration; a page without JavaScript sends it in two fields."""
    trump = sent.get("trump")
    return trump + sent.get("doubled", "") if trump else trump


def guest_of(link: TableLink, side: str = "") -> Guest:
    """Return the name under which a table's acts are stored, with the side if one typed."""
    return guest_at(label_of(link), side, sides=Side)


def label_of(link: TableLink) -> str:
    """Return the label of a link's table: "13", in one of several sections "A13"."""
    return format_table(link.table, _letter(link))


def _table(link: TableLink) -> Data:
    """Return the table of a link, with its section if there are several."""
    letter = _letter(link)
    return {**({"section": letter} if letter else {}), "table": link.table}


def _letter(link: TableLink) -> str:
    return link.section if has_several_sections(link.evening.session.pk) else ""
