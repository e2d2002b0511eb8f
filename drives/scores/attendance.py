"""The rounds in which a player takes part."""

from typing import NamedTuple


class AttendedRounds(NamedTuple):
    """A player's first round and last round; the last round is None if the player stays to the
    end.
    """

    first: int = 1
    last: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the stay has no rounds, as for a late player whose round was never played."""
        return self.last is not None and self.last < self.first

    def has_round(self, round_number: int) -> bool:
        """Return whether the player takes part in a round."""
        return self.first <= round_number and (self.last is None or round_number <= self.last)

    def covers_all_rounds(self, last_round: int | None) -> bool:
        """Return whether the player takes part in all rounds from 1 to `last_round`.

        If `last_round` is None, because it is unknown, the player must stay to the end.
        """
        return self.first == 1 and (
            self.last is None or bool(last_round and self.last >= last_round)
        )
