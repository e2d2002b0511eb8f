"""Hand records, leads, best play and board files are available only after the session."""

import shlex
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.test import Client

from boards import dup, pbn
from boards.whist import Suit
from boards.whist.dealing import deal_board
from exchange.formats import pbn as written
from exchange.formats.pbn import compute_bridge_score
from scoring.errors import PaperRefused
from scoring.models import Paper, Terms
from scoring.papers.hand_records import draw_pdf
from scoring.services import (
    close_session,
    make_ruling,
    open_session,
    order_paper,
    reopen_session,
)
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.records import load_travellers_with_hands
from scoring.standings_engine import standings
from tests import evenings
from tests.scoring.papers import reading
from tests.solving import load_endplay_format
from tournaments import services
from tournaments.models import Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.services import request_dealing

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(django_capture_on_commit_callbacks) -> Session:
    played_session, user = evenings.play_session()
    with django_capture_on_commit_callbacks(execute=True):
        request_dealing(session=played_session, by=user)
    played_session.refresh_from_db()
    return played_session


@pytest.fixture
def closed_session(session, django_capture_on_commit_callbacks) -> Session:
    standings.update_standings(session.event)
    return close_session(session=session, by=evenings.create_club_with_director()[1])


def request_page(session: Session, path: str):
    return Client().get(f"/events/{session.event.slug}/{path}")


def test_hand_records_show_every_board_with_best_play_and_results(closed_session):
    response = request_page(closed_session, "hands/")
    records = response.context["records"]
    assert [record.traveller.board for record in records] == list(range(1, 7))
    assert {
        r.traveller.board: r.traveller.deal for r in records
    } == closed_session.board_set.load_deals()
    assert all(
        sum(count for _, count in record.table_counts_by_tricks) == 3 for record in records
    )
    text = response.content.decode()
    assert text.count("Best play: N-S") == 6
    assert all(
        text.count(f'href="#board-{n}"') == text.count(f'id="board-{n}"') == 1
        for n in range(1, 7)
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", ["hands/boards.pbn", "hands/boards.dup", "hands/boards.lin"])
def test_no_board_file_is_available_before_the_close(session, path):
    assert request_page(session, path).status_code == 404
    assert request_page(session, "hands/").context["records"] == []


@pytest.mark.slow
def test_board_page_shows_the_leads_and_each_table_against_best_play(closed_session):
    response = request_page(closed_session, "boards/1/")
    (leads,) = response.context["leads"]
    best_tricks = response.context["traveller"].best_ns_tricks
    assert (leads.ns_tricks, leads.is_best) == (best_tricks, True)
    assert len(leads.cards) == 13
    text = response.content.decode()
    assert "against best play" in text
    assert "Opening leads by East" in text


@pytest.mark.slow
def test_leads_are_grouped_by_result_with_the_leaders_best_first(closed_session):
    board = closed_session.board_set.boards.get(number=1)
    codes = list(board.leads)
    board.leads = dict(zip(codes, [6, 7] + [8] * 11, strict=True))
    board.save()
    leads = request_page(closed_session, "boards/1/").context["leads"]
    assert [(item.ns_tricks, len(item.cards), item.is_best) for item in leads] == [
        (6, 1, True),
        (7, 1, False),
        (8, 11, False),
    ]


@pytest.mark.slow
def test_hand_records_are_printed_after_the_close_and_refused_before_it(
    session, django_capture_on_commit_callbacks
):
    user = evenings.create_club_with_director()[1]
    with pytest.raises(PaperRefused, match="after the session is closed"):
        order_paper(session=session, kind="hand_records", size="A4", by=user)
    close_session(session=session, by=user)
    session.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        paper = order_paper(session=session, kind="hand_records", size="A4", by=user)
    paper.refresh_from_db()
    assert paper.state == Paper.State.READY
    with paper.file.open() as file:
        assert "Best play" in reading.read_texts(file.read())[0]


@pytest.mark.slow
def test_redealt_board_is_listed_without_hands(session):
    """Regression: the board was left out, so readers found no mention of board 2."""
    user = evenings.create_club_with_director()[1]
    sitting = Sitting.objects.get(section__session=session, round=1, table=1)
    result = sitting.results.get(board=2)
    make_ruling(kind="new_deal", result=result, reason="a card lay faced", by=user)
    standings.update_standings(session.event)
    travellers = load_travellers_with_hands(
        load_session_snapshot(close_session(session=session, by=user))
    )
    assert [sheet.board for sheet in travellers] == list(range(1, 7))
    assert [sheet.board for sheet in travellers if sheet.deal is None] == [2]
    assert (
        "was redealt. The new hands aren’t known" in reading.read_texts(draw_pdf(travellers))[0]
    )


@pytest.mark.slow
def test_printed_hand_record_is_withheld_while_the_session_is_reopened(
    closed_session, django_capture_on_commit_callbacks
):
    user = evenings.create_club_with_director()[1]
    with django_capture_on_commit_callbacks(execute=True):
        paper = order_paper(session=closed_session, kind="hand_records", size="A4", by=user)
    client = Client()
    client.force_login(user)
    paper_link = f'href="/director/papers/{paper.pk}/"'
    path = f"/director/events/{closed_session.event.slug}/papers/"
    assert paper_link in client.get(path).content.decode()
    response = client.get(f"/director/papers/{paper.pk}/")
    assert b"".join(response.streaming_content).startswith(b"%PDF")
    reopen_session(session=closed_session, by=user)
    assert client.get(f"/director/papers/{paper.pk}/").status_code == 404
    html = client.get(path).content.decode()
    assert paper_link not in html
    assert "Shows the hands. Print it after the session is closed." in html


@pytest.mark.slow
def test_pbn_has_boards_turn_ups_results_and_ranking(closed_session):
    text = request_page(closed_session, "hands/boards.pbn").content.decode()
    assert dict(pbn.read_pbn(text).deals_by_board) == closed_session.board_set.load_deals()
    assert pbn.read_pbn(text).warnings == ()
    assert text.count("[ScoreTable ") == 6
    assert text.count("[OptimumResultTable ") == 6
    assert text.count("[TotalScoreTable ") == 2  # N-S and E-W are two fields
    assert text.count('[Scoring "PlusMinus"]') == 6
    assert '[Result "?"]' not in text
    assert text.count("[WhistTurnUp ") == 6
    assert "% Secret: " in text


@pytest.mark.slow
def test_results_in_the_pbn_are_the_dealers_tricks(closed_session):
    text = request_page(closed_session, "hands/boards.pbn").content.decode()
    sheet = request_page(closed_session, "boards/2/").context["traveller"]  # East deals
    game = text.split('[Board "2"]')[1].split('[Board "3"]')[0]
    rows = game.split("[ScoreTable ")[1].splitlines()[1:4]
    assert [int(row.split()[7]) for row in rows] == [
        13 - line.ns_tricks for line in sheet.lines
    ]


@pytest.mark.parametrize("trumps", Suit)
def test_bridge_score_rises_with_the_tricks_in_every_suit(trumps):
    scores = [compute_bridge_score(trumps, tricks) for tricks in range(14)]
    assert scores == sorted(set(scores))
    assert (scores[0], scores[6]) == (-350, -50)
    assert scores[13] == 50 + 7 * (30 if trumps in "SH" else 20)


def test_scores_in_the_pbn_are_those_of_the_side_that_won_them(closed_session):
    text = request_page(closed_session, "hands/boards.pbn").content.decode()
    for number, deal in closed_session.board_set.load_deals().items():
        game = text.split(f'[Board "{number}"]')[1].split("[Event ")[0]
        for row in filter(None, game.split("[ScoreTable ")[1].split("[")[0].splitlines()[1:]):
            *_, result, ns, ew = row.split()
            points = compute_bridge_score(deal.trumps, int(result))
            dealer_score = ns if deal.dealer.side == "NS" else ew
            other_side_score = ew if deal.dealer.side == "NS" else ns
            texts = (
                (dealer_score, other_side_score)
                if points > 0
                else (other_side_score, dealer_score)
            )
            assert texts == (str(abs(points)), "-")


@pytest.mark.slow
def test_result_voided_by_a_ruling_is_not_in_the_pbn(closed_session):
    lines = request_page(closed_session, "boards/1/").context["traveller"].lines
    for ruling_kind, counted_tricks in (
        ("void", None),
        ("average", None),
        ("adjusted", (9, 4)),
    ):
        line = replace(
            lines[0],
            ruling_kind=ruling_kind,
            ns_counted_tricks=Fraction(counted_tricks[0]) if counted_tricks else None,
            ew_counted_tricks=Fraction(counted_tricks[1]) if counted_tricks else None,
        )
        assert written.get_counted_ns_tricks(line) == (
            counted_tricks[0] if counted_tricks else None
        )
    half_trick_line = replace(
        lines[0], ns_counted_tricks=Fraction(15, 2), ew_counted_tricks=Fraction(11, 2)
    )
    assert written.get_counted_ns_tricks(half_trick_line) == lines[0].ns_tricks


@pytest.mark.slow
def test_pbn_has_matchpoints_if_the_event_is_scored_by_them(closed_session):
    assert "MP_NS" not in request_page(closed_session, "hands/boards.pbn").content.decode()
    Terms.objects.update(method="matchpoints")
    text = request_page(closed_session, "hands/boards.pbn").content.decode()
    assert text.count(";MP_NS") == 6
    assert "TotalScoreMP" in text
    assert text.count('[Scoring "MatchPoints"]') == 6


def parse_score_tables(text: str) -> dict[str, list[list[str]]]:
    """Return the rows of every TotalScoreTable, by its board; a board has at most one."""
    rows_by_board = {}
    for game in text.split("[Event ")[1:]:
        parts = game.split("[TotalScoreTable ")[1:]
        assert len(parts) < 2
        if parts:
            board = game.split('[Board "')[1].split('"')[0]
            rows_by_board[board] = [
                shlex.split(row) for row in parts[0].split("[")[0].splitlines()[1:]
            ]
    return rows_by_board


@pytest.mark.slow
def test_each_field_has_its_own_ranking_in_the_pbn(closed_session):
    score_tables = parse_score_tables(
        request_page(closed_session, "hands/boards.pbn").content.decode()
    )
    assert list(score_tables) == ["1", "2"]
    fields = [{tuple(row[:2]) for row in rows if row} for rows in score_tables.values()]
    assert fields == [{("A", "NS")}, {("A", "EW")}] or fields == [{("-", "NS")}, {("-", "EW")}]
    numbers = [{int(row[3]) for row in rows if row} for rows in score_tables.values()]
    assert numbers[0] | numbers[1] == set(range(1, 7))
    assert not numbers[0] & numbers[1]
    assert all(rows[0][2] == "1" for rows in score_tables.values())


def test_pbn_has_every_field_even_with_more_fields_than_boards():
    rows = [SimpleNamespace(rank=1, entry=1, score=Fraction(1), name="A")]
    fields = [SimpleNamespace(section=letter, field="NS", rows=rows) for letter in "ABC"]
    table = SimpleNamespace(fields=fields, method="tricks")
    columns = written._ResultTableColumns(has_matchpoints=False, players_by_sitting=None)
    rankings = written._format_rankings(table, columns, [1, 2])
    assert {
        board: [row[0] for row in text.splitlines()[1:]] for board, text in rankings.items()
    } == {
        1: ["A", "C"],
        2: ["B"],
    }


@pytest.mark.slow
def test_single_players_have_their_own_numbers_in_the_pbn(
    django_capture_on_commit_callbacks,
):
    event, user = evenings.create_event(0, contest="individual", name="Singles")
    for letter in "ABCDEFGH":
        services.create_entry(event=event, names=[f"Player {letter}"], by=user)
    session = event.sessions.get()
    movement = build_named_movement("eight-individuals", players=8)
    services.seat_section(session=session, movement=movement, boards_a_round=1, by=user)
    with django_capture_on_commit_callbacks(execute=True):
        request_dealing(session=session, by=user)
    session.refresh_from_db()
    open_session(session=session, by=user)
    tables = [table for table in load_session_snapshot(session).tables if table.is_played]
    for table in tables:
        for board in table.boards:
            evenings.enter_result(session, table.sitting_id, board, str(board % 14), user)
    standings.update_standings(event)
    session.refresh_from_db()
    close_session(session=session, by=user)
    text = request_page(session, "hands/boards.pbn").content.decode()
    assert "PairId" not in text
    seats = "PlayerId_North\\3R;PlayerId_East\\3R;PlayerId_South\\3R;PlayerId_West\\3R"
    assert text.count(seats) == len({board for table in tables for board in table.boards})
    lines = []
    for game in text.split("[ScoreTable ")[1:]:
        rows = game.split("[")[0].splitlines()[1:]
        lines += [tuple(map(int, row.split()[1:7])) for row in rows if row]
    seated_lines = {
        (row.table, row.round, *(seat.entry.number for seat in row.chairs))
        for row in (
            SimpleNamespace(
                table=sitting.table,
                round=sitting.round,
                chairs=(sitting.north, sitting.east, sitting.south, sitting.west),
            )
            for sitting in Sitting.objects.select_related(
                "north__entry", "east__entry", "south__entry", "west__entry"
            )
        )
    }
    assert set(lines) == seated_lines
    assert "PlayerId" in text.split("[TotalScoreTable ")[1].splitlines()[0]


@pytest.mark.slow
def test_endplay_reads_the_exported_boards(closed_session):
    text = request_page(closed_session, "hands/boards.pbn").content.decode()
    endplay_boards = load_endplay_format("pbn").loads(text)
    deals = closed_session.board_set.load_deals()
    assert [board.board_num for board in endplay_boards] == list(deals)
    assert [board.info.WhistTurnUp for board in endplay_boards] == [
        deal.turn_up.code for deal in deals.values()
    ]
    assert all(board.deal is not None for board in endplay_boards)


@pytest.mark.slow
def test_hand_records_can_be_printed_in_four_colours(closed_session):
    client = Client()
    client.force_login(evenings.create_club_with_director()[1])
    base_url = f"/director/events/{closed_session.event.slug}/papers/"
    assert "hand_records_four" not in client.get(base_url).content.decode()
    client.post(f"{base_url}order/", {"kind": "hand_records", "size": "A4", "suits": "four"})
    assert Paper.objects.get().kind == "hand_records_four"
    assert "Hand records in four colours" in client.get(base_url).content.decode()


def order_best_play_tables(session: Session) -> str:
    client = Client()
    client.force_login(evenings.create_club_with_director()[1])
    base_url = f"/director/events/{session.event.slug}/deals/"
    return client.post(f"{base_url}tables/", follow=True).content.decode()


@pytest.mark.slow
def test_pbn_has_all_twenty_best_play_results_once_requested(
    closed_session, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        order_best_play_tables(closed_session)
    assert "The file includes best play" in order_best_play_tables(closed_session)
    text = request_page(closed_session, "hands/boards.pbn").content.decode()
    for number, deal in closed_session.board_set.load_deals().items():
        game = text.split(f'[Board "{number}"]')[1].split("[Event ")[0]
        rows = game.split("[OptimumResultTable ")[1].split("[")[0].splitlines()[1:]
        cells = {tuple(row.split()[:2]): int(row.split()[2]) for row in rows}
        assert len(rows) == len(cells) == 20
        best_tricks = closed_session.board_set.boards.current().get(number=number).best_tricks
        dealers = best_tricks if deal.dealer.side == "NS" else 13 - best_tricks
        assert cells[deal.dealer.value, deal.trumps.value] == dealers
    assert dict(pbn.read_pbn(text).deals_by_board) == closed_session.board_set.load_deals()
    assert pbn.read_pbn(text).warnings == ()
    tables = [board.info.OptimumResultTable for board in load_endplay_format("pbn").loads(text)]
    assert [len(table["rows"]) for table in tables] == [20] * 6


def test_best_play_for_bridge_programs_is_refused_before_the_close(session):
    assert "Close the session first" in order_best_play_tables(session)
    assert not session.board_set.boards.exclude(table="").exists()


@pytest.mark.slow
def test_dup_and_lin_have_the_same_boards(closed_session):
    deals = closed_session.board_set.load_deals()
    data = request_page(closed_session, "hands/boards.dup").content
    turn_ups = {number: deal.turn_up for number, deal in deals.items()}
    assert dict(dup.read_dup(data, turn_ups=turn_ups).deals_by_board) == deals
    assert request_page(closed_session, "hands/boards.lin").content.decode().count("md|") == 6


@pytest.mark.slow
def test_unknown_file_format_is_not_found(closed_session):
    assert request_page(closed_session, "hands/boards.exe").status_code == 404


@pytest.mark.slow
def test_closed_session_is_read_back_with_any_pair_names():
    played, user = evenings.play_session()
    for number, name in enumerate(["Ann {", "Bo ]{", "Cy ;", "Di %{", "Ed } {", 'Flo "{"']):
        entry = played.event.entries.get(number=number + 1)
        player = entry.players.order_by("entry_memberships__order")[0]
        services.rename_player(player=player, name=name, by=user)
    deals = {number: deal_board(bytes(32), number) for number in range(1, 7)}
    services.import_deals(session=played, deals_by_board=deals, by=user)
    standings.update_standings(played.event)
    session = close_session(session=Session.objects.get(pk=played.pk), by=user)
    parsed_pbn = pbn.read_pbn(written.format_pbn(load_session_snapshot(session)))
    assert parsed_pbn.deals_by_board == deals
    assert parsed_pbn.warnings == ()
