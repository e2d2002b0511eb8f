"""Simulated Swiss tournaments, to measure how well a drawing method finds the true order.

Each entry has a skill in tricks per board, and each table adds luck. Kendall's tau compares the
final ranking with the true order of skill. It is computed for the totals, and for the totals
plus the mean of the opponents' totals.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from tournaments.swiss import DrawField, DrawMethod, DrawnRound, Entry, draw_round
from tournaments.swiss.field import EarlierPairing

SIMULATED_METHODS = ("swiss", "danish", "monrad", "random", "arrears")
DEFAULT_NOISE = 1.3  # in tricks per board and table; an assumption of the model


@dataclass(frozen=True, slots=True)
class TournamentParameters:
    """The size of a tournament, and the spread of its entries' skills."""

    entry_count: int
    round_count: int
    board_count: int
    kind: str = "pairs"
    skill_deviation: float = 0.2
    noise_deviation: float = DEFAULT_NOISE


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The results of a drawing method, averaged over many simulated tournaments.

    `tau` and `corrected_tau` are Kendall's tau of the totals and of the corrected totals.
    `best_wins` is the share of tournaments that the most skilled entry won.
    """

    method: str
    tau: float
    corrected_tau: float
    best_wins: float

    def as_data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "method": self.method,
            "tau": round(self.tau, 4),
            "corrected": round(self.corrected_tau, 4),
            "best_wins": round(self.best_wins, 4),
        }

    def as_text(self) -> str:
        """Return the method and its numbers as one line of a text table."""
        numbers = f"{self.tau:7.3f} {self.corrected_tau:10.3f} {self.best_wins:10.2f}"
        return f"{self.method:10} {numbers}"


def simulate_tournaments(
    tournament: TournamentParameters, method: str, tournament_count: int, seed: str
) -> SimulationResult:
    """Simulate tournaments with one seed; every method gets the same skills."""
    tau_sum, corrected_tau_sum, best_entry_win_count = 0.0, 0.0, 0
    for tournament_index in range(tournament_count):
        random = Random(f"{seed}|{tournament_index}")
        skills = [
            random.gauss(0, tournament.skill_deviation) for _ in range(tournament.entry_count)
        ]
        totals, opponents_by_entry = play_tournament(tournament, method, skills, random)
        corrected_totals = [
            totals[index]
            + sum(totals[opponent] for opponent in opponents_of_entry)
            / max(len(opponents_of_entry), 1)
            for index, opponents_of_entry in enumerate(opponents_by_entry)
        ]
        tau_sum += compute_kendall_tau(skills, totals)
        corrected_tau_sum += compute_kendall_tau(skills, corrected_totals)
        best_entry_win_count += max(
            range(tournament.entry_count), key=skills.__getitem__
        ) == max(range(tournament.entry_count), key=totals.__getitem__)
    return SimulationResult(
        method,
        tau_sum / tournament_count,
        corrected_tau_sum / tournament_count,
        best_entry_win_count / tournament_count,
    )


def play_tournament(
    tournament: TournamentParameters, method: str, skills: Sequence[float], random: Random
) -> tuple[list[float], list[list[int]]]:
    """Play one tournament; return each entry's total and opponents."""
    totals_by_entry = [[0.0] for _ in skills]  # the totals before round 1 and after each round
    field = DrawField(
        entries=tuple(Entry(entry_index) for entry_index in range(tournament.entry_count))
    )
    draw_method = DrawMethod.SWISS if method == "arrears" else DrawMethod(method)
    rounds_behind = 1 if method == "arrears" else 0
    opponents_by_entry: list[list[int]] = [[] for _ in skills]
    for round_number in range(1, tournament.round_count + 1):
        known_rounds = max(round_number - 1 - rounds_behind, 0)
        entries = tuple(
            Entry(
                entry_index,
                Fraction(round(100 * totals_by_entry[entry_index][known_rounds]), 100),
            )
            for entry_index in range(tournament.entry_count)
        )
        seed = str(random.random())
        field = replace(
            field,
            entries=entries,
            round=round_number,
            seed=seed,
            method=draw_method,
            kind=tournament.kind,
        )
        draw = draw_round(field)
        paired_indexes = [(int(pairing.ns), int(pairing.ew)) for pairing in draw.pairings]
        margins = dict.fromkeys(range(tournament.entry_count), 0.0)
        for ns, ew in paired_indexes:
            margins[ns] = _simulate_match(tournament, skills[ns] - skills[ew], random)
            margins[ew] = -margins[ns]
            opponents_by_entry[ns].append(ew)
            opponents_by_entry[ew].append(ns)
        for entry_index, round_totals in enumerate(totals_by_entry):
            round_totals.append(round_totals[-1] + margins[entry_index])
        met_pairings = tuple(EarlierPairing(ns, ew) for ns, ew in paired_indexes)
        field = replace(
            field,
            history=(*field.history, DrawnRound(round_number, met_pairings, draw.sit_out)),
        )
    return [round_totals[-1] for round_totals in totals_by_entry], opponents_by_entry


def compute_kendall_tau(skills: Sequence[float], totals: Sequence[float]) -> float:
    """Return Kendall's tau: the share of pairings in true order minus that in reverse."""
    concordance = 0
    pairings = list(combinations(range(len(skills)), 2))
    for first_entry, second_entry in pairings:
        agreement = (skills[first_entry] - skills[second_entry]) * (
            totals[first_entry] - totals[second_entry]
        )
        concordance += (agreement > 0) - (agreement < 0)
    return concordance / len(pairings)


def _simulate_match(
    tournament: TournamentParameters, difference: float, random: Random
) -> float:
    """Return the margin of a match; teams play every board at two tables."""
    table_count = 2 if tournament.kind == "teams" else 1
    spread = tournament.noise_deviation * (table_count * tournament.board_count) ** 0.5
    return table_count * tournament.board_count * difference + random.gauss(0, spread)
