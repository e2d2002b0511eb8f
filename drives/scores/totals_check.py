"""The check of totals: whether all cards add up to the expected sum, and which may be wrong.

The sum of all tricks is 26 for each table and hand. A sum cannot detect that two cards were
exchanged or that two errors cancel out; the check never claims that there are none.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from drives.draw.participants import PlayerId
from drives.scores.rules import Scoring
from drives.scores.sheets import CardScore, PlayedRound, sum_scores


class TotalsSum(NamedTuple):
    """The expected and the actual sum of all players' scores, without rests."""

    expected_sum: Fraction | None
    actual_sum: Fraction

    @property
    def difference(self) -> Fraction | None:
        """The difference between both sums; None where the expected sum is unknown."""
        return None if self.expected_sum is None else self.actual_sum - self.expected_sum


class SuspectCards(NamedTuple):
    """Cards to check, the most likely first.

    `wrong_sums` are cards whose parts do not add up to their total. `exchanged_digits` are
    cards where an exchange of two neighbouring digits explains the difference exactly.
    """

    wrong_sums: tuple[PlayerId, ...]
    exchanged_digits: tuple[PlayerId, ...]


def sum_totals(
    rounds: Sequence[PlayedRound],
    cards: Sequence[CardScore],
    scoring: Scoring,
    *,
    tables: int,
    planned: int | None,
) -> TotalsSum:
    """Sum all scores, and compute the expected sum.

    Cards replace the sheets without scores, or `planned` rounds. `tables` is the number in a
    round;
    without `planned`, the expected sum of cards is unknown.
    """
    entered = [sheet for played in rounds for sheet in played.sheets if sheet.score]
    missing_sheets = sum(len(played.sheets) for played in rounds) - len(entered)
    actual_sum = Fraction(sum_scores(rounds, scoring) + sum(card.total for card in cards))
    share = scoring.average_score
    if share is None or (cards and not missing_sheets and not planned):
        return TotalsSum(None, actual_sum)
    extras = sum(sum(sheet.extras) * 4 // len(sheet.score) for sheet in entered)
    on_cards = (missing_sheets or (planned or 0) * tables) if cards else 0
    return TotalsSum(4 * share * (len(entered) + on_cards) + extras, actual_sum)


def find_suspects(
    totals: Mapping[PlayerId, int],
    parts: Mapping[PlayerId, Sequence[int]],
    difference: int,
    typed_numbers: Mapping[PlayerId, Sequence[int]] | None = None,
) -> SuspectCards:
    """Return the cards that may explain a difference `off`, given the totals by player.

    `parts` are the rounds or halves of the cards on which these were also entered. `typed` are
    the
    entered numbers of cards whose total was entered in several parts.
    """
    numbers_by_player = typed_numbers or {
        player_id: (total,) for player_id, total in totals.items()
    }
    mean = Fraction(sum(totals.values()), max(1, len(totals)))
    all_numbers = [number for numbers in numbers_by_player.values() for number in numbers]
    mean_number = Fraction(sum(all_numbers), max(1, len(all_numbers)))

    def compute_total_sort_key(player: PlayerId) -> tuple[Fraction, str]:
        return -abs(totals[player] - mean), str(player)

    def compute_digits_sort_key(player: PlayerId) -> tuple[Fraction, str]:
        transposed_numbers = (
            number
            for number in numbers_by_player[player]
            if find_original_number(number, difference) is not None
        )
        return -max(abs(number - mean_number) for number in transposed_numbers), str(player)

    wrong_sums = [
        player_id
        for player_id, rows in parts.items()
        if rows and sum(rows) != totals.get(player_id)
    ]
    exchanged = [
        player_id
        for player_id in totals
        if any(
            find_original_number(number, difference) is not None
            for number in numbers_by_player.get(player_id, ())
        )
    ]
    return SuspectCards(
        tuple(sorted(wrong_sums, key=compute_total_sort_key)),
        tuple(sorted(exchanged, key=compute_digits_sort_key)),
    )


def find_original_number(number: int, difference: int) -> int | None:
    """Return the number that becomes `figure` if two of its digits are exchanged, or None.

    Only an exchange that changes the number by `off` counts.
    """
    original = number - difference
    return original if difference and original in list_digit_exchanges(number) else None


def list_digit_exchanges(number: int) -> set[int]:
    """Return the numbers that differ by an exchange of two neighbouring digits."""
    sign, digits = (-1 if number < 0 else 1), str(abs(number))
    exchanges = {
        sign * int(digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :])
        for at in range(len(digits) - 1)
    }
    if len(digits) == 1:  # 70 typed as 07
        exchanges.add(sign * int(digits + "0"))
    return exchanges - {number}


def find_typing_differences(
    first: Mapping[PlayerId, int], second: Mapping[PlayerId, int]
) -> tuple[PlayerId, ...]:
    """Return the players whose totals differ between two typings, or exist only in one."""
    return tuple(
        player for player in {**first, **second} if first.get(player) != second.get(player)
    )
