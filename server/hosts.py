"""The names that the program answers to, and the addresses at which phones find it."""

from collections.abc import Iterable, Iterator


class Hosts(list[str]):
    """The names of a setting, and behind them those under which the hall's door is open now.

    Django reads the names anew for each request, so the door tells its own here: no setting is
    rewritten while the program runs.
    """

    def __init__(self, own: Iterable[str] = ()) -> None:
        super().__init__(own)
        self.of_the_hall: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[str]:
        """Go through the setting's own names, then through the hall's."""
        yield from super().__iter__()
        yield from self.of_the_hall

    def __contains__(self, name: object) -> bool:
        """Whether a name is one of both."""
        return any(name == each for each in self)
