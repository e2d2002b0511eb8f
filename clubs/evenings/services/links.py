"""Services that create and revoke the links of tables."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from clubs import audit
from clubs.audit import Actor, Data, Subject, Undo
from clubs.models import Evening, TableLink


@transaction.atomic
def create_links(
    *, evening: Evening, tables: Iterable[tuple[str, int]], about: Subject, by: Actor
) -> list[TableLink]:
    """Create the missing links of the given tables, and return all valid links of the evening.

    `tables` contains pairs of section and table number. A link whose token can no longer be
    derived from SECRET_KEY is replaced.
    """
    rows = Evening.objects.select_for_update(of=("self",)).select_related("club")
    evening = rows.get(pk=evening.pk)  # serialise double clicks
    links_by_table = {
        (table_link.section, table_link.table): table_link
        for table_link in _list_valid_links(evening)
    }
    lost_places = [
        place
        for place in tables
        if place not in links_by_table or not links_by_table[place].path
    ]
    new_links = []
    for section, table in lost_places:
        if (section, table) in links_by_table:
            links_by_table[section, table].revoke()
        new_links.append(TableLink.create_link(evening=evening, section=section, table=table))
    if new_links:
        audit.record(
            by,
            "links.made",
            subject=about,
            after={"count": len(new_links)},
            back=Undo(
                _build_subjects(new_links),
                "links.revoke",
                {"links": [link.pk for link in new_links]},
            ),
        )
    return _list_valid_links(evening)


@transaction.atomic
def revoke_link(*, link: TableLink, where: Data, about: Subject, by: Actor) -> TableLink:
    """Revoke the link of one table; `where` identifies the table in the audit log."""
    if link.revoked_at is None:
        link.revoke()
        audit.record(
            by,
            "link.revoked",
            subject=about,
            where=where,
            back=Undo(_build_subjects([link])),
        )
    return link


@transaction.atomic
def revoke_links(
    *, evening: Evening, links: Sequence[int] = (), subject: Subject, by: Actor
) -> None:
    """Revoke the table links with these primary keys, or all table links of the evening."""
    valid_links = evening.table_links.filter(revoked_at__isnull=True)
    rows = list(valid_links.filter(pk__in=links) if links else valid_links)
    for link in rows:
        link.revoke()
    if rows:
        audit.record(
            by,
            "links.revoked",
            subject=subject,
            where={"tables": [link.table for link in rows]},
            back=Undo(_build_subjects(rows)),
        )


def _list_valid_links(evening: Evening) -> list[TableLink]:
    return list(evening.table_links.filter(revoked_at__isnull=True))


def _build_subjects(links: Sequence[TableLink]) -> tuple[str, ...]:
    return tuple(f"table link {link.pk}" for link in links)
