"""Numbers on pages add up for a player with a pencil, in every contest at every moment."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from itertools import pairwise

import pytest
from django.test import Client

import scoring.services
import tournaments.services
from scoring.methods import METHODS_BY_NAME
from scoring.models import Terms
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.explanations import build_explanation, load_explanation_data
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.standings_text import describe_ranking_score, format_standings
from scoring.sheets.travellers import load_scorecard
from scoring.sheets.values import RankedGroup, RankTable
from scoring.standings_engine import standings
from scoring.templatetags.scoring import get_comparison_average
from tests import evenings
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement
from tournaments.services.seats import arrange_entries

pytestmark = pytest.mark.django_db
EVENT_SETUPS = [
    # contest, method, movement, its size, players of each entry
    ("pairs", "plus_minus", "compass", {"pairs": 6}, [2] * 6),
    ("pairs", "plus_minus", "compass", {"pairs": 5}, [2] * 5),
    ("pairs", "plus_minus", "compass-skip", {"pairs": 8}, [2] * 8),
    ("pairs", "field_average", "compass", {"pairs": 6}, [2] * 6),
    ("pairs", "field_average", "compass-skip", {"pairs": 8}, [2] * 8),
    ("pairs", "tricks", "compass", {"pairs": 5}, [2] * 5),
    ("pairs", "matchpoints", "howell", {"pairs": 4}, [2] * 4),
    ("pairs", "field_average", "howell", {"pairs": 4}, [2] * 4),
    ("teams", "tricks", "gilman", {"teams": 3}, [4] * 3),
    ("individual", "plus_minus", "whist-individual", {"players": 8}, [1] * 8),
    ("memory", "plus_minus", "memory", {"pairs": 2}, [2] * 2),
]


def open_session(
    contest: str, method: str, movement: str, size: dict[str, int], entries: list[int]
) -> Session:
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club,
        name=movement,
        date=date(2026, 3, 10),
        contest=contest,
        method=method,
        by=user,
    )
    names = (
        [f"{evenings.SURNAMES[number]} {letter}" for letter in "abcd"[:players]]
        for number, players in enumerate(entries)
    )
    evenings.enter_everybody(event, names, user)
    session = event.sessions.get()
    chosen_movement = build_named_movement(movement, **size)
    tournaments.services.seat_section(
        session=session,
        movement=chosen_movement,
        entries_by_place=arrange_entries(
            chosen_movement, list(event.entries.order_by("number"))
        ),
        boards_a_round=2,
        by=user,
    )
    session.refresh_from_db()
    return scoring.services.open_session(session=session, by=user)


def list_moments(session: Session) -> Iterator[Event]:
    """Yield the event after one result, half of them, all of them, and the close."""
    user = evenings.create_club_with_director()[1]
    snapshot = load_session_snapshot(session)
    plays = [
        (table, board) for table in snapshot.tables if table.is_played for board in table.boards
    ]
    entered_results = [
        (
            seated_table.sitting_id,
            board,
            str((board * 5 + seated_table.table_number * 3 + seated_table.round * 7) % 14),
        )
        for seated_table, board in plays
    ]
    for begin, end in pairwise((0, 1, len(entered_results) // 2, len(entered_results))):
        evenings.enter_all_results(entered_results[begin:end], user)
        standings.update_standings(session.event)
        yield Event.objects.get(pk=session.event_id)
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    yield Event.objects.get(pk=session.event_id)


def check_averages(table: RankTable) -> None:
    averages_by_section: dict[str, dict[str, Fraction]] = {}
    for field in table.fields:
        for row in field.rows if field.average is not None else ():
            assert row.tricks - field.average == row.score
        if field.average is not None:
            averages_by_section.setdefault(field.section, {})[field.field] = field.average
    for averages in averages_by_section.values():
        boards = {row.boards for field in table.fields for row in field.rows}
        if {"NS", "EW"} <= averages.keys() and len(boards) == 1:
            assert averages["NS"] + averages["EW"] == 13 * boards.pop()


def check_rank_order(table: RankTable) -> None:
    for field in table.fields:
        ranking_values = [row.percent or row.a_board or Fraction() for row in field.rows]
        if not field.is_scored_by_board and field.rows[0].percent is None:
            ranking_values = [row.score for row in field.rows]
        assert ranking_values == sorted(ranking_values, reverse=True)
        for row in field.rows:
            assert row.a_board is None or row.a_board * row.boards == row.score
        ranking_score_text = describe_ranking_score(field.rows, table.method)
        assert bool(ranking_score_text) is not field.is_level
        assert ("score per board" in ranking_score_text) is field.is_scored_by_board
        assert not field.is_level or not field.is_scored_by_board


def check_overall_winners(table: RankTable) -> None:
    boards = {row.boards for field in table.fields for row in field.rows}
    assert not table.overall_winners or table.is_final or len(boards) == 1
    assert bool(table.overall_winners) or not table.is_final


@pytest.mark.slow
@pytest.mark.parametrize(("contest", "method", "movement", "size", "entries"), EVENT_SETUPS)
def test_explanations_sum_correctly_after_every_result(
    contest, method, movement, size, entries
):
    session = open_session(contest, method, movement, size, entries)
    for event in list_moments(session):
        for all_results in (True, False):
            table = load_rank_table(event, should_include_hidden_results=all_results)
            check_averages(table)
            check_rank_order(table)
            check_overall_winners(table)
            explanation_data = load_explanation_data(
                event, should_include_hidden_results=all_results
            )
            snapshot = load_session_snapshot(session)
            for field in table.fields:
                for row in field.rows[:2]:
                    entry = event.entries.get(number=row.entry)
                    number_keys = {
                        explained_number.key
                        for explained_number in build_explanation(
                            explanation_data, entry
                        ).explained_numbers
                    }
                    assert ("average" in number_keys) is (field.average is not None)
                    card = load_scorecard(
                        snapshot, entry, table, should_include_hidden_results=all_results
                    )
                    measure = get_comparison_average(card)
                    if measure is not None and card.rank is not None:
                        assert card.rank.tricks - measure == card.rank.score


@pytest.mark.slow
def test_worked_example_of_a_skip_mitchell_shows_no_average():
    """Six tables: each pair plays five of six board groups, so totals are not comparable."""
    session = open_session("pairs", "plus_minus", "compass-skip", {"pairs": 12}, [2] * 12)
    *_, event = list_moments(session)
    fields = load_rank_table(event).fields
    assert [field.average for field in fields] == [None, None]
    assert {row.boards for field in fields for row in field.rows} == {10}
    page = Client().get(f"/events/{event.slug}/").content.decode()
    assert "The field’s average is" not in page
    assert "The field’s average is" not in page


@pytest.mark.parametrize(
    ("unequal_boards_term", "by_board", "expected_text"),
    [
        ("per_board", True, "ranked by score per board"),
        ("sums", False, "ranked by total score"),
    ],
)
def test_unequal_boards_term_determines_places_and_is_shown_on_every_page(
    unequal_boards_term, by_board, expected_text
):
    session, user = evenings.play_session()
    table = load_session_snapshot(session).tables[0]
    evenings.enter_result(session, table.sitting_id, 1, "-", user)
    scoring.services.close_session(session=session, by=user)
    scoring.services.set_scoring_terms(
        event=session.event, method="tricks", unequal_boards=unequal_boards_term, by=None
    )
    standings.update_standings(session.event)
    event = Event.objects.get(pk=session.event_id)
    table = load_rank_table(event)
    field = table.fields[0]
    assert {row.boards for row in field.rows} == {5, 6}
    assert field.is_scored_by_board is by_board
    check_rank_order(table)
    root_url = f"/events/{event.slug}/"
    for page in (root_url, f"{root_url}screen/", f"{root_url}recap/"):
        assert expected_text in Client().get(page).content.decode(), page
    assert any(expected_text in line for line in format_standings(table))
    explanation = build_explanation(
        load_explanation_data(event), event.entries.get(number=field.rows[0].entry)
    )
    rank_sentences = [
        step.sentence
        for figure in explanation.explained_numbers
        if figure.key == "rank"
        for step in figure.steps
    ]
    assert ("per board" in rank_sentences[-1]) is by_board
    assert "same number of boards" in rank_sentences[-1]


@pytest.mark.slow
def test_scorecard_names_a_winner_only_at_the_end_and_no_leader_on_unequal_boards():
    session, user = evenings.open_session(4, movement="howell")
    plays = [
        (table, board)
        for table in load_session_snapshot(session).tables
        for board in table.boards
    ]
    leader_shown_flags = []
    for place, (table, board) in enumerate(plays, start=1):
        evenings.enter_result(session, table.sitting_id, board, str((3 * place) % 14), user)
        standings.update_standings(session.event)
        pages = [
            Client().get(f"/events/{session.event.slug}/entries/{number}/").content.decode()
            for number in range(1, 5)
        ]
        assert not any("overall winner" in page for page in pages)
        leader_shown_flags.append(any("leads overall" in page for page in pages))
    # After each round of two tables with two boards all have played the same number;
    # half a round more does not count yet.
    assert leader_shown_flags == [
        place > 1 and place % 4 < 2 for place in range(1, len(plays) + 1)
    ]
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    table = load_rank_table(Event.objects.get(pk=session.event_id))
    assert table.overall_winners
    for number in range(1, 5):
        page = Client().get(f"/events/{session.event.slug}/entries/{number}/").content.decode()
        assert ("overall winner" in page) is (number in table.overall_winners)
        assert "leads overall" not in page


@pytest.mark.slow
def test_ranking_heading_names_the_only_session_played_so_far():
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    tournaments.services.add_session(event=session.event, date=date(2026, 11, 29), by=user)
    second_session = session.event.sessions.get(number=2)
    tournaments.services.seat_section(
        session=second_session,
        movement=build_named_movement("compass", pairs=6),
        boards_a_round=2,
        by=user,
    )
    standings.update_standings(session.event)
    event = Event.objects.get(pk=session.event_id)
    table = load_rank_table(event)
    assert (table.heading.session_number, table.heading.date) == (1, session.day)
    assert (table.complete, table.missing, table.is_final) == (True, 0, False)
    for page in ("", "screen/", "standings/"):
        html = (
            Client(headers={"HX-Request": "true"})
            .get(f"/events/{event.slug}/{page}")
            .content.decode()
        )
        assert "So far" in html, page
        assert "Provisional" not in html, page
    scoring.services.open_session(session=second_session, by=user)
    assert load_rank_table(Event.objects.get(pk=event.pk)).heading.session_number == 2


def test_standard_hoyle_term_has_its_own_explanation():
    """The Standard Hoyle's example: an average of 250, and a total of 380 is +130 (L3)."""
    method = METHODS_BY_NAME["field_average"]
    assert "field average" in method.explanation
    session, user = evenings.play_session()
    scoring.services.set_scoring_terms(event=session.event, method="field_average", by=user)
    standings.update_standings(session.event)
    event = Event.objects.get(pk=session.event_id)
    fields = load_rank_table(event).fields
    assert all(isinstance(field, RankedGroup) and field.average for field in fields)
    explanation = build_explanation(
        load_explanation_data(event, should_include_hidden_results=True),
        event.entries.get(number=1),
    )
    (score,) = [
        figure.steps[-1] for figure in explanation.explained_numbers if figure.key == "score"
    ]
    assert "minus the field average" in score.sentence
    assert sum(part.amount for part in score.parts) == score.amount
    assert Terms.objects.get(event=event).method == "field_average"
