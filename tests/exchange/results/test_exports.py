"""Events are exported as tables without formulas and as files for bridge sites."""

import csv
import io
import re
import zipfile
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

import boards.usebio
import scoring.services
import tournaments.services
from boards.whist import Seat
from boards.whist.cards import Suit
from clubs.names.cells import unguard_formula
from clubs.people.tables import parse_list_file
from exchange.data_tables import (
    PLAIN_NUMBER_PATTERN,
    DataTable,
    DateCell,
    ExactNumber,
    encode_csv,
    escape_formula,
    format_decimal,
)
from exchange.results.event_results import load_results
from exchange.results.usebio import build_usebio_file, compute_contract_score
from exchange.workbooks import build_workbook, format_column_name
from scoring.models import Result
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.factories import make_deal
from tournaments.models import Event
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


def create_matchpoint_event() -> Event:
    """Create an event of six pairs by matchpoints, one with a formula as its name."""
    session, user = evenings.play_session()
    event = session.event
    player = event.entries.get(number=1).players.order_by("pk")[0]
    tournaments.services.rename_player(player=player, name="=cmd|'/c calc'", by=user)
    scoring.services.set_scoring_terms(event=event, method="matchpoints", by=user)
    scoring.services.close_session(session=session, by=user)
    return event


def export_text(event: Event, file_format: str, *more: str) -> str:
    output = StringIO()
    call_command("event", "export", event.slug, "--format", file_format, *more, stdout=output)
    return output.getvalue()


def parse_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_event_is_exported_as_tables_and_files_for_bridge_sites(tmp_path: Path) -> None:
    event = create_matchpoint_event()
    rows = parse_csv(export_text(event, "csv"))
    standing = parse_csv(export_text(event, "csv", "--sheet", "standings"))
    check_results_add_up(rows, standing)
    check_workbook_cells(event, tmp_path)
    check_zip_tables(event, tmp_path)
    check_matchpoints_independently(event)
    bridgewebs = export_text(event, "bridgewebs").splitlines()
    assert bridgewebs[0].removeprefix("\ufeff").startswith("#VERSION,Overplay")
    tags = [line for line in bridgewebs if re.match("#(SCORES|BOARDFORMAT|TRAVELLERS)", line)]
    assert tags == ["#SCORES", "#SCORES", "#BOARDFORMAT,BOARD", "#TRAVELLERS"]
    first, second = (
        block.split("#")[0] for block in "\n".join(bridgewebs).split("#SCORES")[1:]
    )
    assert {row["PAIR"][-2:] for row in parse_csv(first.strip())} == {"NS"}
    assert {row["PAIR"][-2:] for row in parse_csv(second.strip())} == {"EW"}
    assert sum(line.startswith("#BOARD,") for line in bridgewebs) == len(
        {row["board"] for row in rows}
    )
    assert '"format": "whist-event/1"' in export_text(event, "json")
    with pytest.raises(CommandError, match="--out"):
        export_text(event, "xlsx")


def check_results_add_up(rows: list[dict[str, str]], standing: list[dict[str, str]]) -> None:
    """Check that every entry's matchpoints are the exact sum over its plays."""
    sums: dict[str, Fraction] = defaultdict(Fraction)
    for row in rows:
        assert int(row["ns_tricks"]) + int(row["ew_tricks"]) == 13
        sums[row["ns_entry"]] += Fraction(row["ns_score_exact"])
        sums[row["ew_entry"]] += Fraction(row["ew_score_exact"])
        assert PLAIN_NUMBER_PATTERN.fullmatch(row["ns_score"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"])
    assert sums == {row["entry"]: Fraction(row["score_exact"]) for row in standing}
    names = [row[seat] for row in rows for seat in ("north", "south", "east", "west")]
    assert "'=cmd|'/c calc'" in names
    assert not any(name.startswith(("=", "+", "-", "@")) for name in names)


def check_workbook_cells(event: Event, folder: Path) -> None:
    file = folder / "event.xlsx"
    export_text(event, "xlsx", "--out", str(file))
    workbook_rows = [row.cells for row in parse_list_file(file.read_bytes())]
    csv_rows = list(csv.reader(io.StringIO(export_text(event, "csv", "--sheet", "standings"))))
    cleaned_rows = [
        [unguard_formula(" ".join(cell.removeprefix("\ufeff").split())) for cell in row]
        for row in csv_rows
    ]
    max_row_length = max(map(len, workbook_rows))
    assert [
        [*row, *[""] * (max_row_length - len(row))] for row in workbook_rows
    ] == cleaned_rows
    assert b"<f" not in zipfile.ZipFile(file).read("xl/worksheets/sheet2.xml")


def check_zip_tables(event: Event, folder: Path) -> None:
    file = folder / "event.zip"
    export_text(event, "csv", "--out", str(file))
    content_before = file.read_bytes()
    export_text(event, "csv", "--out", str(file))
    assert file.read_bytes() == content_before
    names = ["standings", "results", "boards", "movement", "people"]
    with zipfile.ZipFile(file) as archive:
        assert archive.namelist() == [*(f"{name}.csv" for name in names), "README.txt"]
        assert archive.read("boards.csv").count(b"\r\n") == 1


def check_matchpoints_independently(event: Event) -> None:
    """Check matchpoints by comparing the scores on each board."""
    text = export_text(event, "usebio")
    assert '<!DOCTYPE USEBIO SYSTEM "http://www.ebu.co.uk/usebio/usebio_v1_2.dtd">' in text
    root = ElementTree.fromstring(re.sub("<!DOCTYPE[^>]*>", "", text))
    line_count = 0
    for board in root.iter("BOARD"):
        lines = list(board.iter("TRAVELLER_LINE"))
        scores = [int(line.findtext("SCORE") or "") for line in lines]
        for line, score in zip(lines, scores, strict=True):
            other_scores = list(scores)
            other_scores.remove(score)
            total = sum(2 * (score > item) + (score == item) for item in other_scores)
            top = 2 * len(other_scores)
            ns_matchpoints = Fraction(line.findtext("NS_MATCH_POINTS") or "")
            ew_matchpoints = Fraction(line.findtext("EW_MATCH_POINTS") or "")
            assert ns_matchpoints / (ns_matchpoints + ew_matchpoints) == Fraction(total, top)
            line_count += 1
    assert line_count > 12
    pairs = [pair.findtext("PAIR_NUMBER") for pair in root.iter("PAIR")]
    pairs_with_lines = {line.findtext("NS_PAIR_NUMBER") for line in root.iter("TRAVELLER_LINE")}
    assert pairs_with_lines <= set(pairs)
    assert root.findtext("EVENT/DATE") == event.date.strftime("%d/%m/%Y")
    assert len(list(root.iter("PLAYER_NAME"))) == 12


def test_no_board_is_written_with_the_cards_of_another_session() -> None:
    """A HANDSET has only board numbers, and the boards of each session start at 1."""
    session, _user = evenings.play_session()
    results = load_results(session.event, has_full_names=True)
    first_deal, second_deal, third_deal = (make_deal(number) for number in range(3))
    deals_by_board = {
        (1, 1): first_deal,
        (2, 1): second_deal,
        (1, 2): third_deal,
        (2, 2): third_deal,
        (2, 3): second_deal,
    }
    text = build_usebio_file(replace(results, deals_by_board=deals_by_board)).decode()
    root = ElementTree.fromstring(re.sub("<!DOCTYPE[^>]*>", "", text))
    handset_boards = root.findall("HANDSET/BOARD")
    assert [item.findtext("BOARD_NUMBER") for item in handset_boards] == ["2", "3"]
    for board, deal in zip(handset_boards, (third_deal, second_deal), strict=True):
        north = board.find("HAND")
        assert north is not None
        north_spades = {card for card in deal.hands[Seat.NORTH] if card.suit is Suit.SPADES}
        assert set(north.findtext("SPADES") or "") == {
            card.rank.letter for card in north_spades
        }
    turn_ups = {2: third_deal.turn_up, 3: second_deal.turn_up}
    assert boards.usebio.read_usebio(text.encode(), turn_ups=turn_ups).deals_by_board == {
        2: third_deal,
        3: second_deal,
    }
    text_without_handset = build_usebio_file(
        replace(results, deals_by_board={(1, 1): first_deal, (2, 1): second_deal})
    ).decode()
    assert "HANDSET" not in text_without_handset


@pytest.mark.parametrize("is_ranked_across", [True, False])
def test_sections_compared_together_are_written_together(is_ranked_across: bool) -> None:
    """Bridge sites compute the matchpoints of a board from adjacent lines."""
    event, user = evenings.create_event(12, method="matchpoints")
    entries = list(event.entries.order_by("number"))
    tournaments.services.seat_sections(
        session=event.sessions.get(),
        planned_sections=[
            tournaments.services.PlannedSection(
                build_named_movement("compass", pairs=6), {}, field
            )
            for field in (entries[:6], entries[6:])
        ],
        boards_a_round=2,
        is_ranked_across_sections=is_ranked_across,
        by=user,
    )
    session = scoring.services.open_session(session=event.sessions.get(), by=user)
    evenings.enter_all_results(
        [
            (table.sitting_id, board, str((3 * board + 5 * number) % 14))
            for number, table in enumerate(load_session_snapshot(session).tables)
            for board in table.boards
        ],
        user,
    )
    root = ElementTree.fromstring(export_text(event, "usebio").encode())
    assert root.findtext("EVENT/SECTION_COUNT") == ("1" if is_ranked_across else "2")
    section_ids = [[child.get("SECTION_ID") for child in item] for item in root.iter("SESSION")]
    assert section_ids == ([] if is_ranked_across else [["A", "B"]])
    for board in root.iter("BOARD"):
        lines = [
            (int(line.findtext("SCORE", "")), Fraction(line.findtext("NS_MATCH_POINTS", "")))
            for line in board.iter("TRAVELLER_LINE")
        ]
        assert len(lines) == (6 if is_ranked_across else 3)
        for score, points in lines:
            computed_points = sum(
                2 * (score > item) + (score == item) for item, _points in lines
            )
            assert points == computed_points - 1
    blocks = export_text(event, "bridgewebs").partition("#TRAVELLERS")[2].split("#BOARD,")[1:]
    assert [len(block.splitlines()) - 1 for block in blocks] == (
        [6] * 6 if is_ranked_across else [3] * 12
    )


def test_tables_with_declared_trumps_are_exported_to_rank_by_tricks() -> None:
    session, user = evenings.play_session()
    event = session.event
    tournaments.services.set_trumps(event=event, trumps="declared", is_agreed=True, by=user)
    for index, result in enumerate(Result.objects.order_by("pk")):
        result.trump = list(Suit)[index % 4] if index % 5 else ""
        result.ns_tricks = 7
        result.save()
    scoring.services.set_scoring_terms(event=event, method="matchpoints", by=user)
    scoring.services.close_session(session=session, by=user)
    check_matchpoints_independently(event)
    rows = csv.reader(io.StringIO(export_text(event, "bridgewebs").partition("#TRAVELLERS")[2]))
    lines = [row for row in rows if len(row) == 8][1:]
    assert {(row[2], row[3]) for row in lines} == {("1NT", "N")}


@pytest.mark.parametrize("trumps", [*Suit, None])
def test_contract_score_rises_with_every_trick(trumps: Suit | None) -> None:
    scores = [compute_contract_score(tricks, trumps) for tricks in range(14)]
    assert scores == sorted(set(scores))
    assert (compute_contract_score(6, trumps), compute_contract_score(0, trumps)) == (-50, -350)


@pytest.mark.parametrize(
    ("text", "escaped_text"),
    [
        ("=1+1", "'=1+1"),
        ("  @x", "'  @x"),
        ("\t-2", "'\t-2"),
        ("\uff1dx", "'\uff1dx"),
        ("Ann-Lee", "Ann-Lee"),
        ("a\x00b", "ab"),
    ],
)
def test_text_is_never_taken_for_a_formula(text: str, escaped_text: str) -> None:
    assert escape_formula(text) == escaped_text


def test_numbers_are_written_as_decimals_and_as_exact_fractions() -> None:
    decimals = [
        format_decimal(Fraction(text)) for text in ("7", "-5/2", "22/3", "-1/3", "1/10")
    ]
    assert decimals == ["7", "-2.5", "7.33", "-0.33", "0.1"]
    sheet = DataTable(
        "x", ("a", "b"), [[Fraction(-5, 2), ExactNumber(Fraction(-5, 2))], [None, "ü;"]]
    )
    assert encode_csv(sheet) == b"\xef\xbb\xbfa,b\r\n-2.5,-5/2\r\n,\xc3\xbc;\r\n"
    assert encode_csv(sheet, delimiter=";").endswith(b';"\xc3\xbc;"\r\n')
    assert [format_column_name(item) for item in (0, 25, 26, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "ZZ",
        "AAA",
    ]
    assert DateCell("1900-03-01").serial_number == 61


def test_date_that_spreadsheets_cannot_represent_is_written_as_text() -> None:
    days = DataTable(
        "x",
        ("day",),
        [[DateCell("1900-03-01")], [DateCell("1900-02-28")], [DateCell("1897-01-01")]],
    )
    with zipfile.ZipFile(io.BytesIO(build_workbook([days]))) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<v>61</v>" in sheet
    assert ">1900-02-28<" in sheet
    assert ">1897-01-01<" in sheet


def test_sheets_with_the_same_name_are_numbered_in_a_workbook() -> None:
    data_tables = [
        DataTable("Best: five", ("a",), [["1"]]),
        DataTable("best  five", ("a",), [["2"]]),
    ]
    with zipfile.ZipFile(io.BytesIO(build_workbook(data_tables))) as archive:
        book = archive.read("xl/workbook.xml").decode()
    assert re.findall('sheet name="([^"]*)"', book) == ["Best  five", "best  five 2"]
