"""With an odd number of teams, three teams play each other in half matches."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

import scoring.services
from exchange.eventfile.exporter import encode_event_file, export_event
from exchange.eventfile.importer import import_event
from scoring.services.swiss import find_draw, recompute_changed_draw
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.draws import load_drawn_rounds
from scoring.standings_engine.explanations import explain_corrected_total as corrected_account
from scoring.standings_engine.scores import score_event
from tests import evenings
from tests.scoring.swiss import swiss_evenings
from tests.scoring.swiss.swiss_evenings import play_round, reload_section
from tournaments.board_counts import count_boards
from tournaments.errors import ActionUnavailable, InvalidSeating
from tournaments.movements.changes import Withdrawal
from tournaments.swiss.plan import InvalidPlan, SwissPlan

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def open_swiss(teams: int = 7, rounds: int = 3, **plan):
    return swiss_evenings.open_swiss(teams, rounds, contest="teams", three_way=True, **plan)


def draw_next_round(session, round_, user, **options):
    return scoring.services.draw_round(
        section=reload_section(session), round_number=round_, by=user, **options
    )


def play_draw(session, draw_number: int, user, random_generator: Random | None = None) -> None:
    for round_number in (2 * draw_number - 1, 2 * draw_number):
        play_round(session, round_number, user, random_generator=random_generator)


def list_tables_of_draw(session, draw_number: int):
    halves = (2 * draw_number - 1, 2 * draw_number)
    return [
        table
        for table in load_session_snapshot(session).tables
        if table.round in halves and table.is_played
    ]


def check_round(session, draw_number: int, teams: int) -> None:
    """Check that all teams play each half once, and each two teams their boards both ways."""
    tables = list_tables_of_draw(session, draw_number)
    for half in (2 * draw_number - 1, 2 * draw_number):
        now = [one_table for one_table in tables if one_table.round == half]
        places = Counter(
            place
            for seated_table in now
            for place in (*seated_table.ns.places, *seated_table.ew.places)
        )
        assert len(places) == 2 * teams
        assert set(places.values()) == {1}
    ns_entries_by_meeting: dict[tuple[frozenset[int], int], set[int]] = {}
    for table in tables:
        opponents = frozenset((table.ns.entries[0], table.ew.entries[0]))
        assert len(opponents) == 2
        for board in table.boards:
            ns_entries_by_meeting.setdefault((opponents, board), set()).add(table.ns.entries[0])
    assert all(
        ns_entries == set(opponents)
        for (opponents, _board), ns_entries in ns_entries_by_meeting.items()
    )
    boards = Counter(team for opponents, _board in ns_entries_by_meeting for team in opponents)
    assert set(boards.values()) == {2}  # a match of two boards for everyone
    match_counts = Counter(
        team
        for opponents in {opponents for opponents, _ in ns_entries_by_meeting}
        for team in opponents
    )
    assert sorted(match_counts.values()) == [1] * (teams - 3) + [2] * 3


@pytest.mark.parametrize("method", ["tricks", "victory_points"])
@pytest.mark.parametrize("teams", [5, 7, 9])
def test_odd_number_of_teams_plays_without_sit_out(teams: int, method: str) -> None:
    session, user = open_swiss(teams, method=method)
    lots = Random(f"{teams} {method}")
    assert count_boards(session) == 3 * 3  # a third set for the three
    for number in (1, 2, 3):
        check_round(session, number, teams)
        if number < 3:
            with pytest.raises(ActionUnavailable, match="Results are missing"):
                draw_next_round(session, 2 * number + 1, user)
        play_draw(session, number, user, lots)
        ranking = score_event(session.event)
        assert not any(ranking.tally.missed_rounds_by_session.values())
        expected_total = 10 * teams * number if method == "victory_points" else 0
        assert sum(ranking.scores_by_entry.values()) == expected_total
        if number < 3:
            draw = draw_next_round(session, 2 * number + 1, user)
            assert find_draw(reload_section(session), 2 * number + 2) == draw
    for entry, total in ranking.corrected_totals_by_entry.items():
        step = corrected_account(ranking, entry)
        assert sum((item.amount for item in step.parts), Fraction()) == total
    three_way_rounds = [
        sheet
        for sheet in load_drawn_rounds(load_session_snapshot(session))
        if sheet.has_three_way_match
    ]
    titles = ["Rounds 5 and 6", "Rounds 3 and 4", "Rounds 1 and 2"]
    assert [sheet.title for sheet in three_way_rounds] == titles
    with pytest.raises(ActionUnavailable, match="6 rounds planned"):
        draw_next_round(session, 7, user)


def test_same_three_teams_do_not_meet_again() -> None:
    session, user = open_swiss(9)
    entries: Counter[frozenset[int]] = Counter()
    for number in (1, 2, 3):
        tables = list_tables_of_draw(session, number)
        entries.update(
            {frozenset((table.ns.entries[0], table.ew.entries[0])) for table in tables}
        )
        play_draw(session, number, user)
        if number < 3:
            draw_next_round(session, 2 * number + 1, user)
    assert set(entries.values()) == {1}


def test_draw_seats_and_undoes_both_half_matches() -> None:
    session, user = open_swiss()
    play_draw(session, 1, user)
    draw = draw_next_round(session, 3, user)
    assert reload_section(session).rounds == 4
    table = list_tables_of_draw(session, 1)[0]
    for board in table.boards:
        evenings.enter_result(session, table.sitting_id, board, "13", user)
    assert recompute_changed_draw(draw) is not None
    repeated_draw = scoring.services.redraw_round(change=draw, by=user)
    assert reload_section(session).rounds == 4
    check_round(session, 2, 7)
    scoring.services.undo_change(change=repeated_draw, by=user)
    assert reload_section(session).rounds == 2
    third_draw = draw_next_round(session, 3, user)
    later_table = next(table for table in list_tables_of_draw(session, 2) if table.round == 4)
    evenings.enter_result(session, later_table.sitting_id, later_table.boards[0], "7", user)
    with pytest.raises(ActionUnavailable, match="has been scored"):
        scoring.services.undo_change(change=third_draw, by=user)
    assert reload_section(session).rounds == 4


def test_withdrawal_of_one_team_leaves_even_number() -> None:
    session, user = open_swiss(method="victory_points")
    play_draw(session, 1, user)
    section = reload_section(session)
    scoring.services.apply_seating_change(
        section=section,
        rounds_played=2,
        incident=Withdrawal(section.places.filter(entry__number=2)[0].number),
        continuation_key="swiss-out",
        incident_data={"kind": "left", "names": [], "round": 3},
        names=[],
        by=user,
    )
    draw = draw_next_round(session, 3, user)
    assert "three_way" not in draw.what["draw"]
    assert len(draw.what["draw"]["pairings"]) == 3
    play_draw(session, 2, user)
    ranking = score_event(session.event)
    assert sum(ranking.scores_by_entry.values()) == 70 + 60


def test_file_and_pages_show_half_matches(client: Client) -> None:
    session, user = open_swiss()
    play_draw(session, 1, user)
    draw_next_round(session, 3, user)
    client.force_login(user)
    text = encode_event_file(export_event(session.event, should_include_deals=False))
    repeated_event = import_event(document=text, by=user)
    section = repeated_event.sessions.get().sections.get()
    assert (section.rounds, section.planned_round_count) == (4, 6)
    assert (
        score_event(repeated_event).scores_by_entry
        == score_event(session.event).scores_by_entry
    )
    page = client.get(reverse("draws", args=[session.event.slug]), follow=True).content.decode()
    assert "Rounds 3 and 4" in page
    assert "each plays half a match" in page


def test_invalid_three_way_settings_are_refused_with_suggestion() -> None:
    event, user = evenings.create_event(7)
    session = event.sessions.get()
    plan = SwissPlan(3, three_way=True)
    with pytest.raises(InvalidSeating, match="Have the odd pair sit out"):
        scoring.services.seat_swiss(
            session=session, plan=plan, boards_a_round=2, copy_count=9, by=user
        )
    with pytest.raises(InvalidPlan, match="an even number of boards"):
        scoring.services.seat_swiss(
            session=session, plan=plan, boards_a_round=3, copy_count=9, by=user
        )
