"""The host names of the program, with the addresses of the hall's network."""

from collections.abc import Iterable, Iterator


class Hosts(list[str]):
    """The host names of a setting, followed by those of the hall's network while it has access.

    Django reads ALLOWED_HOSTS for each request, so no setting changes while the program runs.
    """

    def __init__(self, own: Iterable[str] = ()) -> None:
        super().__init__(own)
        self.of_the_hall: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the setting's names, then the hall's."""
        yield from super().__iter__()
        yield from self.of_the_hall

    def __contains__(self, name: object) -> bool:
        """Return whether a name is one of both."""
        return any(name == each for each in self)
