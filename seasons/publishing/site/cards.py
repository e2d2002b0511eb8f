"""A board as it stands on an entry's card."""

from dataclasses import dataclass
from fractions import Fraction

from seasons.publishing.documents.values import PublishedBoard, PublishedPlay, PublishedSide


@dataclass(frozen=True, slots=True)
class CardRow:
    """A board on an entry's card."""

    board: PublishedBoard
    play: PublishedPlay
    direction: str
    own: PublishedSide
    other: PublishedSide

    @property
    def average(self) -> Fraction | None:
        """The average of the entry's side on the board."""
        found = self.board.average
        return 13 - found if found is not None and self.direction == "E-W" else found

    @property
    def score(self) -> Fraction | None:
        """What the board counts for the entry."""
        return self.own.score
