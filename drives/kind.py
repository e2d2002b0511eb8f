"""Registers drives as a kind of activity, for the pages that all kinds share."""

from collections.abc import Collection, Iterable, Sequence

from django.utils.translation import gettext_lazy

from clubs.activities.kinds import ActivityKind
from clubs.activities.services import revoke_table_links
from clubs.audit import Actor
from drives.drive_access import DriveAccess
from drives.models import Drive
from drives.services.tables import create_table_links
from drives.services.undo import get_inverses
from drives.sheets.act_words import build_history_formatter
from drives.snapshot import load_drive_snapshot


def _list_table_numbers(drive: Drive, linked_table_numbers: Collection[int]) -> Iterable[int]:
    return range(1, max([load_drive_snapshot(drive).table_count, *linked_table_numbers]) + 1)


def _create_links(drive: Drive, by: Actor) -> None:
    create_table_links(drive=drive, by=by)


def _revoke_links(drive: Drive, link_pks: Sequence[int], by: Actor) -> None:
    revoke_table_links(activity=drive, links=link_pks, by=by)


DRIVE_KIND = ActivityKind(
    access_class=DriveAccess,
    url_prefix="drive",
    template_folder="drives",
    get_history_formatter=build_history_formatter,
    get_inverses=get_inverses,
    list_table_numbers=_list_table_numbers,
    create_links=_create_links,
    revoke_links=_revoke_links,
    links_created_message=gettext_lazy("Every table has a QR code. Print the table cards."),
    score_actions=("drive.sheet", "drive.sheet_agreed", "drive.total"),
)
