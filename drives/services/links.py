"""Services for the secret links of score cards, created and revoked together."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from clubs import audit
from clubs.activities.services import lock_activity
from clubs.audit import Actor, Undo
from drives.models import CardLink, Drive


def find_card_link(token: str) -> CardLink | None:
    """Find the link of a secret if it is not revoked."""
    link = CardLink.find(token, "holder__drive__club", "holder__drive__evening")
    return link if link and link.is_live(timezone.now()) else None


@transaction.atomic
def create_card_links(*, drive: Drive, by: Actor) -> int:
    """Create a link for every ranked player's card that has none. Return the new ones.

    A link that the program's key no longer reproduces is revoked and created again.
    """
    row = lock_activity(drive)
    links = list(CardLink.objects.filter(holder__drive=row, revoked_at__isnull=True))
    live = {link.holder_id for link in links if link.path}
    for link in links:
        if not link.path:
            link.revoke()
    holders_without_link = [
        holder for holder in row.players.filter(house=False) if holder.pk not in live
    ]
    new_links = [CardLink.create_link(holder=holder) for holder in holders_without_link]
    if new_links:
        audit.record(
            by,
            "drive.links_made",
            subject=row,
            after={"count": len(new_links)},
            back=Undo(
                _list_subjects(new_links),
                "drive.revoke_links",
                {"links": [m.pk for m in new_links]},
            ),
        )
    return len(new_links)


@transaction.atomic
def revoke_card_links(*, drive: Drive, links: Sequence[int] = (), by: Actor) -> int:
    """Revoke the links of all cards, or of those with the given keys."""
    row = lock_activity(drive)
    open_links = CardLink.objects.filter(holder__drive=row, revoked_at__isnull=True)
    rows = list(open_links.filter(pk__in=links) if links else open_links)
    for link in rows:
        link.revoke()
    if rows:
        audit.record(
            by,
            "drive.links_revoked",
            subject=row,
            before={"count": len(rows)},
            back=Undo(_list_subjects(rows)),
        )
    return len(rows)


def _list_subjects(links: Sequence[CardLink]) -> tuple[str, ...]:
    return tuple(f"card link {link.pk}" for link in links)
