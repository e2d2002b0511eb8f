"""Export equals import: an event file out is the event file in."""

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
from scoring.services.wrong_boards import record_board_really_played
from server.numbers import parse_exact_number
from tests import evenings
from tests.exchange.eventfile.documents import MOVEMENTS, document, documents, night, small
from tournaments.models import Event, Sitting
from tournaments.movements import build
from tournaments.services import import_deals, remove_seating, seat_section

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def _there_and_back(document: dict[str, Any]) -> dict[str, Any]:
    return export_event(import_event(document=document, by=None), with_deals=True)


def test_the_tuesday_night_comes_out_as_it_went_in() -> None:
    assert _there_and_back(night()) == night()


@pytest.mark.parametrize("written", MOVEMENTS, ids=lambda each: each["name"])
def test_every_movement_comes_out_by_its_name(written: dict[str, Any]) -> None:
    method = "plus_minus"
    went_in = document(written, method=method)
    assert _there_and_back(went_in) == went_in


@settings(max_examples=25)
@given(documents())
def test_any_event_comes_out_as_it_went_in(went_in: dict[str, Any]) -> None:
    with transaction.atomic():
        assert _there_and_back(went_in) == went_in
        transaction.set_rollback(True)  # each example gets a club without players


def test_the_text_holds_every_letter_as_it_is_and_is_read_again() -> None:
    text = encode_event_file(night())
    assert "Łucja Nowak" in text
    assert _there_and_back(night()) == export_event(
        import_event(document=text, by=None), with_deals=True
    )


def test_the_cards_can_be_left_out() -> None:
    event = import_event(document=night(), by=None)
    written = export_event(event, with_deals=False)
    assert "boards" not in written["sessions"][0]
    assert "turn_up" not in encode_event_file(written)
    with_deals = night()
    del with_deals["sessions"][0]["boards"]
    assert written == with_deals


def test_a_cleared_result_is_still_to_come() -> None:
    event = import_event(document=small(), by=None)
    sitting = Sitting.objects.filter(section__session__event=event).first()
    assert sitting is not None
    sitting.results.update(outcome="cleared", ns_tricks=None)
    written = export_event(event, with_deals=True)["sessions"][0]["sections"][0]
    assert len(written["results"]) == len(_results(small())) - 1


def test_seats_that_were_changed_are_written_as_they_were_held() -> None:
    event = import_event(document=small(), by=None)
    first, second = Sitting.objects.filter(section__session__event=event, round=1)[:2]
    for one, other in ((first, second.east), (second, first.east)):
        one.east = one.west = other
    first.save()
    second.save()
    written = export_event(event, with_deals=True)["sessions"][0]["sections"][0]["movement"]
    assert written["name"] == "custom"
    assert written["meetings"][0] == {
        "round": 1,
        "table": 1,
        "ns": "1NS",
        "ew": "2EW",
        "group": 1,
    }


def test_single_players_are_written_by_their_four_seats() -> None:
    event = import_event(
        document=document({"name": "rainbow", "tables": 5}, method="tricks"), by=None
    )
    event.sessions.get().sections.update(movement="of-old")
    written = export_event(event, with_deals=True)
    meeting = written["sessions"][0]["sections"][0]["movement"]["meetings"][0]
    assert list(meeting) == ["round", "table", "n", "e", "s", "w", "group"]
    assert _there_and_back(written) == written


def test_a_movement_that_the_catalogue_has_lost_is_written_as_meetings() -> None:
    event = import_event(document=small(), by=None)
    section = event.sessions.get().sections.get()
    section.movement = "of-old"
    section.save()
    written = export_event(event, with_deals=True)
    assert written["sessions"][0]["sections"][0]["movement"]["name"] == "custom"
    assert _there_and_back(written) == written


def test_an_event_without_a_movement_is_written_with_its_entries() -> None:
    went_in = small()
    went_in["sessions"] = [{"number": 1, "sections": []}]
    assert _there_and_back(went_in) == went_in


def test_a_full_penalty_and_the_result_of_a_new_deal_come_out_again() -> None:
    went_in = small()
    section = went_in["sessions"][0]["sections"][0]
    at = {"round": 1, "table": 1, "board": 1}
    full = {"side": "EW", "revokes": 2, "won_before": 0, "full": True, "reason": "proved"}
    section["rulings"] = [
        {**at, "kind": "new_deal", "law": "III.2"},
        {**at, "deal": 2, "kind": "revoke", **full},
    ]
    section["results"].insert(1, {**at, "deal": 2, "ns_tricks": 9})
    assert _there_and_back(went_in) == went_in


def test_a_ruling_that_was_withdrawn_is_not_written() -> None:
    went_in = small()
    at = {"round": 1, "table": 1, "board": 1}
    went_in["sessions"][0]["sections"][0]["rulings"] = [{**at, "kind": "average"}]
    event = import_event(document=went_in, by=None)
    Ruling.objects.update(withdrawn_by="director", withdrawn_at=timezone.now())
    assert export_event(event, with_deals=True) == small()


def test_a_penalty_of_who_has_no_seat_in_the_session_is_written_again() -> None:
    went_in = small()
    went_in["entries"].append({"number": 7, "name": "Late", "players": ["p13", "p14"]})
    went_in["players"] += [{"id": f"p{n}", "name": f"Player {n}"} for n in (13, 14)]
    section = went_in["sessions"][0]["sections"][0]
    section["rulings"] = [
        {"entry": number, "kind": "penalty", "amount": "1/2", "reason": "late"}
        for number in (1, 7)
    ]
    other = document({"name": "howell", "tables": 3}, method="plus_minus")["sessions"][0]
    other["sections"][0]["rulings"] = [{"entry": 7, "kind": "penalty", "amount": "1"}]
    went_in["sessions"].append({**other, "number": 2})
    assert _there_and_back(went_in) == went_in


def test_the_cards_of_a_wrong_trump_are_left_out_with_the_deals() -> None:
    went_in = small()
    ruling = {"round": 1, "table": 1, "board": 1, "kind": "average", "trump_recorded": "H6"}
    went_in["sessions"][0]["sections"][0]["rulings"] = [ruling]
    event = import_event(document=went_in, by=None)
    written = export_event(event, with_deals=False)["sessions"][0]["sections"][0]
    assert written["rulings"] == [
        {key: value for key, value in ruling.items() if key != "trump_recorded"}
    ]


def test_two_sections_and_two_sessions_come_out_again() -> None:
    went_in = small()
    other = document({"name": "howell", "tables": 3}, method="plus_minus")
    section = {**other["sessions"][0]["sections"][0], "letter": "B"}
    section["seating"] = {place: entry + 6 for place, entry in section["seating"].items()}
    went_in["entries"] += [
        {"number": n, "name": f"Number {n}", "players": [f"p{2 * n - 1}", f"p{2 * n}"]}
        for n in range(7, 13)
    ]
    went_in["players"] += [{"id": f"p{n}", "name": f"Player {n}"} for n in range(13, 25)]
    del went_in["sessions"][0]["boards"]
    went_in["sessions"][0]["sections"].append(section)
    went_in["sessions"][0]["across_sections"] = True
    went_in["sessions"].append({"number": 2, "sections": went_in["sessions"][0]["sections"]})
    assert _there_and_back(went_in) == went_in
    assert Event.objects.get().sessions.count() == 2


def _results(document: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document["sessions"][0]["sections"][0]["results"]
    return found


def test_a_board_from_another_set_comes_out_as_it_went_in() -> None:
    """Board 1 at table 1 was board 4: no one at that table plays board 4 again."""
    went_in = document({"name": "compass", "tables": 5}, method="plus_minus", boards_a_round=2)
    section = went_in["sessions"][0]["sections"][0]
    section["strays"] = [{"round": 1, "table": 1, "board": 1, "played": 4}]
    held = {(it["round"], it["table"], it["board"]): it for it in section["results"]}
    held[1, 1, 1]["board"] = 4
    section["results"].sort(key=lambda it: (it["round"], it["table"], it["board"]))
    event = import_event(document=went_in, by=None)
    assert export_event(event, with_deals=True) == went_in
    assert event.sessions.get().state == "closed"
    section["results"] = [held[1, 1, 1]]
    event = import_event(document=went_in, by=None)
    left_out = [
        it
        for it in Sitting.objects.filter(section__session__event=event)
        if [4, 0] in it.strays
    ]
    assert len(left_out) == 2
    section["strays"] += [
        {"round": 1, "table": 1, "board": 2, "played": 99},
        {"round": 1, "table": 2, "board": 1, "played": 3},
        {"round": 9, "table": 1, "board": 1, "played": 3},
    ]
    with pytest.raises(UnusableEventFile) as refused:
        import_event(document=went_in, by=None)
    assert len(refused.value.problems) == 3


@pytest.mark.parametrize("figure", ["1523.4567", "123456.789", "1/123456789"])
def test_every_figure_that_pages_take_comes_out_as_it_went_in(figure: str) -> None:
    event = import_event(document=small(), by=None)
    set_entry_profiles(event=event, profiles={1: {"ratings": [figure]}}, by=None)
    if parse_exact_number(figure) <= 1:
        event.terms.carry_over = str(parse_exact_number(figure))
        event.terms.save()
    written = export_event(event, with_deals=True)
    again = import_event(document=encode_event_file(written), by=None)
    assert export_event(again, with_deals=True)["entries"][0] == written["entries"][0]
    assert again.terms.carry_over == event.terms.carry_over


@pytest.mark.parametrize("boards_a_round", [1, 2, 3])
def test_a_set_that_holds_more_boards_than_are_played_is_written_as_far_as_they_go(
    boards_a_round: int,
) -> None:
    session, user = evenings.seated(10, boards_a_round=3)
    deals = {number: deal_board(bytes(32), number) for number in range(1, 16)}
    import_deals(session=session, deals=deals, by=user)
    seat_section(
        session=session,
        movement=build("compass", pairs=10),
        boards_a_round=boards_a_round,
        by=user,
    )
    session = scoring.services.open_session(session=session, by=user)
    written = export_event(session.event, with_deals=True)
    numbers = [each["number"] for each in written["sessions"][0]["boards"]]
    assert numbers == list(range(1, 5 * boards_a_round + 1))
    made = import_event(document=written, club=session.event.club, by=user)
    assert export_event(made, with_deals=True) == written


def test_boards_that_were_entered_before_the_movement_are_all_written() -> None:
    session, user = evenings.seated(10, boards_a_round=3)
    deals = {number: deal_board(bytes(32), number) for number in range(1, 16)}
    import_deals(session=session, deals=deals, by=user)
    remove_seating(session=session, by=user)
    written = export_event(Event.objects.get(pk=session.event_id), with_deals=True)
    assert len(written["sessions"][0]["boards"]) == 15
    made = import_event(document=written, club=session.event.club, by=user)
    assert export_event(made, with_deals=True) == written


def test_a_board_of_another_section_s_sets_may_have_been_played() -> None:
    """The boards of a session are those of its longest section; any of them may be strays."""
    went_in = document({"name": "compass", "tables": 3}, method="plus_minus", outcomes=(None,))
    other = document({"name": "compass", "tables": 5}, method="plus_minus", outcomes=(None,))
    section = {**other["sessions"][0]["sections"][0], "letter": "B"}
    section["seating"] = {place: entry + 6 for place, entry in section["seating"].items()}
    went_in["entries"] += [
        {"number": n, "name": f"Number {n}", "players": [f"p{2 * n - 1}", f"p{2 * n}"]}
        for n in range(7, 17)
    ]
    went_in["players"] += [{"id": f"p{n}", "name": f"Player {n}"} for n in range(13, 33)]
    went_in["sessions"][0]["boards"] = other["sessions"][0]["boards"]
    went_in["sessions"][0]["sections"].append(section)
    event = import_event(document=went_in, by=None)
    session = scoring.services.open_session(session=event.sessions.get(), by=None)
    sitting = Sitting.objects.get(section__letter="A", round=1, table=1)
    record_board_really_played(sitting=sitting, board=1, really=5, by=None)
    written = export_event(session.event, with_deals=True)
    assert written["sessions"][0]["sections"][0]["strays"] == [
        {"round": 1, "table": 1, "board": 1, "played": 5}
    ]
    assert _there_and_back(written) == written
    written["sessions"][0]["sections"][0]["strays"][0]["played"] = 6
    at = r"sessions\[0\]\.sections\[0\]\.strays\[0\]\.played: Board 6 isn't from another set"
    with pytest.raises(UnusableEventFile, match=at):
        import_event(document=written, by=None)
