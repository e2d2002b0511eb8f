"""The papers of a drive are complete and legible in every size."""

import json
from dataclasses import replace
from datetime import date
from functools import lru_cache
from io import BytesIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.name_folding import fold_name
from clubs.names.surnames import format_surname_first
from drives.draw.participants import Participants
from drives.files.drive_file import parse_drive_file
from drives.files.export import export_drive
from drives.papers import PAPER_KINDS, get_paper_kinds_by_name
from drives.papers.from_file import PrintOptions, build_paper_data
from drives.papers.score_cards import SumLine, split_into_columns
from drives.papers.tallies import format_table_letters
from drives.papers.trumps import find_cycle
from drives.play_forms import PLAY_FORMS, find_play_form
from drives.sheets.on_paper import (
    PrintedDrive,
    PrintedRound,
    build_printed_drive_from_file,
    compute_table_moves,
    compute_trumps_by_round,
)
from drives.sheets.printing import build_printed_drive
from printing.qr import create_qr_code
from printing.values import Heading
from tests.drives.test_services import begin_drive, load_snapshot
from tests.scoring.papers import reading, structure_reading

NAMES = ("Ann Abbot", "Ben Baker", "Zoë Żak-Zimmermann", "Maximilian von Hohenstein-Lang")
SIZES = {"A4": {(210, 297), (297, 210)}, "A5": {(148, 210), (210, 148)},
         "Letter": {(216, 279), (279, 216)}}  # fmt: skip
PRIZES = [
    {"words": "Highest total", "measure": "total-high", "count": 2, "ties": "lot"},
    {"words": "Lowest total", "measure": "total-low"},
]


def write_drive_file(form: str, players: int, rounds: int, hands: int = 1, **more: Any) -> str:
    """Return a drive's file with all the seats that are known before play."""
    plan = find_play_form(form).plan_rounds(
        Participants(players=tuple(range(1, players + 1))), rounds, b"x"
    )
    played_rounds = [
        {
            "round": number,
            "tables": [
                {"table": t, "seats": s} for t, s in enumerate(seated_round.tables, start=1)
            ],
            "rest": seated_round.resting_players,
        }
        for number, seated_round in enumerate(plan.rounds, start=1)
    ]
    people = [{"number": n, "name": NAMES[n % 4] + f" {n}"} for n in range(1, players + 1)]
    document = {
        "format": "overplay-drive", "version": 1, "name": "Friday drive", "form": form,
        "hands": hands, "rounds": rounds, "score": {"kind": "tricks"}, "players": people,
        "played": played_rounds, "totals": [], "prizes": PRIZES, "secret": "c0ffee",
    }  # fmt: skip
    return json.dumps(document | more)


@lru_cache
def build_drive_paper(form: str, players: int, rounds: int, hands: int = 1) -> PrintedDrive:
    drive_file = parse_drive_file(write_drive_file(form, players, rounds, hands))
    heading = Heading("Riverside Whist Club", drive_file.name, date(2026, 11, 27))
    return build_printed_drive_from_file(drive_file, heading=heading, form_terms={})


PAPERS_BY_DRIVE = {
    "progressive": build_drive_paper("progressive", 10, 24),
    "social": build_drive_paper("social", 9, 12),
    "long": build_drive_paper("social", 8, 24),
    "military": build_drive_paper("military", 12, 2, 4),
}


@lru_cache(maxsize=64)
def print_paper(evening: str, size: str, kind: str) -> bytes:
    return get_paper_kinds_by_name()[kind].draw_pdf(PAPERS_BY_DRIVE[evening], paper_size=size)


@pytest.mark.parametrize(
    ("evening", "size"),
    [(evening, "A4") for evening in PAPERS_BY_DRIVE]
    + [("progressive", "A5"), ("social", "Letter")],
)
def test_every_paper_page_has_its_size_and_no_clipped_or_overlapping_text(
    evening: str, size: str
) -> None:
    two_card_drive = replace(PAPERS_BY_DRIVE[evening], cards=frozenset({1, 2}))
    pdf = get_paper_kinds_by_name()["pack"].draw_pdf(two_card_drive, paper_size=size)
    assert reading.list_page_sizes(pdf) <= SIZES[size]
    page_by_heading = {text[:9]: page for text, page in zip(
        reading.read_texts(pdf), reading.read_pages(pdf), strict=True)}  # fmt: skip
    for page in page_by_heading.values():
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
        assert reading.list_crossed_strings(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("evening", ["progressive", "military"])
def test_complete_pack_is_tagged_with_embedded_fonts(evening: str) -> None:
    pdf = get_paper_kinds_by_name()["pack"].draw_pdf(
        replace(PAPERS_BY_DRIVE[evening], cards=frozenset({1, 2}))
    )
    marked_text = structure_reading.read_marked_text(pdf)
    assert (marked_text.loose, marked_text.mark_errors) == ([], [])
    assert structure_reading.list_unowned_marks(pdf) == []
    reader = reading.PdfReader(BytesIO(pdf))
    fonts = [f.get_object() for p in reader.pages for f in p["/Resources"]["/Font"].values()]
    assert all("/FontFile2" in f.get("/FontDescriptor", {}) or "/CharProcs" in f for f in fonts)
    titles = [entry["/Title"] for entry in reader.outline]
    assert titles[0] == "Score cards"
    assert ("Flag sheets" in titles) == (evening == "military")


@pytest.mark.slow
def test_score_card_has_trumps_rounds_halves_carry_and_total() -> None:
    texts = reading.read_texts(print_paper("progressive", "A4", "score_cards"))
    assert len(texts) == 5  # two cards of 24 hands on a page
    for message in ("Start: table", "First half", "Brought forward", "Second half", "Total"):
        assert message in texts[0], message
    assert texts[0].count("♥") == texts[0].count("♠") == 12
    assert "Losers move: 1st players 1 table up, 2nd players 1 table down" in texts[0]


@pytest.mark.slow
def test_score_card_names_table_seat_partner_and_opponents_as_drawn() -> None:
    evening = PAPERS_BY_DRIVE["social"]
    pages = reading.read_texts(print_paper("social", "A5", "score_cards"))
    assert len(pages) == 9
    for player, page in zip(evening.players, pages, strict=True):
        for place in evening.seats_by_player[player.number].values():
            assert evening.format_player(place.partner_number) in page
            assert all(evening.format_player(opponent) in page for opponent in place.opponents)
        rests = sum(player.number in round_.resting_players for round_ in evening.rounds)
        assert page.count("sit out") == rests


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("evening", PAPERS_BY_DRIVE)
def test_rows_are_high_enough_for_a_thick_pencil(evening: str, size: str) -> None:
    for kind in ("score_cards", "table_sheets"):
        heights = reading.list_row_heights(
            reading.read_pages(print_paper(evening, size, kind))[0]
        )
        assert min(height for height in heights if height > 7) >= 8


def test_copies_and_selected_cards_are_printed_on_request() -> None:
    evening = replace(PAPERS_BY_DRIVE["progressive"], copy_count=2, cards=frozenset({3, 7}))
    pages = reading.read_texts(
        get_paper_kinds_by_name()["score_cards"].draw_pdf(evening, paper_size="A5")
    )
    assert [page.split()[1] for page in pages] == ["3", "3", "7", "7"]


@pytest.mark.slow
def test_card_has_the_qr_code_of_its_own_page() -> None:
    evening = PAPERS_BY_DRIVE["progressive"]
    address = "http://192.168.1.5:8000/drive/card/abcdefghijklmnopqrstuvwxyz/"
    first_player = evening.players[0]._replace(code=create_qr_code(address))
    one_card_drive = replace(
        evening, players=(first_player, *evening.players[1:]), cards=frozenset({1})
    )
    pdf = get_paper_kinds_by_name()["score_cards"].draw_pdf(one_card_drive)
    assert address in str(structure_reading.read_structure_tree(pdf))
    assert reading.list_collisions(reading.read_pages(pdf)[0]) == []


@pytest.mark.slow
def test_card_without_a_name_has_a_line_for_it() -> None:
    drive_without_names = replace(
        PAPERS_BY_DRIVE["progressive"],
        players=tuple(
            player._replace(name="") for player in PAPERS_BY_DRIVE["progressive"].players
        ),
    )
    assert "Ann" not in "".join(
        reading.read_texts(
            get_paper_kinds_by_name()["score_cards"].draw_pdf(drive_without_names)
        )
    )


def test_everyone_is_listed_once_in_order_of_names() -> None:
    text = reading.read_texts(print_paper("social", "A4", "who_sits_where"))[0]
    players = PAPERS_BY_DRIVE["social"].players
    names = sorted((format_surname_first(player.name) for player in players), key=fold_name)
    assert all(text.count(name) == 1 for name in names)
    assert "Abbot 4, Ann" in names
    assert "Seats: round 1" in text


def test_call_sheet_has_trumps_and_sit_outs_and_master_sheet_every_table() -> None:
    evening = PAPERS_BY_DRIVE["social"]
    text = reading.read_texts(print_paper("social", "A4", "call_sheet"))[0]
    assert all(
        evening.format_player(number) in text
        for each in evening.rounds
        for number in each.resting_players
    )
    assert text.count("Hearts") == 3
    master_text = " ".join(reading.read_texts(print_paper("social", "A4", "master_sheet")))
    for round_ in evening.rounds:
        for _table, (one, two, three, four) in round_.tables:
            assert f"{one} + {three} v {two} + {four}" in master_text


def test_fort_sheets_show_the_visits_of_the_plan() -> None:
    pages = reading.read_texts(print_paper("military", "A5", "flags"))
    assert len(pages) == 3
    assert "At home: 1 Ben Baker 1 + 2 Zoë Żak-Zimmermann 2" in pages[0]


def test_prize_list_has_winners_only_after_play() -> None:
    assert [award.number for award in PAPERS_BY_DRIVE["social"].awards] == [None] * 3
    totals = [{"number": n, "total": 80 + n} for n in range(1, 10)]
    drive_file = parse_drive_file(write_drive_file("progressive", 9, 24, totals=totals))
    printed_drive = build_printed_drive_from_file(
        drive_file, heading=PAPERS_BY_DRIVE["social"].heading, form_terms={}
    )
    # Player 3 sat out and scores the average.
    assert [award.number for award in printed_drive.awards] == [
        3,
        9,
        1,
    ]
    text = reading.read_texts(get_paper_kinds_by_name()["prize_list"].draw_pdf(printed_drive))[
        0
    ]
    assert "Received (signature)" in text
    assert "place 1, 89.50 points" in text


@pytest.mark.slow
@given(st.integers(1, 100), st.sampled_from([1, 2, 4, 6]))
@settings(max_examples=40)
def test_every_round_is_once_on_a_card_and_halves_end_correctly(
    rounds: int, count: int
) -> None:
    all_rounds = tuple(PrintedRound(number) for number in range(1, rounds + 1))
    columns = split_into_columns(all_rounds, count)
    lines = [line for column in columns for line in column]
    numbers = [line.number for line in lines if isinstance(line, PrintedRound)]
    assert numbers == list(range(1, rounds + 1))
    sums = [line.label for line in lines if isinstance(line, SumLine)]
    assert sums[-1] == "Total"
    if rounds >= 4:
        half_index = [getattr(line, "label", "") for line in lines].index("First half")
        lines_before = [line for line in lines[:half_index] if isinstance(line, PrintedRound)]
        assert len(lines_before) == rounds // 2
        assert sums.count("Brought forward") == len(columns) - 1


@pytest.mark.parametrize(
    "form", [code for code, form in PLAY_FORMS.items() if form.move_players]
)
def test_table_card_matches_the_moves_of_the_form(form: str) -> None:
    """Each arrow leads to a table, and every table gains as many players as it loses."""
    table_moves = compute_table_moves(find_play_form(form), {}, 5)
    arrival_tables = [
        next_table
        for item in table_moves
        for next_table in item.next_tables
        if next_table is not None
    ]
    departure_tables = sorted(
        item.table_number
        for item in table_moves
        for next_table in item.next_tables
        if next_table is not None
    )
    assert sorted(arrival_tables) == departure_tables
    if form == "progressive":
        assert table_moves[0].next_tables == (None, 2, None, 5)
        assert table_moves[4].next_tables == (None, 1, None, 4)


def test_trumps_continue_across_rounds_and_labels_continue_from_z_to_aa() -> None:
    assert compute_trumps_by_round(1, 5) == ["H", "C", "D", "S", "H"]
    assert compute_trumps_by_round(4, 2) == ["HCDS", "HCDS"]
    assert compute_trumps_by_round(3, 2) == ["HCD", "SHC"]
    assert [find_cycle(text) for text in ("HCDSHCDS", "HH", "HCD", "")] == [
        "HCDS",
        "H",
        "HCD",
        "",
    ]
    assert [format_table_letters(item) for item in (1, 26, 27, 53)] == ["A", "Z", "AA", "BA"]
    labels = reading.read_texts(print_paper("social", "A4", "tallies"))[0]
    assert "A 1 Table 1, seat 1 Partner: A 3" in labels
    assert "B 4 Table 2, seat 4 Partner: B 2" in labels


def test_command_prints_a_file_and_reports_its_errors(tmp_path) -> None:
    source, path = tmp_path / "drive.json", tmp_path / "papers.pdf"
    source.write_text(write_drive_file("progressive", 10, 6), encoding="utf-8")

    def run_papers_command(*words: str) -> None:
        call_command("drive", "papers", str(source), *words, stdout=DiscardingStream())

    run_papers_command(
        "--out", str(path), "--only", "call-sheet", "--size", "A5", "--date", "2026-11-27"
    )
    assert reading.list_page_sizes(path.read_bytes()) == {(148, 210)}
    first_content = path.read_bytes()
    for arguments, message in (
        (("--only", "posters"), "Paper “posters” not found"),
        (("--size", "A3"), "Choose A4, A5 or Letter"),
        (("--copies", "0"), "--copies must be 1 to 9"),
        (("--cards", "99"), "player 99 not found"),
        (("--round", "2"), "round 2 has not been drawn yet"),
        (("--date", "tomorrow"), "Enter --date as"),
        (("--only", "flags"), "There is nothing to print"),
    ):
        with pytest.raises(CommandError, match=message) as problem:
            run_papers_command("--out", str(path), *arguments)
        assert problem.value.returncode == 2
    with pytest.raises(CommandError, match="Enter the PDF"):
        run_papers_command()
    assert path.read_bytes() == first_content


def build_paper_from_text(text: str) -> PrintedDrive:
    return build_paper_data(parse_drive_file(text), PrintOptions(date=date(2026, 11, 27)))


@pytest.mark.parametrize(
    ("expected", "trumps"),
    [
        ({}, ("HC", "DS", "HC")),
        ({"trumps": "NS"}, ("NS", "NS", "NS")),
        ({"trumps": "HCD"}, ("HC", "DH", "CD")),
        ({"trumps": "turned"}, ("", "", "")),
        ({"trumps": "declared"}, ("", "", "")),
    ],
)
def test_trumps_of_a_file_are_on_its_papers(
    expected: dict[str, str], trumps: tuple[str, ...]
) -> None:
    paper = build_paper_from_text(write_drive_file("social", 8, 3, 2, **expected))
    assert tuple(round_.trumps for round_ in paper.rounds) == trumps


def test_custom_moves_and_role_names_of_a_file_are_on_its_papers() -> None:
    drive_file = write_drive_file(
        "progressive", 12, 3, terms={"first": -1, "second": 2}, words=["lady/ladies", "gent"]
    )
    paper = build_paper_from_text(write_drive_file("progressive", 12, 3))
    custom_paper = build_paper_from_text(drive_file)
    assert (paper.roles, custom_paper.roles) == (("1st", "2nd"), ("lady", "gent"))
    assert "ladies" in custom_paper.moves_text
    assert custom_paper.moves_text != paper.moves_text.replace("1st players", "ladies").replace(
        "2nd players", "gents"
    )
    assert custom_paper.table_moves != paper.table_moves


def test_planned_rounds_of_a_file_are_on_its_papers() -> None:
    document = json.loads(write_drive_file("social", 9, 3))
    played_paper = build_paper_from_text(json.dumps(document))
    document["to_play"] = document["played"][1:]
    document["played"] = document["played"][:1]
    paper = build_paper_from_text(json.dumps(document))
    assert paper.rounds == played_paper.rounds
    assert paper.has_all_seats
    assert [len(round_.tables) for round_ in paper.rounds] == [2, 2, 2]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("form", ["social", "progressive"])
def test_exported_drive_has_the_same_papers_from_its_file_as_from_its_rows(
    form: str,
) -> None:
    drive = begin_drive(form, size=9, hands=2, trumps="NSH", first_word="lady/ladies")
    rows = build_printed_drive(load_snapshot(drive))
    paper_from_file = build_paper_from_text(json.dumps(export_drive(load_snapshot(drive))))
    assert paper_from_file.rounds == rows.rounds
    assert (paper_from_file.moves_text, paper_from_file.roles) == (rows.moves_text, rows.roles)
    assert paper_from_file.table_moves == rows.table_moves


class DiscardingStream:
    """A stream that discards a command's output."""

    def write(self, _text: str) -> None:
        """Discard the text."""


def test_every_paper_of_a_drive_has_its_record() -> None:
    assert [kind.name for kind in PAPER_KINDS] == list(get_paper_kinds_by_name())[1:]
    for kind in PAPER_KINDS:
        assert kind.lay_out is not None
        assert kind.title
        assert kind.describe_purpose(PAPERS_BY_DRIVE["social"])


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize(
    ("kind", "evening", "sheets"),
    [
        ("call_sheet", ("progressive", 26, 24), 1),
        ("who_sits_where", ("progressive", 60, 24), 1),
        ("master_sheet", ("social", 12, 12), 1),
        ("score_cards", ("military", 12, 2, 4), 3),
    ],
)
def test_paper_takes_no_more_sheets_than_it_needs(
    kind: str, evening: tuple[Any, ...], sheets: int, size: str
) -> None:
    assert (
        len(
            reading.read_pages(
                get_paper_kinds_by_name()[kind].draw_pdf(
                    build_drive_paper(*evening), paper_size=size
                )
            )
        )
        == sheets
    )


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize(
    ("kind", "expected", "points"),
    [
        ("call_sheet", "Hearts", 13.5),
        ("who_sits_where", "Abbot 4, Ann", 14),
        ("table_cards", "1 and 3 are partners: side A. 2 and 4 are side B.", 12),
    ],
)
def test_type_is_large_on_papers_read_aloud_or_from_a_distance(
    kind: str, expected: str, points: float, size: str
) -> None:
    pdf = get_paper_kinds_by_name()[kind].draw_pdf(
        build_drive_paper("progressive", 26, 24), paper_size=size
    )
    assert reading.list_font_sizes(pdf)[expected] >= points


@pytest.mark.parametrize("hands", [1, 2])
def test_papers_have_trumps_only_where_they_are_known(hands: int) -> None:
    for trumps, is_shown in (("turned", False), ("declared", False), ("HCDS", True)):
        paper = build_paper_from_text(write_drive_file("social", 9, 4, hands, trumps=trumps))
        for kind in ("call_sheet", "master_sheet", "score_cards", "table_sheets"):
            pdf = get_paper_kinds_by_name()[kind].draw_pdf(paper, paper_size="A4")
            assert any("Trumps" in text for text in reading.read_texts(pdf)) is is_shown, kind
            for page in reading.read_pages(pdf):
                assert reading.list_collisions(page) == []
