"""A club that has moved to another machine: it stays here as a read-only copy."""

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.archives.errors import NotCarried
from clubs.archives.known import ArchiveSchema, tables
from clubs.archives.references import address_of, subjects
from clubs.archives.replacing import refuse_busy
from clubs.audit import Actor
from clubs.models import Club
from server.public_versions import bump_version


@transaction.atomic
def move_away(*, club: Club, to: str, known: ArchiveSchema, by: Actor) -> Club:
    """Make a club read-only here; its pages link to the new site.

    Raises NotCarried while something is in play, and for an invalid site address.
    """
    to = to.strip()
    try:
        URLValidator(schemes=["http", "https"])(to)
    except ValidationError as error:
        words = _(
            "“%(to)s” is not the address of a site. Write it whole: https://whist.example.org."
        )
        raise NotCarried(words % {"to": to[:100]}) from error
    club = Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    if club.moved_to == to:
        return club
    refuse_busy(club, known)
    club.moved_to = ""
    audit.record(by, "club.moved", subject=club, where={"name": club.name}, after={"to": to})
    club.moved_to = to
    club.save(update_fields=["moved_to"])
    _draw_anew(club, known)
    return club


@transaction.atomic
def come_back(*, club: Club, known: ArchiveSchema, by: Actor) -> Club:
    """Make a club writable here again."""
    club = Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    if not club.moved_to:
        return club
    before, club.moved_to = club.moved_to, ""
    club.save(update_fields=["moved_to"])
    audit.record(
        by, "club.back", subject=club, where={"name": club.name}, before={"to": before}
    )
    _draw_anew(club, known)
    return club


def _draw_anew(club: Club, known: ArchiveSchema) -> None:
    """Invalidate all cached public pages of the club."""
    carried = tables(known)
    for word, model in subjects(carried).items():
        table = next(each for each in carried if each.model is model)
        for slug in table.rows(club, known).values_list(address_of(model), flat=True):
            bump_version(f"{word}:{slug}")
