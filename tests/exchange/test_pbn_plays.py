"""Two public packages read the PBN files with one record per play."""

import re
import warnings
from pathlib import Path

import pytest

from boards.whist import Seat
from boards.whist.dealing import deal_board
from exchange.formats import map_formats_by_name
from exchange.results.event_results import load_plays
from scoring.services import close_session, open_session, record_result
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.solving import NEEDS_SOLVER, load_endplay_format
from tournaments.models import Sitting
from tournaments.services import import_deals, set_trumps

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # bridgebots uses an option that marshmallow deprecates
    from bridgebots import Direction, parse_pbn

pytestmark = pytest.mark.django_db
PBN_PLAYS_FORMAT = map_formats_by_name()["pbn-plays"]


@pytest.fixture
def written_plays(tmp_path: Path):
    session, user = evenings.play_session()
    tables = load_session_snapshot(session).tables
    boards = {board for table in tables if table.is_played for board in table.boards}
    deals = {board: deal_board(bytes(32), board) for board in boards}
    import_deals(session=session, deals_by_board=deals, by=user)
    session.refresh_from_db()
    session = close_session(session=session, by=user)
    room = load_session_snapshot(session)
    path = tmp_path / "plays.pbn"
    path.write_bytes(PBN_PLAYS_FORMAT.write_file(room))
    return load_plays(room), path


def test_pbn_reader_finds_every_play_with_its_names_and_its_result(written_plays) -> None:
    plays, path = written_plays
    records = [record for deal in parse_pbn(path) for record in deal.board_records]
    assert len(records) == len(plays) > 0
    for play, record in zip(plays, records, strict=True):
        assert record.names[Direction.NORTH] == play.names_by_seat[Seat.NORTH]
        assert record.names[Direction.WEST] == play.names_by_seat[Seat.WEST]
        assert record.declarer.name == play.dealer.name
        dealer_tricks = play.traveller_line.ns_tricks
        if play.dealer in (Seat.EAST, Seat.WEST):
            dealer_tricks = 13 - dealer_tricks
        assert record.tricks == dealer_tricks
        assert record.contract.suit.abbreviation() == play.trumps.value


@NEEDS_SOLVER
def test_endplay_finds_the_same_contracts(written_plays) -> None:
    plays, path = written_plays
    with path.open(encoding="utf-8") as file:
        boards = load_endplay_format("pbn").load(file)
    contracts = [(board.board_num, board.contract.declarer.abbr) for board in boards]
    assert contracts == [(play.board_number, play.dealer.value) for play in plays]


def test_no_play_is_written_before_the_close() -> None:
    session, _user = evenings.play_session()
    assert b"[Deal" not in PBN_PLAYS_FORMAT.write_file(load_session_snapshot(session))


def test_each_record_has_the_suit_declared_at_its_table() -> None:
    session, user = evenings.seat_session()
    set_trumps(event=session.event, trumps="declared", is_agreed=True, by=user)
    session.refresh_from_db()
    boards = range(1, 7)
    deals = {board: deal_board(bytes(32), board).with_declared_trumps(None) for board in boards}
    import_deals(session=session, deals_by_board=deals, by=user)
    session.refresh_from_db()
    session = open_session(session=session, by=user)
    declared_suits = []
    for number, (sitting, board) in enumerate(
        (table.sitting_id, board)
        for table in load_session_snapshot(session).tables
        for board in table.boards
    ):
        declared_suits.append("SHDC"[number % 4])
        record_result(
            sitting=Sitting.objects.get(pk=sitting),
            board_number=board,
            mark="8",
            seen_score=None,
            trump=declared_suits[-1],
            by=user,
        )
    text = PBN_PLAYS_FORMAT.write_file(
        load_session_snapshot(close_session(session=session, by=user))
    ).decode()
    assert sorted(re.findall(r'\[Contract "1(\w+)"\]', text)) == sorted(declared_suits)
