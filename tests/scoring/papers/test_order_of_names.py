"""Lists of names are sorted by surname, and É is sorted as E, on every paper."""

from dataclasses import replace

import pytest

from drives.papers import get_paper_kinds_by_name
from drives.sheets.on_paper import PrintedPlayer
from scoring.papers import door_list
from scoring.sheets import draws
from scoring.sheets.draws import DrawnMatch
from tests.drives.test_papers import build_drive_paper
from tests.scoring.papers import drawn_samples, reading, samples

NAMES = ("Zoë", "Östen", "Émile", "Adam", "Łukasz", "edith", "Øyvind", "Nora")
SORTED_NAMES = ["Adam", "edith", "Émile", "Łukasz", "Nora", "Östen", "Øyvind", "Zoë"]


def sort_by_position(text: str) -> list[str]:
    return sorted(NAMES, key=text.index)


@pytest.mark.parametrize("paper_size", ["A4", "Letter"])
def test_door_list_is_sorted_ignoring_accents(paper_size: str) -> None:
    slips = samples.score_slips(len(NAMES), 4)
    slips = [replace(slip, name=name) for slip, name in zip(slips, NAMES, strict=True)]
    assert (
        sort_by_position(
            reading.read_texts(door_list.draw_pdf(slips, paper_size=paper_size))[0]
        )
        == SORTED_NAMES
    )


def test_drive_papers_list_players_in_the_same_order() -> None:
    players = tuple(PrintedPlayer(index, name) for index, name in enumerate(NAMES, start=1))
    evening = replace(build_drive_paper("social", 8, 24), players=players)
    assert (
        sort_by_position(
            reading.read_texts(get_paper_kinds_by_name()["who_sits_where"].draw_pdf(evening))[0]
        )
        == SORTED_NAMES
    )


def test_drawn_round_lists_entries_in_the_same_order() -> None:
    matches = tuple(
        DrawnMatch(str(number), number, NAMES[number], number + 4, NAMES[number + 4], "")
        for number in range(4)
    )
    assert [line.name for line in draws._build_drawn_seats(matches, ())] == SORTED_NAMES


def test_every_player_of_an_entry_is_listed_by_surname() -> None:
    pair, team, named_team_slip = samples.score_slips(3, 4)
    slips = [
        replace(pair, name="Zoë Alder & Adam Young"),
        replace(team, name="Nora Hall & Östen Żak & Émile van Dyck & Edith Moss"),
        replace(named_team_slip, name="The Red Aces"),
    ]
    text = reading.read_texts(door_list.draw_pdf(slips))[0]
    expected_lines = ["Alder, Zoë & Adam Young", "Hall, Nora & Östen", "Moss, Edith & Nora"]
    expected_lines += ["The Red Aces", "van Dyck, Émile & Nora", "Young, Adam & Zoë Alder"]
    expected_lines += ["Żak, Östen & Nora Hall"]
    assert sorted(expected_lines, key=text.index) == expected_lines
    match = DrawnMatch("1", 1, "Zoë Alder & Adam Young", 2, "Nora Hall & Östen Żak", "")
    drawn_round = replace(
        drawn_samples.build_rounds(2)[0],
        matches=(match,),
        lines=draws._build_drawn_seats((match,), ()),
    )
    assert [line.name for line in drawn_round.lines_sorted_by_name] == [
        "Alder, Zoë & Adam Young",
        "Hall, Nora & Östen Żak",
        "Young, Adam & Zoë Alder",
        "Żak, Östen & Nora Hall",
    ]
    assert len(drawn_round.lines) == 2  # one slip per entry


def test_unknown_partner_is_not_listed_separately() -> None:
    slips = [replace(samples.score_slips(1, 4)[0], name="Nora Moore & a partner")]
    text = reading.read_texts(door_list.draw_pdf(slips))[0]
    assert "Moore, Nora & a partner" in text
    assert "partner, a" not in text


def test_single_players_are_listed_by_surname() -> None:
    slips = [
        replace(slip, name=name, is_single=True)
        for slip, name in zip(
            samples.score_slips(2, 4), ("Ann Young", "Zoë Alder"), strict=True
        )
    ]
    text = reading.read_texts(door_list.draw_pdf(slips))[0]
    assert text.index("Alder, Zoë") < text.index("Young, Ann")
    players = (PrintedPlayer(1, "Ann Young"), PrintedPlayer(2, "Zoë Alder"))
    players += tuple(PrintedPlayer(number, f"Mia Moss {number}") for number in range(3, 9))
    evening = replace(build_drive_paper("social", 8, 24), players=players)
    text = reading.read_texts(get_paper_kinds_by_name()["who_sits_where"].draw_pdf(evening))[0]
    assert text.index("Alder, Zoë") < text.index("Moss 3, Mia") < text.index("Young, Ann")
