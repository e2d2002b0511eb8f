"""Services that create and revoke the secret links of score cards."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from clubs import audit
from clubs.activities.services import lock_activity
from clubs.audit import Actor, Undo
from drives.models import CardLink, Drive


def find_card_link(token: str) -> CardLink | None:
    """Return the link with this token if it is not revoked, or None."""
    link = CardLink.find_by_token(token, "holder__drive__club", "holder__drive__evening")
    return link if link and link.is_live(timezone.now()) else None


@transaction.atomic
def create_card_links(*, drive: Drive, by: Actor) -> int:
    """Create a link for every ranked player's card that has none; return how many were created.

    A link is replaced if its URL can no longer be computed, because the server's key changed.
    """
    locked_drive = lock_activity(drive)
    current_links = list(
        CardLink.objects.filter(holder__drive=locked_drive, revoked_at__isnull=True)
    )
    linked_player_ids = {link.holder_id for link in current_links if link.path}
    for link in current_links:
        if not link.path:
            link.revoke()
    players_without_link = [
        player
        for player in locked_drive.players.filter(house=False)
        if player.pk not in linked_player_ids
    ]
    new_links = [CardLink.create_link(holder=player) for player in players_without_link]
    if new_links:
        audit.record(
            by,
            "drive.links_made",
            subject=locked_drive,
            after={"count": len(new_links)},
            undo=Undo(
                _list_undo_subjects(new_links),
                "drive.revoke_links",
                {"links": [link.pk for link in new_links]},
            ),
        )
    return len(new_links)


@transaction.atomic
def revoke_card_links(*, drive: Drive, links: Sequence[int] = (), by: Actor) -> int:
    """Revoke the links with the given primary keys, or all; return how many were revoked."""
    locked_drive = lock_activity(drive)
    open_links = CardLink.objects.filter(holder__drive=locked_drive, revoked_at__isnull=True)
    links_to_revoke = list(open_links.filter(pk__in=links) if links else open_links)
    for link in links_to_revoke:
        link.revoke()
    if links_to_revoke:
        audit.record(
            by,
            "drive.links_revoked",
            subject=locked_drive,
            before={"count": len(links_to_revoke)},
            undo=Undo(_list_undo_subjects(links_to_revoke)),
        )
    return len(links_to_revoke)


def _list_undo_subjects(links: Sequence[CardLink]) -> tuple[str, ...]:
    return tuple(f"card link {link.pk}" for link in links)
