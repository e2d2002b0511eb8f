"""Events in which an entry plays a board twice: teams, and whist overplayed from memory."""

from datetime import date

import pytest

import scoring.services
import tournaments.services
from scoring.papers import get_paper_kind, recap
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets import hall_papers, papers
from scoring.sheets.values import RecapRow
from scoring.standings_engine import standings
from tests import evenings
from tests.scoring.papers import reading
from tournaments.movements import Movement, build_named_movement
from tournaments.services.seats import arrange_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def play_contest(
    contest: str, sizes: list[int], movement: Movement, *, missing_result_count: int = 0
) -> SessionSnapshot:
    """Return an event of some contest with all results but the last few."""
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club, name="Twice", date=date(2026, 3, 10), contest=contest, by=user
    )
    names = (
        [f"{evenings.SURNAMES[number]} {number}{'abcd'[k]}" for k in range(entry_size)]
        for number, entry_size in enumerate(sizes)
    )
    evenings.enter_everybody(event, names, user)
    session = event.sessions.get()
    tournaments.services.seat_section(
        session=session,
        movement=movement,
        entries_by_place=arrange_entries(movement, list(event.entries.order_by("number"))),
        boards_a_round=2,
        by=user,
    )
    session.refresh_from_db()
    session = scoring.services.open_session(session=session, by=user)
    plays = [
        (table.sitting_id, board, str((3 * board + 5 * table.table_number + table.round) % 14))
        for table in load_session_snapshot(session).tables
        if table.is_played
        for board in table.boards
    ]
    evenings.enter_all_results(plays[: len(plays) - missing_result_count], user)
    standings.update_standings(session.event)
    return load_session_snapshot(session)


def play_teams(*, but: int = 0) -> SessionSnapshot:
    return play_contest(
        "teams",
        [4] * 5,
        build_named_movement("howell-teams", teams=5),
        missing_result_count=but,
    )


def play_four_individuals() -> SessionSnapshot:
    return play_contest("individual", [1] * 4, build_named_movement("four-individuals"))


def play_memory() -> SessionSnapshot:
    return play_contest("memory", [2, 2], build_named_movement("memory", pairs=2, rounds=4))


def list_recap_rows(snapshot: SessionSnapshot) -> list[RecapRow]:
    return [row for field in papers.build_recap(snapshot).fields for row in field.rows]


@pytest.mark.parametrize("build_snapshot", [play_teams, play_memory, play_four_individuals])
def test_recap_cells_sum_to_the_tricks_next_to_them(build_snapshot) -> None:
    rows = list_recap_rows(build_snapshot())
    assert rows
    for row in rows:
        plays = [int(play) for cell in row.cells if cell for play in cell.split("/")]
        assert len(plays) == row.rank.boards
        assert sum(plays) == row.rank.tricks


def test_recap_cell_lists_north_south_or_the_original_play_first() -> None:
    teams = play_teams()
    board = teams.boards[0]
    rows = {row.rank.entry: row.cells[0] for row in list_recap_rows(teams)}
    for table in teams.tables_by_board[board]:
        result = teams.find_result(table, board)
        assert rows[table.ns.entries[0]].split("/")[0] == str(result.ns_tricks)
        assert rows[table.ew.entries[0]].split("/")[1] == str(13 - result.ns_tricks)
    teams = play_memory()
    original_table, overplay_table = teams.tables_by_board[board]
    expected_tricks = [
        teams.find_result(original_table, board).ns_tricks,
        13 - teams.find_result(overplay_table, board).ns_tricks,
    ]
    cell = next(row.cells[0] for row in list_recap_rows(teams) if row.rank.entry == 1)
    assert [int(play) for play in cell.split("/")] == expected_tricks


def test_placeholder_for_a_missing_play_keeps_the_cell_order() -> None:
    teams = play_teams(but=1)
    cells = [cell for row in list_recap_rows(teams) for cell in row.cells if "…" in cell]
    assert sorted(cell.index("…") == 0 for cell in cells) == [False, True]


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_two_plays_fit_their_cell_and_are_explained(size: str) -> None:
    pdf = recap.draw_pdf(papers.build_recap(play_teams()), paper_size=size)
    for page in reading.read_pages(pdf):
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
        assert reading.list_crossed_strings(page) == []
        assert "two plays of a board" in page.extract_text()
    pairs = get_paper_kind("recap").build_sheet(
        load_session_snapshot(evenings.play_session(6)[0])
    )
    assert (
        "two plays"
        not in reading.read_pages(recap.draw_pdf(pairs, paper_size=size))[0].extract_text()
    )


def test_boards_are_turned_for_the_overplay_and_no_one_changes_seats() -> None:
    """The cards match the announcement: turning boards and moving too gives the same cards."""
    memory_snapshot = play_memory()
    (announcement,) = hall_papers.build_announcements(memory_snapshot)
    assert "No one moves." in announcement.paragraphs
    (card,) = papers.build_guide_cards(memory_snapshot)
    assert [line.note for line in card.lines] == ["", "", "boards: quarter turn", ""]
    assert card.moves[:2] == ("N-S stay here.", "E-W stay here.")
    assert "“Boards: quarter turn” means" in card.moves[2]
    for guide in hall_papers.build_pair_guides(memory_snapshot):
        assert [line.seat_code for line in guide.lines[:2]] != [
            line.seat_code for line in guide.lines[2:]
        ]
        assert guide.lines[2].note == "boards: quarter turn"
        assert "The arrow on the board" in guide.footnote
    (card,) = papers.build_guide_cards(play_four_individuals())
    assert card.lines[3].note.startswith("boards: quarter turn; then")


def test_boards_that_stay_at_their_table_are_not_announced_as_moving() -> None:
    contest = play_contest("teams", [4, 4], build_named_movement("two-packs", teams=2))
    for card in papers.build_guide_cards(contest):
        assert not any("boards go to" in move for move in card.moves)
