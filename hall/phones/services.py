"""Links for the tables' phones, and calls for the director."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back, Data, Guest
from clubs.links import hash_of, new_salt, path_of, token_for
from scoring.models import DirectorCall, TableLink
from tournaments.errors import NotNow
from tournaments.models import Session, Sitting

SEEN_AGAIN = 60  # seconds between two notes that a table's page was opened


@transaction.atomic
def make_links(
    *, session: Session, by: Actor, only: tuple[int, int] | None = None
) -> list[TableLink]:
    """Give every table its link, or `only` one, by section and table; what lives is kept.

    A link whose address can no longer be made is replaced. Raises NotNow without a movement.
    """
    session = Session.objects.select_for_update().get(pk=session.pk)  # a double click races
    if session.state == Session.State.CLOSED:
        raise NotNow(_("The session is closed, and its tables' pages with it."))
    wanted = Sitting.objects.filter(section__session=session)
    if only is not None:
        wanted = wanted.filter(section=only[0], table=only[1])
    tables = sorted(set(wanted.values_list("section", "table")))
    if not tables:
        raise NotNow(_("Choose the movement first: it says which tables there are."))
    live = {(each.section_id, each.table): each for each in _live(session)}
    dead = [place for place in tables if place not in live or not path_of(live[place])]
    made = []
    for place in dead:
        if place in live:
            _end(live[place])
        made.append(_new_link(session, *place))
    if made:
        back = Back(_about(made), "links.revoke", {"links": [link.pk for link in made]})
        _record(by, "links.made", session, after={"count": len(made)}, back=back)
    return list(_live(session))


@transaction.atomic
def revoke_link(*, link: TableLink, by: Actor) -> TableLink:
    """Take a table's link back: its address answers no more."""
    if link.revoked_at is None:
        _end(link)
        _record(by, "link.revoked", link.session, where=_table(link), back=Back(_about([link])))
    return link


def link_of(token: str) -> TableLink | None:
    """Find the link of a secret, and note now and then that it is in use."""
    rows = TableLink.objects.select_related("session__event__club", "section")
    link = rows.filter(token_hash=hash_of(token)).first()
    if link is not None and link.is_live:
        now = timezone.now()
        if link.seen_at is None or (now - link.seen_at).total_seconds() > SEEN_AGAIN:
            TableLink.objects.filter(pk=link.pk).update(seen_at=now)
    return link


@transaction.atomic
def call_director(*, link: TableLink) -> DirectorCall:
    """Ask the director to a table; asked twice, it is one call."""
    # Two phones of one table race here.
    Session.objects.select_for_update().get(pk=link.session_id)
    waiting = _open_calls(link).first()
    if waiting is not None:
        return waiting
    return DirectorCall.objects.create(
        session=link.session, section=link.section, table=link.table, at=timezone.now()
    )


@transaction.atomic
def answer_call(*, call: DirectorCall, by: Actor) -> DirectorCall:
    """Note that somebody goes to the table."""
    if call.answered_at is None:
        call.answered_at, call.answered_by = timezone.now(), audit.name_of(by)
        call.save(update_fields=["answered_at", "answered_by"])
    return call


def guest_of(link: TableLink) -> Guest:
    """Return the name under which a table's acts are remembered."""
    return Guest(Guest.Kind.TABLE, "".join(str(part) for part in _table(link).values()))


def _live(session: Session) -> list[TableLink]:
    rows = session.table_links.filter(revoked_at__isnull=True)
    return list(rows.select_related("section", "session"))


def _new_link(session: Session, section: int, table: int) -> TableLink:
    salt = new_salt()
    return TableLink.objects.create(
        session=session,
        section_id=section,
        table=table,
        salt=salt,
        token_hash=hash_of(token_for(salt)),
        created_at=timezone.now(),
    )


def _end(link: TableLink) -> None:
    link.revoked_at = timezone.now()
    link.save(update_fields=["revoked_at"])


def _open_calls(link: TableLink) -> QuerySet[DirectorCall]:
    return DirectorCall.objects.filter(
        section=link.section_id, table=link.table, answered_at__isnull=True
    )


def _table(link: TableLink) -> Data:
    """The table of a link, with its section where several play."""
    several = link.session.sections.count() > 1
    return {**({"section": link.section.letter} if several else {}), "table": link.table}


def _about(links: Sequence[TableLink]) -> tuple[str, ...]:
    return tuple(f"table link {link.pk}" for link in links)


def _record(
    by: Actor,
    action: str,
    session: Session,
    *,
    where: Data | None = None,
    after: Data | None = None,
    back: Back,
) -> None:
    audit.record(
        by,
        action,
        subject=session.event,
        where=where,
        after=after,
        back=back,
    )
