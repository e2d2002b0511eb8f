"""Clubs."""

from django.db import transaction
from django.utils.text import slugify

from clubs import audit
from clubs.audit import Actor
from clubs.models import Club, Membership
from clubs.slugs import free_slug
from server.models import User


@transaction.atomic
def create_club(
    *, name: str, timezone: str = "Europe/London", owner: User | None, by: Actor
) -> Club:
    """Make a club, with its owner; a club of that name is returned as it is."""
    club, made = Club.objects.get_or_create(
        name=name,
        defaults={"slug": free_slug(slugify(name)[:45] or "club", Club), "timezone": timezone},
    )
    if made:
        audit.record(by, "club.created", club=club, subject=name)
    if owner is not None:
        Membership.objects.get_or_create(
            club=club, user=owner, defaults={"role": Membership.Role.OWNER}
        )
    return club
