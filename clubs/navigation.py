"""The navigation of the pages for club owners: members, look and archives."""

from django.utils.translation import gettext_lazy as _

from server.navigation import RoomNavigation, Tab

NAVIGATION = RoomNavigation(
    bars=(
        (
            "own_club",
            (
                Tab("members", _("Users and roles"), "you", "members", is_for_owners=True),
                Tab("look", _("Appearance"), "medal", "club_look"),
                Tab(
                    "club_archives",
                    _("Backup and move"),
                    "lock",
                    "club_archives",
                    frozenset({"backups"}),
                    is_for_owners=True,
                ),
            ),
        ),
    ),
)
