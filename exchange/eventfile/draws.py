"""Reads the `draw` of a section in an event file, for rounds that are drawn one at a time."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from boards.whist import WhistError
from exchange.eventfile.schema import is_complete
from server.json_reader.problems import Problems, format_problem
from tournaments.movements import Contest, Movement
from tournaments.swiss.plan import SWISS, SwissPlan, read_plan

TEAM_OPTIONS = ("three_way", "own_boards")


def read_draw(
    draw_data: Any, movement: Movement, entries: set[int | None], path: str, problems: Problems
) -> SwissPlan | None:
    """Return the plan for drawing a section's further rounds, or None if it is not valid.

    The rounds in the file have already been drawn.
    """
    if not is_complete(draw_data, "rounds"):
        return None
    problem_count = len(problems)
    _check_contest(draw_data, movement.contest, path, problems)
    _check_kept_apart(draw_data.get("apart", ()), entries, f"{path}.apart", problems)
    if len(problems) > problem_count:
        return None
    try:
        plan = read_plan({SWISS: draw_data})
    except WhistError as problem:
        problems.append(
            format_problem(path, _("Drawn rounds can't be planned: %(why)s"), why=str(problem))
        )
        return None
    is_valid = plan is not None and _fits_movement(plan, movement, path, problems)
    return plan if is_valid else None


def _check_contest(
    draw_data: Mapping[str, Any], contest: Contest, path: str, problems: Problems
) -> None:
    """Report draws for contests other than pairs and teams, and team options for pairs."""
    if contest not in (Contest.PAIRS, Contest.TEAMS):
        problems.append(
            format_problem(path, _("Only pairs and teams have drawn rounds. Leave this out."))
        )
    for key in TEAM_OPTIONS:
        if contest is Contest.PAIRS and draw_data.get(key):
            problems.append(
                format_problem(f"{path}.{key}", _("Only teams have this. Leave it out."))
            )


def _check_kept_apart(
    couples: Sequence[Sequence[int]],
    entries: set[int | None],
    place_text: str,
    problems: Problems,
) -> None:
    """Report couples that are not two different entries of the file.

    The entries of a couple must not be drawn against each other.
    """
    for place, couple in enumerate(couples):
        path = f"{place_text}[{place}]"
        unknown_number = next((number for number in couple if number not in entries), None)
        if len(couple) != 2 or couple[0] == couple[1]:
            problems.append(format_problem(path, _("List two entries to keep apart.")))
        elif unknown_number is not None:
            text = _("Entry %(entry)s isn't in this file.")
            problems.append(format_problem(path, text, entry=unknown_number))


def _fits_movement(plan: SwissPlan, movement: Movement, path: str, problems: Problems) -> bool:
    """Return whether a plan matches the rounds in the file; a bracket needs whole matches."""
    if plan.seated < movement.rounds:
        text = _("%(rounds)s rounds are planned, but %(seated)s are listed.")
        problems.append(format_problem(path, text, rounds=plan.seated, seated=movement.rounds))
        return False
    if plan.knockout and plan.rounds % plan.segments:
        text = _(
            "%(rounds)s rounds aren't whole matches of %(segments)s "
            "segments. A match has one round per segment."
        )
        problems.append(
            format_problem(f"{path}.rounds", text, rounds=plan.rounds, segments=plan.segments)
        )
        return False
    return True
