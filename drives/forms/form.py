"""One form of a drive: what it is called, when its seats are known, and what it costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.draw.company import Company, Drawn, Player
from drives.draw.evening import Plan
from drives.errors import UnplayableDrive
from drives.moves.state import Table
from server.translation import TranslatedField

FEW_TABLES = 3


class Known(StrEnum):
    """When the seats of a round are known."""

    AHEAD = "ahead"
    ONE_ROUND = "one-round"
    RESULT = "result"


Planner = Callable[[Company, int, bytes], Plan]
"""Draw an evening for a company, so many rounds, and a secret."""

Drawer = Callable[[Company, bytes, Sequence[Drawn], Sequence[Player]], Drawn]
"""Draw the next round for a company and a secret after rounds played, from a standing."""

Mover = Callable[[Sequence[Table], dict[str, Any], Mapping[Player, int] | None], Drawn]
"""Move from the tables of a hand, by terms and the rests so far."""

Caller = Callable[[dict[str, Any]], str]
"""What is read out, by the terms."""


def unwarned(_players: int) -> str:
    """Nothing to say against a form for any number of players."""
    return ""


def drawn_call(_terms: dict[str, Any]) -> str:
    """What is read out where a draw seats everybody."""
    return _("New partners: everybody finds table and seat on the list.")


def together_call(_terms: dict[str, Any]) -> str:
    """What is read out where partners stay together and a plan seats them."""
    return _("Partners stay together: everybody finds table and seat on the list.")


def warned_below_three(players: int) -> str:
    """What is to be said where the results move hardly anybody."""
    tables = players // 4
    if tables >= FEW_TABLES:
        return ""
    words = ngettext(
        "With %(tables)s table nobody moves on: choose the social drive.",
        "With %(tables)s tables up and down are the same: choose social or progressive.",
        tables,
    )
    return words % {"tables": tables}


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form of a drive; everything that pages, commands and papers say of it is here.

    `price` is what it costs, said before the choice; `warns` says what speaks against it for a
    number of players, or nothing. `terms` are what a house may change, with what holds
    otherwise. `plans` draws all that can be known before play. A form known one round ahead
    also `draws` the next; one that results move `moves` its tables. `roles` tells whether there
    are firsts and seconds, in seats 1 and 2, and 3 and 4. Where pairs or forts stay `together`
    all evening, nobody comes or goes but in another's seat.
    """

    code: str
    known: Known
    plans: Planner
    title: TranslatedField = TranslatedField()
    blurb: TranslatedField = TranslatedField()
    price: TranslatedField = TranslatedField()
    terms: Mapping[str, object]
    roles: bool
    draws: Drawer | None = None
    moves: Mover | None = None
    calls: Caller = drawn_call
    warns: Callable[[int], str] = unwarned
    together: bool = False


def no_terms(form: str, terms: Mapping[str, Any]) -> None:
    """Refuse terms where a form has none."""
    for term in terms:
        words = _("The form %(form)s has no term “%(term)s”.")
        raise UnplayableDrive(words % {"form": form, "term": term})
