"""Clubs, and what a club settles for all that it holds."""

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back
from clubs.errors import HoursRefused
from clubs.models import Club, Membership
from clubs.slugs import free_slug
from server.models import User

MOST_HOURS = 24 * 60


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
        audit.record(by, "club.created", subject=club, where={"name": name})
    if owner is not None:
        Membership.objects.get_or_create(
            club=club, user=owner, defaults={"role": Membership.Role.OWNER}
        )
    return club


@transaction.atomic
def set_correction_hours(*, club: Club, hours: str, by: Actor) -> Club:
    """Set for how long after closing scores are put right, in all events of the club (J8).

    Raises HoursRefused for anything but 0 to 1440 hours.
    """
    typed = hours.strip()
    if not (
        typed.isascii() and typed.isdigit() and len(typed) < 6 and int(typed) <= MOST_HOURS
    ):
        raise HoursRefused(
            _("“%(hours)s” is not a number of hours. Write 0 to %(most)s.")
            % {"hours": typed[:20], "most": MOST_HOURS}
        )
    club = Club.objects.select_for_update().get(pk=club.pk)  # two screens race here
    before, club.correction_hours = club.correction_hours, int(typed)
    if before == club.correction_hours:
        return club
    club.save(update_fields=["correction_hours"])
    audit.record(
        by,
        "club.correction_hours",
        subject=club,
        where={"name": club.name},
        before={"hours": before},
        after={"hours": club.correction_hours},
        back=Back(("club hours",), "club.hours", {"hours": before}),
    )
    return club
