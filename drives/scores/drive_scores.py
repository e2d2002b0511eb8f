"""The scores of a drive, with its totals, its ranking and the check of its totals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from drives.draw.participants import PlayerId
from drives.games.hand_tallies import HandTally
from drives.scores.attendance import AttendedRounds
from drives.scores.ranking import RankedPlayer, rank_players
from drives.scores.rules import Scoring
from drives.scores.sheets import (
    PlayedRound,
    ScoreCardTotal,
    Tally,
    compute_tallies,
    has_any_score,
)
from drives.scores.totals_check import TotalsSum, sum_totals


class Competitor(NamedTuple):
    """A player who can be ranked, with the data that decides who may win which prize."""

    attended_rounds: AttendedRounds
    role: str | None = None
    club_name: str | None = None
    fort_name: str | None = None
    is_present: bool = True


@dataclass(frozen=True, kw_only=True)
class DriveScores:
    """All entered scores of a drive, and the rules by which they count.

    `competitor_by_number` contains all players except house players. `rounds` are the rounds in
    play or played. `planned_round_count` is the final number of rounds, if it is known. If
    `has_halves` is true, each half of the evening has separate cards. If `should_halve_ties` is
    true, a tied round counts as half a game for each side.
    """

    competitor_by_number: Mapping[int, Competitor]
    rounds: Sequence[PlayedRound]
    cards: Sequence[ScoreCardTotal]
    scoring: Scoring
    tie_breaks: Sequence[str]
    planned_round_count: int | None
    has_halves: bool
    should_halve_ties: bool
    hand_tally_by_player: Mapping[PlayerId, HandTally] = field(default_factory=dict)
    """The numbers of contracts that each player has made and lost, in a game with contracts."""

    @cached_property
    def round_numbers(self) -> list[int]:
        """The numbers of all rounds, played or planned, in order."""
        planned_round_count = range(1, (self.planned_round_count or 0) + 1)
        return sorted({*planned_round_count, *(round_.number for round_ in self.rounds)})

    @cached_property
    def ranked_player_numbers(self) -> list[int]:
        """The numbers of the players who have a score or a card that was handed in.

        A player whose only round was never played has no score, not a score of 0.
        """
        entered_round_numbers = (
            round_.number for round_ in self.rounds if has_any_score(round_)
        )
        last_entered_round_number = max(entered_round_numbers, default=1)
        players_with_card = {card.player_number for card in self.cards}
        return [
            player_number
            for player_number, competitor in self.competitor_by_number.items()
            if not competitor.attended_rounds.is_empty
            and (
                competitor.attended_rounds.first_round_number <= last_entered_round_number
                or player_number in players_with_card
            )
        ]

    @cached_property
    def tallies(self) -> dict[PlayerId, Tally]:
        """The scores of each ranked player."""
        return self.compute_tallies(self.ranked_player_numbers)

    def compute_tallies(self, player_numbers: Sequence[int]) -> dict[PlayerId, Tally]:
        """Compute the scores of the given players, whether or not they are ranked."""
        return compute_tallies(
            self.rounds,
            self.cards,
            self.scoring,
            player_numbers,
            self._count_rounds_on_cards(),
            should_halve_ties=self.should_halve_ties,
            hand_tally_by_player=self.hand_tally_by_player,
        )

    @cached_property
    def ranking(self) -> list[RankedPlayer]:
        """The ranking, best first."""
        return rank_players(self.tallies, self.tie_breaks, self.round_numbers)

    def check_totals(self, table_count: int) -> TotalsSum:
        """Compare the sum of all scores with the expected sum; `table_count` is the number of
        tables in a round.

        If only cards of the first half were handed in, only the rounds of that half count. If
        all rounds are seated, the cards stand for the sheets without a score. Otherwise they
        stand for all tables of the planned rounds in which no score was entered.
        """
        rounds, planned_round_count = self.rounds, self.planned_round_count
        entered_rounds = [round_ for round_ in rounds if has_any_score(round_)]
        if planned_round_count and self._has_only_first_half_cards:
            planned_round_count //= 2
            rounds = [round_ for round_ in rounds if round_.number <= planned_round_count]
        are_all_rounds_seated = len(rounds) == planned_round_count
        return sum_totals(
            rounds if are_all_rounds_seated or not self.cards else entered_rounds,
            self.cards,
            self.scoring,
            table_count=table_count,
            planned_round_count=max(0, planned_round_count - len(entered_rounds))
            if planned_round_count
            else None,
        )

    @property
    def entered_parts(self) -> frozenset[int]:
        """The parts of score cards whose totals were entered."""
        return frozenset(card.card_part for card in self.cards)

    @property
    def _has_only_first_half_cards(self) -> bool:
        return self.has_halves and self.entered_parts == {1}

    def _count_rounds_on_cards(self) -> dict[PlayerId, int]:
        """Return, by player, the number of rounds whose score only the score card can contain.

        These are the rounds of the player in which no table score was entered. The number is 0
        if the planned number of rounds is unknown.
        """
        entered_round_numbers = {
            round_.number for round_ in self.rounds if has_any_score(round_)
        }
        last_round_number = self.planned_round_count or 0
        if self._has_only_first_half_cards:
            last_round_number //= 2
        unscored_rounds = [
            round_number
            for round_number in range(1, last_round_number + 1)
            if round_number not in entered_round_numbers
        ]
        return {
            player_number: sum(map(competitor.attended_rounds.has_round, unscored_rounds))
            for player_number, competitor in self.competitor_by_number.items()
        }
