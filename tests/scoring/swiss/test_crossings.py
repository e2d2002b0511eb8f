"""Test combinations in a Swiss event: withdrawals, later sessions and unplayed matches."""

from collections import Counter
from random import Random

import pytest

import scoring.services
import tournaments.services
from exchange.results.event_results import load_results
from exchange.results.tables import build_tables
from scoring.services.swiss import find_draw
from scoring.services.terms import build_terms_arguments
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.card_page import build_card_page
from scoring.sheets.draws import load_drawn_rounds, load_last_public_drawn_rounds
from scoring.sheets.explanations import build_explanation, load_explanation_data
from scoring.sheets.ranks import index_rank_rows, load_rank_table
from scoring.sheets.standings_text import describe_ranking_score, format_standings
from scoring.sheets.travellers import load_scorecard
from scoring.standings_engine import standings
from scoring.standings_engine.explanations import ScoreExplainers
from scoring.standings_engine.explanations import explain_corrected_total as corrected_account
from scoring.standings_engine.explanations import explain_score as score_account
from scoring.standings_engine.running_scores import load_running_scores
from scoring.standings_engine.scores import score_event
from server import formatting
from tests import evenings
from tests.scoring.swiss import swiss_evenings
from tests.scoring.swiss.swiss_evenings import play_round, reload_section
from tournaments.models import Event, Session, Sitting
from tournaments.movements.changes import (
    ExchangedPlaces,
    LateArrival,
    TurnedTable,
    Withdrawal,
    WrongBoards,
    list_continuations,
)
from tournaments.seating_snapshot import load_movement, load_movement_with_withdrawals
from tournaments.swiss import rounds
from tournaments.swiss.plan import SwissPlan
from tournaments.swiss.reasons import DrawReasons
from tournaments.swiss.rounds import draw_round_from_data

pytestmark = pytest.mark.django_db


def draw_next_round(session: Session, round_: int, user, **options):
    return scoring.services.draw_round(
        section=reload_section(session), round_number=round_, by=user, **options
    )


def list_pairings(session: Session, round_: int) -> list[frozenset[int]]:
    return [
        frozenset((table.ns.entries[0], table.ew.entries[0]))
        for table in load_session_snapshot(session).tables
        if table.round == round_ and table.is_played
    ]


@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_match_without_played_boards_counts_as_average(contest: str) -> None:
    session, user = swiss_evenings.open_swiss(5, contest=contest, method="victory_points")
    tables = [table for table in load_session_snapshot(session).tables if table.is_played]
    plays = [(t, b) for t in tables for b in t.boards]
    unplayed_sitting_id = tables[
        0
    ].sitting_id  # with teams the other table plays on, without a match
    entered_results = [
        (t.sitting_id, b, "-" if t.sitting_id == unplayed_sitting_id else str(6 + b))
        for t, b in plays
    ]
    evenings.enter_all_results(entered_results[:-1], user)
    match_entries = *tables[0].ns.entries, *tables[0].ew.entries
    assert [score_event(session.event).scores_by_entry[entry] for entry in match_entries] == [
        10,
        10,
    ]
    evenings.enter_all_results(entered_results[-1:], user)
    ranking = score_event(session.event)
    assert sum(ranking.scores_by_entry.values()) == 5 * 10
    assert sum(ranking.corrected_totals_by_entry.values()) == 5 * 10
    running_scores = load_running_scores(
        session.event, ranking.scores_by_entry, should_include_hidden_results=True
    )
    assert all(
        running_totals[-1] == ranking.scores_by_entry[entry_number]
        for entry_number, running_totals in running_scores.sums_by_entry.items()
    )
    assert all(
        running_totals[0] == 0 for running_totals in running_scores.sums_by_entry.values()
    )


def test_withdrawn_opponent_is_rated_by_rounds_played_together() -> None:
    session, user = swiss_evenings.open_swiss(6, method="victory_points")
    play_round(session, 1, user)
    place = reload_section(session).places.get(entry__number=2)
    scoring.services.apply_seating_change(
        section=reload_section(session),
        rounds_played=1,
        incident=Withdrawal(place.number),
        continuation_key="swiss-out",
        incident_data={"kind": "left", "names": [], "round": 2},
        by=user,
    )
    for round_ in (2, 3):
        draw_next_round(session, round_, user)
        play_round(session, round_, user)
    ranking = score_event(session.event)
    (opponent,) = next(pairing for pairing in list_pairings(session, 1) if 2 in pairing) - {2}
    corrected_step = corrected_account(ranking, opponent)
    assert corrected_step is not None
    withdrawn_entry_step = next(
        step for step in corrected_step.parts if step.placeholder_values.get("other") == 2
    )
    assert (
        withdrawn_entry_step.amount == (ranking.scores_by_entry[2] - 10) / 3
    )  # one match, not three
    withdrawn_step = corrected_account(ranking, 2)
    assert withdrawn_step is not None
    assert withdrawn_step.parts[-1].amount == 2 * (ranking.scores_by_entry[2] - 10) / 3


@pytest.mark.slow
def test_crossings_use_corrected_total_when_it_decides_ranking() -> None:
    session, user = swiss_evenings.open_swiss(7, method="victory_points", by_corrected=True)
    for round_ in (1, 2, 3):
        draw_next_round(session, round_, user, random_seed="another")
        play_round(session, round_, user, random_generator=Random(round_))
    event = session.event
    standings.update_standings(event)
    table = load_rank_table(event, should_include_hidden_results=True)
    rows = index_rank_rows(table)
    first_row = next(row for row in rows.values() if row.rank == 1)
    for entry in event.entries.all():
        card = build_card_page(
            load_scorecard(
                load_session_snapshot(session), entry, table, should_include_hidden_results=True
            )
        )
        own_row = rows[entry.number]
        highlight_values = {
            highlight.title: highlight.value_text for highlight in card.highlights
        }
        expected_gap_text = (
            formatting.format_plain(first_row.ranking_value - own_row.ranking_value)
            if own_row.rank > 1
            else None
        )
        assert highlight_values.get("Behind first") == expected_gap_text
        assert first_row.ranking_value >= own_row.ranking_value == own_row.corrected
        explanation = build_explanation(
            load_explanation_data(event, should_include_hidden_results=True), entry
        )
        assert "Ranked by corrected total" in explanation.explained_numbers[0].steps[1].sentence
    assert describe_ranking_score(table.fields[0].rows, table.method)
    assert "corrected" in format_standings(table)[-1] or table.missing
    sheet = build_tables(load_results(event, has_full_names=True))["standings"]
    corrected_column = sheet.column_keys.index("corrected_exact")
    entry = sheet.column_keys.index("entry")
    assert all(row[corrected_column].number == rows[row[entry]].corrected for row in sheet.rows)


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [7, 8])
def test_later_session_respects_earlier_meetings_and_sit_outs(pairs: int) -> None:
    session, user = swiss_evenings.open_swiss(pairs, rounds=2)
    event, pairings = session.event, []
    terms = build_terms_arguments(event) | {"carry_over": "0"}
    scoring.services.set_scoring_terms(event=event, **terms, by=user)
    for number in (1, 2):
        if number == 2:
            session = tournaments.services.add_session(event=event, by=user)
            scoring.services.seat_swiss(
                session=session,
                plan=SwissPlan(2, arrears=True),  # so round 2 is drawn from the carry-forward
                boards_a_round=2,
                copy_count=4,
                random_seed="x",
                by=user,
            )
            session = scoring.services.open_session(session=session, by=user)
        for round_ in (1, 2):
            draw_next_round(session, round_, user, random_seed="y")
            play_round(session, round_, user, random_generator=Random(round_))
            pairings += list_pairings(session, round_)
        scoring.services.close_session(session=session, by=user)
    assert len(pairings) == len(set(pairings)) == 4 * (pairs // 2)
    play_counts = Counter(one for couple in pairings for one in couple)
    assert set(play_counts.values()) <= {3, 4}  # no one sits out twice
    second, first = load_drawn_rounds(load_session_snapshot(session))
    draw = find_draw(reload_section(session), 2)
    assert {entry["score"] for entry in draw.what["draw"]["input"]["entries"]} == {"0.00"}
    assert all("random draw" in match.reason for match in first.matches)  # no scores
    assert not any("met" in match.reason for match in first.matches)
    repeated_named_field = rounds.build_draw_field_with_names(
        draw_input := dict(reload_section(session).options["swiss"]["first"]["input"]), {}
    )
    assert {
        drawn_round.session_number for drawn_round in repeated_named_field.earlier_rounds
    } == {1}
    assert second.matches
    ns, other_ew = (
        repeated_named_field.earlier_rounds[1].pairings[0].ns,
        repeated_named_field.earlier_rounds[1].pairings[0].ew,
    )
    explanation = DrawReasons(repeated_named_field, [(ns, other_ew)]).explain_match(
        ns, other_ew
    )
    assert "They met in round 2 of session 1" in explanation
    assert draw_round_from_data(draw_input)["pairings"]


@pytest.mark.slow
def test_lost_match_against_withdrawn_opponent_counts_as_sit_out() -> None:
    session, user = swiss_evenings.open_swiss(7)
    play_round(session, 1, user)
    draw = draw_next_round(session, 2, user, random_seed="y")
    one, opponent_number = draw.what["draw"]["pairings"][0][1:]
    place = reload_section(session).places.get(entry__number=one)
    scoring.services.apply_seating_change(
        section=reload_section(session),
        rounds_played=1,
        incident=Withdrawal(place.number),
        continuation_key="swiss-out",
        incident_data={"kind": "left", "names": [], "round": 2},
        by=user,
    )
    play_round(session, 2, user)
    third_draw = draw_next_round(session, 3, user, random_seed="z")
    (second,) = (
        row for row in third_draw.what["draw"]["input"]["history"] if row["round"] == 2
    )
    assert opponent_number in second["sit_out"]
    assert third_draw.what["draw"]["objective"][1] == 0


@pytest.mark.slow
def test_correction_does_not_change_drawn_rounds() -> None:
    session, user = swiss_evenings.open_swiss(8)
    play_round(session, 1, user)
    for change, continuation_key in (
        (WrongBoards(1, 1, 2), "planned"),  # no further round, and no boards of the next draw
        (ExchangedPlaces(1, 2, 1, 1), "return"),
        (TurnedTable(1, 1, 1), "planned"),
    ):
        assert [
            continuation.key
            for continuation in list_continuations(
                load_movement(reload_section(session)), 1, change
            )
        ] == [continuation_key]
    draw_next_round(session, 2, user)
    pairings_before = list_pairings(session, 2)
    (continuation,) = list_continuations(
        load_movement(reload_section(session)), 1, TurnedTable(1, 1, 1)
    )
    seats = load_movement_with_withdrawals(reload_section(session)).meetings
    assert [meeting for meeting in continuation.movement.meetings if meeting.round == 2] == [
        seat for seat in seats if seat.round == 2
    ]
    assert list_pairings(session, 2) == pairings_before


@pytest.mark.slow
@pytest.mark.parametrize("contest", ["pairs", "teams"])
@pytest.mark.parametrize("way", ["one board", "one board of the last round", "a whole set"])
def test_no_entry_is_drawn_to_boards_played_by_mistake(way: str, contest: str) -> None:
    session, user = swiss_evenings.open_swiss(8, contest=contest)
    play_round(session, 1, user)
    sitting = reload_section(session).sittings.get(round=1, table=1)
    if way == "a whole set":
        wrong_boards = WrongBoards(1, 1, 2)
        (continuation,) = list_continuations(
            load_movement(reload_section(session)), 1, wrong_boards
        )
        scoring.services.apply_seating_change(
            section=reload_section(session),
            rounds_played=1,
            incident=wrong_boards,
            continuation_key=continuation.key,
            incident_data={"kind": "boards", "names": [], "round": 1},
            by=user,
        )
    else:
        actual_board = 5 if "last" in way else 3
        scoring.services.record_actual_board(
            sitting=sitting, board=1, really=actual_board, by=user
        )
    for round_ in (2, 3):
        draw_next_round(session, round_, user, random_seed="z")
        play_round(session, round_, user)
    rows = reload_section(session).sittings.all()
    board_play_counts = Counter(
        (player, board) for row in rows for player in list_players(row) for board in row.boards
    )
    assert max(board_play_counts.values()) == 1
    left_out = [row for row in rows if len(row.boards) < 2]
    assert left_out
    assert all(list_players(row) & list_players(sitting) for row in left_out)


@pytest.mark.slow
def test_skipped_boards_are_played_after_mistake_is_undone() -> None:
    session, user = swiss_evenings.open_swiss(8)
    play_round(session, 1, user)
    sitting = reload_section(session).sittings.get(round=1, table=1)
    scoring.services.record_actual_board(sitting=sitting, board=1, really=3, by=user)
    draw_next_round(session, 2, user, random_seed="z")
    second_round_sittings = reload_section(session).sittings.filter(round=2)
    assert sum(len(row.boards) for row in second_round_sittings) < 2 * len(
        second_round_sittings
    )
    scoring.services.record_actual_board(sitting=sitting, board=3, really=1, by=user)
    assert all(len(row.boards) == 2 for row in second_round_sittings.all())


def list_players(row: Sitting) -> set[int]:
    return {row.north_id, row.east_id, row.south_id, row.west_id}


def test_session_sat_out_completely_is_shown_as_carried_over() -> None:
    session, user = swiss_evenings.open_swiss(6, rounds=2, method="victory_points")
    event = session.event
    play_round(session, 1, user)
    draw_next_round(session, 2, user)
    names = ["Ada Late", "Ben Late"]
    scoring.services.apply_seating_change(
        section=reload_section(session),
        rounds_played=2,
        incident=LateArrival(),
        continuation_key="swiss-in",
        incident_data={"kind": "late", "names": names, "round": 3},
        names=names,
        by=user,
    )
    play_round(session, 2, user)
    late_entry = event.entries.get(number=7)
    scoring.services.make_ruling(
        kind="penalty", entry=late_entry, session=session, amount=1, reason="late", by=user
    )
    scoring.services.close_session(session=session, by=user)
    later_session = tournaments.services.add_session(event=event, by=user)
    scoring.services.seat_swiss(
        session=later_session,
        plan=SwissPlan(2),
        boards_a_round=2,
        copy_count=4,
        method="victory_points",
        random_seed="x",
        by=user,
    )
    later_session = scoring.services.open_session(session=later_session, by=user)
    play_round(later_session, 1, user)
    ranking = score_event(Event.objects.get(pk=event.pk))
    for number in range(1, 8):
        assert (
            score_account(ScoreExplainers(ranking), number).amount
            == ranking.scores_by_entry[number]
        )
    carry_over_step = score_account(ScoreExplainers(ranking), 7).parts[-1]
    assert carry_over_step.amount == 2 * 10 - 1


@pytest.mark.slow
def test_slips_of_later_session_hide_scores_of_session_in_play() -> None:
    session, user = swiss_evenings.open_swiss(6, rounds=2)
    event = session.event
    *finished_tables, last_table = [
        table for table in load_session_snapshot(session).tables if table.is_played
    ]
    plays = [
        (table.sitting_id, board, "9") for table in finished_tables for board in table.boards
    ]
    evenings.enter_all_results(
        [*plays, (last_table.sitting_id, last_table.boards[0], "13")], user
    )
    later_session = tournaments.services.add_session(event=event, by=user)
    scoring.services.seat_swiss(
        session=later_session,
        plan=SwissPlan(2),
        boards_a_round=2,
        copy_count=4,
        random_seed="x",
        by=user,
    )
    later_session = scoring.services.open_session(session=later_session, by=user)
    play_round(later_session, 1, user)
    draw_next_round(later_session, 2, user)

    def has_reason() -> bool:
        (slips,) = load_last_public_drawn_rounds(load_session_snapshot(later_session))
        return any(line.reason for line in slips.lines)

    assert not has_reason()  # they keep one board of a table, which others may wait for
    evenings.enter_all_results([(last_table.sitting_id, last_table.boards[1], "7")], user)
    scoring.services.close_session(session=session, by=user)
    assert has_reason()
