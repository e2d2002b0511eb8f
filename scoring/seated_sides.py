"""The sides of a seated table, with the labels and names that pages show."""

from dataclasses import dataclass

from tournaments.entry_words import format_team_pair
from tournaments.models import Place
from tournaments.movements.formatting import format_place_for_players


@dataclass(frozen=True, slots=True)
class SeatedSide:
    """One side of a table: its entries as numbers and as names."""

    entries: tuple[int, ...]  # entry numbers; empty in a sit-out
    places: tuple[int, ...]  # the keys of the places
    short_label: str  # for columns that show one side: "3", or "A3" with several sections
    label: str  # "3 N-S"; "5" if N-S and E-W are ranked together
    name: str
    line_up: str = ""  # the letters of the two players, if partners change within a team


def format_place_label(place: Place, has_section_letters: bool) -> str:
    """Return the label of a place, like "3 N-S" or "5"; with section letters, like "A5"."""
    return format_place_for_players(
        f"{place.section.letter}{place.label}" if has_section_letters else place.label
    )


def format_short_label(place: Place, has_section_letters: bool) -> str:
    """Return the number of a place without its side, like "3"; with section letters, "A3"."""
    digits = place.label.removesuffix("NS").removesuffix("EW")
    return f"{place.section.letter}{digits}" if has_section_letters else digits


def merge_seat_entries(*seat_entries: int | None) -> tuple[int, ...]:
    """Return the entry numbers in a side's seats: one for a pair, two for single players."""
    return tuple(
        dict.fromkeys(entry_number for entry_number in seat_entries if entry_number is not None)
    )


def build_side(
    places: list[Place], has_section_letters: bool, line_up: str | None
) -> SeatedSide:
    """Build a side of a table from its places; `line_up` has the letters of the players."""
    entries = [place.entry for place in places if place.entry is not None]
    has_all_entries = len(entries) == len(places)
    return SeatedSide(
        entries=merge_seat_entries(*(entry.number for entry in entries))
        if has_all_entries
        else (),
        places=tuple(place.pk for place in places),
        short_label=" & ".join(
            format_short_label(place, has_section_letters) for place in places
        ),
        label=" & ".join(format_place_label(place, has_section_letters) for place in places),
        name=" & ".join(entry.name for entry in entries)
        if line_up is None
        else " & ".join(
            format_team_pair(entry.name, places[0].label, line_up) for entry in entries
        ),
        line_up=line_up or "",
    )
