"""Every way of scoring duplicate whist: a function from lines to exact scores.

METHODS has a record of each: its contests, arithmetic and sources, and every word that forms,
pages, papers and the API say of it. So a new method is one module and one line there; the
module states its guarantee, which is a property test.
An event may take the averages of plus and minus to the nearest whole trick (AWL94).

Around them: `adjust` turns results and rulings into lines by the Laws, `faults` decides between
the average and a new deal, `ranking` and `ties` place entries, and `explain` opens every figure
into its arithmetic.
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
    """A method that the contest cannot be scored by."""

    code = "unknown_method"


def methods_of(contest: str, *, in_points: bool = False) -> list[Method]:
    """List the methods that a contest can be scored by, its usual one first.

    That is one of its own where it has any: a method that borrows the code of another. Where
    points are counted it is the first of those for points; none serves a contest of teams.
    """
    serving = [
        method
        for method in METHODS.values()
        if contest in method.contests and method.in_points == in_points
    ]
    return sorted(serving, key=lambda method: method.code == method.name)


def by_code(methods: Iterable[Method] | None = None) -> dict[str, Method]:
    """Name methods by what events call them, the first of each code; all unless told which."""
    found: dict[str, Method] = {}
    for method in METHODS.values() if methods is None else methods:
        found.setdefault(method.code, method)
    return found


def method_for(
    contest: str, code: str, *, to_whole_tricks: bool = False, in_points: bool = False
) -> Method:
    """Return the method that an event of this contest calls by this code.

    `to_whole_tricks` takes averages to the nearest whole trick, where the method has any.
    Raises UnknownMethod.
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
