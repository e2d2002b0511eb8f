"""The dealer is the player with the turn-up, whatever the board's number (definition d)."""

import re

import pytest
from django.test import Client

from boards.whist import Deal, Seat
from boards.whist.dealing import deal_board
from hall.helpers.hands import load_typed_deal
from hall.helpers.sheets import build_typed_boards
from scoring.services import close_session
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.papers import build_traveller_slips, build_trump_slips
from scoring.sheets.travellers import load_travellers
from scoring.sheets.trays import build_tray_labels
from tests import evenings
from tests.house import sources
from tournaments.models import Session
from tournaments.services import import_deals

DEALER_DERIVATION_PATTERN = re.compile(r"\bSeat\.find_dealer\(")
ALLOWED_MODULES = ("boards.", "tournaments.models.events")


@pytest.fixture
def dealt_session(client: Client) -> tuple[Session, dict[int, Deal]]:
    """Let every board be dealt by the player on the left of the one whom its number gives."""
    session, user = evenings.play_session()
    deals = {
        board: deal_board(bytes(32), board, dealer=Seat.find_dealer(board).left_neighbour)
        for board in load_session_snapshot(session).boards
    }
    import_deals(session=session, deals_by_board=deals, by=user)
    client.force_login(user)
    session.refresh_from_db()
    return session, deals


@pytest.mark.django_db
def test_every_sheet_names_the_stored_dealer(
    dealt_session: tuple[Session, dict[int, Deal]],
) -> None:
    session, deals = dealt_session
    dealers_by_board = {board: deal.dealer for board, deal in deals.items()}
    snapshot = load_session_snapshot(session)
    for sheets in (
        build_traveller_slips,
        build_trump_slips,
        build_tray_labels,
    ):
        assert {
            item.board_number: item.dealer for item in sheets(snapshot)
        } == dealers_by_board, sheets
    travellers = load_travellers(snapshot)
    assert {traveller.board: traveller.dealer for traveller in travellers} == dealers_by_board
    typed_boards = build_typed_boards(snapshot, are_outsiders=True)
    assert {item.board_number: item.dealer for item in typed_boards} == dealers_by_board
    assert {
        board: load_typed_deal(session, board).dealer for board in dealers_by_board
    } == dealers_by_board


@pytest.mark.django_db
def test_board_page_form_and_api_name_the_stored_dealer(
    client: Client, dealt_session: tuple[Session, dict[int, Deal]]
) -> None:
    session, deals = dealt_session
    slug = session.event.slug
    for is_closed in (False, True):
        if is_closed:
            close_session(session=session, by=None)
        for board in (1, 2, 3, 4):
            dealer = deals[board].dealer
            page = client.get(f"/events/{slug}/boards/{board}/").content.decode()
            assert f"{dealer.word} deals" in page
            form = client.get(f"/director/events/{slug}/boards/{board}/deal/").content.decode()
            assert f"{dealer.word} dealt." in form
            data = client.get(f"/api/events/{slug}/sessions/1/travellers/{board}/").json()
            assert data["dealer"] == dealer.value


def test_only_boards_without_stored_deal_derive_the_dealer_from_the_number() -> None:
    """All other code reads the session's dealers, where stored deals take precedence."""
    deriving_modules = {
        name
        for name in sources.MODULES
        if DEALER_DERIVATION_PATTERN.search(sources.read_text(name))
    }
    assert {name for name in deriving_modules if not name.startswith(ALLOWED_MODULES)} == set()
