"""The rule for moves: which players move after a hand, how far, and who changes sides."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _

from drives.errors import UnplayableDrive
from drives.moves.table_result import Role

MAX_TABLE_STEPS = 9


class MovingSide(StrEnum):
    """The side whose players leave their table."""

    LOSERS = "losers"
    WINNERS = "winners"


@dataclass(frozen=True, kw_only=True)
class MoveRule:
    """The rule by which results move players; a club may change each field but the last.

    `moving_side` is the side that moves. `first_role_steps` and `second_role_steps` are the
    numbers of tables by which firsts and seconds move up; negative numbers mean down. After the
    last table comes table 1. `crossing_role` is the role of the player who stays at the table
    and changes sides, so that partners separate; None if no one does. With `has_head_table`,
    the losers of table 1 move instead of the winners, and no player crosses there.
    """

    moving_side: MovingSide
    first_role_steps: int
    second_role_steps: int
    crossing_role: Role | None
    has_head_table: bool = False

    def apply_terms(self, terms: dict[str, Any]) -> "MoveRule":
        """Return the rule with some terms changed; raise UnplayableDrive for invalid terms."""
        value_by_field: dict[str, Any] = {}
        for term, value in terms.items():
            parse_term = _TERM_PARSERS.get(term)
            if parse_term is None:
                raise UnplayableDrive(_("Setting “%(term)s” not found.") % {"term": term})
            value_by_field[_FIELD_BY_TERM[term]] = parse_term(term, value)
        return replace(self, **value_by_field)


def _parse_steps(term: str, value: object) -> int:
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or not 0 < abs(value) <= MAX_TABLE_STEPS
    ):
        message = _("“%(term)s” must be 1 to %(most)s tables up, or down with a minus.")
        raise UnplayableDrive(message % {"term": term, "most": MAX_TABLE_STEPS})
    return value


def _parse_movers(term: str, value: object) -> MovingSide:
    try:
        return MovingSide(str(value))
    except ValueError:
        message = _("“%(term)s” must be losers or winners.")
        raise UnplayableDrive(message % {"term": term}) from None


def _parse_crossing_role(term: str, value: object) -> Role | None:
    try:
        return None if value is None else Role(str(value))
    except ValueError:
        message = _("“%(term)s” must be first, second or null.")
        raise UnplayableDrive(message % {"term": term}) from None


_TERM_PARSERS = {
    "moves": _parse_movers,
    "first": _parse_steps,
    "second": _parse_steps,
    "crosses": _parse_crossing_role,
}
_FIELD_BY_TERM = {
    "moves": "moving_side",
    "first": "first_role_steps",
    "second": "second_role_steps",
    "crosses": "crossing_role",
}
"""The field of `MoveRule` for each term of a drive."""
