"""From which round to which somebody was there, and what follows for ranking and prizes."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from drives.draw.company import Player
from drives.scores.sheets import Card, PlayedRound, is_entered


class Stay(NamedTuple):
    """The first round that somebody was there for, and the last; None for up to the end."""

    first: int = 1
    last: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether he left before he came, as a newcomer whose round was never played."""
        return self.last is not None and self.last < self.first

    def covers(self, number: int) -> bool:
        """Whether he was there for a round."""
        return self.first <= number and (self.last is None or number <= self.last)

    def is_whole(self, upto: int | None) -> bool:
        """Whether he was there from the first round to the last, as far as that is known."""
        return self.first == 1 and (self.last is None or bool(upto and self.last >= upto))


def who_counts(
    stays: Mapping[int, Stay], rounds: Sequence[PlayedRound], cards: Sequence[Card]
) -> list[int]:
    """Who is ranked: whoever was there for a round that has a score, or has handed a card in.

    Somebody who came for a round that was never played has made nothing, which is no score.
    """
    reached = max((each.number for each in rounds if is_entered(each)), default=1)
    handed = {card.number for card in cards}
    return [
        player
        for player, stay in stays.items()
        if not stay.is_empty and (stay.first <= reached or player in handed)
    ]


def rounds_on_cards(
    stays: Mapping[int, Stay],
    rounds: Sequence[PlayedRound],
    cards: Collection[Card],
    planned: int | None,
    *,
    halves: bool,
) -> dict[Player, int]:
    """How many rounds stand on each one's cards, his rests too: those without a sheet.

    Nothing where nobody has said how many rounds there are.
    """
    entered = {each.number for each in rounds if is_entered(each)}
    parts = {card.part for card in cards}
    last = (planned or 0) // 2 if halves and parts == {1} else planned or 0
    return {
        player: sum(
            stay.covers(number) for number in range(1, last + 1) if number not in entered
        )
        for player, stay in stays.items()
    }
