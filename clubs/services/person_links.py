"""Services that create and revoke the personal links of a club's people."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club, PersonLink, Player
from clubs.services.people import check_not_erased


@transaction.atomic
def create_person_links(
    *, club: Club, players: Iterable[Player], ends_at: datetime, by: Actor
) -> list[PersonLink]:
    """Return a personal link for each of these players; create missing links.

    An existing link is reused if it can still be printed. Older links of a player are not
    revoked.
    """
    Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    player_list = list(players)
    for player in player_list:
        check_not_erased(player)
    links_by_player = {link.player_id: link for link in list_valid_links(club) if link.path}
    new_links = []
    for player in player_list:
        if player.pk not in links_by_player:
            links_by_player[player.pk] = PersonLink.create_link(player=player, ends_at=ends_at)
            new_links.append(links_by_player[player.pk])
    if new_links:
        link_pks = [link.pk for link in new_links]
        act_location = {"name": new_links[0].player.name} if len(new_links) == 1 else {}
        undo = Undo(
            tuple(f"person link {link_pk}" for link_pk in link_pks), "person_links.revoke"
        )
        audit.record(
            by,
            "person_link.made",
            subject=club,
            where=act_location,
            after={"new": len(new_links)},
            undo=Undo(undo.subjects, undo.inverse_name, {"links": link_pks}),
        )
    return [links_by_player[player.pk] for player in player_list]


@transaction.atomic
def revoke_person_links(*, player: Player, by: Actor) -> int:
    """Revoke all valid personal links of a person, and return their number."""
    Club.objects.select_for_update().get(pk=player.club_id)
    valid_links = list(list_valid_links(player.club).filter(player=player))
    for link in valid_links:
        link.revoke()
    if valid_links:
        undo_subjects = tuple(f"person link {link.pk}" for link in valid_links)
        act_location = {"name": player.name}
        audit.record(
            by,
            "person_link.revoked",
            subject=player.club,
            where=act_location,
            undo=Undo(undo_subjects),
        )
    return len(valid_links)


def list_valid_links(club: Club) -> QuerySet[PersonLink]:
    """Return the valid personal links of a club, with their players."""
    expired_condition = Q(ends_at__isnull=False, ends_at__lte=timezone.now())
    links = PersonLink.objects.filter(player__club=club, revoked_at=None).exclude(
        expired_condition
    )
    return links.select_related("player__club")
