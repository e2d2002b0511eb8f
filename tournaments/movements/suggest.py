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
    """List the movements that fit an evening, best first; `known` is as for `build_turnout`."""
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
    """Collect what is known of an evening.

    One of pairs, players, teams and tables gives who comes. `boards` is the most that one
    competitor can play, `minutes` the time available, `boards_at_hand` how many different
    boards there are and `sets` in how many copies, `stationary` how many must be stationary.
    `sections` None lets the field be divided where that is best. `system` ranks within one, by
    any of its names. `late_pair` adds what one more pair would do, and `clubs` includes
    movements that only two clubs can play.
    """
    given = {Unit.PAIRS: pairs, Unit.PLAYERS: players, Unit.TEAMS: teams, Unit.TABLES: tables}
    counts = {unit: number for unit, number in given.items() if number is not None}
    if len(counts) != 1:
        raise UnplayableMovement(_("Enter only one of these: pairs, players, teams or tables."))
    ((unit, count),) = counts.items()
    return Turnout(
        unit=unit, count=count, systems=_parse_system(system), max_tables=max_tables, **known
    )


def advise(evening: Turnout) -> list[Suggestion]:
    """List what suits an evening; raise with the changes that would help if nothing does."""
    found = list_suggestions(evening)
    if not found:
        raise UnplayableMovement(format_refusal(evening))
    return found


def list_helpful_changes(evening: Turnout, suggestions: list[Suggestion]) -> list[str]:
    """List the changes that would let everyone play more."""
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
