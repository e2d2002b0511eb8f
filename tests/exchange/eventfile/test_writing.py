"""An exported event file equals the imported one."""

from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given, settings

import scoring.services
from boards.whist.dealing import deal_board
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.exporter import encode_event_file, export_event
from exchange.eventfile.importer import import_event
from scoring.models import Ruling
from scoring.services.strata_and_prizes import set_entry_profiles
from scoring.services.wrong_boards import record_actual_board
from server.numbers import parse_exact_number
from tests import evenings
from tests.exchange.eventfile.documents import (
    MOVEMENTS,
    build_event_file,
    build_small_file,
    draw_event_files,
    read_night_file,
)
from tournaments.models import Event, Sitting
from tournaments.movements import build_named_movement
from tournaments.services import import_deals, remove_seating, seat_section

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def import_and_export(document: dict[str, Any]) -> dict[str, Any]:
    return export_event(import_event(document=document, by=None), should_include_deals=True)


def test_tuesday_night_is_exported_as_imported() -> None:
    assert import_and_export(read_night_file()) == read_night_file()


@pytest.mark.parametrize("movement_data", MOVEMENTS, ids=lambda item: item["name"])
def test_every_movement_is_exported_by_its_name(movement_data: dict[str, Any]) -> None:
    method = "plus_minus"
    event_file = build_event_file(movement_data, method=method)
    assert import_and_export(event_file) == event_file


@settings(max_examples=25)
@given(draw_event_files())
def test_any_event_is_exported_as_imported(went_in: dict[str, Any]) -> None:
    with transaction.atomic():
        assert import_and_export(went_in) == went_in
        transaction.set_rollback(True)  # each example gets a club without players


def test_exported_text_has_unescaped_letters_and_is_read_again() -> None:
    text = encode_event_file(read_night_file())
    assert "Łucja Nowak" in text
    assert import_and_export(read_night_file()) == export_event(
        import_event(document=text, by=None), should_include_deals=True
    )


def test_cards_can_be_left_out() -> None:
    event = import_event(document=read_night_file(), by=None)
    written_event = export_event(event, should_include_deals=False)
    assert "boards" not in written_event["sessions"][0]
    assert "turn_up" not in encode_event_file(written_event)
    file_without_deals = read_night_file()
    del file_without_deals["sessions"][0]["boards"]
    assert written_event == file_without_deals


def test_cleared_result_is_not_exported() -> None:
    event = import_event(document=build_small_file(), by=None)
    sitting = Sitting.objects.filter(section__session__event=event).first()
    assert sitting is not None
    sitting.results.update(outcome="cleared", ns_tricks=None)
    section = export_event(event, should_include_deals=True)["sessions"][0]["sections"][0]
    assert len(section["results"]) == len(list_results(build_small_file())) - 1


def test_exchanged_seats_are_exported_as_played() -> None:
    event = import_event(document=build_small_file(), by=None)
    first, second = Sitting.objects.filter(section__session__event=event, round=1)[:2]
    for sitting, new_east in ((first, second.east), (second, first.east)):
        sitting.east = sitting.west = new_east
    first.save()
    second.save()
    movement = export_event(event, should_include_deals=True)["sessions"][0]["sections"][0][
        "movement"
    ]
    assert movement["name"] == "custom"
    assert movement["meetings"][0] == {
        "round": 1,
        "table": 1,
        "ns": "1NS",
        "ew": "2EW",
        "group": 1,
    }


def test_single_players_are_exported_by_their_four_seats() -> None:
    event = import_event(
        document=build_event_file({"name": "rainbow", "tables": 5}, method="tricks"), by=None
    )
    event.sessions.get().sections.update(movement="of-old")
    written_event = export_event(event, should_include_deals=True)
    meeting = written_event["sessions"][0]["sections"][0]["movement"]["meetings"][0]
    assert list(meeting) == ["round", "table", "n", "e", "s", "w", "group"]
    assert import_and_export(written_event) == written_event


def test_movement_missing_in_the_catalogue_is_exported_as_meetings() -> None:
    event = import_event(document=build_small_file(), by=None)
    section = event.sessions.get().sections.get()
    section.movement = "of-old"
    section.save()
    written_event = export_event(event, should_include_deals=True)
    assert written_event["sessions"][0]["sections"][0]["movement"]["name"] == "custom"
    assert import_and_export(written_event) == written_event


def test_event_without_a_movement_is_exported_with_its_entries() -> None:
    event_file = build_small_file()
    event_file["sessions"] = [{"number": 1, "sections": []}]
    assert import_and_export(event_file) == event_file


def test_full_penalty_and_result_of_a_redeal_are_exported_as_imported() -> None:
    event_file = build_small_file()
    section = event_file["sessions"][0]["sections"][0]
    result_key = {"round": 1, "table": 1, "board": 1}
    full_penalty = {
        "side": "EW",
        "revokes": 2,
        "won_before": 0,
        "full": True,
        "reason": "proved",
    }
    section["rulings"] = [
        {**result_key, "kind": "new_deal", "law": "III.2"},
        {**result_key, "deal": 2, "kind": "revoke", **full_penalty},
    ]
    section["results"].insert(1, {**result_key, "deal": 2, "ns_tricks": 9})
    assert import_and_export(event_file) == event_file


def test_withdrawn_ruling_is_not_exported() -> None:
    event_file = build_small_file()
    result_key = {"round": 1, "table": 1, "board": 1}
    event_file["sessions"][0]["sections"][0]["rulings"] = [{**result_key, "kind": "average"}]
    event = import_event(document=event_file, by=None)
    Ruling.objects.update(withdrawn_by="director", withdrawn_at=timezone.now())
    assert export_event(event, should_include_deals=True) == build_small_file()


def test_penalty_of_an_entry_without_a_seat_is_exported() -> None:
    event_file = build_small_file()
    event_file["entries"].append({"number": 7, "name": "Late", "players": ["p13", "p14"]})
    event_file["players"] += [{"id": f"p{n}", "name": f"Player {n}"} for n in (13, 14)]
    section = event_file["sessions"][0]["sections"][0]
    section["rulings"] = [
        {"entry": number, "kind": "penalty", "amount": "1/2", "reason": "late"}
        for number in (1, 7)
    ]
    other_session = build_event_file({"name": "howell", "tables": 3}, method="plus_minus")[
        "sessions"
    ][0]
    other_session["sections"][0]["rulings"] = [{"entry": 7, "kind": "penalty", "amount": "1"}]
    event_file["sessions"].append({**other_session, "number": 2})
    assert import_and_export(event_file) == event_file


def test_recorded_trump_of_a_ruling_is_left_out_with_the_deals() -> None:
    event_file = build_small_file()
    ruling = {"round": 1, "table": 1, "board": 1, "kind": "average", "trump_recorded": "H6"}
    event_file["sessions"][0]["sections"][0]["rulings"] = [ruling]
    event = import_event(document=event_file, by=None)
    section = export_event(event, should_include_deals=False)["sessions"][0]["sections"][0]
    assert section["rulings"] == [
        {key: value for key, value in ruling.items() if key != "trump_recorded"}
    ]


def test_two_sections_and_two_sessions_are_exported_as_imported() -> None:
    event_file = build_small_file()
    other_event_file = build_event_file({"name": "howell", "tables": 3}, method="plus_minus")
    section = {**other_event_file["sessions"][0]["sections"][0], "letter": "B"}
    section["seating"] = {place: entry + 6 for place, entry in section["seating"].items()}
    event_file["entries"] += [
        {"number": n, "name": f"Number {n}", "players": [f"p{2 * n - 1}", f"p{2 * n}"]}
        for n in range(7, 13)
    ]
    event_file["players"] += [{"id": f"p{n}", "name": f"Player {n}"} for n in range(13, 25)]
    del event_file["sessions"][0]["boards"]
    event_file["sessions"][0]["sections"].append(section)
    event_file["sessions"][0]["across_sections"] = True
    event_file["sessions"].append(
        {"number": 2, "sections": event_file["sessions"][0]["sections"]}
    )
    assert import_and_export(event_file) == event_file
    assert Event.objects.get().sessions.count() == 2


def list_results(document: dict[str, Any]) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = document["sessions"][0]["sections"][0]["results"]
    return results


def test_board_from_another_set_is_exported_as_imported() -> None:
    """Table 1 played board 4 instead of board 1, and does not play board 4 again."""
    event_file = build_event_file(
        {"name": "compass", "tables": 5}, method="plus_minus", boards_a_round=2
    )
    section = event_file["sessions"][0]["sections"][0]
    section["strays"] = [{"round": 1, "table": 1, "board": 1, "played": 4}]
    results_by_key = {
        (result["round"], result["table"], result["board"]): result
        for result in section["results"]
    }
    results_by_key[1, 1, 1]["board"] = 4
    section["results"].sort(key=lambda item: (item["round"], item["table"], item["board"]))
    event = import_event(document=event_file, by=None)
    assert export_event(event, should_include_deals=True) == event_file
    assert event.sessions.get().state == "closed"
    section["results"] = [results_by_key[1, 1, 1]]
    event = import_event(document=event_file, by=None)
    left_out = [
        sitting
        for sitting in Sitting.objects.filter(section__session__event=event)
        if [4, 0] in sitting.strays
    ]
    assert len(left_out) == 2
    section["strays"] += [
        {"round": 1, "table": 1, "board": 2, "played": 99},
        {"round": 1, "table": 2, "board": 1, "played": 3},
        {"round": 9, "table": 1, "board": 1, "played": 3},
    ]
    with pytest.raises(UnusableEventFile) as exc_info:
        import_event(document=event_file, by=None)
    assert len(exc_info.value.problems) == 3


@pytest.mark.parametrize("number_text", ["1523.4567", "123456.789", "1/123456789"])
def test_every_number_accepted_by_pages_is_exported_as_imported(number_text: str) -> None:
    event = import_event(document=build_small_file(), by=None)
    set_entry_profiles(event=event, profiles_by_number={1: {"ratings": [number_text]}}, by=None)
    if parse_exact_number(number_text) <= 1:
        event.terms.carry_over = str(parse_exact_number(number_text))
        event.terms.save()
    written_event = export_event(event, should_include_deals=True)
    repeated_event = import_event(document=encode_event_file(written_event), by=None)
    assert (
        export_event(repeated_event, should_include_deals=True)["entries"][0]
        == written_event["entries"][0]
    )
    assert repeated_event.terms.carry_over == event.terms.carry_over


@pytest.mark.parametrize("boards_a_round", [1, 2, 3])
def test_only_boards_in_play_are_exported_from_a_larger_set(
    boards_a_round: int,
) -> None:
    session, user = evenings.seat_session(10, boards_a_round=3)
    deals = {number: deal_board(bytes(32), number) for number in range(1, 16)}
    import_deals(session=session, deals_by_board=deals, by=user)
    seat_section(
        session=session,
        movement=build_named_movement("compass", pairs=10),
        boards_a_round=boards_a_round,
        by=user,
    )
    session = scoring.services.open_session(session=session, by=user)
    event = export_event(session.event, should_include_deals=True)
    numbers = [board["number"] for board in event["sessions"][0]["boards"]]
    assert numbers == list(range(1, 5 * boards_a_round + 1))
    new_event = import_event(document=event, club=session.event.club, by=user)
    assert export_event(new_event, should_include_deals=True) == event


def test_all_boards_entered_before_the_movement_are_exported() -> None:
    session, user = evenings.seat_session(10, boards_a_round=3)
    deals = {number: deal_board(bytes(32), number) for number in range(1, 16)}
    import_deals(session=session, deals_by_board=deals, by=user)
    remove_seating(session=session, by=user)
    event = export_event(Event.objects.get(pk=session.event_id), should_include_deals=True)
    assert len(event["sessions"][0]["boards"]) == 15
    new_event = import_event(document=event, club=session.event.club, by=user)
    assert export_event(new_event, should_include_deals=True) == event


def test_board_from_the_set_of_another_section_may_have_been_played() -> None:
    """A table may have played any board of the session, also one of a longer section."""
    event_file = build_event_file(
        {"name": "compass", "tables": 3}, method="plus_minus", outcomes=(None,)
    )
    other_event_file = build_event_file(
        {"name": "compass", "tables": 5}, method="plus_minus", outcomes=(None,)
    )
    section = {**other_event_file["sessions"][0]["sections"][0], "letter": "B"}
    section["seating"] = {place: entry + 6 for place, entry in section["seating"].items()}
    event_file["entries"] += [
        {"number": n, "name": f"Number {n}", "players": [f"p{2 * n - 1}", f"p{2 * n}"]}
        for n in range(7, 17)
    ]
    event_file["players"] += [{"id": f"p{n}", "name": f"Player {n}"} for n in range(13, 33)]
    event_file["sessions"][0]["boards"] = other_event_file["sessions"][0]["boards"]
    event_file["sessions"][0]["sections"].append(section)
    event = import_event(document=event_file, by=None)
    session = scoring.services.open_session(session=event.sessions.get(), by=None)
    sitting = Sitting.objects.get(section__letter="A", round=1, table=1)
    record_actual_board(sitting=sitting, board=1, really=5, by=None)
    written_event = export_event(session.event, should_include_deals=True)
    assert written_event["sessions"][0]["sections"][0]["strays"] == [
        {"round": 1, "table": 1, "board": 1, "played": 5}
    ]
    assert import_and_export(written_event) == written_event
    written_event["sessions"][0]["sections"][0]["strays"][0]["played"] = 6
    expected_problem = (
        r"sessions\[0\]\.sections\[0\]\.strays\[0\]\.played: Board 6 isn’t from another set"
    )
    with pytest.raises(UnusableEventFile, match=expected_problem):
        import_event(document=written_event, by=None)
