"""Reads the `draw` of a section in an event file, for rounds that are drawn one at a time."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from boards.whist import WhistError
from exchange.eventfile.schema import is_complete
from server.json_reader.problems import Problems, format_problem
from tournaments.movements import Contest, Movement
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.swiss.plan import SwissPlan, read_plan

TEAM_MOVEMENT_OPTIONS = ("three_way", "own_boards")


def read_draw_plan(
    draw_data: Any,
    movement: Movement,
    entry_numbers: set[int | None],
    path: str,
    problems: Problems,
) -> SwissPlan | None:
    """Return the plan for drawing a section's further rounds, or None if it is not valid.

    The rounds in the file have already been drawn.
    """
    if not is_complete(draw_data, "rounds"):
        return None
    problem_count = len(problems)
    _check_contest(draw_data, movement.contest, path, problems)
    _check_separated_pairs(draw_data.get("apart", ()), entry_numbers, f"{path}.apart", problems)
    if len(problems) > problem_count:
        return None
    try:
        plan = read_plan({DRAWN_MOVEMENT_NAME: draw_data})
    except WhistError as problem:
        problems.append(
            format_problem(path, _("Drawn rounds can’t be planned: %(why)s"), why=str(problem))
        )
        return None
    is_valid = plan is not None and _check_plan_fits_movement(plan, movement, path, problems)
    return plan if is_valid else None


def _check_contest(
    draw_data: Mapping[str, Any], contest: Contest, path: str, problems: Problems
) -> None:
    """Report a problem if only other contests can have the draw or one of its options.

    Only pairs and teams have drawn rounds, and only teams have the `TEAM_MOVEMENT_OPTIONS`.
    """
    if contest not in (Contest.PAIRS, Contest.TEAMS):
        problems.append(
            format_problem(path, _("Only pairs and teams have drawn rounds. Leave this out."))
        )
    for option_name in TEAM_MOVEMENT_OPTIONS:
        if contest is Contest.PAIRS and draw_data.get(option_name):
            problems.append(
                format_problem(
                    f"{path}.{option_name}", _("Only teams have this. Leave it out.")
                )
            )


def _check_separated_pairs(
    separated_pairs: Sequence[Sequence[int]],
    entry_numbers: set[int | None],
    base_json_path: str,
    problems: Problems,
) -> None:
    """Report each item of `separated_pairs` that does not name two different entries.

    The two entries, given by their numbers in the file, must not be drawn against each other.
    """
    for index, pair in enumerate(separated_pairs):
        path = f"{base_json_path}[{index}]"
        unknown_number = next(
            (entry_number for entry_number in pair if entry_number not in entry_numbers), None
        )
        if len(pair) != 2 or pair[0] == pair[1]:
            problems.append(format_problem(path, _("List two pairs or teams to keep apart.")))
        elif unknown_number is not None:
            message = _("Entry %(entry)s isn’t in this file.")
            problems.append(format_problem(path, message, entry=unknown_number))


def _check_plan_fits_movement(
    plan: SwissPlan, movement: Movement, path: str, problems: Problems
) -> bool:
    """Return whether a plan matches the rounds in the file; if not, report the reason.

    In a bracket, the number of rounds must be a multiple of the number of segments in a match.
    """
    if plan.section_rounds < movement.round_count:
        message = _("%(rounds)s rounds are planned, but %(seated)s are listed.")
        problems.append(
            format_problem(
                path, message, rounds=plan.section_rounds, seated=movement.round_count
            )
        )
        return False
    if plan.knockout and plan.rounds % plan.segments:
        message = _(
            "%(rounds)s rounds don’t make whole matches of %(segments)s segments. A match "
            "has one round per segment."
        )
        problems.append(
            format_problem(
                f"{path}.rounds", message, rounds=plan.rounds, segments=plan.segments
            )
        )
        return False
    return True
