"""Links for the phones of a session's tables."""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

import clubs.evenings.services
from boards.whist.seats import Side
from clubs.audit import Actor, Data, Guest
from clubs.errors import NotNow
from clubs.models import DirectorCall, TableLink
from tournaments.models import Section, Session, Sitting
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
    link = _links(token).first()
    if link is not None and is_open(link):
        link.note_visit()
    return link


def lock_link(token: str) -> TableLink | None:
    """Find the link of a secret, and lock its session until the end of the transaction.

    One query does both. What is read after it is true until the transaction ends.
    """
    rows = _links(token).select_related("evening__session__board_set")
    return rows.select_for_update(of=("evening__session",), no_key=True).first()


def _links(token: str) -> QuerySet[TableLink]:
    """The link of a secret, if it is of a session's table, with what its page shows first.

    `several_sections` says whether the session has others than the link's. `called_at` and
    `answered_at` are of the last call for the director from this table.
    """
    others = Section.objects.filter(session=OuterRef("evening__session"))
    last = DirectorCall.objects.filter(
        evening=OuterRef("evening"), section=OuterRef("section"), table=OuterRef("table")
    ).order_by("-at")
    rows = TableLink.with_token(token).filter(evening__session__isnull=False).order_by("pk")
    return rows.select_related(
        "evening__session__event__club", "evening__session__event__terms"
    ).annotate(
        several_sections=Exists(others.exclude(letter=OuterRef("section"))),
        called_at=Subquery(last.values("at")[:1]),
        answered_at=Subquery(last.values("answered_at")[:1]),
    )


def is_open(link: TableLink) -> bool:
    """Whether the table's page answers: neither taken back nor of a closed session."""
    closed = link.evening.session.state == Session.State.CLOSED
    return link.is_live(timezone.now()) and not closed


def guest_of(link: TableLink, side: str = "") -> Guest:
    """Return the name under which a table's acts are stored, with the side if one typed."""
    return guest_at(label_of(link), side)


def guest_at(table: str, side: str = "") -> Guest:
    """Return the same by the table as players know it."""
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
