"""The adviser: movements that suit an evening, best first, with statistics and drawbacks."""

from typing import Any

from django.utils.translation import gettext as _

from tournaments.movements.advice.remedies import format_refusal, list_hints
from tournaments.movements.advice.selection import list_suggestions
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.advice.turnout import Turnout
from tournaments.movements.formatting import join_alternatives
from tournaments.movements.schedule import UnplayableMovement
from tournaments.movements.system_names import find_systems
from tournaments.movements.systems.catalogue import CATALOGUE
from tournaments.movements.systems.system import Unit


def list_suggestions_for(**known: Any) -> list[Suggestion]:
    """List movements for an evening, best first; takes the arguments of `build_turnout`."""
    return advise(build_turnout(**known))


def build_turnout(
    *,
    pairs: int | None = None,
    players: int | None = None,
    teams: int | None = None,
    tables: int | None = None,
    system: str | None = None,
    max_tables: int | None = None,
    **known: Any,
) -> Turnout:
    """Build the adviser's input.

    One of pairs, players, teams and tables is required. `boards` is the maximum that one
    competitor plays, `minutes` the available time, `boards_at_hand` the number of different
    boards and `sets` their copies, `stationary` the required number of stationary entries.
    `sections` None lets the adviser divide the field. `system` is any name of a system, and
    limits the list to it. `late_pair` includes the cost of one more pair, and `clubs` movements
    that only two clubs can play.
    """
    counts_by_unit = {
        Unit.PAIRS: pairs,
        Unit.PLAYERS: players,
        Unit.TEAMS: teams,
        Unit.TABLES: tables,
    }
    counts = {unit: number for unit, number in counts_by_unit.items() if number is not None}
    if len(counts) != 1:
        raise UnplayableMovement(_("Enter only one of these: pairs, players, teams or tables."))
    ((unit, count),) = counts.items()
    return Turnout(
        unit=unit, count=count, systems=_parse_system(system), max_tables=max_tables, **known
    )


def advise(evening: Turnout) -> list[Suggestion]:
    """List suggestions; if there are none, raise an error with the changes that would help."""
    suggestions = list_suggestions(evening)
    if not suggestions:
        raise UnplayableMovement(format_refusal(evening))
    return suggestions


def list_helpful_changes(evening: Turnout, suggestions: list[Suggestion]) -> list[str]:
    """List changes of the limits with which everyone would play more."""
    return list_hints(evening, suggestions[0]) if suggestions else []


def _parse_system(system: str | None) -> frozenset[str] | None:
    if system is None:
        return None
    names = frozenset(each.name for each in find_systems(system))
    if not names:
        raise UnplayableMovement(
            _("Movement %(name)s not found. Choose from %(names)s.")
            % {"name": system, "names": join_alternatives(list(CATALOGUE))}
        )
    return names
