"""The check of the four sums that a table wrote on its sheet, against the hands entered."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from drives.games.misreadings import find_misreadings
from drives.games.settling import SEATS
from drives.games.slips import Slip, SlipKind, find_slips
from drives.hand_points import settle_contract
from drives.sheets.hand_grid import HandGrid, format_hand
from server.formatting import format_signed


@dataclass(frozen=True, slots=True)
class DifferingSum:
    """A player's sum on the sheet that differs from the hands, and what may explain it."""

    words: str
    slips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SumsCheck:
    """The result of the check; `likely` are hands that explain every difference at once."""

    balance: int
    missing: tuple[int, ...]
    likely: tuple[str, ...]
    sums: tuple[DifferingSum, ...]

    @property
    def signed_balance(self) -> str:
        """The sum of the four written sums as the page shows it; it should be 0."""
        return format_signed(self.balance)

    @property
    def is_right(self) -> bool:
        """Whether every written sum agrees with the hands."""
        return not self.sums


def check_written_sums(grid: HandGrid, written: Sequence[int | None]) -> SumsCheck | None:
    """Compare the written sums with the hands; None if none was entered.

    It makes no queries. A sum cannot show two mistakes that cancel out.
    """
    if all(each is None for each in written):
        return None
    rows = [row for row in grid.rows if row.score]
    slips: dict[int, list[Slip]] = {}
    for at, number in enumerate(written):
        if number is not None and number != grid.sums[at]:
            slips[at] = find_slips([row.score[at] for row in rows], number)
    is_whole = all(each is not None for each in written)
    numbers = [row.hand for row in rows]
    return SumsCheck(
        balance=sum(each or 0 for each in written) if is_whole else 0,
        missing=tuple(grid.missing),
        likely=tuple(_list_likely_hands(grid, written, slips, numbers)) if slips else (),
        sums=tuple(
            DifferingSum(
                _("%(name)s: %(written)s on the sheet, %(computed)s from the hands.")
                % {
                    "name": grid.people[at].numbered_name,
                    "written": format_signed(written[at]),
                    "computed": format_signed(grid.sums[at]),
                },
                tuple(_describe_slip(grid, each, at, numbers) for each in found),
            )
            for at, found in slips.items()
        ),
    )


def _list_likely_hands(
    grid: HandGrid,
    written: Sequence[int | None],
    slips: dict[int, list[Slip]],
    numbers: Sequence[int],
) -> list[str]:
    """Return hands that explain all differences: read wrongly, or left out of all sums."""
    found = []
    if all(each is not None for each in written):
        differences = [
            (each or 0) - total for each, total in zip(written, grid.sums, strict=True)
        ]
        hands = {row.hand: row.contract for row in grid.rows if row.contract}
        for number, hand in find_misreadings(grid.points, hands, differences):
            score = settle_contract(grid.points, hand).points
            words = _("Hand %(hand)s: does the sheet say %(other)s?")
            other = format_hand(grid.points, hand, score)
            found.append(words % {"hand": number, "other": other})
    if len(slips) < len(SEATS) // 2:
        return found
    kinds = [{(each.kind, each.hand) for each in some if each.hand} for some in slips.values()]
    shared = set.intersection(*kinds)
    for kind, at in sorted(shared, key=lambda each: each[1] or 0):
        words = {
            SlipKind.LEFT_OUT: _("Hand %(hand)s: left out of the sums?"),
            SlipKind.WRONG_SIGN: _("Hand %(hand)s: wrong sign in the sums?"),
            SlipKind.DIGITS: _("Hand %(hand)s: digits swapped?"),
        }[kind]
        found.append(words % {"hand": numbers[(at or 1) - 1]})
    return found


def _describe_slip(grid: HandGrid, slip: Slip, at: int, numbers: Sequence[int]) -> str:
    if slip.hand is None:
        return _("Digits swapped in the sum?")
    number = numbers[slip.hand - 1]
    row = next(each for each in grid.rows if each.hand == number)
    words = {
        SlipKind.LEFT_OUT: _("Hand %(hand)s, %(points)s: left out?"),
        SlipKind.WRONG_SIGN: _("Hand %(hand)s, %(points)s: wrong sign?"),
        SlipKind.DIGITS: _("Hand %(hand)s, %(points)s: digits swapped?"),
    }[slip.kind]
    return words % {"hand": number, "points": format_signed(row.score[at])}
