"""Invalid event files are refused completely, with the path of every problem."""

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import jsonschema
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.models import Membership
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.reader import read_event_file
from exchange.eventfile.schema import load_schema
from server.json_reader.problems import MAX_PROBLEMS
from tests import evenings
from tests.exchange.eventfile.documents import (
    build_event_file,
    build_small_file,
    draw_event_files,
    read_night_file,
)
from tests.languages import activate_marked_language
from tests.page_text import remove_marked_text
from tournaments.models import Event

SpoilFunction = Callable[[dict[str, Any]], object]
SESSION_PATH = "sessions[0]"
SECTION_PATH = "sessions[0].sections[0]"


def list_problems(document: Any) -> list[str]:
    with pytest.raises(UnusableEventFile) as exc_info:
        read_event_file(document)
    return list(exc_info.value.problems)


def list_problems_after(
    spoil: SpoilFunction, source_file: dict[str, Any] | None = None
) -> list[str]:
    event_file = source_file or build_small_file()
    spoil(event_file)
    return list_problems(event_file)


def get_section(document: dict[str, Any]) -> dict[str, Any]:
    section: dict[str, Any] = document["sessions"][0]["sections"][0]
    return section


def get_board(document: dict[str, Any], place: int = 0) -> dict[str, Any]:
    board: dict[str, Any] = document["sessions"][0]["boards"][place]
    return board


def get_result(document: dict[str, Any], place: int = 0) -> dict[str, Any]:
    result: dict[str, Any] = get_section(document)["results"][place]
    return result


def test_tuesday_night_file_is_read() -> None:
    file = read_event_file(json.dumps(read_night_file()).encode())
    (session,) = file.sessions
    assert (file.club_name, file.name, file.contest_code) == (
        "Riverside Whist Club",
        "Tuesday compass",
        "pairs",
    )
    assert (
        len(file.entries),
        len(session.deals_by_board or ()),
        session.entered_result_count,
    ) == (
        14,
        28,
        196,
    )
    assert session.expected_result_count == 196


def test_default_method_is_plus_and_minus() -> None:
    event_file = build_small_file()
    del event_file["event"]["method"]
    assert read_event_file(event_file).method == "plus_minus"


def test_omitted_place_is_a_sit_out() -> None:
    event_file = build_event_file(
        {"name": "compass", "tables": 3}, method="tricks", empty_places=frozenset({3})
    )
    movement = read_event_file(event_file).sessions[0].sections[0].movement
    assert movement.absent_places == {3}
    assert len(movement.played_meetings) == 6


def test_howell_of_an_odd_number_may_omit_any_place() -> None:
    event_file = build_event_file({"name": "howell", "pairs": 5}, method="tricks")
    seating = get_section(event_file)["seating"]
    seating["6"] = seating.pop("2")
    get_section(event_file)["results"] = []
    assert read_event_file(event_file).sessions[0].sections[0].movement.absent_places == {2}


def test_team_may_be_seated_by_its_number_or_by_both_its_pairs() -> None:
    event_file = build_event_file({"name": "howell-teams", "tables": 3}, method="matches")
    expected_entry_numbers = (
        read_event_file(event_file).sessions[0].sections[0].entry_numbers_by_place
    )
    get_section(event_file)["seating"] = {
        f"{n}{side}": n for n in (1, 2, 3) for side in ("NS", "EW")
    }
    assert (
        read_event_file(event_file).sessions[0].sections[0].entry_numbers_by_place
        == expected_entry_numbers
    )


@pytest.mark.parametrize("prefix", [b"\xef\xbb\xbf", b"", b" \r\n"])
def test_utf_8_file_is_read_with_and_without_byte_order_mark(prefix: bytes) -> None:
    text = json.dumps(read_night_file(), ensure_ascii=False)
    assert read_event_file(prefix + text.encode()).entries[0].players == (
        "Ada Pole",
        "Łucja Nowak",
    )


RESULT_PLACE = {"round": 1, "table": 1, "board": 1}


def add_ruling(document: dict[str, Any], **terms: Any) -> None:
    """Add a ruling to the first section."""
    get_section(document)["rulings"].append(terms)


ERRORS: dict[str, tuple[SpoilFunction, str]] = {
    "an unknown key at the top": (
        lambda d: d.update(evnt=1),
        "evnt: Unknown key. Did you mean event?",
    ),
    "an unknown key in a board": (
        lambda d: get_board(d).update(vul="N"),
        f"{SESSION_PATH}.boards[0].vul: Unknown key. "
        "Choose from number, dealer, turn_up, deal.",
    ),
    "a key that is missing": (
        lambda d: d["event"].pop("date"),
        "event.date: This is missing.",
    ),
    "a list where a group belongs": (
        lambda d: d.update(club=[]),
        "club: [] isn’t a group in braces { }.",
    ),
    "a day that is not a date": (
        lambda d: d["event"].update(date="2026-02-30"),
        "event.date: “2026-02-30” isn’t a date.",
    ),
    "a day of no club's life": (
        lambda d: d["event"].update(date="9999-12-31"),
        "event.date: Enter a date from 1800 to 2200.",
    ),
    "a date written another way": (
        lambda d: d["event"].update(date="10.3.2026"),
        "event.date: “10.3.2026” isn’t a date such as 2026-03-10.",
    ),
    "an unknown contest": (
        lambda d: d["event"].update(contest="singles"),
        ("event.contest: “singles” isn’t known. Enter pairs or teams or individual or memory."),
    ),
    "a method that the contest does not know": (
        lambda d: (
            d["event"].update(contest="memory", method="matchpoints"),
            d["sessions"][0].update(sections=[]),
        ),
        "event.method: matchpoints doesn’t work for memory events. Choose from ",
    ),
    "a name with an invisible character": (
        lambda d: d["players"][0].update(name="Ada\0Pole"),
        ("players[0].name: “Ada?Pole” contains a character that can’t be printed."),
    ),
    "half a letter": (
        lambda d: d["players"][0].update(name="Ada\ud800"),
        "players[0].name: “Ada?” contains a character that can’t be printed.",
    ),
    "an empty name": (
        lambda d: d["players"][0].update(name=" "),
        "players[0].name: The text is empty.",
    ),
    "a name that is too long": (
        lambda d: d["event"].update(name="x" * 101),
        f"event.name: “{'x' * 40}…” is longer than 100 characters. Shorten it.",
    ),
    "a player's id twice": (
        lambda d: d["players"][1].update(id="p1"),
        "players[1].id: p1 is already used. Give each a different one.",
    ),
    "a player's name twice": (
        lambda d: d["players"][1].update(name="PLAYER 1"),
        "players[1].name: PLAYER 1 is already p1. Players need different names.",
    ),
    "a pair with one name": (
        lambda d: d["entries"][0]["players"].pop(),
        ("entries[0].players: 1 here, but a pairs event has 2 players per entry."),
    ),
    "a player twice in a pair": (
        lambda d: d["entries"][0].update(players=["p1", "p1"]),
        "entries[0].players[1]: Player 1 is in entry 1 twice.",
    ),
    "a player in two pairs": (
        lambda d: d["entries"][1].update(players=["p1", "p4"]),
        (
            "entries[1].players[0]: Player 1 is already in entry 1. "
            "A player can enter only once."
        ),
    ),
    "a player who is not there": (
        lambda d: d["entries"][0].update(players=["p1", "p99"]),
        "entries[0].players[1]: Player “p99” isn’t in this file.",
    ),
    "an entry’s number twice": (
        lambda d: d["entries"][1].update(number=1),
        "entries[1].number: Entry 1 is listed twice.",
    ),
    "an entry’s number as text": (
        lambda d: d["entries"][1].update(number="2"),
        "entries[1].number: “2” is text. Write the number without quotes: 2.",
    ),
    "a number where text belongs": (
        lambda d: d["players"][0].update(id=1),
        'players[0].id: 1 is a number. Write it as text in quotes: "1".',
    ),
    "a session out of order": (
        lambda d: d["sessions"][0].update(number=2),
        ("sessions[0].number: Sessions must be numbered from 1. This one must be number 1."),
    ),
    "no session": (
        lambda d: d.update(sessions=[]),
        "sessions: The list is empty. Add at least one.",
    ),
    "a section twice": (
        lambda d: d["sessions"][0]["sections"].append(
            {**get_section(d), "seating": {}, "results": []}
        ),
        "sessions[0].sections[1].letter: Section A is listed twice.",
    ),
    "a small letter": (
        lambda d: get_section(d).update(letter="a"),
        f"{SECTION_PATH}.letter: “a” isn’t one or two capital letters.",
    ),
    "a board twice": (
        lambda d: get_board(d, 1).update(number=1),
        f"{SESSION_PATH}.boards[1].number: Board 1 is listed twice.",
    ),
    "a board that the movement has not": (
        lambda d: get_board(d, 2).update(number=4),
        f"{SESSION_PATH}.boards[2].number: The session’s movement only has boards 1–3.",
    ),
    "three hands": (
        lambda d: get_board(d).update(deal=get_board(d)["deal"].rpartition(" ")[0]),
        f"{SESSION_PATH}.boards[0].deal: The deal can’t be read. Enter the first seat "
        "and four hands separated by spaces, such as N:KT8.A96.A95.7542 ...",
    ),
    "a turn-up that is no card": (
        lambda d: get_board(d).update(turn_up="H1"),
        f"{SESSION_PATH}.boards[0].turn_up: “H1” isn’t a card. "
        "Enter suit and rank, such as H6 or ST.",
    ),
    "half a card": (
        lambda d: get_board(d).update(turn_up="H"),
        f"{SESSION_PATH}.boards[0].turn_up: “H” is too short.",
    ),
    "a place for no number": (
        lambda d: get_section(d)["seating"].update({"1NS": None}),
        f"{SECTION_PATH}.seating.1NS: null isn’t a whole number.",
    ),
    "a turn-up that is a number": (
        lambda d: get_board(d).update(turn_up=6),
        f'{SESSION_PATH}.boards[0].turn_up: 6 is a number. Write it as text in quotes: "6".',
    ),
    "an unknown movement": (
        lambda d: get_section(d)["movement"].update(name="compas"),
        f"{SECTION_PATH}.movement: Movement compas not found. Choose from ",
    ),
    "a movement that does not fit": (
        lambda d: get_section(d)["movement"].update(tables=4),
        f"{SECTION_PATH}.movement: Mitchell doesn’t fit 4 tables. It needs ",
    ),
    "a movement for others": (
        lambda d: get_section(d).update(
            movement={"name": "rainbow", "tables": 5, "boards_a_round": 1}
        ),
        f"{SECTION_PATH}.movement.name: Rainbow, ",
    ),
    "an option that the movement has not": (
        lambda d: get_section(d)["movement"].update(home=True),
        f"{SECTION_PATH}.movement: Mitchell has no option called home.",
    ),
    "a place that the movement has not": (
        lambda d: get_section(d)["seating"].update({"4NS": 1}),
        f"{SECTION_PATH}.seating.4NS: Mitchell, 3 tables has no place 4NS. "
        "Its places are 1NS–3EW.",
    ),
    "a place that is none": (
        lambda d: get_section(d)["seating"].update(north=1),
        f"{SECTION_PATH}.seating.north: “north” isn’t a place of the movement, "
        "such as 3 or 3NS.",
    ),
    "an entry that is not there": (
        lambda d: get_section(d)["seating"].update({"1NS": 7}),
        f"{SECTION_PATH}.seating.1NS: Entry 7 isn’t in this file.",
    ),
    "an entry in two places": (
        lambda d: get_section(d)["seating"].update({"3EW": 1}),
        f"{SECTION_PATH}.seating.3EW: Entry 1 already has a seat at "
        f"{SECTION_PATH}.seating.1NS. An entry has one seat per session.",
    ),
    "somebody at an absent place": (
        lambda d: get_section(d)["movement"].update(absent=["1NS"]),
        f"{SECTION_PATH}.seating.1NS: No one sits at 1NS. "
        "The movement lists that place as empty.",
    ),
    "fourteen tricks": (
        lambda d: get_result(d).update(ns_tricks=14),
        f"{SECTION_PATH}.results[0].ns_tricks: 14 is out of range. Enter a "
        "whole number from 0 to 13.",
    ),
    "half a trick": (
        lambda d: get_result(d).update(ns_tricks=6.5),
        f"{SECTION_PATH}.results[0].ns_tricks: 6.5 isn’t a whole number.",
    ),
    "tricks that are true": (
        lambda d: get_result(d).update(ns_tricks=True),
        f"{SECTION_PATH}.results[0].ns_tricks: true isn’t a whole number.",
    ),
    "a result without tricks": (
        lambda d: get_result(d).pop("ns_tricks"),
        f"{SECTION_PATH}.results[0]: Enter ns_tricks or ns_points and "
        "ew_points or outcome, but only one.",
    ),
    "a result of a board not played, with tricks": (
        lambda d: get_result(d).update(outcome="not_played"),
        f"{SECTION_PATH}.results[0]: Enter ns_tricks or ns_points and "
        "ew_points or outcome, but only one.",
    ),
    "an unknown outcome": (
        lambda d: (get_result(d).pop("ns_tricks"), get_result(d).update(outcome="passed")),
        f"{SECTION_PATH}.results[0].outcome: “passed” isn’t known. Enter not_played.",
    ),
    "a result given twice": (
        lambda d: get_section(d)["results"].append(dict(get_result(d))),
        f"{SECTION_PATH}.results[9]: The result of board 1 at table 1 in round 1 "
        "is listed twice.",
    ),
    "a round that the movement has not": (
        lambda d: get_result(d).update(round=4),
        f"{SECTION_PATH}.results[0]: The movement has no meeting at table 1 in round 4.",
    ),
    "a board that does not lie there": (
        lambda d: get_result(d).update(board=2),
        f"{SECTION_PATH}.results[0]: Table 1 plays board 1 in round 1, not board 2.",
    ),
    "a result at a sit-out": (
        lambda d: get_section(d)["seating"].pop("1NS"),
        f"{SECTION_PATH}.results[0]: No one plays at table 1 in round 1. It’s a sit-out.",
    ),
    "a ruling without a place": (
        lambda d: add_ruling(d, kind="average"),
        f"{SECTION_PATH}.rulings[0].round: This is required for a ruling of average.",
    ),
    "a revoke of nobody": (
        lambda d: get_section(d)["rulings"].append(
            {**RESULT_PLACE, "kind": "revoke", "revokes": 1, "won_before": 0}
        ),
        f"{SECTION_PATH}.rulings[0].side: This is required for a ruling of revoke.",
    ),
    "an average with a side": (
        lambda d: add_ruling(d, kind="average", side="NS", **RESULT_PLACE),
        f"{SECTION_PATH}.rulings[0].side: This isn’t used in a ruling of average.",
    ),
    "a penalty about a board": (
        lambda d: get_section(d)["rulings"].append(
            {**RESULT_PLACE, "kind": "penalty", "entry": 1, "amount": "1"}
        ),
        f"{SECTION_PATH}.rulings[0].round: This isn’t used in a ruling of penalty.",
    ),
    "a penalty of nobody": (
        lambda d: add_ruling(d, kind="penalty", entry=99, amount="1"),
        f"{SECTION_PATH}.rulings[0].entry: Entry 99 isn’t in this file.",
    ),
    "a full penalty without a reason": (
        lambda d: get_section(d)["rulings"].append(
            {
                **RESULT_PLACE,
                "kind": "revoke",
                "side": "NS",
                "revokes": 1,
                "won_before": 0,
                "full": True,
            }
        ),
        f"{SECTION_PATH}.rulings[0].reason: Enter a reason for the full penalty",
    ),
    "an adjusted score of fourteen": (
        lambda d: get_section(d)["rulings"].append(
            {**RESULT_PLACE, "kind": "adjusted", "ns_tricks": "14", "ew_tricks": "0"}
        ),
        f"{SECTION_PATH}.rulings[0].ns_tricks: Enter 0–13 tricks, not 14.",
    ),
    "a ruling where nobody plays": (
        lambda d: add_ruling(d, kind="average", round=9, table=1, board=1),
        f"{SECTION_PATH}.rulings[0]: No one plays at table 1 in round 9.",
    ),
    "a ruling on a board elsewhere": (
        lambda d: add_ruling(d, kind="average", round=1, table=1, board=2),
        f"{SECTION_PATH}.rulings[0].board: Board 2 is not played at table 1 in round 1.",
    ),
    "a ruling with no card": (
        lambda d: add_ruling(d, kind="average", trump_turned="H1", **RESULT_PLACE),
        f"{SECTION_PATH}.rulings[0].trump_turned: “H1” isn’t a card",
    ),
    "a second deal that nobody dealt": (
        lambda d: get_result(d).update(deal=2),
        f"{SECTION_PATH}.results[0].deal: There was no new deal there, so there is no deal 2.",
    ),
    "more than all carried over": (
        lambda d: d["event"].update(carry_over="3/2"),
        "event.carry_over: 3/2 isn’t a share from 0 to 1.",
    ),
    "an unknown tie-break": (
        lambda d: d["event"].update(tie_breaks=["toss"]),
        "event.tie_breaks[0]: “toss” isn’t known. Enter matches or",
    ),
}


@pytest.mark.parametrize("slip", ERRORS)
def test_error_names_its_path(slip: str) -> None:
    spoil, expected = ERRORS[slip]
    problems = list_problems_after(spoil)
    assert [item for item in problems if item.startswith(expected)], problems


@pytest.mark.parametrize("slip", ERRORS)
def test_error_text_is_translated_except_for_its_path(slip: str) -> None:
    with activate_marked_language():
        problems = list_problems_after(ERRORS[slip][0])
    lines = [problem.partition(": ")[2] for problem in problems]
    assert [text for text in lines if not text or remove_marked_text(text)] == []


def test_card_that_is_not_in_the_dealers_hand_is_refused() -> None:
    def spoil(found: dict[str, Any]) -> None:
        get_board(found, 4).update(dealer="E", turn_up="H6", deal=get_board(found, 0)["deal"])

    (problem,) = list_problems_after(spoil, read_night_file())
    assert problem == (
        "sessions[0].boards[4].turn_up: H6 isn’t in the hand of East, the dealer."
    )


def test_duplicate_card_is_refused_with_the_hands_that_hold_it() -> None:
    def spoil(found: dict[str, Any]) -> None:
        get_board(found).update(deal=get_board(found)["deal"].replace("T9752.9 ", "T9752.8 "))

    (problem,) = list_problems_after(spoil, read_night_file())
    assert problem == (
        "sessions[0].boards[0].deal: The nine of clubs is missing; "
        "the eight of clubs appears twice (North, West)."
    )


def test_all_problems_are_reported_at_once() -> None:
    def spoil(found: dict[str, Any]) -> None:
        get_result(found, 3)["ns_tricks"] = 14
        get_result(found, 5)["board"] = 99
        get_board(found, 4)["turn_up"] = "H6"
        found["evnt"] = {}
        found["players"][3]["name"] = 4
        get_section(found)["seating"]["3EW"] = 1

    paths = [item.partition(": ")[0] for item in list_problems_after(spoil, read_night_file())]
    assert sorted(paths) == [
        "evnt",
        "players[3].name",
        "sessions[0].boards[4].turn_up",
        f"{SECTION_PATH}.results[3].ns_tricks",
        f"{SECTION_PATH}.results[5]",
        f"{SECTION_PATH}.seating.3EW",
    ]


def test_problems_beyond_the_limit_are_only_mentioned() -> None:
    def spoil(found: dict[str, Any]) -> None:
        get_section(found)["results"] = [
            {"round": 0, "table": 1, "board": 1, "ns_tricks": 1}
        ] * 800

    problems = list_problems_after(spoil)
    assert len(problems) == MAX_PROBLEMS + 1
    assert problems[-1] == "There are more problems. Correct these first."


def test_sections_of_a_session_have_the_same_number_of_boards_a_round() -> None:
    def spoil(found: dict[str, Any]) -> None:
        other_section = copy.deepcopy(get_section(found))
        other_section.update(letter="B", seating={"1NS": 1, "1EW": 4}, results=[])
        other_section["movement"]["boards_a_round"] = 2
        found["sessions"][0]["sections"].append(other_section)
        get_section(found).update(seating={"2NS": 2, "2EW": 5}, results=[])

    assert list_problems_after(spoil) == [
        "sessions[0].sections[1].movement.boards_a_round: "
        f"2 here, but 1 in {SECTION_PATH}. All sections of a session must match."
    ]


def test_session_has_at_most_a_thousand_boards() -> None:
    event_file = build_event_file(
        {"name": "howell", "tables": 30}, method="tricks", with_deals=False
    )
    get_section(event_file).update(results=[])
    get_section(event_file)["movement"]["boards_a_round"] = 60
    assert list_problems(event_file) == [
        f"{SESSION_PATH}: This needs 3540 boards, but a session can have at most 1000."
    ]


def test_two_entries_cannot_be_one_team() -> None:
    event_file = build_event_file({"name": "howell-teams", "tables": 3}, method="tricks")
    get_section(event_file)["seating"] = {"1NS": 1, "1EW": 2, "3": 3, "2": 2}
    assert (
        f"{SECTION_PATH}.seating.1EW: Entry 2 sits where entry 1 has its other pair."
        in list_problems(event_file)
    )


def test_place_is_used_once() -> None:
    event_file = build_event_file({"name": "howell-teams", "tables": 3}, method="tricks")
    get_section(event_file)["seating"] = {"1": 1, "1NS": 2, "3": 3}
    assert f"{SECTION_PATH}.seating.1NS: Entry 1 already has a seat at 1NS." in list_problems(
        event_file
    )


def test_custom_meetings_must_agree_with_the_stated_tables_and_rounds() -> None:
    meetings = [{"round": 1, "table": 1, "ns": 1, "ew": 2, "group": 1}]
    event_file = build_event_file({"name": "custom", "meetings": meetings}, method="tricks")
    get_section(event_file)["movement"].update(tables=2, rounds=1)
    assert list_problems(event_file) == [
        f"{SECTION_PATH}.movement.tables: 2 here, but the meetings give 1."
    ]


def test_meeting_names_pairs_or_players() -> None:
    meetings = [{"round": 1, "table": 1, "ns": 1, "ew": 2, "group": 1}]
    event_file = build_event_file({"name": "custom", "meetings": meetings}, method="tricks")
    event_file = copy.deepcopy(event_file)
    get_section(event_file)["movement"]["meetings"][0]["ns"] = "1X"
    del get_section(event_file)["movement"]["meetings"][0]["ew"]
    assert list_problems(event_file) == [
        f"{SECTION_PATH}.movement.meetings[0].ns: “1X” isn’t a place of the movement, "
        'such as 3 or "3NS".',
        f"{SECTION_PATH}.movement.meetings[0]: Enter ns and ew or n and e and s and w, "
        "but only one.",
    ]


INVALID_TEXTS = {
    b"": "The file is empty.",
    b"[1]": ("The file has no event. It must be one group in braces { } with its format."),
    b'{"format": "whist-event/2"}': (
        "format: this is “whist-event/2”, but this program reads whist-event/1."
    ),
    b'{"club":\n {"name": "Caf\xe9"}}': (
        "The file isn’t UTF-8 text: line 2, column 15 has the byte E9. Save it in UTF-8."
    ),
    b'{"format":\n "whist-event/1"\n "name": 1}': "The file isn’t JSON: line 3, column 2, ",
    b'{"a": NaN}': "The file isn’t JSON: NaN isn’t a number.",
    b'{"a": 1, "a": 2}': "The key “a” appears twice in one group. Keep one.",
    b'{"a": ' + b"9" * 5000 + b"}": "The number 999999999999999… is too long.",
    b"[" * 100_000: "The file’s brackets are nested too deeply.",
    b'{"format": 1}': "format: this is 1, but this program reads whist-event/1.",
}


@pytest.mark.parametrize("text", INVALID_TEXTS, ids=lambda text: repr(text[:30]))
def test_text_that_is_not_an_event_file_is_refused_in_a_sentence(text: bytes) -> None:
    assert list_problems(text)[0].startswith(INVALID_TEXTS[text])


UNPRINTABLE = ["\ud800", "1\ud800", "two\nlines", "\x07", "\u2028"]


@pytest.mark.slow
@pytest.mark.parametrize("text", UNPRINTABLE, ids=ascii)
def test_unprintable_characters_are_never_repeated_in_problems(text: str) -> None:
    """With the text at any place, each problem is one line that a page can show."""
    for path, is_key in list_value_paths(build_small_file()):
        event_file = node = build_small_file()
        for step in path[:-1]:
            node = node[step]
        if is_key:
            node[path[-1]][text] = 1
        else:
            node[path[-1]] = text
        messages = list_problems(event_file)
        assert messages
        assert all(problem.isprintable() for problem in messages), messages
    for start in ("", '{"format": '):
        escaped = json.dumps(text)
        content = f"{start}{{{escaped}: 1, {escaped}: 2}}".encode()
        assert all(problem.isprintable() for problem in list_problems(content))


def list_value_paths(
    value: Any, path: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """Yield the path to every value, and to every object that could have another key."""
    if isinstance(value, dict):
        if path:
            yield path, True
        for key, inner in value.items():
            yield from list_value_paths(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value[:1]):
            yield from list_value_paths(inner, (*path, number))
    if path:
        yield path, False


@pytest.mark.django_db
def test_import_page_shows_problems_with_unprintable_characters(
    client: Client,
) -> None:
    client.force_login(evenings.create_club_with_director()[1])
    seating = build_small_file()
    seating["sessions"][0]["sections"][0]["seating"]["\ud800"] = 1
    for text in ('{"format": "\\ud800"}', '{"\\ud800": 1, "\\ud800": 2}', json.dumps(seating)):
        form = {"file": SimpleUploadedFile("event.json", text.encode())}
        page = client.post(reverse("event_import"), form)
        assert page.status_code == 400
        assert "“?”" in page.content.decode()


@settings(max_examples=40)
@given(draw_event_files())
def test_files_that_we_read_fit_the_published_schema(went_in: dict[str, Any]) -> None:
    read_event_file(went_in)
    create_schema_validator().validate(went_in)


def test_published_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(dict(load_schema()))


@cache
def create_schema_validator() -> jsonschema.Draft202012Validator:
    """Return a library's validator of the published schema, with all references inlined.

    Resolving references takes half of its time. The reference to the root is kept.
    """
    schema = dict(load_schema())
    return jsonschema.Draft202012Validator(_inline_references(schema, schema["$defs"]))


def _inline_references(schema_part: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(schema_part, list):
        return [_inline_references(item, definitions) for item in schema_part]
    if not isinstance(schema_part, dict):
        return schema_part
    name = schema_part.get("$ref", "").removeprefix("#/$defs/")
    if name in definitions:
        schema_part = definitions[name] | {
            key: value for key, value in schema_part.items() if key != "$ref"
        }
    return {
        key: _inline_references(value, definitions)
        for key, value in schema_part.items()
        if key != "$defs"
    }


SCHEMA_ERRORS = [
    slip for slip in ERRORS if "Unknown key" in ERRORS[slip][1] or "missing" in ERRORS[slip][1]
]


@pytest.mark.parametrize(
    "slip",
    [
        "an unknown key at the top",
        "an unknown key in a board",
        "a key that is missing",
        "a list where a group belongs",
        "a date written another way",
        "an unknown contest",
        "a name that is too long",
        "an entry’s number as text",
        "no session",
        "a small letter",
        "a place that is none",
        "fourteen tricks",
        "half a trick",
        "tricks that are true",
        "a result without tricks",
        "an unknown outcome",
    ],
)
def test_schema_also_refuses_invalid_files(slip: str) -> None:
    event_file = build_small_file()
    ERRORS[slip][0](event_file)
    assert not create_schema_validator().is_valid(event_file)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.data())
def test_reader_survives_any_value_at_any_key(data: st.DataObject) -> None:
    event_file = build_small_file()
    node: Any = event_file
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
            break
        node = node[key]
    node[key] = data.draw(JSON_VALUES)
    with suppress(UnusableEventFile):
        assert read_event_file(event_file).sessions


def test_averages_in_whole_tricks_need_a_method_with_averages() -> None:
    event_file = build_small_file()
    event_file["event"] |= {"method": "matchpoints", "whole_averages": True}
    with pytest.raises(
        UnusableEventFile, match=r"event\.whole_averages: Averages can’t be rounded"
    ):
        read_event_file(event_file)


@pytest.mark.parametrize(
    "text", ["2026-03-10T21:05:00", "yesterday at nine", "9999-99-99T99:99:99+00:00"]
)
def test_time_of_a_claim_needs_a_time_zone(text: str) -> None:
    event_file = build_small_file()
    ruling = {"kind": "revoke", "side": "NS", "revokes": 1, "won_before": 0}
    ruling_place = {"round": 1, "table": 1, "board": 1, "claimed_at": text}
    event_file["sessions"][0]["sections"][0]["rulings"] = [ruling | ruling_place]
    with pytest.raises(UnusableEventFile, match=r"rulings\[0\]\.claimed_at: Enter the day"):
        read_event_file(event_file)


def test_event_with_more_sessions_than_an_address_can_name_is_refused() -> None:
    document = build_small_file()
    sessions = document["sessions"]
    document["sessions"] = [
        copy.deepcopy(sessions[0]) | {"number": number} for number in range(1, 101)
    ]
    assert any(problem.startswith("sessions: ") for problem in list_problems(document))


@pytest.mark.parametrize(("key", "max_length"), [("players", 5_000), ("entries", 2_000)])
def test_lists_of_event_file_have_limited_lengths(key: str, max_length: int) -> None:
    too_long_message = f"{key}: The list is too long. Use at most {max_length}."
    document = build_small_file()
    document[key] = document[key][:1] * (max_length + 1)
    assert too_long_message in list_problems(document)
    document[key] = document[key][:max_length]  # the items are identical
    assert too_long_message not in list_problems(document)


@pytest.mark.django_db
def test_uploaded_event_belongs_to_the_club_that_the_director_changed_last(
    client: Client,
) -> None:
    _alpha, director = evenings.create_club_with_director("Alpha", "alpha")
    beta, _owner = evenings.create_club_with_director("Beta", "beta")
    Membership.objects.create(club=beta, user=director, role=Membership.Role.DIRECTOR)
    event, _user = evenings.create_event(0, club=beta, by=director)
    client.force_login(director)
    content = json.dumps(build_small_file()).encode()
    client.post(reverse("event_import"), {"file": SimpleUploadedFile("event.json", content)})
    (imported_event,) = Event.objects.exclude(pk=event.pk)
    assert imported_event.club == beta
