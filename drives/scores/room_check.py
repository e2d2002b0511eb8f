"""The room's check: do all cards together add up, and if not, which may be wrong?

Σ of all tricks is 26 a table and hand. A sum cannot know that two cards were exchanged, or that
two slips cancel out; the check never says so.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from drives.draw.company import Player
from drives.scores.rules import Scoring
from drives.scores.sheets import Card, PlayedRound, figures_sum


class RoomSum(NamedTuple):
    """What all players' figures should add up to and what they do; rests are left out."""

    expected: Fraction | None
    got: Fraction

    @property
    def off(self) -> Fraction | None:
        """How far they are off, None where no sum is certain."""
        return None if self.expected is None else self.got - self.expected


class Suspects(NamedTuple):
    """Cards to look at again, the likeliest first.

    `added_wrong` are those whose own parts do not make their total; `exchanged` those where two
    neighbouring digits, the other way round, explain the difference exactly.
    """

    added_wrong: tuple[Player, ...]
    exchanged: tuple[Player, ...]


def check_room(
    rounds: Sequence[PlayedRound],
    cards: Sequence[Card],
    scoring: Scoring,
    *,
    tables: int,
    planned: int | None,
) -> RoomSum:
    """Add up a room. Cards stand for the sheets without figures, or for `planned` rounds.

    `tables` are those of a round; without a plan nothing is certain about cards alone.
    """
    entered = [sheet for played in rounds for sheet in played.sheets if sheet.score]
    blank = sum(len(played.sheets) for played in rounds) - len(entered)
    got = Fraction(figures_sum(rounds, scoring) + sum(card.total for card in cards))
    share = scoring.share
    if share is None or (cards and not blank and not planned):
        return RoomSum(None, got)
    extras = sum(sum(sheet.extras) * 4 // len(sheet.score) for sheet in entered)
    on_cards = (blank or (planned or 0) * tables) if cards else 0
    return RoomSum(4 * share * (len(entered) + on_cards) + extras, got)


def suspects(
    totals: Mapping[Player, int],
    parts: Mapping[Player, Sequence[int]],
    off: int,
    typed: Mapping[Player, Sequence[int]] | None = None,
) -> Suspects:
    """Which cards may explain that a room is off by a number, totals by player.

    `parts` are the rows or halves of those cards whose parts were typed too; `typed` are the
    figures as they were typed, where a card's total came in several.
    """
    figures = typed or {who: (total,) for who, total in totals.items()}
    mean = Fraction(sum(totals.values()), max(1, len(totals)))
    usual = [figure for each in figures.values() for figure in each]
    middle = Fraction(sum(usual), max(1, len(usual)))

    def oddest(player: Player) -> tuple[Fraction, str]:
        return -abs(totals[player] - mean), str(player)

    def least_usual(player: Player) -> tuple[Fraction, str]:
        slips = (each for each in figures[player] if instead(each, off) is not None)
        return -max(abs(each - middle) for each in slips), str(player)

    wrong = [who for who, rows in parts.items() if rows and sum(rows) != totals.get(who)]
    swapped = [
        who
        for who in totals
        if any(instead(figure, off) is not None for figure in figures.get(who, ()))
    ]
    return Suspects(tuple(sorted(wrong, key=oddest)), tuple(sorted(swapped, key=least_usual)))


def instead(figure: int, off: int) -> int | None:
    """What a figure was before two digits changed places, if that explains `off` exactly."""
    right = figure - off
    return right if off and right in exchanges(figure) else None


def exchanges(number: int) -> set[int]:
    """What a number may have been before two neighbouring digits changed places."""
    sign, digits = (-1 if number < 0 else 1), str(abs(number))
    found = {
        sign * int(digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :])
        for at in range(len(digits) - 1)
    }
    if len(digits) == 1:  # 70 typed as 07
        found.add(sign * int(digits + "0"))
    return found - {number}


def type_again(first: Mapping[Player, int], second: Mapping[Player, int]) -> tuple[Player, ...]:
    """Whose totals differ between two typings, and who stands in one alone."""
    return tuple(who for who in {**first, **second} if first.get(who) != second.get(who))
