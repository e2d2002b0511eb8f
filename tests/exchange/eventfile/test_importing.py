"""An event file is imported completely, or not at all."""

from fractions import Fraction
from typing import Any

import pytest

from clubs import audit
from clubs.models import Act, Club, Player
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.importer import import_event
from hall.history.act_words import format_values
from scoring.models import Outcome, Result, ResultVersion, Ruling
from tests.exchange.eventfile.documents import (
    build_event_file,
    build_small_file,
    read_night_file,
)
from tests.factories import ClubFactory, UserFactory
from tournaments.models import Event, Session

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def import_document(document: dict[str, Any], **options: Any) -> Event:
    return import_event(document=document, by=None, **options)


def list_scores(event: Event) -> dict[int, Fraction]:
    return {
        standing.entry.number: Fraction(standing.score)
        for standing in event.ranking.standings.select_related("entry")
    }


def test_complete_event_is_imported() -> None:
    event = Event.objects.get(pk=import_document(read_night_file()).pk)
    session = event.sessions.get()
    assert (event.name, event.slug) == ("Tuesday compass", "tuesday-compass-2026-03-10")
    assert [str(entry) for entry in event.entries.all()][:2] == [
        "1 Pole & Nowak",
        "2 Jones & Briain",
    ]
    assert session.board_set is not None
    assert len(session.board_set.load_deals()) == 28
    assert Result.objects.count() == ResultVersion.objects.filter(via="file").count() == 196
    assert event.ranking.complete


def test_file_with_every_result_closes_its_session() -> None:
    session = import_document(build_small_file()).sessions.get()
    assert session.state == Session.State.CLOSED
    assert session.closed_at is not None


def test_file_with_some_results_opens_its_session() -> None:
    event_file = build_event_file(
        {"name": "compass", "tables": 3}, method="tricks", outcomes=(7, None)
    )
    event = import_document(event_file)
    assert event.sessions.get().state == Session.State.OPEN
    assert Event.objects.get(pk=event.pk).ranking.missing == 4


def test_file_without_results_leaves_its_session_planned() -> None:
    event_file = build_event_file(
        {"name": "compass", "tables": 3}, method="tricks", outcomes=(None,)
    )
    del event_file["sessions"][0]["boards"]
    session = import_document(event_file).sessions.get()
    assert (session.state, session.deals) == (
        Session.State.PLANNED,
        Session.DealsState.UNDECIDED,
    )


def test_results_without_cards_mean_boards_shuffled_at_the_table() -> None:
    event_file = build_small_file()
    del event_file["sessions"][0]["boards"]
    assert import_document(event_file).sessions.get().deals == Session.DealsState.NONE


def test_some_boards_may_have_no_cards() -> None:
    event_file = build_small_file()
    del event_file["sessions"][0]["boards"][1]
    board_set = import_document(event_file).sessions.get().board_set
    assert board_set is not None
    assert (board_set.size, sorted(board_set.load_deals())) == (3, [1, 3])


def test_boards_may_be_given_before_a_movement() -> None:
    event_file = build_small_file()
    event_file["sessions"][0]["sections"] = []
    board_set = import_document(event_file).sessions.get().board_set
    assert board_set is not None
    assert board_set.size == 3


def test_unplayed_board_is_stored_as_not_played() -> None:
    event_file = build_event_file(
        {"name": "compass", "tables": 3}, method="tricks", outcomes=(14, 6)
    )
    import_document(event_file)
    assert Result.objects.filter(outcome=Outcome.NOT_PLAYED, ns_tricks=None).count() == 5


def test_file_imported_twice_makes_two_events_and_no_player_twice() -> None:
    import_document(build_small_file())
    second_document = import_document(build_small_file())
    assert second_document.slug == "tuesday-compass-2026-03-10-2"
    assert (Event.objects.count(), Club.objects.count(), Player.objects.count()) == (2, 1, 12)


def test_players_are_found_regardless_of_case() -> None:
    club = ClubFactory(name="Riverside Whist Club")
    Player.objects.create(club=club, name="PLAYER 1")
    event = import_document(build_small_file())
    assert event.club == club
    assert str(event.entries.get(number=1).players.first()) == "PLAYER 1"
    assert club.players.count() == 12


def test_given_club_overrides_the_club_of_the_file() -> None:
    club = ClubFactory(name="Hillside")
    assert import_document(build_small_file(), club=club).club == club
    assert Club.objects.count() == 1


def test_faulty_file_leaves_nothing_behind() -> None:
    event_file = build_small_file()
    event_file["sessions"][0]["sections"][0]["results"][8]["ns_tricks"] = 14
    with pytest.raises(UnusableEventFile):
        import_document(event_file)
    assert not Club.objects.exists()
    assert not Event.objects.exists()
    assert not Act.objects.exists()


def test_history_names_the_importer_and_never_a_card() -> None:
    director = UserFactory(username="pole")
    event = import_event(document=read_night_file(), by=director)
    entries = audit.list_acts(event)
    assert [entry.action for entry in entries] == [
        "event.imported",
        "session.closed",
        "session.opened",
        "section.seated",
        "event.created",
    ]
    assert {entry.by for entry in entries} == {"pole"}
    assert format_values(entries[0].after) == "14 entries, 196 results"
    assert ResultVersion.objects.filter(user=director, by="pole").count() == 196


def test_import_needs_few_queries_for_any_number_of_results(
    django_assert_max_num_queries: Any,
) -> None:
    # Two queries check for congress features.
    with django_assert_max_num_queries(119):
        import_document(read_night_file())


def test_imported_ruling_counts_and_names_the_importer() -> None:
    event_file = build_event_file(
        {"name": "compass", "tables": 3}, method="plus_minus", outcomes=(5, 8)
    )
    section = event_file["sessions"][0]["sections"][0]
    first_result = section["results"].pop(0)
    result_key = {key: first_result[key] for key in ("round", "table", "board")}
    section["rulings"] = [
        {**result_key, "kind": "adjusted", "ns_tricks": "13/2", "ew_tricks": "8", "law": "V.1"},
        {"kind": "penalty", "entry": 1, "amount": "1/2", "reason": "late"},
    ]
    event = Event.objects.get(pk=import_document(event_file).pk)
    assert event.sessions.get().state == Session.State.CLOSED
    assert event.ranking.complete
    totals = {row.entry.number: row.tricks for row in event.ranking.standings.all()}
    assert Fraction(totals[1]) % 1 == Fraction(1, 2)
    assert event.ranking.standings.get(entry__number=1).penalty == "1/2"
    assert {ruling.made_by for ruling in Ruling.objects.all()} == {audit.COMMAND_LINE_AUTHOR}


def test_memory_duplicate_counts_the_gain_of_the_overplay() -> None:
    event_file = build_event_file(
        {"name": "memory", "tables": 1}, method="plus_minus", outcomes=(5, 8)
    )
    assert list_scores(import_document(event_file)) == {1: -3, 2: 3}


def test_teams_are_ranked_in_one_field_by_their_matches() -> None:
    event_file = build_event_file({"name": "league-fours", "tables": 2}, method="matches")
    for result in event_file["sessions"][0]["sections"][0]["results"]:
        result["ns_tricks"] = 8 if result["table"] == 1 else 7
    event = import_document(event_file)
    assert list_scores(event) == {1: 1, 2: 0}
    assert {standing.field for standing in event.ranking.standings.all()} == {""}


def test_single_players_are_credited_with_their_partnerships() -> None:
    event_file = build_event_file(
        {"name": "rainbow", "tables": 5}, method="plus_minus", outcomes=(3, 9)
    )
    scores = list_scores(import_document(event_file))
    assert len(scores) == 20
    assert sum(scores.values()) == 0
    assert any(scores.values())
