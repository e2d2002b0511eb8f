"""The scoring methods of duplicate whist: functions from result lines to exact scores.

METHODS has a record of each method, with its contests, arithmetic and sources, and its texts
for forms, pages, papers and the API. A new method is one module and one entry in METHODS. The
module states its guarantee, which a property test checks. An event may round the averages of
plus and minus to the nearest whole trick (American Whist League, code of 1894).

Related modules: `apply_rulings` turns results and rulings into result lines by the Laws.
`ranking` and `tie_breaks` rank entries. `explanations` shows how each number is computed.
"""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from scoring.methods import (
    field_average,
    matches,
    matchpoints,
    memory_duplicate,
    plus_minus,
    point_methods,
    teams,
    tricks,
    victory_points,
    whole_averages,
)
from scoring.methods.method import Method
from scoring.methods.ranking import Placing, rank_entries
from scoring.methods.result_line import (
    ResultLine,
    build_average_line,
    build_plain_line,
    group_lines_by_deal,
    list_entries,
)

METHODS_BY_NAME: dict[str, Method] = {
    method.name: method
    for method in (
        plus_minus.METHOD,
        matchpoints.METHOD,
        tricks.METHOD,
        matches.METHOD,
        field_average.METHOD,
        teams.TEAM_MATCHES_METHOD,
        teams.TEAM_TRICKS_METHOD,
        memory_duplicate.METHOD,
        victory_points.PAIRS_METHOD,
        victory_points.TEAMS_METHOD,
        *point_methods.METHODS_IN_POINTS,
    )
}


class UnknownMethod(WhistError, ValueError):
    """Raised for a method that is unknown or cannot score the contest."""

    code = "unknown_method"


def list_methods(contest: str, *, is_in_points: bool = False) -> list[Method]:
    """List the methods that can score a contest, with the default first.

    Methods whose code differs from their name, such as `memory` with the code `plus_minus`, are
    listed first. Otherwise the order is that of METHODS. No method for points can score teams.
    """
    suitable_methods = [
        method
        for method in METHODS_BY_NAME.values()
        if contest in method.contests and method.is_in_points == is_in_points
    ]
    return sorted(suitable_methods, key=lambda method: method.code == method.name)


def map_methods_by_code(methods: Iterable[Method] | None = None) -> dict[str, Method]:
    """Map each code to the first registered method with it. By default, search all methods."""
    methods_by_code: dict[str, Method] = {}
    for method in METHODS_BY_NAME.values() if methods is None else methods:
        methods_by_code.setdefault(method.code, method)
    return methods_by_code


def find_method_for_contest(
    contest: str, code: str, *, has_whole_averages: bool = False, is_in_points: bool = False
) -> Method:
    """Return the method with this code for events of a contest.

    With `has_whole_averages`, a method that uses averages rounds them to the nearest whole
    trick. Raises UnknownMethod.
    """
    methods_by_code = map_methods_by_code(list_methods(contest, is_in_points=is_in_points))
    if code not in methods_by_code:
        raise UnknownMethod(
            _("%(name)s doesn’t work for %(contest)s events. Choose from %(names)s.")
            % {"contest": contest, "name": code, "names": ", ".join(methods_by_code)}
        )
    method = methods_by_code[code]
    if has_whole_averages and method is plus_minus.METHOD:
        return whole_averages.METHOD
    return method
