"""The setting ALLOWED_HOSTS, including the addresses of the hall's network."""

from collections.abc import Iterable, Iterator


class AllowedHosts(list[str]):
    """The host names of the setting, and those of the hall's network while it is open.

    Django reads ALLOWED_HOSTS for each request, so changes apply at once.
    """

    def __init__(self, configured_hosts: Iterable[str] = ()) -> None:
        super().__init__(configured_hosts)
        self.hall_names: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the setting, then those of the hall's network."""
        yield from super().__iter__()
        yield from self.hall_names

    def __contains__(self, name: object) -> bool:
        """Return whether a name is in the setting or in the hall's network."""
        return any(name == host for host in self)
