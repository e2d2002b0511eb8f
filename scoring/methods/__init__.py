"""The scoring methods of duplicate whist: functions from lines to exact scores.

METHODS has a record of each method: its contests, arithmetic, sources, and all its texts on
forms, pages, papers and in the API. A new method is one module and one row in METHODS. The
module states its guarantee, which is a property test. An event may round the averages of plus
and minus to the nearest whole trick (AWL94).

Related modules: `adjust` turns results and rulings into lines by the Laws, `faults` decides
between the average and a new deal, `ranking` and `ties` rank entries, and `explain` breaks
every number down into its arithmetic.
"""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from scoring.methods import (
    field_average,
    in_points,
    matches,
    matchpoints,
    memory,
    plus_minus,
    teams,
    tricks,
    victory_points,
    whole_averages,
)
from scoring.methods.lines import Line, averaged, by_deal, entries_of, played
from scoring.methods.method import Method
from scoring.methods.ranking import Placing, rank

METHODS: dict[str, Method] = {
    it.name: it
    for it in (
        plus_minus.METHOD,
        matchpoints.METHOD,
        tricks.METHOD,
        matches.METHOD,
        field_average.METHOD,
        teams.MATCHES,
        teams.TRICKS,
        memory.METHOD,
        victory_points.OF_PAIRS,
        victory_points.OF_TEAMS,
        *in_points.METHODS_IN_POINTS,
    )
}


class UnknownMethod(WhistError, ValueError):
    """Raised for a method that is unknown or cannot score the contest."""

    code = "unknown_method"


def methods_of(contest: str, *, in_points: bool = False) -> list[Method]:
    """List the methods that can score a contest, the default first.

    The default is the contest's own method if it has one, else the first of a shared code. For
    points it is the first method for points. No method for points serves a contest of teams.
    """
    serving = [
        method
        for method in METHODS.values()
        if contest in method.contests and method.in_points == in_points
    ]
    return sorted(serving, key=lambda method: method.code == method.name)


def by_code(methods: Iterable[Method] | None = None) -> dict[str, Method]:
    """Map codes to their first method; of the given methods, or of all."""
    found: dict[str, Method] = {}
    for method in METHODS.values() if methods is None else methods:
        found.setdefault(method.code, method)
    return found


def method_for(
    contest: str, code: str, *, to_whole_tricks: bool = False, in_points: bool = False
) -> Method:
    """Return the method with this code for events of a contest.

    With `to_whole_tricks`, averages are rounded to the nearest whole trick if the method has
    averages. Raises UnknownMethod.
    """
    known = by_code(methods_of(contest, in_points=in_points))
    if code not in known:
        raise UnknownMethod(
            _("A %(contest)s event cannot be scored by %(name)s; choose from %(names)s.")
            % {"contest": contest, "name": code, "names": ", ".join(known)}
        )
    found = known[code]
    if to_whole_tricks and found is plus_minus.METHOD:
        return whole_averages.METHOD
    return found
