"""The rounds in which a player takes part."""

from typing import NamedTuple


class AttendedRounds(NamedTuple):
    """A player's first round and last round; the last round is None if the player stays to the
    end.
    """

    first_round_number: int = 1
    last_round_number: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the stay has no rounds, as for a late player whose round was never played."""
        return (
            self.last_round_number is not None
            and self.last_round_number < self.first_round_number
        )

    def has_round(self, round_number: int) -> bool:
        """Return whether the player takes part in a round."""
        return self.first_round_number <= round_number and (
            self.last_round_number is None or round_number <= self.last_round_number
        )

    def covers_all_rounds(self, last_round_number: int | None) -> bool:
        """Return whether the player takes part in all rounds to `last_round_number`.

        If `last_round_number` is None, because it is unknown, the player must stay to the end.
        """
        return self.first_round_number == 1 and (
            self.last_round_number is None
            or bool(last_round_number and self.last_round_number >= last_round_number)
        )
