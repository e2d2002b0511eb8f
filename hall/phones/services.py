"""Links for the phones of a session's tables."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

import clubs.evenings.services
from boards.whist.seats import Side
from clubs.audit import Actor, Data, Guest
from clubs.errors import NotNow
from clubs.models import TableLink
from server.prepared import prepared
from tournaments.models import Session, Sitting
from tournaments.models.seating import has_several_sections
from tournaments.movements.words import table_label


@transaction.atomic
def make_links(
    *, session: Session, by: Actor, only: tuple[int, int] | None = None
) -> list[TableLink]:
    """Give every table its link, or `only` one, by section and table; what lives is kept.

    Raises NotNow without a movement, and once the session is closed.
    """
    session = (  # another screen closes it
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
    """Take a table's link back: its address answers no more."""
    return clubs.evenings.services.revoke_link(
        link=link, where=_table(link), about=link.evening.session.event, by=by
    )


def link_of(token: str) -> TableLink | None:
    """Find the link of a secret with its session, and note now and then that it is in use."""
    link = TableLink.find(
        token, "evening__session__event__club", "evening__session__event__terms"
    )
    if link is None or not hasattr(link.evening, "session"):
        return None
    if is_open(link):
        link.note_visit()
    return link


def is_open(link: TableLink) -> bool:
    """Whether the table's page answers: neither taken back nor of a closed session."""
    closed = link.evening.session.state == Session.State.CLOSED
    return link.is_live(timezone.now()) and not closed


def sitting_of(link: TableLink, key: int) -> Sitting | None:
    """Find a sitting of a link's own table by its key."""
    return _sittings_at.first(link.evening_id, link.section, link.table, key)


@prepared
def _sittings_at(evening: int, letter: str, table: int, key: int) -> QuerySet[Sitting]:
    of_table = Sitting.objects.filter(
        section__session__evening=evening, section__letter=letter, table=table
    )
    return of_table.filter(pk=key)


def guest_of(link: TableLink, side: str = "") -> Guest:
    """Return the name under which a table's acts are remembered, with the side if one typed."""
    table = label_of(link)
    return Guest(Guest.Kind.TABLE, f"{table}/{side}" if side in list(Side) else table)


def label_of(link: TableLink) -> str:
    """Write the table of a link as players know it: "13", in one of several sections "A13"."""
    return table_label(link.table, _letter(link))


def _table(link: TableLink) -> Data:
    """The table of a link, with its section where several play."""
    letter = _letter(link)
    return {**({"section": letter} if letter else {}), "table": link.table}


def _letter(link: TableLink) -> str:
    return link.section if has_several_sections(link.evening.session.pk) else ""
