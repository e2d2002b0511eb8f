"""Players as pages show them, with a number and the name that the visitor may see."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.names.tidy import build_name_key
from drives.draw.participants import PlayerId
from drives.snapshot import DriveSnapshot
from drives.visibility import NameFormatter


class Person(NamedTuple):
    """The holder of a score card; `role` is the club's word for first or second."""

    number: int
    name: str
    role: str = ""
    is_house: bool = False

    @property
    def is_nameless(self) -> bool:
        """Whether the player has no name, only a number."""
        return self.name == _("player %(number)s") % {"number": self.number}

    @property
    def sort_key(self) -> tuple[bool, str, int]:
        """A key that sorts by name, then by number; players with only a number come last."""
        return (
            self.is_nameless,
            "" if self.is_nameless else build_name_key(self.name),
            self.number,
        )

    @property
    def numbered_name(self) -> str:
        """The number and the name; a house player's number is not shown."""
        is_name_sufficient = self.is_house or self.is_nameless
        return self.name if is_name_sufficient else f"{self.number} {self.name}".strip()

    @property
    def name_with_number(self) -> str:
        """The name, then the number: "Ann Abbot (2)"; a house player's number is not shown."""
        is_name_sufficient = self.is_house or self.is_nameless
        return self.name if is_name_sufficient else f"{self.name} ({self.number})"


def build_person(
    snapshot: DriveSnapshot, player_number: PlayerId, format_name: NameFormatter
) -> Person:
    """Return a player of a drive by number."""
    player = snapshot.player_by_number[int(player_number)]
    return Person(
        player.number,
        format_name(player),
        snapshot.get_club_role_word(player.role) or player.role,
        player.house,
    )
