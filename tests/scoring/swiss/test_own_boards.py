"""Team matches can use their own boards, which no other match plays."""

from collections import Counter
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

import scoring.services
from exchange.eventfile.exporter import encode_event_file, export_event
from exchange.eventfile.importer import import_event
from scoring.models import Result
from scoring.services.swiss import find_draw
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine.scores import score_event
from tests import evenings
from tests.scoring.swiss import swiss_evenings
from tests.scoring.swiss.swiss_evenings import play_round, reload_section
from tournaments.board_counts import count_boards
from tournaments.errors import InvalidSeating
from tournaments.movements.announcement import list_announcement_topics
from tournaments.movements.changes import LateArrival, Withdrawal
from tournaments.movements.drawn_rounds import count_planned_board_sets
from tournaments.seating_snapshot import load_movement_with_withdrawals
from tournaments.swiss.plan import SwissPlan

pytestmark = pytest.mark.django_db


def open_swiss(teams: int, rounds: int = 3, **plan):
    return swiss_evenings.open_swiss(teams, rounds, contest="teams", own_boards=True, **plan)


def draw_next_round(session, round_, user, **options):
    return scoring.services.draw_round(
        section=reload_section(session), round_number=round_, by=user, **options
    )


def list_matches_by_board(session) -> dict[int, set[tuple[int, frozenset[int]]]]:
    """Return the matches that play each board: the draw and the teams."""
    halves = 2 if reload_section(session).options["swiss"].get("three_way") else 1
    actual: dict[int, set[tuple[int, frozenset[int]]]] = {}
    for table in load_session_snapshot(session).tables:
        for board in table.boards if table.is_played else ():
            opponents = frozenset((table.ns.entries[0], table.ew.entries[0]))
            actual.setdefault(board, set()).add((-(-table.round // halves), opponents))
    return actual


@pytest.mark.slow
@pytest.mark.parametrize("three_way", [False, True])
@pytest.mark.parametrize("teams", [4, 5, 7, 8])
def test_boards_of_a_match_are_used_by_no_other_match(teams: int, three_way: bool) -> None:
    rounds = 3 if teams > 4 else 2
    session, user = open_swiss(teams, rounds, three_way=three_way)
    board_count, halves = count_boards(session), 2 if three_way else 1
    random_generator = Random(str(teams))
    for number in range(1, rounds + 1):
        if number > 1:
            draw_next_round(session, halves * (number - 1) + 1, user)
        for half in range(halves):
            play_round(
                session,
                halves * (number - 1) + half + 1,
                user,
                random_generator=random_generator,
            )
    matches_by_board = list_matches_by_board(session)
    assert {len(matches) for matches in matches_by_board.values()} == {1}
    assert sorted(matches_by_board) == list(
        range(1, board_count + 1)
    )  # as many as were dealt in advance
    sizes = [
        sum(match in matches for matches in matches_by_board.values())
        for match in set.union(*matches_by_board.values())
    ]
    three_way_team_count = (
        3 if three_way and teams % 2 else 0
    )  # each of those meets two, one board each
    assert sorted(sizes) == sorted(
        [2] * ((teams - three_way_team_count) // 2 * rounds)
        + [1] * (three_way_team_count * rounds)
    )


@pytest.mark.slow
def test_match_score_uses_only_its_own_boards() -> None:
    """Net tricks, added up board by board at the two tables of each match."""
    session, user = open_swiss(6)
    play_round(session, 1, user, random_generator=Random("net"))
    rows = Result.objects.filter(sitting__section__session=session)
    ns_tricks_by_play = {(row.sitting_id, row.board): row.ns_tricks for row in rows}
    expected: dict[int, int] = {}
    for table in load_session_snapshot(session).tables:
        for board in table.boards if table.is_played else ():
            ns_tricks = ns_tricks_by_play[table.sitting_id, board]
            for team, own in (
                (table.ns.entries[0], ns_tricks),
                (table.ew.entries[0], 13 - ns_tricks),
            ):
                expected[team] = expected.get(team, 0) + own
    expected = {team: tricks - 2 * 13 for team, tricks in expected.items()}
    assert score_event(session.event).scores_by_entry == expected


@pytest.mark.slow
def test_redrawn_round_uses_same_boards_and_next_round_uses_others() -> None:
    session, user = open_swiss(6)
    play_round(session, 1, user)
    first_draw = draw_next_round(session, 2, user)
    board_groups_before = {row[-1] for row in first_draw.after["sittings"]}
    scoring.services.undo_change(change=first_draw, by=user)
    assert {
        row[-1] for row in draw_next_round(session, 2, user).after["sittings"]
    } == board_groups_before
    play_round(session, 2, user)
    draw_next_round(session, 3, user)
    play_round(session, 3, user)
    assert {len(matches) for matches in list_matches_by_board(session).values()} == {1}


@pytest.mark.slow
@pytest.mark.parametrize("is_late_arrival", [True, False])
def test_late_or_withdrawn_entry_is_not_given_played_boards(*, is_late_arrival: bool) -> None:
    """An even field becomes odd, so a team sits out; an odd one even: one more match."""
    session, user = open_swiss(7 if is_late_arrival else 8)
    play_round(session, 1, user)
    names = [f"Late {letter}" for letter in "abcd"] if is_late_arrival else []
    remaining_place = (
        reload_section(session).places.filter(entry__number=8).order_by("number").first()
    )
    scoring.services.apply_seating_change(
        section=reload_section(session),
        rounds_played=1,
        incident=LateArrival() if is_late_arrival else Withdrawal(remaining_place.number),
        continuation_key="swiss-in" if is_late_arrival else "swiss-out",
        incident_data={
            "kind": "late" if is_late_arrival else "left",
            "names": names,
            "round": 2,
        },
        names=names,
        by=user,
    )
    for number in (2, 3):
        draw_next_round(session, number, user)
        play_round(session, number, user)
    matches_by_board = list_matches_by_board(session)
    assert {len(matches) for matches in matches_by_board.values()} == {1}
    boards_per_round = Counter(
        round_ for matches in matches_by_board.values() for round_, _opponents in matches
    )
    assert boards_per_round == ({1: 6, 2: 8, 3: 8} if is_late_arrival else {1: 8, 2: 6, 3: 6})
    assert count_boards(session) == sum(boards_per_round.values())


@pytest.mark.parametrize(
    ("plan", "seated_round_count", "used_set_count", "tables", "expected_set_count"),
    [
        (
            SwissPlan(6, own_boards=True),
            1,
            8,
            16,
            48,
        ),  # 16 teams: 8 matches in each of 6 rounds
        (SwissPlan(6, own_boards=True), 6, 48, 16, 48),
        (SwissPlan(3, own_boards=True, three_way=True), 2, 7, 7, 21),  # 7 teams: 2 × 2 + 3
        (SwissPlan(3, own_boards=True, knockout=True), 1, 4, 8, 7),  # 8 teams: 4 + 2 + 1
        (SwissPlan(6, own_boards=True, knockout=True, segments=2), 1, 4, 8, 14),
        (
            SwissPlan(3, own_boards=True, knockout=True),
            1,
            1,
            2,
            4,
        ),  # 5 teams: one match, then 2 + 1
    ],
)
def test_board_sets_for_upcoming_rounds_are_counted(
    plan, seated_round_count, used_set_count, tables, expected_set_count
) -> None:
    options = {"swiss": plan.as_data()}
    assert (
        count_planned_board_sets(
            options, seated_round_count, used_set_count=used_set_count, table_count=tables
        )
        == expected_set_count
    )


@pytest.mark.slow
def test_own_boards_for_pairs_are_refused_with_valid_suggestion() -> None:
    event, user = evenings.create_event(8)
    session = event.sessions.get()
    expected = {"session": session, "boards_a_round": 2, "copy_count": 4, "by": user}
    with pytest.raises(InvalidSeating, match="Make copies"):
        scoring.services.seat_swiss(plan=SwissPlan(3, own_boards=True), **expected)
    assert scoring.services.seat_swiss(plan=SwissPlan(3), **expected).rounds == 1


@pytest.mark.slow
def test_announcement_explains_which_matches_share_boards() -> None:
    for teams, plan, arguments in [
        (8, {"own_boards": True}, "No other match plays them."),
        (7, {"own_boards": True, "three_way": True}, "No other match plays them."),
        (8, {}, "All tables play the same boards in a round."),
        (5, {"three_way": True}, "Three teams that play each other have their own boards"),
        (7, {"three_way": True}, "Three teams that play each other have their own boards"),
    ]:
        session, _user = swiss_evenings.open_swiss(teams, 3, contest="teams", **plan)
        assert arguments in " ".join(
            list_announcement_topics(load_movement_with_withdrawals(reload_section(session)))
        )


@pytest.mark.slow
def test_own_boards_survive_form_file_and_next_draw() -> None:
    event, user = evenings.create_event(0, contest="teams")
    names = ([f"{name} {letter}" for letter in "abcd"] for name in evenings.SURNAMES[:8])
    evenings.enter_everybody(event, names, user)
    client = Client()
    client.force_login(user)
    form = {
        "rounds": "3",
        "boards_a_round": "4",
        "copies": "1",
        "method": "swiss",
        "first": "lot",
        "scored": "tricks",
    }
    page = reverse("swiss", args=[event.slug])
    response = client.post(page, form)
    assert "use separate boards for each match" in response.content.decode()
    assert client.post(page, form | {"own_boards": "on"}).status_code == 302
    session = event.sessions.get()
    assert count_boards(session) == 3 * 4 * 4
    scoring.services.open_session(session=session, by=user)
    play_round(session, 1, user)
    document = encode_event_file(export_event(event, should_include_deals=False))
    other_event = import_event(club=event.club, document=document, by=user)
    copy = other_event.sessions.get()
    draw = draw_next_round(copy, 2, user)
    assert {row[-1] for row in draw.after["sittings"] if row[0] == 2} == {5, 6, 7, 8}
    assert find_draw(reload_section(copy), 2) == draw
