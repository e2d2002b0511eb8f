"""The demo club, whose events are for practice."""

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs.archives.deletion import delete_club
from clubs.archives.spec import ArchiveSpec, list_archived_models
from clubs.models import Club
from server.backups import create

DEMO_CLUB_NAME = "Riverside Whist Club"
"""The name of the club that the command `demo` creates."""


class DemoClubIsOnlyClub(WhistError):
    """A refused removal of the demo club, because it is the only club."""

    def __init__(self) -> None:
        super().__init__(_("Start your own club first."))


def is_demo_club(club: Club | None) -> bool:
    """Return whether a club is the demo club."""
    return club is not None and club.is_demo


def remove_demo_club(club: Club, archive_spec: ArchiveSpec) -> None:
    """Back up the whole database, then delete the demo club with all its data.

    Raises DemoClubIsOnlyClub if there is no other club, and BackupFailed if the backup fails.
    """
    if not Club.objects.exclude(pk=club.pk).exists():
        raise DemoClubIsOnlyClub
    create.create_backup_and_clean_up(
        create.BackupRequest(kind="asked", folder=settings.BACKUP_DIR)
    )
    with transaction.atomic():
        delete_club(
            Club.objects.get(pk=club.pk, is_demo=True),
            archive_spec,
            list_archived_models(archive_spec),
        )
