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

    `kendall_tau` and `corrected_kendall_tau` are Kendall's tau of the totals and of the
    corrected totals. `best_wins` is the share of tournaments that the most skilled entry won.
    """

    method: str
    kendall_tau: float
    corrected_kendall_tau: float
    best_wins: float

    def as_data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "method": self.method,
            "tau": round(self.kendall_tau, 4),
            "corrected": round(self.corrected_kendall_tau, 4),
            "best_wins": round(self.best_wins, 4),
        }

    def as_text(self) -> str:
        """Return the method and its numbers as one line of a text table."""
        number_columns = (
            f"{self.kendall_tau:7.3f} {self.corrected_kendall_tau:10.3f} {self.best_wins:10.2f}"
        )
        return f"{self.method:10} {number_columns}"


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
    draw_field = DrawField(
        entries=tuple(Entry(entry_index) for entry_index in range(tournament.entry_count))
    )
    draw_method = DrawMethod.SWISS if method == "arrears" else DrawMethod(method)
    delay_round_count = 1 if method == "arrears" else 0
    opponents_by_entry: list[list[int]] = [[] for _ in skills]
    for round_number in range(1, tournament.round_count + 1):
        known_round_count = max(round_number - 1 - delay_round_count, 0)
        entries = tuple(
            Entry(
                entry_index,
                Fraction(round(100 * totals_by_entry[entry_index][known_round_count]), 100),
            )
            for entry_index in range(tournament.entry_count)
        )
        seed = str(random.random())
        draw_field = replace(
            draw_field,
            entries=entries,
            round_number=round_number,
            seed=seed,
            method=draw_method,
            kind=tournament.kind,
        )
        round_draw = draw_round(draw_field)
        paired_indexes = [(int(pairing.ns), int(pairing.ew)) for pairing in round_draw.pairings]
        margin_by_entry = dict.fromkeys(range(tournament.entry_count), 0.0)
        for ns_index, ew_index in paired_indexes:
            margin_by_entry[ns_index] = _simulate_match(
                tournament, skills[ns_index] - skills[ew_index], random
            )
            margin_by_entry[ew_index] = -margin_by_entry[ns_index]
            opponents_by_entry[ns_index].append(ew_index)
            opponents_by_entry[ew_index].append(ns_index)
        for entry_index, round_totals in enumerate(totals_by_entry):
            round_totals.append(round_totals[-1] + margin_by_entry[entry_index])
        met_pairings = tuple(
            EarlierPairing(ns_index, ew_index) for ns_index, ew_index in paired_indexes
        )
        draw_field = replace(
            draw_field,
            earlier_rounds=(
                *draw_field.earlier_rounds,
                DrawnRound(round_number, met_pairings, round_draw.sit_out_ids),
            ),
        )
    return [round_totals[-1] for round_totals in totals_by_entry], opponents_by_entry


def compute_kendall_tau(skills: Sequence[float], totals: Sequence[float]) -> float:
    """Return Kendall's tau: the share of pairings in true order minus that in reverse."""
    concordance = 0
    pairings = list(combinations(range(len(skills)), 2))
    for first_index, second_index in pairings:
        agreement = (skills[first_index] - skills[second_index]) * (
            totals[first_index] - totals[second_index]
        )
        concordance += (agreement > 0) - (agreement < 0)
    return concordance / len(pairings)


def _simulate_match(
    tournament: TournamentParameters, skill_difference: float, random: Random
) -> float:
    """Return the margin of a match; teams play every board at two tables."""
    table_count = 2 if tournament.kind == "teams" else 1
    margin_deviation = (
        tournament.noise_deviation * (table_count * tournament.board_count) ** 0.5
    )
    return table_count * tournament.board_count * skill_difference + random.gauss(
        0, margin_deviation
    )
