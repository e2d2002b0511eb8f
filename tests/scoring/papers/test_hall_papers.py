"""Papers for the room are drawn from the actual seating."""

from datetime import date

import pytest

import scoring.services
import tournaments.services
from scoring.papers import pair_guides, travellers
from scoring.papers import score_slips as score_slips_paper
from scoring.papers.paper_files import draw_session_paper
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.hall_papers import build_announcements, build_wall_sheets
from scoring.sheets.hall_papers import build_pair_guides as guides_of
from scoring.sheets.papers import build_guide_cards, build_score_slips, build_traveller_slips
from tests import evenings
from tests.scoring.papers import reading, samples
from tournaments.models import Session
from tournaments.movements import build_named_movement
from tournaments.movements.systems.custom import build_custom_movement, build_rows

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_wall_sheet_shows_every_round_at_every_table() -> None:
    session, _ = evenings.seat_session(9)
    (sheet,) = build_wall_sheets(load_session_snapshot(session))
    assert sheet.movement_title == "Mitchell, 5 tables"
    assert len(sheet.rounds) == 5
    assert all(len(cells) == 5 for cells in sheet.rounds)
    sit_out_cells = [cell for cells in sheet.rounds for cell in cells if not cell.boards]
    assert [cell.note for cell in sit_out_cells] == ["sit-out"] * 5
    assert any("East-West pairs move up one table" in move for move in sheet.moves)


def test_announcement_names_movement_rounds_and_moves() -> None:
    session, _ = evenings.seat_session(6, boards_a_round=2)
    (sheet,) = build_announcements(load_session_snapshot(session))
    assert sheet.paragraphs[:2] == (
        "We’re playing Mitchell, 3 tables.",
        "There are 3 rounds of 2 boards.",
    )


def test_personal_guide_card_lists_the_tables_of_a_pair() -> None:
    session, _ = evenings.seat_session(6)
    guides = guides_of(load_session_snapshot(session))
    first_ew = next(guide for guide in guides if guide.label == "1 E-W")
    assert [(line.table_label, line.seat_code, line.boards) for line in first_ew.lines] == [
        ("1", "E-W", "1–2"),
        ("2", "E-W", "5–6"),
        ("3", "E-W", "3–4"),
    ]


def test_round_without_opponents_is_called_a_sit_out() -> None:
    session, _ = evenings.seat_session(9)
    notes = [
        line.note for guide in guides_of(load_session_snapshot(session)) for line in guide.lines
    ]
    assert notes.count("sit-out") == 5


def test_guide_cards_of_a_reduced_howell_mark_arrow_switches() -> None:
    session, _ = evenings.seat_session(12, movement="reduced-howell")
    snapshot = load_session_snapshot(session)
    cards = build_guide_cards(snapshot)
    notes = [line.note for card in cards for line in card.lines if "arrow switch" in line.note]
    assert notes
    lines = [line.note for guide in guides_of(snapshot) for line in guide.lines]
    assert sum("arrow switch" in note for note in lines) == 2 * len(notes)


def test_guide_cards_of_a_mitchell_have_no_arrow_switch() -> None:
    session, _ = evenings.seat_session(10)
    cards = build_guide_cards(load_session_snapshot(session))
    assert not [line for card in cards for line in card.lines if "arrow" in line.note]


@pytest.mark.parametrize("kind", ["pair_guides", "wall_sheet", "announcement"])
def test_table_paper_is_drawn_from_a_seated_session(kind: str) -> None:
    session, _ = evenings.seat_session(9)
    assert draw_session_paper(session, kind, "A4").startswith(b"%PDF")


def test_short_personal_guide_cards_fit_two_to_a_page() -> None:
    short_pdf = pair_guides.draw_pdf(samples.build_pair_guides(7, 7))
    long_pdf = pair_guides.draw_pdf(samples.build_pair_guides(7, 27))
    assert len(reading.PdfReader(reading.BytesIO(short_pdf)).pages) == 4
    assert len(reading.PdfReader(reading.BytesIO(long_pdf)).pages) == 7


def create_individual_session(players: int) -> Session:
    """Return an individual event that has its seats."""
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club, name="Singles", date=date(2026, 3, 10), contest="individual", by=user
    )
    names = ([f"{evenings.SURNAMES[number]} {number}"] for number in range(players))
    evenings.enter_everybody(event, names, user)
    session = event.sessions.get()
    movement = build_named_movement(
        "eight-individuals" if players == 8 else "whist-individual", players=players
    )
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=2, by=user
    )
    session.refresh_from_db()
    return session


def test_individual_guide_card_names_seat_and_partner() -> None:
    session = create_individual_session(8)
    guides = guides_of(load_session_snapshot(session))
    assert {line.seat_code for guide in guides for line in guide.lines} <= {"N", "E", "S", "W"}
    partners = [line.partner for line in guides[0].lines]
    assert len(set(partners)) == 7
    slips = build_score_slips(load_session_snapshot(session))
    assert [line.partner for line in slips[0].lines][::2] == partners
    assert {line.direction for line in slips[0].lines} <= {"N", "E", "S", "W"}
    assert [line.direction for line in slips[0].lines][::2] == [
        line.seat_code for line in guides[0].lines
    ]
    assert slips[7].start_seat_text == "table 1, South"
    for paper in (score_slips_paper.draw_pdf(slips), pair_guides.draw_pdf(guides)):
        assert "Partner" in " ".join(reading.read_texts(paper))
    traveller = " ".join(
        reading.read_texts(
            travellers.draw_pdf(build_traveller_slips(load_session_snapshot(session)))
        )
    )
    assert "North, South" in traveller


def test_every_paper_says_which_tables_share_boards() -> None:
    session, _ = evenings.seat_session(12, movement="compass-relay")
    snapshot = load_session_snapshot(session)
    (wall,) = build_wall_sheets(snapshot)
    assert "shares with table 6" in {cell.note for cells in wall.rounds for cell in cells}
    notes = {line.note for guide in guides_of(snapshot) for line in guide.lines}
    assert "share boards with table 6" in notes


def test_custom_movement_is_named_by_its_own_name() -> None:
    event, user = evenings.create_event(6)
    session = event.sessions.get()
    custom_movement = build_custom_movement(
        build_rows(build_named_movement("compass", tables=3)), title="Our three"
    )
    tournaments.services.seat_section(
        session=session,
        movement=custom_movement,
        boards_a_round=2,
        options={"title": "Our three", "meetings": build_rows(custom_movement)},
        by=user,
    )
    session.refresh_from_db()
    (wall,) = build_wall_sheets(load_session_snapshot(session))
    assert wall.movement_title == "Our three"


def test_guide_card_marks_sit_outs_and_exceptions() -> None:
    session, _ = evenings.seat_session(9)
    cards = build_guide_cards(load_session_snapshot(session))
    idle = [line for card in cards for line in card.lines if "sit-out" in line.note]
    assert {line.boards for line in idle} == {"–"}
    one_winner_session, _ = evenings.seat_session(14, one_winner=True)
    card = build_guide_cards(load_session_snapshot(one_winner_session))[0]
    assert "If a note says otherwise, follow the note." in card.moves
    assert any("then N-S to table 1 E-W" in line.note for line in card.lines)
    assert any(move.startswith("“Arrow switch” means") for move in card.moves)


def test_three_tables_that_share_boards_are_named_together() -> None:
    notes = [
        line.note
        for line in guides_of(load_session_snapshot(create_individual_session(12)))[0].lines
    ]
    assert "share boards with tables 2 and 3" in notes
