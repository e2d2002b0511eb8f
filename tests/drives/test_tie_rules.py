"""Tie rules and drawn cards work in every form with moves by result."""

import io
import json
from fractions import Fraction

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from clubs.activities.secrecy import format_full_name
from drives.draw.participants import Participants
from drives.drive_results import draw_tie_winner
from drives.errors import DriveActionNotAllowed, UnreadableDrive
from drives.files.drive_file import parse_drive_file
from drives.files.export import export_drive
from drives.files.standings import build_standings_data
from drives.files.verify import list_seating_mismatches
from drives.names import parse_names
from drives.play_forms import PLAY_FORMS
from drives.play_forms.drawn_cards import (
    START_BY_CARDS,
    START_TERM,
    format_card,
    parse_card,
    seat_players_by_cards,
)
from drives.play_forms.ties import TieRule
from drives.services import (
    NewPlayer,
    begin_next_round,
    change_terms,
    close_drive,
    save_as_club_defaults,
    set_round_count,
)
from drives.sheets.desk import build_desk_page_data
from tests import evenings
from tests.drives.test_services import begin_drive, enter_sheet, load_snapshot

pytestmark = pytest.mark.django_db
FORMS_WITH_MOVES = [code for code, form in PLAY_FORMS.items() if form.move_players is not None]
SIDE_SCORING = {"kind": "side", "ties": ["rounds-won"]}
# By rule: text of the message, text of the announcement, games of each tied player.
EXPECTATIONS_BY_RULE = {
    TieRule.LOT: ("", "", Fraction(0)),
    TieRule.CUT: ("Enter the winner of the cut.", "", Fraction(0)),
    TieRule.NEXT_HAND: (
        "Enter the winner of the next hand or the cut.",
        "Ties: play one more hand, and the side with more tricks wins.",
        Fraction(0),
    ),
    TieRule.HALF_POINTS: (
        "Enter who won the cut to move.",
        "Ties: half a game each. Cut only to decide who moves.",
        Fraction(1, 2),
    ),
}


def begin_tied_drive(form: str, rule: TieRule, **more: object):
    """Begin a drive of three tables: 1 and 2 are tied, and side A wins table 3."""
    drive = begin_drive(
        form, score=SIDE_SCORING, terms={"ties": str(rule)}, secret=b"one", **more
    )
    for table, score in ((1, [7, 7]), (2, [4, 4]), (3, [9, 2])):
        enter_sheet(drive=drive, round_number=1, table=table, score=score, by=None)
    return drive


@pytest.mark.parametrize("form", FORMS_WITH_MOVES)
@pytest.mark.parametrize("rule", TieRule)
def test_tie_is_decided_by_the_rule_of_the_drive(form: str, rule: TieRule) -> None:
    message, call, games = EXPECTATIONS_BY_RULE[rule]
    drive = begin_tied_drive(form, rule)
    now = build_desk_page_data(load_snapshot(drive), format_full_name)
    assert now.tied_tables == ((1, 2) if rule.is_winner_input_needed else ())
    assert call in now.call
    if rule.is_winner_input_needed:
        with pytest.raises(DriveActionNotAllowed, match=rf"Tied tables: 1, 2\. {message}"):
            begin_next_round(drive=drive, by=None)
        with pytest.raises(DriveActionNotAllowed, match=r"Tied tables: 2\. "):
            begin_next_round(drive=drive, winners_by_table={1: "B"}, by=None)
        begin_next_round(drive=drive, winners_by_table={1: "B", 2: "A"}, by=None)
        expected = {"1": "B", "2": "A", "3": "A"}
    else:
        begin_next_round(drive=drive, by=None)
        lot_winners = {str(table): draw_tie_winner(b"one", 1, table) for table in (1, 2)}
        expected = lot_winners | {"3": "A"}
    snapshot = load_snapshot(drive)
    assert snapshot.round_by_number[2].stored_round.draw.given["winners"] == expected
    seats = snapshot.round_by_number[1].seats_by_table
    tallies = snapshot.scores.tallies
    assert {tallies[player].rounds_won for table in (1, 2) for player in seats[table]} == {
        games
    }
    assert [tallies[player].rounds_won for player in seats[3]] == [1, 0, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS_WITH_MOVES)
@pytest.mark.parametrize("rule", TieRule)
def test_file_has_its_tie_rule_and_is_ranked_and_verified_by_it(
    form: str, rule: TieRule
) -> None:
    drive = begin_tied_drive(form, rule)
    begin_next_round(drive=drive, winners_by_table={1: "A", 2: "B"}, by=None)
    set_round_count(drive=drive, round_count=2, by=None)
    for table in load_snapshot(drive).round_by_number[2].seats_by_table:
        enter_sheet(drive=drive, round_number=2, table=table, score=[5, 5], by=None)
    close_drive(drive=drive, by=None)
    snapshot = load_snapshot(drive)
    drive_file = parse_drive_file(
        json.dumps(export_drive(snapshot, should_include_secret=False))
    )
    assert drive_file.terms["ties"] == rule
    assert list_seating_mismatches(drive_file) == []
    rows, file = snapshot.scores, drive_file.scores
    assert {player: tally.rounds_won for player, tally in file.tallies.items()} == {
        player: tally.rounds_won for player, tally in rows.tallies.items()
    }
    assert [line["number"] for line in build_standings_data(drive_file)["standings"]] == [
        item.number for item in rows.ranking
    ]


@pytest.mark.parametrize("value", ["coin", "", None, 3, ["cut"]])
def test_unknown_tie_rule_is_refused_with_the_known_ones(value: object) -> None:
    with pytest.raises(
        DriveActionNotAllowed, match="“ties” must be one of: lot, cut, next-hand, half"
    ):
        begin_drive("progressive", terms={"ties": value})


def test_error_of_an_unknown_tie_rule_in_a_file_names_its_position() -> None:
    drive = begin_tied_drive("progressive", TieRule.CUT)
    data = export_drive(load_snapshot(drive), should_include_secret=False)
    data["terms"]["ties"] = "coin"
    with pytest.raises(UnreadableDrive, match="ties"):
        parse_drive_file(json.dumps(data))


def test_cards_and_player_numbers_convert_both_ways() -> None:
    names = [format_card(number) for number in range(1, 53)]
    assert names[:5] == ["A♥", "A♠", "A♦", "A♣", "K♥"]
    assert names[-1] == "2♣"
    assert [parse_card(name) for name in names] == list(range(1, 53))
    assert [parse_card(text) for text in ("ah", "10S", "T d", "1H", "XX")] == [
        1, 18, 19, None, None,
    ]  # fmt: skip
    assert format_card(0) == format_card(53) == ""


@pytest.mark.parametrize("form", FORMS_WITH_MOVES)
def test_aces_sit_at_table_1_and_red_plays_against_black(form: str) -> None:
    drive = begin_drive(form, size=14, numbering="cards")
    snapshot = load_snapshot(drive)
    assert snapshot.drive.terms[START_TERM] == START_BY_CARDS
    for table, rank in ((1, "A"), (2, "K"), (3, "Q")):
        cards = [
            format_card(player) for player in snapshot.round_by_number[1].seats_by_table[table]
        ]
        assert cards == [f"{rank}{suit}" for suit in "♥♠♦♣"]
    assert sorted(snapshot.round_by_number[1].resting_players) == [13, 14]
    close_drive(drive=drive, anyway=True, by=None)
    assert (
        list_seating_mismatches(
            parse_drive_file(
                json.dumps(export_drive(load_snapshot(drive), should_include_secret=False))
            )
        )
        == []
    )


def test_first_roles_draw_hearts_and_spades_and_second_roles_the_others() -> None:
    roles = ["first", "second"] * 8
    players = [NewPlayer(name=f"P{k}", role=role) for k, role in enumerate(roles)]
    drive = begin_drive("progressive", players=players, numbering="cards")
    for row in drive.players.all():
        assert format_card(row.number)[-1] in ("♥♠" if row.role == "first" else "♦♣")


def test_cards_drawn_by_players_are_kept_and_the_others_are_dealt() -> None:
    names = parse_names("KC Ann Alder\n10♠\tBo Birch\nCy Ash", has_drawn_cards=True)
    assert [(name.number, name.name) for name in names] == [
        (8, "Ann Alder"), (18, "Bo Birch"), (None, "Cy Ash"),
    ]  # fmt: skip
    players = [NewPlayer(name="Ann", number=8), *[NewPlayer()] * 11]
    drive = begin_drive("progressive", players=players, numbering="cards")
    assert load_snapshot(drive).player_by_number[8].name == "Ann"
    assert load_snapshot(drive).round_by_number[1].seats_by_table[2][3] == 8


def test_empty_seat_goes_to_a_player_without_a_table() -> None:
    numbers = tuple(number for number in range(1, 14) if number != 6)
    seated_round = seat_players_by_cards(Participants(players=numbers), {})
    assert seated_round.tables == ((1, 2, 3, 4), (5, 13, 7, 8), (9, 10, 11, 12))
    assert seated_round.resting_players == ()
    seated_round = seat_players_by_cards(Participants(players=numbers[:-1]), {})
    assert seated_round.tables[0] == (1, 2, 3, 4)
    assert len(seated_round.tables) == 2


def test_cards_that_cannot_seat_anyone_are_refused() -> None:
    with pytest.raises(DriveActionNotAllowed, match="only if results decide who moves"):
        begin_drive("social", numbering="cards")
    with pytest.raises(DriveActionNotAllowed, match="One pack has only 52 cards"):
        begin_drive("progressive", size=53, numbering="cards")
    with pytest.raises(DriveActionNotAllowed, match="by arrival, by draw or by cards"):
        begin_drive("progressive", numbering="tarot")


def test_changing_other_terms_keeps_the_cards() -> None:
    drive = begin_drive("progressive", numbering="cards")
    change_terms(drive=drive, terms={"ties": "half"}, by=None)
    assert load_snapshot(drive).drive.terms == {START_TERM: START_BY_CARDS, "ties": "half"}


def run_command(
    verb: str, *options: str, data: object = None, monkeypatch: pytest.MonkeyPatch
) -> dict:
    """Run the command with JSON as its standard input."""
    text = io.TextIOWrapper(io.BytesIO(json.dumps(data).encode()))
    monkeypatch.setattr("sys.stdin", text)
    output = io.StringIO()
    call_command("drive", verb, *options, stdout=output)
    return json.loads(output.getvalue())


def test_command_knows_tie_rules_and_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {
        "format": "overplay-drive-state", "form": "progressive",
        "terms": {"ties": "half", "first": 1},
        "tables": [{"table": n, "seats": list(range(4 * n - 3, 4 * n + 1)), "winner": "A"}
                   for n in (1, 2, 3)],
    }  # fmt: skip
    output = run_command("next", "-", data=state, monkeypatch=monkeypatch)
    assert output["call"].endswith("Cut only to decide who moves.")
    state["terms"]["ties"] = "coin"
    with pytest.raises(
        CommandError, match=r"terms\.ties: “coin” isn’t known. Enter lot or cut"
    ):
        run_command("next", "-", data=state, monkeypatch=monkeypatch)
    plan = ("plan", "--rounds", "1", "--form", "progressive", "--start")
    output = run_command(*plan, "cards", "--players", "8", monkeypatch=monkeypatch)
    seats = [table["seats"] for table in output["schedule"][0]["tables"]]
    assert seats == [[1, 2, 3, 4], [5, 6, 7, 8]]
    for start, players in (("coin", "8"), ("cards", "53")):
        with pytest.raises(CommandError, match="--start"):
            run_command(*plan, start, "--players", players, monkeypatch=monkeypatch)


def test_page_and_api_create_a_drive_by_cards_and_half_games() -> None:
    club, user = evenings.create_club_with_director()
    client = Client()
    client.force_login(user)
    names = "\n".join(f"{format_card(n)} P{n}" for n in range(12, 0, -1))
    form = {"club": club.slug, "names": names, "form": "progressive", "name": "Cards",
            "date": "2026-11-27", "numbering": "cards", "term-ties": "half", "sure": "1",
            "form_key": "k"}  # fmt: skip
    response = client.post("/director/drives/new/", form)
    assert response.status_code == 302, response.content.decode()[:500]
    page = client.get(response["Location"]).content.decode()
    assert "Ties: half a game each." in page
    body = {
        "club": club.slug, "name": "API", "date": "2026-11-27", "form": "progressive",
        "numbering": "cards", "terms": {"ties": "next-hand"},
        "players": [{"name": "Ann", "card": "KC"}, *[{"name": f"P{n}"} for n in range(7)]],
    }  # fmt: skip
    new_response = client.post("/api/drives/", body, content_type="application/json")
    assert new_response.status_code == 201, new_response.content
    body["players"][0]["card"] = "ZZ"
    wrong_response = client.post("/api/drives/", body, content_type="application/json")
    assert wrong_response.status_code == 400
    assert "Enter a card such as AH or 10S." in wrong_response.content.decode()


def test_next_drive_with_the_same_terms_has_no_numbering_by_cards() -> None:
    drive = begin_drive("progressive", numbering="cards", terms={"ties": "half"})
    house_terms = save_as_club_defaults(drive=drive, by=None)
    assert house_terms.terms["terms"] == {"ties": "half"}
