"""A player on a page: number and name as whoever looks may read them."""

from typing import NamedTuple

from django.utils.translation import gettext as _

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
    def called(self) -> str:
        """The number and the name; a house player has no number that anybody knows."""
        nameless = _("player %(number)s") % {"number": self.number}
        alone = self.is_house or self.name == nameless
        return self.name if alone else f"{self.number} {self.name}".strip()


def person(held: HeldDrive, number: Player, names: Namer) -> Person:
    """A player of a drive by his number."""
    row = held.players[int(number)]
    return Person(row.number, names(row), held.word(row.role), row.house)
