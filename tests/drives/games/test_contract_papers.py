"""Table sheets and points posters are printed for games with contracts."""

from dataclasses import replace
from datetime import date
from functools import lru_cache

import pytest

from drives.files.drive_file import parse_drive_file
from drives.games import GAMES_BY_CODE
from drives.games.contracts import TRICKS_PER_DEAL, TrickGoal
from drives.models import Drive
from drives.papers import get_paper_kinds_by_name
from drives.services import change_points, set_contract_words
from drives.sheets.on_paper import PrintedDrive, build_printed_drive_from_file
from drives.sheets.printing import build_printed_drive
from drives.snapshot import load_drive_snapshot
from printing.values import Heading
from tests.drives.games.test_hand_services import begin_drive
from tests.drives.test_papers import SIZES, write_drive_file
from tests.scoring.papers import reading, structure_reading


@lru_cache
def build_drive_paper(game: str, hands: int) -> PrintedDrive:
    score = {"kind": "player", "sum": 0, "game": game}
    drive_file = parse_drive_file(write_drive_file("social", 8, 2, hands, score=score))
    heading = Heading("Riverside Whist Club", drive_file.name, date(2026, 11, 27))
    return build_printed_drive_from_file(drive_file, heading=heading, form_terms={})


@pytest.mark.parametrize("hands", [8, 16, 20, 24])
@pytest.mark.parametrize("size", ["A4", "A5"])
def test_score_sheet_has_a_row_of_8_millimetres_for_each_hand(hands: int, size: str) -> None:
    if hands > 16 and size == "A5":
        pytest.skip("a round of more than 16 hands needs A4")
    pdf = get_paper_kinds_by_name()["table_sheets"].draw_pdf(
        build_drive_paper("colour-whist", hands), paper_size=size
    )
    assert reading.list_page_sizes(pdf) <= SIZES[size]
    for page in reading.read_pages(pdf):
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
    texts = reading.read_texts(pdf)
    for page, text in zip(reading.read_pages(pdf), texts, strict=True):
        if "Signatures" in text:
            assert (
                min(
                    row_height
                    for row_height in reading.list_row_heights(page)
                    if row_height > 7
                )
                >= 8
            )
    words = texts[0]
    assert "The four sums add up to 0." in words
    assert "1 2 3 4" in " ".join(words.split())


@pytest.mark.parametrize(
    ("game", "hands", "size", "has_points_at_foot"),
    [
        ("wiezen", 8, "A4", True),
        ("wiezen", 16, "A4", False),
        ("colour-whist", 8, "A5", True),
        ("danish-whist", 12, "A4", False),
        ("rikken", 20, "A4", True),
    ],
)
def test_every_score_sheet_has_the_points_at_its_foot_or_on_its_back(
    game: str, hands: int, size: str, has_points_at_foot: bool
) -> None:
    drive = build_drive_paper(game, hands)
    assert drive.points is not None
    texts = reading.read_texts(
        get_paper_kinds_by_name()["table_sheets"].draw_pdf(drive, paper_size=size)
    )
    for number, text in enumerate(texts):
        is_front = has_points_at_foot or number % 2 == 0
        assert ("Signatures" in text) == is_front
        assert ("The points are on the back." in text) == (is_front and not has_points_at_foot)
        words = " ".join(text.split())
        if has_points_at_foot or not is_front:
            assert all(
                each.label.key in words.split() for each in drive.points.playable_contracts
            )
            assert "Everyone passed:" in words


def test_odd_last_sheet_has_its_own_back() -> None:
    drive_file = parse_drive_file(
        write_drive_file(
            "social", 12, 1, 16, score={"kind": "player", "sum": 0, "game": "wiezen"}
        )
    )
    heading = Heading("Riverside Whist Club", drive_file.name, date(2026, 11, 27))
    drive = build_printed_drive_from_file(drive_file, heading=heading, form_terms={})
    texts = reading.read_texts(
        get_paper_kinds_by_name()["table_sheets"].draw_pdf(drive, paper_size="A4")
    )
    assert [text.count("Signatures") for text in texts] == [2, 0, 1, 0]
    assert [text.count("vragen en meegaan") for text in texts] == [0, 2, 0, 2]


def test_score_card_has_table_companions_and_a_running_total() -> None:
    pdf = get_paper_kinds_by_name()["score_cards"].draw_pdf(
        build_drive_paper("solo-whist", 4), paper_size="A4"
    )
    words = " ".join(reading.read_texts(pdf)[0].split())
    for title in ("With", "So far", "Points"):
        assert title in words
    assert "Trumps" not in words
    assert "Partner" not in words
    for page in reading.read_pages(pdf):
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []


@pytest.mark.django_db
def test_papers_use_the_names_chosen_by_the_club() -> None:
    drive = begin_drive()
    for words, name, hidden_label in (
        ("title", "Ask and join", "vragen en meegaan"),
        ("local", "vragen en meegaan", "Ask and join"),
    ):
        set_contract_words(club=drive.club, words=words, by=None)
        rows = build_printed_drive(load_drive_snapshot(Drive.objects.get(pk=drive.pk)))
        for kind in ("points_poster", "table_sheets"):
            text = " ".join(
                reading.read_texts(
                    get_paper_kinds_by_name()[kind].draw_pdf(rows, paper_size="A4")
                )
            )
            assert name in text
            assert hidden_label not in text


@pytest.mark.parametrize("game", GAMES_BY_CODE)
def test_points_poster_has_every_contract_that_is_played(game: str) -> None:
    drive = build_drive_paper(game, 8)
    pdf = get_paper_kinds_by_name()["points_poster"].draw_pdf(drive, paper_size="A4")
    words = " ".join(" ".join(reading.read_texts(pdf)).split())
    assert drive.points is not None
    for contract in drive.points.playable_contracts:
        assert str(contract.label.local) in words
        rule = contract.rule
        made_points = [str(rule.made[0])]
        if rule.goal is TrickGoal.AT_LEAST and not rule.is_flat_rate:
            overtricks = range(TRICKS_PER_DEAL + 1 - (rule.wants or 0))
            made_points = [str(rule.compute_made_points(count)) for count in overtricks]
        lost_points = [str(rule.lost[0]), f"+{rule.lost_step}" if rule.lost_step else ""]
        assert " ".join([*made_points, *lost_points]).strip() in words
    assert "Key Contract Tricks Made +1 +2" in words
    assert "Lost Each more" in words
    assert "Under +1, +2 … with 1, 2 … tricks more." in words
    unplayable_contracts = set(drive.points.contracts) - set(drive.points.playable_contracts)
    assert not any(f" {item.label.key} " in words for item in unplayable_contracts)
    for page in reading.read_pages(pdf):
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
    marked_text = structure_reading.read_marked_text(pdf)
    assert (marked_text.loose, marked_text.mark_errors) == ([], [])


WIEZEN_POSTER = """
t8 vragen en meegaan 8 + 2 3 4 5 6 14 6 +2
l5 alleen gaan 5 + 2 3 4 5 6 7 8 9 20 4 +2
a9 abondance 9 9 + 5 5
at abondance in troef 9 + 5 5
mi miserie 0 7 7
a0 abondance 10 10 + 6 6
a1 abondance 11 11 + 8 8
a2 abondance 12 12 + 9 9
tr troel 8 + 4 6 8 10 12 28 6 +2
tv troela 9 + 4 6 8 10 24 6 +2
om miserie op tafel 0 14 14
so solo 13 25 25
ss solo slim 13 30 30
"""
"""Key, name, tricks and points of each contract, copied from docs/contracts.md."""


def test_points_poster_of_wiezen_has_the_documented_points() -> None:
    pdf = get_paper_kinds_by_name()["points_poster"].draw_pdf(
        build_drive_paper("wiezen", 8), paper_size="A4"
    )
    words = " ".join(" ".join(reading.read_texts(pdf)).split())
    assert " ".join(WIEZEN_POSTER.split()) in words


@pytest.mark.django_db
def test_papers_of_a_drive_have_the_points_of_its_club() -> None:
    drive = begin_drive()
    house = {"contracts": {"misere": {"made": [10], "lost": [11]}, "piccolo": {"played": True}}}
    change_points(drive=drive, custom=None, house=house, by=None)
    rows = build_printed_drive(load_drive_snapshot(Drive.objects.get(pk=drive.pk)))
    pdf = get_paper_kinds_by_name()["points_poster"].draw_pdf(rows, paper_size="A4")
    words = " ".join(" ".join(reading.read_texts(pdf)).split())
    assert "mi miserie 0 10 11" in words
    assert "pi pico 1 5 5" in words


@pytest.mark.parametrize("has_steps", [True, False])
@pytest.mark.parametrize("has_flat_contract", [True, False])
def test_poster_explains_further_tricks_only_if_they_cost_points(
    has_steps: bool, has_flat_contract: bool
) -> None:
    drive = build_drive_paper("solo-whist", 8)
    assert drive.points is not None
    contracts = tuple(
        replace(
            each,
            rule=replace(each.rule, lost=each.rule.lost[:1], lost_step=2 if has_steps else 0),
        )
        for each in drive.points.contracts
        if each.rule.goal is TrickGoal.AT_LEAST or has_flat_contract
    )
    points = replace(drive.points, contracts=contracts)
    pdf = get_paper_kinds_by_name()["points_poster"].draw_pdf(
        replace(drive, points=points), paper_size="A4"
    )
    words = " ".join(" ".join(reading.read_texts(pdf)).split())
    sentence = "points under Each more are added for each trick short after the first."
    assert (sentence in words) == has_steps


def test_drive_without_contracts_has_no_points_poster() -> None:
    drive_without_contracts = replace(build_drive_paper("wiezen", 8), points=None)
    assert not get_paper_kinds_by_name()["points_poster"].is_offered(drive_without_contracts)
    text = reading.read_texts(
        get_paper_kinds_by_name()["table_sheets"].draw_pdf(
            drive_without_contracts, paper_size="A4"
        )
    )[0]
    assert "The four sums" not in text


def test_no_paper_names_a_partner_or_a_side() -> None:
    drive = build_drive_paper("wiezen", 8)
    for name in ("score_cards", "table_cards", "tallies", "master_sheet"):
        pdf = get_paper_kinds_by_name()[name].draw_pdf(drive, paper_size="A4")
        text = " ".join(reading.read_texts(pdf))
        assert "artner" not in text
        assert "Against" not in text
        assert "side A" not in text
        for page in reading.read_pages(pdf):
            assert reading.list_outside_marks(page) == []


def test_score_card_names_the_other_three_players_at_the_table() -> None:
    drive = build_drive_paper("wiezen", 8)
    pdf = get_paper_kinds_by_name()["score_cards"].draw_pdf(drive, paper_size="A4")
    text = " ".join(" ".join(reading.read_texts(pdf)).split())
    player_number = drive.players[0].number
    for place in drive.seats_by_player[player_number].values():
        for number in (place.partner_number, *place.opponents):
            assert drive.format_player(number) in text


def test_table_sheet_has_names_without_player_numbers_next_to_the_seats() -> None:
    drive = build_drive_paper("wiezen", 8)
    number = drive.rounds[0].tables[0][1][0]
    name = drive.get_name(number)
    text = " ".join(
        reading.read_texts(
            get_paper_kinds_by_name()["table_sheets"].draw_pdf(drive, paper_size="A4")
        )[0].split()
    )
    assert name
    assert name in text
    assert f"{number} {name}" not in text.replace(f"1 {name}", name)
