"""An index of an event's entries, which finds the entry of some players by their names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.names.tidy import build_name_key
from tournaments.errors import InvalidEntry
from tournaments.models import Entry, Event


@dataclass(frozen=True, slots=True)
class ExistingEntry:
    """An entry that already exists, or an earlier row of the same list."""

    entry_number: int
    entry_name: str
    name_keys: frozenset[str]
    entry: Entry | None = None


class EntryIndex:
    """An index of entries by the names of their players.

    Comparing each row of a long list with every entry would take seconds.
    """

    def __init__(self, entries: Iterable[ExistingEntry] = ()) -> None:
        self._entries: list[ExistingEntry] = []
        self._positions_by_name_key: dict[str, int] = {}
        for entry in entries:
            self.add_entry(entry)

    def add_entry(self, entry: ExistingEntry) -> None:
        """Add an entry; if a name is in several entries, the first of them is found."""
        for name_key in entry.name_keys:
            self._positions_by_name_key.setdefault(name_key, len(self._entries))
        self._entries.append(entry)

    def find_entry(self, player_names: Sequence[str]) -> ExistingEntry | None:
        """Return the entry of exactly these players, or None.

        Raises InvalidEntry if one of the players is entered with other players.
        """
        name_keys = build_name_keys(player_names)
        positions = [
            self._positions_by_name_key[name_key]
            for name_key in name_keys
            if name_key in self._positions_by_name_key
        ]
        if not positions:
            return None
        existing_entry = self._entries[min(positions)]
        if existing_entry.name_keys == name_keys:
            return existing_entry
        entered_player_name = next(
            entered_player_name
            for entered_player_name in player_names
            if build_name_key(entered_player_name) in existing_entry.name_keys
        )
        raise InvalidEntry(
            _(
                "%(name)s is already entered, in number %(number)s "
                "(%(pair)s). If this is another person, add a mark, such as "
                "“%(name)s jun.”."
            )
            % {
                "name": entered_player_name,
                "number": existing_entry.entry_number,
                "pair": existing_entry.entry_name,
            }
        )


def load_entry_index(event: Event, excluded_entry: Entry | None = None) -> EntryIndex:
    """Return an index of all entries of an event except `excluded_entry`."""
    other_entries = (
        event.entries.exclude(pk=excluded_entry.pk) if excluded_entry else event.entries.all()
    )
    return EntryIndex(
        ExistingEntry(
            entry.number,
            entry.name,
            build_name_keys([player.name for player in entry.players.all()]),
            entry,
        )
        for entry in other_entries.prefetch_related("players")
    )


def build_name_keys(player_names: Iterable[str]) -> frozenset[str]:
    """Return the comparison keys of players' names."""
    return frozenset(build_name_key(name) for name in player_names)
