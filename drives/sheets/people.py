"""A player on a page: number and name, as the reader may see them."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.names.tidy import build_name_key
from drives.draw.participants import PlayerId
from drives.snapshot import DriveSnapshot
from drives.visibility import Namer


class Person(NamedTuple):
    """The holder of a card; `role` is the house's word."""

    number: int
    name: str
    role: str = ""
    is_house: bool = False

    @property
    def is_nameless(self) -> bool:
        """Whether there is only a number, which the name repeats."""
        return self.name == _("player %(number)s") % {"number": self.number}

    @property
    def sort_key(self) -> tuple[bool, str, int]:
        """A sort key: by name, then by number; players with only a number come last."""
        return (
            self.is_nameless,
            "" if self.is_nameless else build_name_key(self.name),
            self.number,
        )

    @property
    def numbered_name(self) -> str:
        """The number and the name; a house player's number is not shown."""
        alone = self.is_house or self.is_nameless
        return self.name if alone else f"{self.number} {self.name}".strip()


def build_person(snapshot: DriveSnapshot, number: PlayerId, names: Namer) -> Person:
    """Return a player of a drive by number."""
    row = snapshot.players[int(number)]
    return Person(row.number, names(row), snapshot.get_role_word(row.role), row.house)
