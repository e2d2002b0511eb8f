"""Services that create and revoke the links of tables."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from clubs import audit
from clubs.audit import Actor, AuditData, AuditSubject, Undo
from clubs.models import Evening, TableLink


@transaction.atomic
def create_evening_table_links(
    *,
    evening: Evening,
    sections_and_tables: Iterable[tuple[str, int]],
    subject: AuditSubject,
    by: Actor,
) -> list[TableLink]:
    """Create the missing links of the given tables, and return all valid links of the evening.

    Each table is given by its section and its number. A link whose token can no longer be
    derived from SECRET_KEY is replaced.
    """
    evenings = Evening.objects.select_for_update(of=("self",)).select_related("club")
    evening = evenings.get(pk=evening.pk)  # serialise double clicks
    links_by_table = {
        (table_link.section, table_link.table): table_link
        for table_link in _list_valid_links(evening)
    }
    missing_tables = [
        section_and_table
        for section_and_table in sections_and_tables
        if section_and_table not in links_by_table or not links_by_table[section_and_table].path
    ]
    new_links = []
    for section_letter, table_number in missing_tables:
        if (section_letter, table_number) in links_by_table:
            links_by_table[section_letter, table_number].revoke()
        new_links.append(
            TableLink.create_link(evening=evening, section=section_letter, table=table_number)
        )
    if new_links:
        audit.record(
            by,
            "links.made",
            subject=subject,
            after={"count": len(new_links)},
            undo=Undo(
                _format_link_subjects(new_links),
                "links.revoke",
                {"links": [link.pk for link in new_links]},
            ),
        )
    return _list_valid_links(evening)


@transaction.atomic
def revoke_evening_table_link(
    *, link: TableLink, act_location: AuditData, subject: AuditSubject, by: Actor
) -> TableLink:
    """Revoke the link of one table; `act_location` identifies the table in the audit log."""
    if link.revoked_at is None:
        link.revoke()
        audit.record(
            by,
            "link.revoked",
            subject=subject,
            where=act_location,
            undo=Undo(_format_link_subjects([link])),
        )
    return link


@transaction.atomic
def revoke_evening_table_links(
    *, evening: Evening, link_pks: Sequence[int] = (), subject: AuditSubject, by: Actor
) -> None:
    """Revoke the table links with these primary keys, or all table links of the evening."""
    valid_links = evening.table_links.filter(revoked_at__isnull=True)
    revoked_links = list(valid_links.filter(pk__in=link_pks) if link_pks else valid_links)
    for link in revoked_links:
        link.revoke()
    if revoked_links:
        audit.record(
            by,
            "links.revoked",
            subject=subject,
            where={"tables": [link.table for link in revoked_links]},
            undo=Undo(_format_link_subjects(revoked_links)),
        )


def _list_valid_links(evening: Evening) -> list[TableLink]:
    return list(evening.table_links.filter(revoked_at__isnull=True))


def _format_link_subjects(links: Sequence[TableLink]) -> tuple[str, ...]:
    return tuple(f"table link {link.pk}" for link in links)
