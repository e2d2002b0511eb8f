"""Lists of names are sorted by surname, and É is sorted as E, on every paper."""

from dataclasses import replace

import pytest

from drives.papers import list_kinds
from drives.sheets.on_paper import PlayerOnPaper
from scoring.papers import door_list
from scoring.sheets import draws
from scoring.sheets.draws import DrawnMatch
from tests.drives.test_papers import drive
from tests.scoring.papers import drawn_samples, reading, samples

NAMES = ("Zoë", "Östen", "Émile", "Adam", "Łukasz", "edith", "Øyvind", "Nora")
IN_ORDER = ["Adam", "edith", "Émile", "Łukasz", "Nora", "Östen", "Øyvind", "Zoë"]


def as_listed(text: str) -> list[str]:
    return sorted(NAMES, key=text.index)


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_the_list_at_the_door_is_in_the_order_of_plain_letters(size: str) -> None:
    slips = samples.score_slips(len(NAMES), 4)
    slips = [replace(slip, name=name) for slip, name in zip(slips, NAMES, strict=True)]
    assert as_listed(reading.words(door_list.draw_pdf(slips, size=size))[0]) == IN_ORDER


def test_a_drive_lists_its_players_so() -> None:
    players = tuple(PlayerOnPaper(at, name) for at, name in enumerate(NAMES, start=1))
    evening = replace(drive("social", 8, 24), players=players)
    assert (
        as_listed(reading.words(list_kinds()["who_sits_where"].draw_pdf(evening))[0])
        == IN_ORDER
    )


def test_a_round_that_was_drawn_lists_its_entries_so() -> None:
    matches = tuple(
        DrawnMatch(str(at), at, NAMES[at], at + 4, NAMES[at + 4], "") for at in range(4)
    )
    assert [line.name for line in draws._build_lines(matches, ())] == IN_ORDER


def test_every_player_of_an_entry_is_listed_by_surname() -> None:
    pair, team, other = samples.score_slips(3, 4)
    slips = [
        replace(pair, name="Zoë Alder & Adam Young"),
        replace(team, name="Nora Hall & Östen Żak & Émile van Dyck & Edith Moss"),
        replace(other, name="The Red Aces"),
    ]
    words = reading.words(door_list.draw_pdf(slips))[0]
    first = ["Alder, Zoë & Adam Young", "Hall, Nora & Östen", "Moss, Edith & Nora"]
    first += ["The Red Aces", "van Dyck, Émile & Nora", "Young, Adam & Zoë Alder"]
    first += ["Żak, Östen & Nora Hall"]
    assert sorted(first, key=words.index) == first
    match = DrawnMatch("1", 1, "Zoë Alder & Adam Young", 2, "Nora Hall & Östen Żak", "")
    drawn = replace(
        drawn_samples.rounds(2)[0], matches=(match,), lines=draws._build_lines((match,), ())
    )
    assert [line.name for line in drawn.lines_by_name] == [
        "Alder, Zoë & Adam Young",
        "Hall, Nora & Östen Żak",
        "Young, Adam & Zoë Alder",
        "Żak, Östen & Nora Hall",
    ]
    assert len(drawn.lines) == 2  # one slip per entry


def test_an_unknown_partner_has_no_line() -> None:
    slips = [replace(samples.score_slips(1, 4)[0], name="Nora Moore & a partner")]
    words = reading.words(door_list.draw_pdf(slips))[0]
    assert "Moore, Nora & a partner" in words
    assert "partner, a" not in words


def test_single_players_are_listed_by_surname() -> None:
    slips = [
        replace(slip, name=name, is_single=True)
        for slip, name in zip(
            samples.score_slips(2, 4), ("Ann Young", "Zoë Alder"), strict=True
        )
    ]
    words = reading.words(door_list.draw_pdf(slips))[0]
    assert words.index("Alder, Zoë") < words.index("Young, Ann")
    players = (PlayerOnPaper(1, "Ann Young"), PlayerOnPaper(2, "Zoë Alder"))
    players += tuple(PlayerOnPaper(number, f"Mia Moss {number}") for number in range(3, 9))
    evening = replace(drive("social", 8, 24), players=players)
    words = reading.words(list_kinds()["who_sits_where"].draw_pdf(evening))[0]
    assert words.index("Alder, Zoë") < words.index("Moss 3, Mia") < words.index("Young, Ann")
