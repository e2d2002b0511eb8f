"""The rounds in which a player was there."""

from typing import NamedTuple


class Stay(NamedTuple):
    """A player's first round, and the last one; None for up to the end."""

    first: int = 1
    last: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether he left before he came, as a newcomer whose round was never played."""
        return self.last is not None and self.last < self.first

    def covers_round(self, number: int) -> bool:
        """Return whether he was there for a round."""
        return self.first <= number and (self.last is None or number <= self.last)

    def is_whole_evening(self, upto: int | None) -> bool:
        """Return whether he was there from the first round to the last, if that is known."""
        return self.first == 1 and (self.last is None or bool(upto and self.last >= upto))
