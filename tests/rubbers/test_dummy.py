"""Dummy for three and double dummy for two at a rubber table."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from clubs.activities.secrecy import format_full_name
from rubbers.errors import RubberRefused
from rubbers.files.night_file import find_inconsistencies, parse_night_file
from rubbers.files.rubber_file import evaluate_cut_file, score_rubber_file
from rubbers.models import RubberNight
from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.rubber.cuts import decide_seats
from rubbers.rubber.dummy import DUMMY_NAME, is_valid_seating
from rubbers.rubber.errors import UnreadableRubber
from rubbers.rubber.hand_score import score_hand as marked
from rubbers.rubber.hands import Hand, Penalty, Revoke, Side, SideCounts
from rubbers.rubber.night import Night, Spell, TableMembership, rank_members
from rubbers.rubber.seating import Cuts as CutCards
from rubbers.rubber.seating import decide_seating, find_dealer_seat
from rubbers.rubber.spell_score import score_hands
from rubbers.services import (
    NewRubberPlayer,
    correct_hand,
    import_rubber_night,
    join_table,
    record_hand,
    remove_table_member,
    seat_next_players,
    substitute_player_at_table,
    undo_last_act,
)
from rubbers.sheets.marker import build_marker_page_data
from tests.browser.drives import create_organiser
from tests.factories import ClubFactory
from tests.rubbers.test_api import ApiClient, create_night
from tests.rubbers.test_night_files import export_to_dict
from tests.rubbers.test_pages import read_text, sign_in, submit_new_night
from tests.rubbers.test_services import (
    begin_night,
    build_hand_data,
    load_snapshot,
    mark_hands,
    read_night_state,
)

A, B = Side
NAMES = tuple("abcdef")
SEATS_BY_COUNT = {
    2: ("a", DUMMY_NAME, "b", DUMMY_NAME),
    3: ("a", DUMMY_NAME, "b", "c"),
    4: tuple("abcd"),
}
PENALTIES_BY_CODE = {"long": Penalty.OPPONENT_POINTS}
SCORES_BY_CODE = {  # of nine tricks against four: no revoke, side A revoked, side B did
    "pole": ((3, 0), (0, 1), (5, 0)),  # three tricks are moved
    "english-1900": ((3, 0), (0, 1), (5, 0)),
    "american-league": ((3, 0), (1, 0), (5, 0)),  # two tricks
    "long": ((3, 0), (3, 3), (6, 0)),  # three points for the others
}


def build_night(players: int, *hands: Hand, code: str = "pole", **more: Any) -> Night:
    first_seat, second_seat, third_seat, fourth_seat = SEATS_BY_COUNT[min(players, 4)]
    return Night(
        terms=LAW_CODES_BY_NAME[code].terms,
        members=tuple(TableMembership(name) for name in NAMES[:players]),
        spells=(
            Spell(
                sides={A: (first_seat, second_seat), B: (third_seat, fourth_seat)}, hands=hands
            ),
        ),
        **more,
    )


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("code", LAW_CODES_BY_NAME)
@pytest.mark.parametrize("revokes", ["nobody", "dummy", "partner", "adversary"])
def test_only_the_dummys_own_revoke_is_not_penalised(players, code, revokes):
    penalty = PENALTIES_BY_CODE.get(code, Penalty.TRICKS)
    given_revokes = {
        "nobody": (),
        "dummy": (Revoke(A, is_by_dummy=True),),
        "partner": (Revoke(A, penalty),),
        "adversary": (Revoke(B, penalty),),
    }[revokes]
    hand = Hand(tricks=SideCounts(9, 4), revokes=given_revokes)
    if revokes == "dummy" and players >= 4:
        with pytest.raises(UnreadableRubber, match="side A has no dummy"):
            build_night(players, hand, code=code)
        return
    played_night = build_night(players, hand, code=code)
    expected = {"nobody": 0, "dummy": 0, "partner": 1, "adversary": 2}[revokes]
    score = score_hands(played_night.terms, played_night.spells[0].hands).hands[0].score
    assert score == SCORES_BY_CODE[code][expected]


def test_dummys_revoke_neither_prevents_a_win_nor_offsets_another():
    terms = LAW_CODES_BY_NAME["english-1900"].terms
    dummy_revoke, adversary_revoke = Revoke(A, is_by_dummy=True), Revoke(B, Penalty.LOST_POINTS)
    won = marked(
        terms,
        SideCounts(3, 3),
        Hand(tricks=SideCounts(9, 4), revokes=(dummy_revoke, adversary_revoke)),
    )
    assert (won.winner, won.score) == (A, (5, 0))
    with pytest.raises(UnreadableRubber, match="side B has no dummy"):
        build_night(3, Hand(tricks=SideCounts(9, 4), revokes=(Revoke(B, is_by_dummy=True),)))


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("code", LAW_CODES_BY_NAME)
def test_single_player_against_two_wins_and_loses_double(players, code):
    rubber_value = {"pole": 8, "english-1900": 8, "american-league": 7, "long": 1}[code]
    games = {"american-league": 1, "long": 4}.get(code, 2)
    hands = [Hand(tricks=SideCounts(13, 0))] * games
    points = {
        row.player_key: row.points
        for row in rank_members(build_night(players, *hands, code=code))
    }
    expected = {2: (1, -1), 3: (2, -1, -1)}.get(players, (1, 1, -1, -1, 0, 0))
    assert [points[name] for name in NAMES[:players]] == [
        rubber_value * item for item in expected[:players]
    ]
    assert sum(points.values()) == 0


def test_lowest_cut_gets_dummy_first_and_equal_cards_are_cut_again():
    table = decide_seats("abc", [{"a": 9, "b": 2, "c": 5}])
    assert (table.partnerships, table.dealer) == ((("b", DUMMY_NAME), ("c", "a")), DUMMY_NAME)
    assert decide_seats("abc", [{"a": 9, "b": 2, "c": 9}]).players_to_cut == ("a", "c")
    two_player_seats = decide_seats("ab", [{"a": 9, "b": 9}, {"a": 3, "b": 1}])
    assert two_player_seats.partnerships == (("b", DUMMY_NAME), ("a", DUMMY_NAME))


def test_each_player_partners_the_dummy_for_one_rubber_in_turn():
    members = tuple(TableMembership(name) for name in "abc")
    hands = (Hand(tricks=SideCounts(13, 0)),) * 2
    spells: list[Spell] = []
    dummy_partners = []
    for _rubber in range(4):
        evening = Night(
            terms=LAW_CODES_BY_NAME["pole"].terms, members=members, spells=tuple(spells)
        )
        cut_cards = CutCards() if spells else CutCards(seat_cuts=({"a": 1, "b": 2, "c": 3},))
        seating = decide_seating(evening, cut_cards)
        assert seating.seats is not None
        assert seating.dealer == DUMMY_NAME
        one, two, three, four = seating.seats
        dummy_partners.append(one)
        spells.append(Spell(sides={A: (one, two), B: (three, four)}, hands=hands))
    assert dummy_partners == ["a", "b", "c", "a"]
    last_night = Night(
        terms=LAW_CODES_BY_NAME["pole"].terms, members=members, spells=tuple(spells[:3])
    )
    assert {row.player_key: row.points for row in rank_members(last_night)} == {
        "a": 0,
        "b": 0,
        "c": 0,
    }


@pytest.mark.parametrize("players", [2, 3])
def test_dummy_deals_first_and_deal_passes_to_the_left(players):
    seats = SEATS_BY_COUNT[players]
    places = [find_dealer_seat(seats, DUMMY_NAME, number) for number in range(1, 6)]
    assert places == [1, 3, 0, 2, 1]


@pytest.mark.parametrize(
    ("hands", "is_valid"),
    [
        ("abcd", True),
        ("a0bc", True),
        ("a0b0", True),
        ("0abc", False),
        ("ab0c", False),
        ("abc0", False),
        ("a0a0", False),
        ("a000", False),
        ("abca", False),
        ("abc", False),
    ],
)
def test_only_valid_dummy_seats_are_accepted(hands, is_valid):
    assert is_valid_seating(tuple(hands)) is is_valid


# ---------------------------------------------------------------- a night


def seat_players(evening: Any, seats: tuple[int, ...], spell: int = 1) -> None:
    seat_next_players(
        night=evening, table=1, spell=spell, seating_mode="", seats=seats, by=None
    )


@pytest.mark.slow
@pytest.mark.django_db
def test_fourth_player_joins_three_after_two_rubbers_and_one_leaves_later() -> None:
    evening = begin_night(3)
    seat_next_players(night=evening, table=1, spell=1, seating_mode="lot", by=None)
    table = load_snapshot(evening).tables[0, 1]
    first_seated, dummy, *other_players = table.current_seats
    assert (dummy, table.spells[0].dealer, table.kind) == (0, 0, "dummy")
    mark_hands(evening, 13, build_hand_data(13, revokes=[{"by": "A", "dummy": True}]))
    points = {
        int(standing.player_key): standing.points
        for standing in load_snapshot(evening).standings
    }
    assert (points[first_seated], points[other_players[0]], points[other_players[1]]) == (
        16,
        -8,
        -8,
    )
    seat_next_players(night=evening, table=1, spell=2, seating_mode="lot", by=None)
    assert load_snapshot(evening).tables[0, 1].current_seats == (
        other_players[0],
        0,
        other_players[1],
        first_seated,
    )
    join_table(night=evening, table=1, guest=NewRubberPlayer(name="Di"), by=None)
    assert load_snapshot(evening).tables[0, 1].waiting_members == (4,)
    mark_hands(evening, 13, 13, spell=2)
    with pytest.raises(RubberRefused, match="four different players"):
        seat_players(evening, (1, 0, 2, 3), spell=3)
    seat_players(evening, (1, 3, 2, 4), spell=3)
    mark_hands(evening, 13, spell=3)
    remove_table_member(night=evening, table=1, number=4, by=None)
    remove_table_member(night=evening, table=1, number=3, by=None)
    seat_players(evening, (2, 0, 1, 0), spell=4)
    assert load_snapshot(evening).tables[0, 1].kind == "double-dummy"
    assert sum(standing.points for standing in load_snapshot(evening).standings) == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("player_count", "seats", "dealer", "error_text"),
    [
        (3, (1, 2, 3, 0), None, "four different players"),
        (3, (0, 1, 2, 3), None, "four different players"),
        (3, (1, 0, 2, 0), None, "Three play with one dummy"),
        (2, (1, 0, 2, 9), None, "Choose only players at this table"),
        (2, (1, 0, 1, 0), None, "four different players"),
        (4, (1, 0, 2, 3), None, "four different players"),
        (3, (1, 0, 2, 3), 1, "Dummy deals first"),
    ],
)
def test_impossible_seats_are_refused(player_count, seats, dealer, error_text) -> None:
    evening = begin_night(player_count)
    with pytest.raises(RubberRefused, match=error_text):
        seat_next_players(
            night=evening,
            table=1,
            spell=1,
            seating_mode="",
            seats=seats,
            dealer=dealer,
            by=None,
        )


@pytest.mark.django_db
def test_dummys_revoke_requires_a_dummy_and_can_be_undone() -> None:
    evening = begin_night(3)
    seat_players(evening, (1, 0, 2, 3))
    invalid_hand = build_hand_data(9, revokes=[{"by": "B", "dummy": True}])
    with pytest.raises(RubberRefused, match="Side B has no dummy"):
        record_hand(night=evening, table=1, spell=1, number=1, hand=invalid_hand, by=None)
    mark_hands(evening, 9)
    with pytest.raises(RubberRefused, match="no dummy"):
        correct_hand(night=evening, table=1, spell=1, number=1, hand=invalid_hand, by=None)
    with pytest.raises(RubberRefused, match="substitute"):
        substitute_player_at_table(night=evening, table=1, number=0, name="Guy", by=None)
    night_state_before = read_night_state(evening)
    mark_hands(evening, build_hand_data(8, revokes=[{"by": "A", "dummy": True}]))
    undo_last_act(night=evening, by=None)
    assert read_night_state(evening) == night_state_before


@pytest.mark.django_db
@pytest.mark.parametrize("size", [2, 3])
def test_file_with_dummies_is_exported_stored_and_verified(size, tmp_path) -> None:
    evening = begin_night(size)
    for spell in (1, 2):
        seat_next_players(night=evening, table=1, spell=spell, seating_mode="lot", by=None)
        dummy_revoke = {"revokes": [{"by": "A", "dummy": True}]}
        mark_hands(evening, 13, build_hand_data(13, **dummy_revoke), spell=spell)
    file_data = export_to_dict(evening)
    assert file_data["tables"][0]["spells"][0]["seats"][1] == 0
    assert not find_inconsistencies(parse_night_file(json.dumps(file_data)))
    path = tmp_path / "night.json"
    path.write_text(json.dumps(file_data), encoding="utf-8")
    call_command("rubber", "verify", str(path), stdout=io.StringIO())
    evening.delete()
    imported_night = import_rubber_night(
        club=ClubFactory(), file_text=json.dumps(file_data), by=None
    )
    assert export_to_dict(imported_night) == file_data | {"revision": imported_night.revision}
    file_data["tables"][0]["spells"][0]["dealer"] = file_data["tables"][0]["spells"][0][
        "seats"
    ][0]
    with pytest.raises(UnreadableRubber, match="dummy deals first"):
        parse_night_file(json.dumps(file_data))


@pytest.mark.django_db
def test_pages_for_three_and_two_players_show_dummies() -> None:
    client = sign_in(create_organiser())
    table = submit_new_night(client, "Ann\nBea\nCy").url
    page = read_text(client.get(table))
    assert "each plays with dummy in turn" in page
    assert "Bea with dummy" in page
    client.post(table, {"act": "seat", "spell": "1", "seats": ["1", "0", "2", "3"]})
    page = read_text(client.get(table))
    for text in ("Ann + Dummy", "Bea + Cy", "Hand 1: Ann’s dummy deals", "No misdeals"):
        assert text in page
    assert "Ann revoked" in page
    assert "Ann + Dummy revoked" not in page
    for number in ("1", "2"):
        client.post(table, {"act": "mark", "spell": "1", "hand": number, "made": "A13"})
    page = read_text(client.get(table))
    assert "Start: Bea with dummy" in page
    assert "Draw by computer" not in page
    client.post(table, {"act": "leave", "number": "3"})
    page = read_text(client.get(table))
    assert "each with a dummy" in page
    client.post(table, {"act": "seat", "spell": "2", "seats": ["2", "0", "1", "0"]})
    assert "Bea + Dummy" in read_text(client.get(table))
    evening = load_snapshot(RubberNight.objects.get())
    assert (
        build_marker_page_data(evening, evening.tables[0, 1], format_full_name).kind
        == "double-dummy"
    )


@pytest.mark.django_db
def test_api_seats_a_dummy_as_player_zero() -> None:
    caller = ApiClient(create_organiser())
    path = create_night(caller, players=[{"name": name} for name in ("Ann", "Bea", "Cy")])
    seats = {"spell": 1, "how": "", "seats": [1, 0, 2, 3]}
    status, table = caller("post", f"{path}tables/1/spells/", seats)
    assert (status, table["kind"], table["dealer"]) == (200, "dummy", "Ann’s dummy")
    assert [person["number"] for person in table["sides"][0]["people"]] == [1, 0]
    hand = {"spell": 1, "number": 1, "tricks": {"A": 9, "B": 4}}
    revokes = [{"by": "A", "dummy": True}]
    status, table = caller("post", f"{path}tables/1/hands/", hand | {"revokes": revokes})
    assert (status, table["hands"][0]["score"]) == (200, "3–0")
    wrong_hand = hand | {"number": 2, "revokes": [{"by": "B", "dummy": True}]}
    assert caller("post", f"{path}tables/1/hands/", wrong_hand)[0] == 400


def test_command_scores_a_rubber_with_dummy_and_reads_cuts_of_three():
    file = {
        "code": "pole",
        "sides": {"A": ["Ann", None], "B": ["Bea", "Cy"]},
        "hands": [{"tricks": {"A": 9, "B": 4}, "revokes": [{"by": "A", "dummy": True}]}],
    }
    assert score_rubber_file(json.dumps(file))["score"] == {"A": 3, "B": 0}
    for sides in ({"A": ["Ann", "Di"], "B": ["Bea", "Cy"]}, None):
        with pytest.raises(UnreadableRubber, match=r"hands\[0\]: side A has no dummy"):
            score_rubber_file(json.dumps(file | {"sides": sides}))
    cut = {"players": ["a", "b", "c"], "cuts": [{"a": "3", "b": "A", "c": "J"}]}
    assert evaluate_cut_file(json.dumps(cut)) == {
        "partners": [["b", None], ["a", "c"]],
        "dealer": "dummy",
        "again": [],
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "games"), [("american-league", 1), ("long", 4), ("pole", 2), ("english-1900", 2)]
)
def test_dummy_moves_after_a_rubber_or_after_a_game_without_rubbers(code, games) -> None:
    evening = begin_night(3, code)
    seat_players(evening, (1, 0, 2, 3))
    mark_hands(evening, *[13] * (games - 1))
    assert not load_snapshot(evening).tables[0, 1].is_over or games == 1
    mark_hands(evening, 13)
    table = load_snapshot(evening).tables[0, 1]
    assert table.is_over
    assert build_marker_page_data(
        load_snapshot(evening), table, format_full_name
    ).next_seating.next_dummy_seats == (
        2,
        0,
        3,
        1,
    )
