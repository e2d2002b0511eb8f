"""The demo club, with evenings for practice."""

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs.archives.deletion import delete_club
from clubs.archives.spec import ArchiveSpec, list_archived_models
from clubs.models import Club
from server.backups import create

DEMO_CLUB_NAME = "Riverside Whist Club"
"""The name under which the command `demo` creates its club."""


class OnlyTheDemo(WhistError):
    """The demo is the last club; another one has to be created before it is removed."""

    def __init__(self) -> None:
        super().__init__(_("Start your own club first."))


def is_demo(club: Club | None) -> bool:
    """Return whether this is the demo club."""
    return club is not None and club.is_demo


def remove_demo(club: Club, schema: ArchiveSpec) -> None:
    """Delete the demo club with everything in it, after a backup of the whole database.

    Raises OnlyTheDemo if there is no other club, and NoBackup if the backup fails.
    """
    if not Club.objects.exclude(pk=club.pk).exists():
        raise OnlyTheDemo
    create.create_backup_and_clean_up(
        create.BackupRequest(kind="asked", folder=settings.BACKUP_DIR)
    )
    with transaction.atomic():
        delete_club(
            Club.objects.get(pk=club.pk, is_demo=True), schema, list_archived_models(schema)
        )
