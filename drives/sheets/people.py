"""A player on a page: number and name as whoever looks may read them."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.names.tidy import name_key
from drives.draw.company import Player
from drives.held import HeldDrive
from drives.secrecy import Namer


class Person(NamedTuple):
    """Who holds a card; `role` is the house's word."""

    number: int
    name: str
    role: str = ""
    is_house: bool = False

    @property
    def is_nameless(self) -> bool:
        """Whether there is a number alone, which the name only says again."""
        return self.name == _("player %(number)s") % {"number": self.number}

    @property
    def order(self) -> tuple[bool, str, int]:
        """By name, then by number; who has only a number comes after all names."""
        return self.is_nameless, "" if self.is_nameless else name_key(self.name), self.number

    @property
    def called(self) -> str:
        """The number and the name; a house player has no number that anybody knows."""
        alone = self.is_house or self.is_nameless
        return self.name if alone else f"{self.number} {self.name}".strip()


def person(held: HeldDrive, number: Player, names: Namer) -> Person:
    """A player of a drive by his number."""
    row = held.players[int(number)]
    return Person(row.number, names(row), held.word(row.role), row.house)
