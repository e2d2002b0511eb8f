"""The output of the command `drive plan`."""

from drives.draw.company import Company
from drives.draw.evening import Plan
from drives.draw.figures import Evenness
from drives.files.state import tables_data

TRUMPS = ("H", "C", "D", "S")
"""The default cycle of trumps: hearts, clubs, diamonds, spades."""


def plan_data(plan: Plan, company: Company, *, form: str, rounds: int) -> dict[str, object]:
    """Return a plan in the format of files; the caller adds the seconds."""
    figures = plan.figures
    return {
        "format": "overplay-drive-plan",
        "version": 1,
        "form": form,
        "players": len(company.players),
        "rounds": rounds,
        "tables": company.tables,
        "schedule": [
            {
                "round": number,
                "trumps": trumps_of(number),
                "tables": tables_data(drawn.tables),
                "rest": list(drawn.rest),
            }
            for number, drawn in enumerate(plan.rounds, start=1)
        ],
        "figures": {
            "partners": _evenness(figures.partners),
            "opponents": _evenness(figures.opponents),
            "never_met": figures.never_met,
            "rests": {"least": figures.least_rests, "most": figures.most_rests},
        },
        "proved": figures.proved,
        "tries": plan.tries,
    }


def trumps_of(number: int) -> str:
    """Return the trumps of a round in the fixed cycle."""
    return TRUMPS[(number - 1) % len(TRUMPS)]


def _evenness(each: Evenness) -> dict[str, int]:
    return {"coincidences": each.coincidences, "bound": each.bound, "most": each.most}
