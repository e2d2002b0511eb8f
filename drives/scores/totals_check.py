"""Checks whether all score cards add up to the expected sum, and finds those that may be wrong.

The sum of all tricks is 26 for each table and hand, because partners both count their tricks. A
sum cannot show that two cards were exchanged or that two errors cancel out. The check therefore
never states that there are no errors.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from drives.draw.participants import PlayerId
from drives.scores.rules import Scoring
from drives.scores.sheets import PlayedRound, ScoreCardTotal, sum_scores


class TotalsSum(NamedTuple):
    """The expected and the actual sum of all players' scores, without points for rests."""

    expected_sum: Fraction | None
    actual_sum: Fraction

    @property
    def difference(self) -> Fraction | None:
        """The actual sum minus the expected sum; None if the expected sum is unknown."""
        return None if self.expected_sum is None else self.actual_sum - self.expected_sum


class SuspectCards(NamedTuple):
    """Score cards that may be wrong, the most likely first.

    `wrong_sums` are cards whose parts do not add up to their total.
    `players_with_exchanged_digits` are cards where an exchange of two neighbouring digits
    explains the difference exactly.
    """

    wrong_sums: tuple[PlayerId, ...]
    players_with_exchanged_digits: tuple[PlayerId, ...]


def sum_totals(
    rounds: Sequence[PlayedRound],
    cards: Sequence[ScoreCardTotal],
    scoring: Scoring,
    *,
    table_count: int,
    planned_round_count: int | None,
) -> TotalsSum:
    """Sum all scores, and compute the expected sum.

    `rounds` have sheets. Cards are expected to cover the sheets without scores or, if there are
    none, `planned_round_count` more rounds of `table_count` tables. If `planned_round_count` is
    None, the expected sum of these cards is unknown.
    """
    entered_sheets = [
        sheet for played_round in rounds for sheet in played_round.sheets if sheet.score
    ]
    missing_sheet_count = sum(len(played_round.sheets) for played_round in rounds) - len(
        entered_sheets
    )
    actual_sum = Fraction(sum_scores(rounds, scoring) + sum(card.total for card in cards))
    average_score = scoring.average_score
    if average_score is None or (cards and not missing_sheet_count and not planned_round_count):
        return TotalsSum(None, actual_sum)
    extras_sum = sum(sum(sheet.extras) * 4 // len(sheet.score) for sheet in entered_sheets)
    card_sheet_count = (
        (missing_sheet_count or (planned_round_count or 0) * table_count) if cards else 0
    )
    return TotalsSum(
        4 * average_score * (len(entered_sheets) + card_sheet_count) + extras_sum, actual_sum
    )


def find_suspect_cards(
    total_by_player: Mapping[PlayerId, int],
    score_parts_by_player: Mapping[PlayerId, Sequence[int]],
    difference: int,
    typed_numbers_by_player: Mapping[PlayerId, Sequence[int]] | None = None,
) -> SuspectCards:
    """Return the cards whose errors may explain the difference of the actual and expected sum.

    `total_by_player` has each player's total. `score_parts_by_player` has the scores of a
    player's rounds or halves, if these were entered as well. `typed_numbers_by_player` has the
    typed numbers of which each total is the sum, such as one for each half. By default, the
    total itself was typed.
    """
    numbers_by_player = typed_numbers_by_player or {
        player_id: (total,) for player_id, total in total_by_player.items()
    }
    mean_total = Fraction(sum(total_by_player.values()), max(1, len(total_by_player)))
    all_typed_numbers = [
        typed_number
        for typed_numbers in numbers_by_player.values()
        for typed_number in typed_numbers
    ]
    mean_number = Fraction(sum(all_typed_numbers), max(1, len(all_typed_numbers)))

    def compute_total_sort_key(player: PlayerId) -> tuple[Fraction, str]:
        return -abs(total_by_player[player] - mean_total), str(player)

    def compute_digits_sort_key(player: PlayerId) -> tuple[Fraction, str]:
        transposed_numbers = (
            typed_number
            for typed_number in numbers_by_player[player]
            if find_original_number(typed_number, difference) is not None
        )
        return -max(
            abs(typed_number - mean_number) for typed_number in transposed_numbers
        ), str(player)

    wrong_sums = [
        player_id
        for player_id, score_parts in score_parts_by_player.items()
        if score_parts and sum(score_parts) != total_by_player.get(player_id)
    ]
    players_with_exchanged_digits = [
        player_id
        for player_id in total_by_player
        if any(
            find_original_number(typed_number, difference) is not None
            for typed_number in numbers_by_player.get(player_id, ())
        )
    ]
    return SuspectCards(
        tuple(sorted(wrong_sums, key=compute_total_sort_key)),
        tuple(sorted(players_with_exchanged_digits, key=compute_digits_sort_key)),
    )


def find_original_number(typed_number: int, difference: int) -> int | None:
    """Return the number that becomes `typed_number` if two digits are exchanged, or None.

    Only an exchange that changes the number by `difference` counts.
    """
    original_number = typed_number - difference
    return (
        original_number
        if difference and original_number in list_digit_exchanges(typed_number)
        else None
    )


def list_digit_exchanges(typed_number: int) -> set[int]:
    """Return the numbers that differ by an exchange of two neighbouring digits."""
    sign, digits = (-1 if typed_number < 0 else 1), str(abs(typed_number))
    exchanged_numbers = {
        sign * int(digits[:index] + digits[index + 1] + digits[index] + digits[index + 2 :])
        for index in range(len(digits) - 1)
    }
    if len(digits) == 1:  # 70 may have been typed as 07, which is read as 7
        exchanged_numbers.add(sign * int(digits + "0"))
    return exchanged_numbers - {typed_number}


def find_typing_differences(
    first_total_by_player: Mapping[PlayerId, int],
    second_total_by_player: Mapping[PlayerId, int],
) -> tuple[PlayerId, ...]:
    """Compare totals that were typed twice; return the players whose two totals differ.

    A total that was typed only once also counts as different.
    """
    return tuple(
        player
        for player in {**first_total_by_player, **second_total_by_player}
        if first_total_by_player.get(player) != second_total_by_player.get(player)
    )
