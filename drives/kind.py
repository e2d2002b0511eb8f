"""The drive's record of an activity kind, used by the pages that all kinds share."""

from collections.abc import Collection, Iterable, Sequence

from django.utils.translation import gettext_lazy

from clubs.activities.kinds import ActivityKind
from clubs.activities.services import revoke_table_links
from clubs.audit import Actor
from drives.held import read_drive
from drives.models import Drive
from drives.services.tables import make_table_links
from drives.services.undoing import inverses
from drives.sheets.act_words import history_words
from drives.visits import DriveVisit


def _tables(drive: Drive, linked: Collection[int]) -> Iterable[int]:
    return range(1, max([read_drive(drive).table_count, *linked]) + 1)


def _make_links(drive: Drive, by: Actor) -> None:
    make_table_links(drive=drive, by=by)


def _revoke_links(drive: Drive, links: Sequence[int], by: Actor) -> None:
    revoke_table_links(activity=drive, links=links, by=by)


DRIVES = ActivityKind(
    visit=DriveVisit,
    urls="drive",
    templates="drives",
    words=history_words,
    inverses=inverses,
    tables=_tables,
    make_links=_make_links,
    revoke_links=_revoke_links,
    links_made=gettext_lazy("Every table has a code. Print the table cards."),
)
