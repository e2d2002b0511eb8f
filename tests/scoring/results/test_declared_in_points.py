"""In points a table may declare no trump and doubles; in tricks only a suit.

Sources: The Standard Hoyle, Duplicate Bridge (no trump, 12 points a trick); Law IV §11.
"""

import re
from itertools import product

import pytest
from django.test import Client

import scoring.services
from boards.whist import ALL_DECLARATIONS, SUIT_DECLARATIONS, Declaration, Suit
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from hall.phones.services import create_table_links
from scoring.errors import TricksRefused
from scoring.models import Result
from scoring.services import undo_results
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tournaments.models import Session, Sitting
from tournaments.services import set_trumps

DECLARATION_CODES = [suit + doubled for doubled in ("", "X", "XX") for suit in "SHDCN"]
POINTS_ONLY_CODES = [code for code in DECLARATION_CODES if code not in "SHDC"]


def list_plays(session: Session) -> list[tuple[Sitting, int]]:
    sittings = Sitting.objects.in_bulk(
        [table.sitting_id for table in load_session_snapshot(session).tables]
    )
    return [
        (sittings[table.sitting_id], board)
        for table in load_session_snapshot(session).tables
        if table.is_played
        for board in table.boards
    ]


def open_session_in_tricks() -> tuple[Session, User]:
    session, user = evenings.seat_session()
    set_trumps(event=session.event, trumps="declared", is_agreed=True, by=user)
    session.refresh_from_db()
    return scoring.services.open_session(session=session, by=user), user


def test_each_declaration_code_has_its_own_text() -> None:
    assert [declaration.code for declaration in ALL_DECLARATIONS] == DECLARATION_CODES
    assert [Declaration.parse(code) for code in DECLARATION_CODES] == list(ALL_DECLARATIONS)
    assert len({declaration.word for declaration in ALL_DECLARATIONS}) == len(DECLARATION_CODES)
    assert Declaration.parse("NX").word == "no trump, doubled"
    assert [suit_declaration.suit for suit_declaration in SUIT_DECLARATIONS] == list(Suit)
    for code in ("", "NT", "X", "HXXX", "hx", "SS"):
        with pytest.raises(ValueError, match="not"):
            Declaration.parse(code)


@pytest.mark.slow
@pytest.mark.django_db
def test_every_declaration_is_stored_exported_imported_and_shown(client: Client) -> None:
    session, user = evenings.play_points_event(empty=True)
    points = [(0, 0), (120, 40), (2000, 0)]
    play_by_code = dict(zip(DECLARATION_CODES, list_plays(session), strict=False))
    assert list(play_by_code) == DECLARATION_CODES
    for code, (ns, ew) in product(DECLARATION_CODES, points):
        sitting, board = play_by_code[code]
        scoring.services.record_result(
            sitting=sitting,
            board_number=board,
            mark=f"{ns}-{ew}",
            seen_score=None,
            trump=code,
            by=user,
        )
        result = Result.objects.get(sitting=sitting, board=board)
        assert (result.ns_points, result.ew_points, result.trump) == (ns, ew, code)
        assert result.versions.get(number=result.versions.count()).trump == code
    document = export_event(session.event, should_include_deals=True)
    trumps = [
        one_result["trump"] for one_result in document["sessions"][0]["sections"][0]["results"]
    ]
    assert sorted(trumps) == sorted(DECLARATION_CODES)
    event = import_event(document=document, by=None)
    assert export_event(event, should_include_deals=True)["sessions"] == document["sessions"]
    client.force_login(user)
    root_url = f"/api/events/{session.event.slug}/sessions/1/travellers/"
    for code, (_sitting, board) in play_by_code.items():
        lines = client.get(f"{root_url}{board}/").json()["lines"]
        assert code in [line["trump"] for line in lines]
    grid = client.get(f"/director/events/{session.event.slug}/scores/").content.decode()
    assert sorted(re.findall(r'<option value="(\w+)" selected>', grid)) == sorted(
        DECLARATION_CODES
    )
    sitting, board = play_by_code["NX"]
    page = client.get(f"/events/{session.event.slug}/boards/{board}/").content.decode()
    assert "no trump, doubled" in page


@pytest.mark.django_db
def test_declaration_in_points_is_undone_with_its_result() -> None:
    session, user = evenings.play_points_event(empty=True)
    sitting, board = list_plays(session)[0]
    for mark, trump in (("120-40", "NX"), ("0-40", "H")):
        result = scoring.services.record_result(
            sitting=sitting,
            board_number=board,
            mark=mark,
            seen_score=None,
            trump=trump,
            by=user,
        ).result
    undone_result = undo_results.undo_result(
        version=result.versions.get(number=2), by=user
    ).result
    assert (undone_result.mark, undone_result.trump) == ("120-40", "NX")


@pytest.mark.django_db
def test_page_without_javascript_sends_doubling_in_a_separate_field(
    client: Client,
) -> None:
    session, user = evenings.play_points_event(empty=True)
    link = create_table_links(session=session, by=user)[0]
    html = client.get(link.path).content.decode()
    form = html[html.index('id="t-enter"') : html.index('id="t-confirm"')]
    assert re.findall(r'name="trump" value="(\w*)"', form) == ["S", "H", "D", "C", "N", ""]
    assert re.findall(r'name="doubled" value="(\w*)"', form) == ["", "X", "XX"]
    hidden_fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    form = {"value": "points", "ns": "24", "ew": "0", "trump": "N", "doubled": "X"}
    client.post(link.path, dict(hidden_fields) | form)
    assert Result.objects.get().trump == "NX"
    assert "Declared: no trump, doubled." in client.get(link.path).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("code", POINTS_ONLY_CODES)
def test_only_a_suit_is_declared_if_tricks_are_counted(code: str) -> None:
    session, user = open_session_in_tricks()
    sitting, board = list_plays(session)[0]
    with pytest.raises(TricksRefused, match=r"can’t be declared. Enter S, H, D or C\."):
        scoring.services.record_result(
            sitting=sitting, board_number=board, mark="8", seen_score=None, trump=code, by=user
        )
    scoring.services.record_result(
        sitting=sitting, board_number=board, mark="8", seen_score=None, trump="H", by=user
    )
    document = export_event(session.event, should_include_deals=True)
    document["sessions"][0]["sections"][0]["results"][0]["trump"] = code
    with pytest.raises(UnusableEventFile, match=r"results\[0\]\.trump: No trump and doubled"):
        import_event(document=document, by=None)


@pytest.mark.django_db
@pytest.mark.parametrize(("is_in_points", "status"), [(True, 200), (False, 400)])
def test_api_refuses_a_trump_that_exists_only_in_points(
    client: Client, is_in_points: bool, status: int
) -> None:
    session, user = (
        evenings.play_points_event(empty=True) if is_in_points else open_session_in_tricks()
    )
    client.force_login(user)
    sitting, board = list_plays(session)[0]
    score = {"ns_points": 24, "ew_points": 0} if is_in_points else {"ns_tricks": 8}
    response = client.put(
        f"/api/sittings/{sitting.pk}/results/{board}/",
        score | {"trump": "NX"},
        content_type="application/json",
    )
    assert response.status_code == status, response.content
    assert Result.objects.filter(trump="NX").exists() is is_in_points
