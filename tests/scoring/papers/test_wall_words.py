"""The wall sheet, announcement and cards of a knock-out and of shared boards."""

import pytest

import scoring.services
from scoring.papers import wall_sheet
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets import hall_papers, papers
from tests import evenings
from tests.scoring.papers import reading
from tournaments.movements import build_named_movement
from tournaments.swiss.plan import SwissPlan

pytestmark = pytest.mark.django_db


def play_cup() -> SessionSnapshot:
    """Return five teams in a bracket: three have a bye, the fourth wins and the fifth loses."""
    event, user = evenings.create_event(0, contest="teams", name="Cup")
    names = (
        [f"{evenings.SURNAMES[number]} {number}{letter}" for letter in "abcd"]
        for number in range(5)
    )
    evenings.enter_everybody(event, names, user)
    scoring.services.set_bracket(event=event, seeds=[1, 2, 3, 4, 5], by=user)
    session = event.sessions.get()
    section = scoring.services.seat_knockout(
        session=session, boards_a_round=2, copies=2, by=user
    )
    session.refresh_from_db()
    session = scoring.services.open_session(session=session, by=user)
    results = [
        (table.sitting_id, board, "9" if 4 in table.ns.entries else "4")
        for table in load_session_snapshot(session).tables
        if table.is_played
        for board in table.boards
    ]
    evenings.enter_all_results(results, user)
    section.refresh_from_db()
    scoring.services.draw_round(section=section, round_number=2, by=user)
    return load_session_snapshot(session)


def test_knock_out_is_named_as_such_and_not_described_as_a_draw() -> None:
    cup = play_cup()
    (sheet,) = hall_papers.build_wall_sheets(cup)
    (read_out,) = hall_papers.build_announcements(cup)
    assert sheet.movement_title == "Knock-out"
    assert read_out.paragraphs[0] == "We’re playing Knock-out."
    text = " ".join([*sheet.moves, *read_out.paragraphs])
    assert "Winners play on, as shown in the bracket." in text
    assert "Swiss" not in text
    assert "drawn" not in text


def test_loser_of_a_knock_out_is_marked_out_and_bye_is_not_a_sit_out() -> None:
    cup = play_cup()
    notes = {
        own_pair_guide.name: [line.note for line in own_pair_guide.lines]
        for own_pair_guide in hall_papers.build_pair_guides(cup)
    }
    first_notes, *_others, fourth_notes, fifth_notes = (
        notes[entry.name] for entry in cup.session.event.entries.order_by("number")
    )
    assert first_notes[0] == "bye"
    assert fifth_notes[1] == "out"
    assert "out" not in fourth_notes
    lines = [line.note for card in papers.build_guide_cards(cup) for line in card.lines]
    assert any("are out" in note for note in lines)
    assert not any("sit-out" in note for note in lines)


def test_swiss_wall_sheet_still_mentions_the_draw() -> None:
    event, user = evenings.create_event(8, name="Swiss")
    session = event.sessions.get()
    scoring.services.seat_swiss(
        session=session, plan=SwissPlan(rounds=3), boards_a_round=2, copy_count=2, by=user
    )
    (sheet,) = hall_papers.build_wall_sheets(load_session_snapshot(session))
    assert sheet.movement_title == "Swiss"
    assert "Each round is drawn from the scores so far." in sheet.moves


@pytest.mark.parametrize("paper_size", ["A4", "Letter"])
def test_no_text_on_the_wall_sheet_is_too_small_to_read(paper_size: str) -> None:
    """Regression: if all tables shared boards, each cell listed all others in tiny print."""
    session, _user = evenings.seat_session(12, movement="barometer")
    (sheet,) = hall_papers.build_wall_sheets(load_session_snapshot(session))
    assert {cell.note for row in sheet.rounds for cell in row} == {""}
    for page in reading.read_pages(
        wall_sheet.draw_wall_sheet_pdf(sheet, paper_size=paper_size)
    ):
        assert (
            min(
                mark.top - mark.bottom
                for mark in reading.list_marks(page)
                if mark.kind == "text"
            )
            > 4
        )


def test_wall_sheet_cell_names_tables_or_copy_that_share_the_boards() -> None:
    event, user = evenings.create_event(16, name="Swiss")
    session = event.sessions.get()
    scoring.services.seat_swiss(
        session=session, plan=SwissPlan(rounds=3), boards_a_round=4, copy_count=2, by=user
    )
    (sheet,) = hall_papers.build_wall_sheets(load_session_snapshot(session))
    assert {cell.note for cell in sheet.rounds[0]} == {"copy A", "copy B"}
    session, _user = evenings.seat_session(8, movement="howell")
    (sheet,) = hall_papers.build_wall_sheets(load_session_snapshot(session))
    assert {cell.note for row in sheet.rounds for cell in row} == {""}
    assert build_named_movement("howell", pairs=8).table_count == len(sheet.table_labels)
