"""From which round to which a player was there."""

from typing import NamedTuple


class Stay(NamedTuple):
    """The first round that a player was there for, and the last; None for up to the end."""

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
