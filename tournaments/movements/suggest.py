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
from tournaments.movements.systems.catalogue import SYSTEMS_BY_NAME
from tournaments.movements.systems.system import SizeUnit


def list_suggestions_for_limits(**limits: Any) -> list[Suggestion]:
    """List movements for an evening, best first; the arguments are those of `build_turnout`."""
    return list_suggestions_or_raise(build_turnout(**limits))


def build_turnout(
    *,
    pairs: int | None = None,
    players: int | None = None,
    teams: int | None = None,
    tables: int | None = None,
    system: str | None = None,
    max_tables: int | None = None,
    **limits: Any,
) -> Turnout:
    """Build the adviser's input.

    One of pairs, players, teams and tables is required. The other arguments are limits:

    * `boards`: the maximum number of boards that a competitor plays.
    * `minutes`: the available time.
    * `boards_at_hand`: the number of different boards; `sets`: the number of copies.
    * `stationary`: the required number of stationary entries.
    * `sections`: the number of sections; None lets the adviser choose it.
    * `system`: the name of the only system that may be suggested.
    * `late_pair`: whether the cost of one more pair is included.
    * `clubs`: whether movements that only two clubs can play are included.
    """
    counts_by_unit = {
        SizeUnit.PAIRS: pairs,
        SizeUnit.PLAYERS: players,
        SizeUnit.TEAMS: teams,
        SizeUnit.TABLES: tables,
    }
    given_counts_by_unit = {
        unit: given_count
        for unit, given_count in counts_by_unit.items()
        if given_count is not None
    }
    if len(given_counts_by_unit) != 1:
        raise UnplayableMovement(_("Enter only one of these: pairs, players, teams or tables."))
    ((unit, unit_count),) = given_counts_by_unit.items()
    return Turnout(
        unit=unit,
        count=unit_count,
        systems=_parse_system(system),
        max_tables=max_tables,
        **limits,
    )


def list_suggestions_or_raise(turnout: Turnout) -> list[Suggestion]:
    """List suggestions, or raise UnplayableMovement with changes that would help."""
    suggestions = list_suggestions(turnout)
    if not suggestions:
        raise UnplayableMovement(format_refusal(turnout))
    return suggestions


def list_helpful_changes(turnout: Turnout, suggestions: list[Suggestion]) -> list[str]:
    """List changes of the limits with which every competitor would play more boards."""
    return list_hints(turnout, suggestions[0]) if suggestions else []


def _parse_system(system: str | None) -> frozenset[str] | None:
    if system is None:
        return None
    system_names = frozenset(possible_system.name for possible_system in find_systems(system))
    if not system_names:
        raise UnplayableMovement(
            _("Movement %(name)s not found. Choose from %(names)s.")
            % {"name": system, "names": join_alternatives(list(SYSTEMS_BY_NAME))}
        )
    return system_names
