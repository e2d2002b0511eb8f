"""Compares the players' sums of points on a table's paper sheet with the hands entered."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from drives.games.misreadings import find_misreadings
from drives.games.mistakes import Mistake, MistakeKind, find_mistakes
from drives.games.settling import SEATS
from drives.hand_points import settle_contract
from drives.sheets.hand_grid import HandGrid, format_hand
from server.formatting import format_signed


@dataclass(frozen=True, slots=True)
class DifferingSum:
    """A player's written sum that differs from the sum of the hands entered for the player.

    `text` names the player and both sums. Each of the `mistakes` is a question about a mistake
    that would explain the difference, e.g. "Hand 3, +12: left out?".
    """

    text: str
    mistakes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SumsCheck:
    """The result of comparing a sheet's written sums with the hands entered.

    Each of the `likely_causes` is a question about one hand that would explain all differences.
    `sum_of_sums` is 0 unless the sheet has all four sums.
    """

    sum_of_sums: int
    missing_hands: tuple[int, ...]
    likely_causes: tuple[str, ...]
    differing_sums: tuple[DifferingSum, ...]

    @property
    def signed_balance(self) -> str:
        """The sum of the four written sums as text, e.g. "+4"; "0" if the sums are correct."""
        return format_signed(self.sum_of_sums)

    @property
    def is_correct(self) -> bool:
        """Whether every written sum equals the sum of the player's hands."""
        return not self.differing_sums


def check_written_sums(grid: HandGrid, written_sums: Sequence[int | None]) -> SumsCheck | None:
    """Compare the written sums with the hands; return None if no sum was entered.

    No query is executed. Two mistakes that cancel each other out cannot be found.
    """
    if all(written_sum is None for written_sum in written_sums):
        return None
    rows = [row for row in grid.rows if row.score]
    mistakes_by_seat: dict[int, list[Mistake]] = {}
    for seat_index, written_sum_of_seat in enumerate(written_sums):
        if written_sum_of_seat is not None and written_sum_of_seat != grid.sums[seat_index]:
            mistakes_by_seat[seat_index] = find_mistakes(
                [row.score[seat_index] for row in rows], written_sum_of_seat
            )
    has_all_sums = all(written_sum is not None for written_sum in written_sums)
    hand_numbers = [row.hand_number for row in rows]
    return SumsCheck(
        sum_of_sums=sum(written_sum or 0 for written_sum in written_sums)
        if has_all_sums
        else 0,
        missing_hands=tuple(grid.missing_hands),
        likely_causes=tuple(
            _list_likely_hands(grid, written_sums, mistakes_by_seat, hand_numbers)
        )
        if mistakes_by_seat
        else (),
        differing_sums=tuple(
            DifferingSum(
                _("%(name)s: %(written)s on the sheet, %(computed)s from the hands.")
                % {
                    "name": grid.people[seat_index].name,
                    "written": format_signed(written_sums[seat_index]),
                    "computed": format_signed(grid.sums[seat_index]),
                },
                tuple(
                    mistake.format(
                        [
                            _("Hand %(hand)s") % {"hand": hand_number}
                            for hand_number in hand_numbers
                        ],
                        [format_signed(row.score[seat_index]) for row in rows],
                    )
                    for mistake in seat_mistakes
                ),
            )
            for seat_index, seat_mistakes in mistakes_by_seat.items()
        ),
    )


def _list_likely_hands(
    grid: HandGrid,
    written_sums: Sequence[int | None],
    mistakes_by_seat: dict[int, list[Mistake]],
    hand_numbers: Sequence[int],
) -> list[str]:
    """Return a question about each hand that may explain the differences of several players.

    The scorer may have misread the hand on the sheet, or the table may have made the same
    mistake with it in each sum.
    """
    sentences = []
    if all(written_sum is not None for written_sum in written_sums):
        differences = [
            (written_sum or 0) - total
            for written_sum, total in zip(written_sums, grid.sums, strict=True)
        ]
        contract_by_hand = {row.hand_number: row.contract for row in grid.rows if row.contract}
        for hand_number, hand in find_misreadings(grid.points, contract_by_hand, differences):
            score = settle_contract(grid.points, hand).points
            message = _("Hand %(hand)s: does the sheet say %(other)s?")
            hand_text = format_hand(grid.points, hand, score)
            sentences.append(message % {"hand": hand_number, "other": hand_text})
    if len(mistakes_by_seat) < len(SEATS) // 2:
        return sentences
    mistake_sets = [
        {
            (mistake.kind, mistake.hand_number)
            for mistake in seat_mistakes
            if mistake.hand_number
        }
        for seat_mistakes in mistakes_by_seat.values()
    ]
    common_mistakes = set.intersection(*mistake_sets)
    for mistake_kind, hand_index in sorted(
        common_mistakes, key=lambda kind_and_hand: kind_and_hand[1] or 0
    ):
        message = {
            MistakeKind.OMISSION: _("Hand %(hand)s: left out of the sums?"),
            MistakeKind.WRONG_SIGN: _("Hand %(hand)s: wrong sign in the sums?"),
            MistakeKind.EXCHANGED_DIGITS: _("Hand %(hand)s: digits swapped?"),
        }[mistake_kind]
        sentences.append(message % {"hand": hand_numbers[(hand_index or 1) - 1]})
    return sentences
