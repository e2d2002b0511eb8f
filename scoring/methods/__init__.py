"""Every way of scoring duplicate whist: a function from lines to exact scores.

| name         | contests                  | what is counted                        | source |
|--------------|---------------------------|----------------------------------------|--------|
| plus_minus   | pairs, teams, individual  | tricks above the deal's average        | F, SH  |
| matchpoints  | pairs, individual         | two a score beaten, one a tie      | D      |
| tricks       | pairs, individual, memory | all tricks                             | SH     |
| matches      | pairs                     | matches won over the same cards        | F      |
| team_matches | teams                     | matches won over every team met        | F      |
| team_tricks  | teams                     | tricks above half of all               | AWL94  |
| memory       | memory                    | what overplays gained over originals   | F, SH  |

F is Foster, *Complete Hoyle*, Duplicate Whist; SH *The Standard Hoyle* (1912); AWL94 the code
of the American Whist League of 1894; D the descendant in duplicate bridge. A new method is one
module and one line in METHODS; its docstring states its guarantee, which is a property test.
An event may take the averages of plus and minus to the nearest whole trick (AWL94).

Around them: `adjust` turns results and rulings into lines by the Laws, `faults` decides between
the average and a new deal, `ranking` and `ties` place entries, and `explain` opens every figure
into its arithmetic.
"""

from boards.whist.errors import WhistError
from boards.whist.words import gettext as _
from scoring.methods import (
    matches,
    matchpoints,
    memory,
    plus_minus,
    teams,
    tricks,
    whole_averages,
)
from scoring.methods.lines import Line, Stand, averaged, by_deal, entries_of, played, stands
from scoring.methods.method import Method
from scoring.methods.ranking import Placing, rank

METHODS: dict[str, Method] = {
    "plus_minus": plus_minus.METHOD,
    "matchpoints": matchpoints.METHOD,
    "tricks": tricks.METHOD,
    "matches": matches.METHOD,
    "team_matches": teams.MATCHES,
    "team_tricks": teams.TRICKS,
    "memory": memory.METHOD,
}

__all__ = [
    "METHODS",
    "Line",
    "Method",
    "Placing",
    "Stand",
    "UnknownMethod",
    "averaged",
    "by_deal",
    "entries_of",
    "method_for",
    "played",
    "rank",
    "stands",
]


class UnknownMethod(WhistError, ValueError):
    """A method that the contest cannot be scored by."""

    code = "unknown_method"


def method_for(contest: str, name: str, *, to_whole_tricks: bool = False) -> Method:
    """Return the method that an event of this contest calls by this name.

    `to_whole_tricks` takes averages to the nearest whole trick, where the method has any.
    """
    known = {
        method.name_in_events or method.name: method
        for method in METHODS.values()
        if contest in method.contests
    }
    if name not in known:
        raise UnknownMethod(
            _("A %(contest)s event cannot be scored by %(name)s; choose from %(names)s.")
            % {"contest": contest, "name": name, "names": ", ".join(known)}
        )
    found = known[name]
    if to_whole_tricks and found is plus_minus.METHOD:
        return whole_averages.METHOD
    return found
