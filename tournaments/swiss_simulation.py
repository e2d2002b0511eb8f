"""Simulated Swiss tournaments, to measure how well a drawing method finds the true order.

Each entry has a skill in tricks a board; each table adds luck. The final ranking is compared
with the true order by Kendall's tau, once for the plain total and once for the total with the
mean of the opponents' totals.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from tournaments.swiss import DrawField, DrawMethod, DrawnRound, Entry, draw_round
from tournaments.swiss.field import MetCouple

SIMULATED_METHODS = ("swiss", "danish", "monrad", "random", "arrears")
DEFAULT_NOISE = 1.3  # tricks a board and table: the model's assumption


@dataclass(frozen=True, slots=True)
class Tournament:
    """The size of a tournament, and the spread of its entries' skills."""

    entries: int
    rounds: int
    boards: int
    kind: str = "pairs"
    skill: float = 0.2
    noise: float = DEFAULT_NOISE


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The results of a method of drawing over many tournaments."""

    method: str
    tau: float
    corrected: float
    best_wins: float

    def as_data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "method": self.method,
            "tau": round(self.tau, 4),
            "corrected": round(self.corrected, 4),
            "best_wins": round(self.best_wins, 4),
        }

    def as_text(self) -> str:
        """Return a line of the table."""
        return f"{self.method:10} {self.tau:7.3f} {self.corrected:10.3f} {self.best_wins:10.2f}"


def simulate_tournaments(
    plan: Tournament, method: str, tournaments: int, seed: str
) -> SimulationResult:
    """Simulate tournaments with one seed; every method gets the same skills."""
    taus, corrected, wins = 0.0, 0.0, 0
    for number in range(tournaments):
        random = Random(f"{seed}|{number}")
        skills = [random.gauss(0, plan.skill) for _ in range(plan.entries)]
        totals, opponents = play_tournament(plan, method, skills, random)
        means = [
            totals[place]
            + sum(totals[o] for o in opponents_of_entry) / max(len(opponents_of_entry), 1)
            for place, opponents_of_entry in enumerate(opponents)
        ]
        taus += compute_kendall_tau(skills, totals)
        corrected += compute_kendall_tau(skills, means)
        wins += max(range(plan.entries), key=skills.__getitem__) == max(
            range(plan.entries), key=totals.__getitem__
        )
    return SimulationResult(
        method, taus / tournaments, corrected / tournaments, wins / tournaments
    )


def play_tournament(
    plan: Tournament, method: str, skills: Sequence[float], random: Random
) -> tuple[list[float], list[list[int]]]:
    """Play one tournament; return each entry's total and opponents."""
    scores = [[0.0] for _ in skills]  # after each round, from before the first
    field = DrawField(entries=tuple(Entry(place) for place in range(plan.entries)))
    draw_method = DrawMethod.SWISS if method == "arrears" else DrawMethod(method)
    rounds_behind = 1 if method == "arrears" else 0
    opponents: list[list[int]] = [[] for _ in skills]
    for number in range(1, plan.rounds + 1):
        known_rounds = max(number - 1 - rounds_behind, 0)
        entries = tuple(
            Entry(place, Fraction(round(100 * scores[place][known_rounds]), 100))
            for place in range(plan.entries)
        )
        seed = str(random.random())
        field = replace(
            field, entries=entries, round=number, seed=seed, method=draw_method, kind=plan.kind
        )
        draw = draw_round(field)
        pairs = [(int(pairing.ns), int(pairing.ew)) for pairing in draw.pairings]
        margins = dict.fromkeys(range(plan.entries), 0.0)
        for ns, ew in pairs:
            margins[ns] = _simulate_match(plan, skills[ns] - skills[ew], random)
            margins[ew] = -margins[ns]
            opponents[ns].append(ew)
            opponents[ew].append(ns)
        for place, score in enumerate(scores):
            score.append(score[-1] + margins[place])
        couples = tuple(MetCouple(ns, ew) for ns, ew in pairs)
        field = replace(
            field, history=(*field.history, DrawnRound(number, couples, draw.sit_out))
        )
    return [score[-1] for score in scores], opponents


def compute_kendall_tau(truth: Sequence[float], ranking: Sequence[float]) -> float:
    """Return Kendall's tau: the couples in the true order less those in reverse, as a share."""
    alike = 0
    couples = list(combinations(range(len(truth)), 2))
    for one, other in couples:
        sign = (truth[one] - truth[other]) * (ranking[one] - ranking[other])
        alike += (sign > 0) - (sign < 0)
    return alike / len(couples)


def _simulate_match(plan: Tournament, difference: float, random: Random) -> float:
    """Return the margin of a match; teams play every board at two tables."""
    tables = 2 if plan.kind == "teams" else 1
    spread = plan.noise * (tables * plan.boards) ** 0.5
    return tables * plan.boards * difference + random.gauss(0, spread)
