"""The navigation of the club owners' pages: members, look and archives."""

from django.utils.translation import gettext_lazy as _

from server.navigation import AppNavigation, Tab

NAVIGATION = AppNavigation(
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
