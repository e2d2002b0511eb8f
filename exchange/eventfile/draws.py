"""The `draw` of a section in an event file, for rounds that are drawn one at a time."""

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
    written: Any, movement: Movement, entries: set[int | None], where: str, wrong: Problems
) -> SwissPlan | None:
    """Return the rules for drawing a section's further rounds, or None if they are not valid.

    The rounds in the file have already been drawn.
    """
    if not is_complete(written, "rounds"):
        return None
    before = len(wrong)
    _check_contest(written, movement.contest, where, wrong)
    _check_kept_apart(written.get("apart", ()), entries, f"{where}.apart", wrong)
    if len(wrong) > before:
        return None
    try:
        plan = read_plan({SWISS: written})
    except WhistError as problem:
        wrong.append(
            format_problem(where, _("Drawn rounds can't be planned: %(why)s"), why=str(problem))
        )
        return None
    fits = plan is not None and _fits_movement(plan, movement, where, wrong)
    return plan if fits else None


def _check_contest(
    written: Mapping[str, Any], contest: Contest, where: str, wrong: Problems
) -> None:
    """Report draws for contests other than pairs and teams, and team options for pairs."""
    if contest not in (Contest.PAIRS, Contest.TEAMS):
        wrong.append(
            format_problem(where, _("Only pairs and teams have drawn rounds. Leave this out."))
        )
    for key in TEAM_OPTIONS:
        if contest is Contest.PAIRS and written.get(key):
            wrong.append(
                format_problem(f"{where}.{key}", _("Only teams have this. Leave it out."))
            )


def _check_kept_apart(
    couples: Sequence[Sequence[int]], entries: set[int | None], where: str, wrong: Problems
) -> None:
    """Report couples that are not two different entries of the file.

    The entries of a couple are never drawn against each other.
    """
    for place, couple in enumerate(couples):
        path = f"{where}[{place}]"
        strange = next((number for number in couple if number not in entries), None)
        if len(couple) != 2 or couple[0] == couple[1]:
            wrong.append(format_problem(path, _("List two entries to keep apart.")))
        elif strange is not None:
            text = _("Entry %(entry)s isn't in this file.")
            wrong.append(format_problem(path, text, entry=strange))


def _fits_movement(plan: SwissPlan, movement: Movement, where: str, wrong: Problems) -> bool:
    """Return whether a plan covers the rounds in the file; a bracket needs whole matches."""
    if plan.seated < movement.rounds:
        text = _("%(rounds)s rounds are planned, but %(seated)s are listed.")
        wrong.append(format_problem(where, text, rounds=plan.seated, seated=movement.rounds))
        return False
    if plan.knockout and plan.rounds % plan.segments:
        text = _(
            "%(rounds)s rounds aren't whole matches of %(segments)s "
            "segments. A match has one round per segment."
        )
        wrong.append(
            format_problem(f"{where}.rounds", text, rounds=plan.rounds, segments=plan.segments)
        )
        return False
    return True
