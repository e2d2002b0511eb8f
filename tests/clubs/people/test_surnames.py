"""One function decides where a surname begins and how a name is inverted."""

import pytest

from clubs.names.surnames import format_surname_first, get_surname

NAMES = [
    ("Ann Alder", "Alder", "Alder, Ann"),
    ("Mary Ann Alder", "Alder", "Alder, Mary Ann"),
    ("Jan van Dyck", "van Dyck", "van Dyck, Jan"),
    ("JAN VAN DYCK", "VAN DYCK", "VAN DYCK, JAN"),
    ("Fiona Ó Briain", "Ó Briain", "Ó Briain, Fiona"),
    ("Marie de la Tour", "de la Tour", "de la Tour, Marie"),
    ("Ian St. John", "St. John", "St. John, Ian"),
    ("ann mary alder", "alder", "alder, ann mary"),
    ("John Hall Jr", "Hall Jr", "Hall Jr, John"),
    ("John Hall Jr.", "Hall Jr.", "Hall Jr., John"),
    ("Ann Alder (2)", "Alder (2)", "Alder (2), Ann"),
    ("Mr Al Mott", "Mott", "Mott, Mr Al"),
    ("Sami al Amin", "al Amin", "al Amin, Sami"),
    ("Mrs Joan Hall", "Hall", "Hall, Mrs Joan"),
    ("Ada", "Ada", "Ada"),
    ("Player 7", "Player 7", "Player 7"),
    ("A. P.", "A. P.", "A. P."),
    ("A player", "A player", "A player"),
    ("", "", ""),
]


@pytest.mark.parametrize(("name", "expected_surname", "inverted_name"), NAMES)
def test_surname_is_found_and_put_first(
    name: str, expected_surname: str, inverted_name: str
) -> None:
    assert get_surname(name) == expected_surname
    assert format_surname_first(name) == inverted_name
