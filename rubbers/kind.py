"""Registers rubber nights as a kind of activity, for the pages that all kinds share."""

from collections.abc import Collection, Iterable, Sequence

from django.http import Http404
from django.utils.translation import gettext_lazy

from clubs.activities.kinds import ActivityKind
from clubs.audit import Actor
from rubbers.models import RubberNight
from rubbers.rubber_access import RubberAccess
from rubbers.services import create_marker_links, revoke_marker_links
from rubbers.services.inverses import INVERSES
from rubbers.sheets.act_words import HISTORY_FORMATTER


def _list_table_numbers(
    night: RubberNight, _linked_table_numbers: Collection[int]
) -> Iterable[int]:
    if night.drive is not None:  # the pages of the drive list its tables
        raise Http404
    return night.tables.order_by("number").values_list("number", flat=True)


def _create_links(night: RubberNight, by: Actor) -> None:
    create_marker_links(night=night, by=by)


def _revoke_links(night: RubberNight, link_pks: Sequence[int], by: Actor) -> None:
    revoke_marker_links(night=night, links=link_pks, by=by)


RUBBER_NIGHT_KIND = ActivityKind(
    access_class=RubberAccess,
    url_prefix="rubber",
    template_folder="rubbers",
    get_history_formatter=lambda _night: HISTORY_FORMATTER,
    get_inverses=lambda: INVERSES,
    list_table_numbers=_list_table_numbers,
    create_links=_create_links,
    revoke_links=_revoke_links,
    links_created_message=gettext_lazy("Every table has a QR code."),
)
