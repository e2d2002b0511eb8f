"""Services that mark a club as moved to another machine, which makes it read-only here."""

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.archives.deletion import check_no_running_events
from clubs.archives.errors import ArchiveRefused
from clubs.archives.references import get_audited_models, get_slug_field_name
from clubs.archives.spec import ArchiveSpec, list_archived_models
from clubs.audit import Actor
from clubs.models import Club
from server.public_versions import bump_version


@transaction.atomic
def mark_club_as_moved(*, club: Club, new_url: str, spec: ArchiveSpec, by: Actor) -> Club:
    """Make a club read-only here, and link its pages to the new site at `new_url`.

    Raises ArchiveRefused if an event of the club is in play, or for an invalid site address.
    """
    new_url = new_url.strip()
    try:
        URLValidator(schemes=["http", "https"])(new_url)
    except ValidationError as error:
        message = _(
            "“%(to)s” isn’t a web address. Enter it in full: https://whist.example.org."
        )
        raise ArchiveRefused(message % {"to": new_url[:100]}) from error
    club = Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    if club.moved_to == new_url:
        return club
    check_no_running_events(club, spec)
    club.moved_to = ""
    audit.record(
        by, "club.moved", subject=club, where={"name": club.name}, after={"to": new_url}
    )
    club.moved_to = new_url
    club.save(update_fields=["moved_to"])
    _invalidate_pages(club, spec)
    return club


@transaction.atomic
def unmark_club_as_moved(*, club: Club, spec: ArchiveSpec, by: Actor) -> Club:
    """Make a club that was marked as moved writable here again."""
    club = Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    if not club.moved_to:
        return club
    old_url, club.moved_to = club.moved_to, ""
    club.save(update_fields=["moved_to"])
    audit.record(
        by, "club.back", subject=club, where={"name": club.name}, before={"to": old_url}
    )
    _invalidate_pages(club, spec)
    return club


def _invalidate_pages(club: Club, spec: ArchiveSpec) -> None:
    """Invalidate all cached public pages of the club."""
    archived_models = list_archived_models(spec)
    for prefix, model in get_audited_models(archived_models).items():
        archived_subject_model = next(
            archived_model
            for archived_model in archived_models
            if archived_model.model is model
        )
        for slug in archived_subject_model.list_rows(club, spec).values_list(
            get_slug_field_name(model), flat=True
        ):
            bump_version(f"{prefix}:{slug}")
