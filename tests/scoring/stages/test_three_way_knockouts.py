"""Knock-outs with three-way matches in round 1 instead of byes."""

import csv
import html
from collections import Counter
from datetime import date
from itertools import combinations
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

import hall.history.undo
import scoring.services
from clubs import audit
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.exporter import encode_event_file, export_event
from exchange.eventfile.importer import import_event
from exchange.results.event_results import load_results
from exchange.results.tables import build_csv_folder
from scoring.errors import StageRefused
from scoring.models import Knockout, Result
from scoring.papers import bracket as bracket_paper
from scoring.services.swiss import find_draw
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.brackets import build_bracket_sheet
from scoring.sheets.draws import load_drawn_rounds
from scoring.standings_engine.knockouts import load_bracket
from server.models import User
from tests import evenings
from tests.copies import build_once
from tests.scoring.papers import stage_samples
from tests.scoring.papers.reading import read_texts
from tests.scoring.swiss.swiss_evenings import reload_section
from tournaments.board_counts import count_boards
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement
from tournaments.movements.changes import Withdrawal
from tournaments.services import arrange_entries

pytestmark = pytest.mark.django_db


@build_once
def create_event_with_teams(teams: int) -> tuple[Event, User]:
    """Return this many teams without seats."""
    event, user = evenings.create_event(0, contest="teams")
    names = (
        [f"{evenings.SURNAMES[number]} {letter}" for letter in "abcd"]
        for number in range(teams)
    )
    evenings.enter_everybody(event, names, user)
    return event, user


def create_bracket(teams: int, **options) -> tuple[Event, User]:
    event, user = create_event_with_teams(teams)
    scoring.services.set_bracket(
        event=event, seeds=range(1, teams + 1), three_way=True, by=user, **options
    )
    return reload_event(event), user


def reload_event(event: Event) -> Event:
    return Event.objects.select_related("club", "terms", "knockout").get(pk=event.pk)


def record_match(event: Event, key: tuple[int, int], user: User, **fields):
    return scoring.services.record_match(event=event, match_key=key, by=user, **fields)


def load_current_bracket(event: Event):
    return load_bracket(Knockout.objects.select_related("event__terms").get(event=event))


# Typed scores.


@pytest.mark.slow
def test_net_tricks_decide_three_way_match_and_desk_lists_missing_scores() -> None:
    event, user = create_bracket(5)  # 1 against 4; 2, 3 and 5
    with pytest.raises(StageRefused, match="three margins per segment"):
        record_match(event, (1, 2), user, margins=["3", "1"])
    recorded_match = record_match(event, (1, 2), user, margins=["1", "3", "2"])  # −1, +2, −1
    assert recorded_match.rounds[1][0].second_side == 3
    record_match(event, (1, 1), user, margins=["1"])
    recorded_match = record_match(event, (2, 1), user, margins=["-2"])
    assert recorded_match.champion_number == 3
    sheet = build_bracket_sheet(reload_event(event), should_include_hidden_results=True)
    match = sheet.rounds[0].matches[1]
    assert [side.margin for side in match.sides] == ["−1", "+2", "−1"]
    assert match.note == "three-way"


@pytest.mark.slow
def test_two_winners_of_three_way_match_meet_again_only_in_final() -> None:
    event, user = create_bracket(7)  # 1, 3 and 7, of whom two go on
    record_match(event, (1, 2), user, margins=["1"])
    record_match(event, (1, 3), user, margins=["1"])
    recorded_match = record_match(event, (1, 1), user, margins=["-2", "0", "5"])
    assert recorded_match.rounds[0][0].advancing_sides == (7, 3)
    assert [(m.first_side, m.second_side) for m in recorded_match.rounds[1]] == [(7, 4), (2, 3)]
    with pytest.raises(StageRefused, match="Choose both"):
        record_match(event, (1, 1), user, winner_number=1)
    with pytest.raises(StageRefused, match="Choose both"):
        record_match(event, (1, 1), user, winner_number=1, second_winner_number=1)
    with pytest.raises(StageRefused, match="Number 4 isn’t in that match"):
        record_match(event, (1, 1), user, winner_number=1, second_winner_number=4)
    recorded_match = record_match(
        event, (1, 1), user, winner_number=1, second_winner_number=7
    )  # number 3 is absent
    assert [(m.first_side, m.second_side) for m in recorded_match.rounds[1]] == [(1, 4), (2, 7)]
    with pytest.raises(StageRefused, match="One goes through"):
        record_match(event, (1, 2), user, winner_number=4, second_winner_number=5)


@pytest.mark.slow
def test_tied_three_way_match_needs_extra_boards_or_seed_if_configured() -> None:
    for seed_wins in (False, True):
        event, user = create_bracket(6, seed_wins=seed_wins)  # 1, 4 and 6; 2, 3 and 5
        recorded_match = record_match(event, (1, 1), user, margins=["2", "2", "2"])
        assert recorded_match.rounds[0][0].is_level
        sheet = build_bracket_sheet(reload_event(event), should_include_hidden_results=True)
        names = {entry.number: entry.name for entry in event.entries.all()}
        note = sheet.rounds[0].matches[0].note
        assert note.endswith(", ".join(names[number] for number in (1, 4, 6)))
        recorded_match = record_match(
            event, (1, 1), user, margins=["2", "2", "2"], extra_margins=["0", "0", "0"]
        )
        assert recorded_match.rounds[0][0].advancing_sides == ((1,) if seed_wins else ())


@pytest.mark.slow
def test_correction_of_either_winner_requires_confirmation_and_can_be_undone() -> None:
    event, user = create_bracket(7)
    for key, margins in (((1, 1), ["3", "1", "0"]), ((1, 2), ["1"]), ((1, 3), ["1"])):
        record_match(event, key, user, margins=margins)  # of three +3, −2, −1: 1 and 7 go on
    assert load_current_bracket(event).rounds[0][0].advancing_sides == (1, 7)
    record_match(event, (2, 2), user, margins=["-4"])  # 7 beats 2
    matches_before = Knockout.objects.get().matches
    with pytest.raises(StageRefused, match=r"the next match \(round 2\) has begun"):
        record_match(event, (1, 1), user, margins=["3", "3", "0"])  # now 1 and 3
    assert Knockout.objects.get().matches == matches_before
    recorded_match = record_match(
        event, (1, 1), user, margins=["3", "3", "0"], later_choice="keep"
    )
    assert recorded_match.rounds[0][0].advancing_sides == (1, 7)
    acts = audit.list_acts(event).filter(action="match.decided")
    hall.history.undo.undo_event_act(event=event, act=acts.first(), by=user)
    assert Knockout.objects.get().matches == matches_before
    recorded_match = record_match(
        event, (1, 1), user, margins=["3", "3", "0"], later_choice="take_back"
    )
    assert recorded_match.rounds[1][1].first_side == 2
    assert recorded_match.rounds[1][1].second_side == 3
    assert recorded_match.rounds[1][1].winner is None
    hall.history.undo.undo_event_act(event=event, act=acts.first(), by=user)
    assert Knockout.objects.get().matches == matches_before
    hall.history.undo.undo_event_act(event=event, act=acts.first(), by=user)  # and again
    assert load_current_bracket(event).rounds[0][0].advancing_sides == (1, 3)
    recorded_match = record_match(
        event, (1, 1), user, margins=["3", "3", "-1"]
    )  # the same two go on
    assert recorded_match.rounds[0][0].advancing_sides == (1, 3)


@pytest.mark.slow
@pytest.mark.parametrize(("entrants", "typed"), [(5, ["1"]), (7, ["3", "1", "0"])])
def test_only_correction_that_moves_an_entry_asks_about_later_scores(
    client: Client, entrants: int, typed: list[str]
) -> None:
    event, user = create_bracket(entrants)
    client.force_login(user)
    question_text = "Undo later scores"

    def post_margins(*margins: str) -> str:
        form = {"act": "matches", "round": "1", "margin-1-1": margins}
        desk_url = reverse("bracket_desk", args=[event.slug])
        return html.unescape(client.post(desk_url, form, follow=True).content.decode())

    slip = post_margins("x", *typed[1:])
    assert "t a margin" in slip
    assert [f'value="{text}"' in slip for text in ("x", *typed[1:])] == [True] * len(typed)
    assert question_text not in slip
    assert question_text not in post_margins(*typed)
    first, second = load_current_bracket(event).rounds[:2]
    for match_number in range(2, len(first) + 1):
        match_margins = ["1", "1", "0"] if first[match_number - 1].third_side else ["1"]
        record_match(event, (1, match_number), user, margins=match_margins)
    for match_number in range(1, len(second) + 1):
        record_match(event, (2, match_number), user, margins=["1"])
    assert question_text in post_margins(*[f"-{typed_margin}" for typed_margin in typed])


@pytest.mark.slow
def test_losers_of_three_way_matches_enter_plate() -> None:
    event, user = create_bracket(6)
    record_match(event, (1, 1), user, margins=["1", "1", "0"])
    record_match(event, (1, 2), user, margins=["-1", "2", "1"])
    plate = scoring.services.create_plate(event=event, round_number=1, name="Plate", by=user)
    numbers = {
        number for m in load_current_bracket(event).rounds[0] for number in m.advancing_sides
    }
    names = {entry.number: entry.name for entry in event.entries.all()}
    loser_names = [names[number] for number in range(1, 7) if number not in numbers]
    assert [entry.name for entry in plate.entries.all()] == loser_names
    assert plate.knockout.three_way is False  # four fill a bracket
    event, user = create_bracket(7)
    Event.objects.filter(pk=event.pk).update(date=date(2026, 3, 17))  # as every Tuesday
    event = reload_event(event)
    record_match(event, (1, 1), user, margins=["1", "1", "0"])
    record_match(event, (1, 2), user, margins=["1"])
    record_match(event, (1, 3), user, margins=["1"])
    plate = scoring.services.create_plate(event=event, round_number=1, name="Plate", by=user)
    assert plate.knockout.three_way is True
    assert [match.third_side for match in load_bracket(plate.knockout).rounds[0]] == [3]


@pytest.mark.parametrize("teams", [2, 4, 8])
def test_three_way_round_without_byes_is_refused_with_valid_suggestion(teams: int) -> None:
    event, user = create_event_with_teams(teams)
    seeds = range(1, teams + 1)
    with pytest.raises(StageRefused, match="without three-way matches"):
        scoring.services.set_bracket(event=event, seeds=seeds, three_way=True, by=user)
    assert scoring.services.set_bracket(event=event, seeds=seeds, by=user) is not None


def test_pairs_get_byes() -> None:
    event, user = evenings.create_event(5)
    with pytest.raises(StageRefused, match="Create the pairs’ bracket with byes"):
        scoring.services.set_bracket(event=event, seeds=range(1, 6), three_way=True, by=user)
    scoring.services.set_bracket(event=event, seeds=range(1, 6), by=user)


# Played at the tables.


def open_bracket(teams: int, *, own_boards: bool = False, **options):
    event, user = create_bracket(teams, **options)
    session = event.sessions.get()
    scoring.services.seat_knockout(
        session=session,
        boards_a_round=2,
        copies=4,
        own_boards=own_boards,
        by=user,
    )
    session.refresh_from_db()
    return scoring.services.open_session(session=session, by=user), user


def list_tables_of_draw(session: Session, draw_number: int):
    return [
        table
        for table in load_session_snapshot(session).tables
        if -(-table.round // 2) == draw_number and table.is_played
    ]


def play_draw(
    session: Session, draw_number: int, user: User, random_generator: Random, half: int = 0
) -> None:
    """Enter all results of a draw, or of one half of it."""
    tables = [
        table
        for table in list_tables_of_draw(session, draw_number)
        if not half or 2 - table.round % 2 == half
    ]
    plays = [(table.sitting_id, board) for table in tables for board in table.boards]
    evenings.enter_all_results(
        [(*play, str(random_generator.randint(0, 13))) for play in plays], user
    )


def draw_next(session: Session, draw_number: int, user: User):
    section = reload_section(session)
    return scoring.services.draw_round(
        section=section, round_number=2 * draw_number - 1, by=user
    )


def recount_net_tricks(session: Session, draw_number: int) -> dict[tuple[int, int], int]:
    """Return the net tricks of each against each other in a draw, added up board by board."""
    tricks_by_play = {
        (result.sitting_id, result.board): result.ns_tricks for result in Result.objects.all()
    }
    actual: Counter[tuple[int, int]] = Counter()
    for table in list_tables_of_draw(session, draw_number):
        ns, ew = table.ns.entries[0], table.ew.entries[0]
        for board in table.boards:
            tricks = tricks_by_play[table.sitting_id, board]
            actual[ns, ew] += tricks
            actual[ew, ns] += 13 - tricks
    return {
        (first_entry, second_entry): actual[first_entry, second_entry]
        - actual[second_entry, first_entry]
        for first_entry, second_entry in actual
    }


def decide_level_matches(event: Event, user: User) -> None:
    """Let the higher seeds go on in level matches."""
    for match in (
        item for row in load_current_bracket(event).rounds for item in row if item.is_level
    ):
        winner_fields = zip(
            ("winner_number", "second_winner_number"),
            match.sides[: len(match.next_positions)],
            strict=False,
        )
        record_match(event, match.key, user, **dict(winner_fields))


@pytest.mark.slow
@pytest.mark.parametrize("own_boards", [False, True])
@pytest.mark.parametrize(
    ("teams", "segments"), [(3, 1), (3, 2), (5, 2), (6, 1), (7, 1), (12, 1)]
)
def test_each_entry_plays_one_match_and_best_advance(
    teams: int, segments: int, *, own_boards: bool
) -> None:
    session, user = open_bracket(teams, segments=segments, own_boards=own_boards)
    event, lots = session.event, Random(f"{teams} {segments}")
    board_count = count_boards(session)
    last_draw_number = reload_section(session).planned_round_count // 2
    for number in range(1, last_draw_number + 1):
        if number > 1:
            decide_level_matches(event, user)
            draw_next(session, number, user)
        if number <= segments:
            check_first_round(session, number, teams)
        play_draw(session, number, user, lots)
    check_bracket(session, segments, last_draw_number)
    plays = [
        (table.round, board)
        for table in load_session_snapshot(session).tables
        for board in table.boards
    ]
    assert {board for _round, board in plays} <= {*range(1, board_count + 1)}
    if own_boards:
        assert {board for _round, board in plays} == {*range(1, board_count + 1)}
    first_drawn_round = load_drawn_rounds(load_session_snapshot(session))[-1]
    assert first_drawn_round.has_three_way_match
    assert not first_drawn_round.sit_outs


@pytest.mark.slow
def test_three_teams_are_seated_from_bracket_page(client: Client) -> None:
    event, user = create_bracket(3)
    client.force_login(user)
    address = reverse("bracket_desk", args=[event.slug])
    form = {"act": "play", "boards_a_round": "2", "copies": "1"}
    assert 'value="play"' in client.get(address).content.decode()
    response = client.post(address, form)
    assert response["Location"] == reverse("draws", args=[event.slug])
    session = scoring.services.open_session(session=event.sessions.get(), by=user)
    assert len(list_tables_of_draw(session, 1)) == 6  # three tables in each half
    play_draw(session, 1, user, Random("three"))
    net_tricks = recount_net_tricks(session, 1)
    net_tricks_by_entry = {
        one: sum(net_tricks[one, other] for other in {1, 2, 3} - {one}) for one in (1, 2, 3)
    }
    best_entry = max(net_tricks_by_entry, key=lambda item: net_tricks_by_entry[item])
    assert list(net_tricks_by_entry.values()).count(net_tricks_by_entry[best_entry]) == 1
    assert load_current_bracket(event).champion_number == best_entry


@pytest.mark.slow
def test_two_teams_enter_their_margins(client: Client) -> None:
    event, user = create_event_with_teams(2)
    scoring.services.set_bracket(event=event, seeds=[1, 2], by=user)
    client.force_login(user)
    page = client.get(reverse("bracket_desk", args=[event.slug]))
    text = page.content.decode()
    assert 'value="play"' not in text
    legend = text[text.index("<legend>") : text.index("</legend>")]
    assert legend.count('class="bracket__one"') == 2  # each on a line of its own


@pytest.mark.slow
@pytest.mark.parametrize("teams", [2, 4, 8])
def test_unplayed_bracket_has_one_main_button(client: Client, teams: int) -> None:
    event, user = create_event_with_teams(teams)
    client.force_login(user)
    address = reverse("bracket_desk", args=[event.slug])
    assert client.get(address).content.decode().count("button--main") == 1
    scoring.services.set_bracket(event=event, seeds=list(range(1, teams + 1)), by=user)
    page = client.get(address).content.decode()
    assert page.count("button--main") == 1
    assert 'class="button--main">Save' in page


def check_first_round(session: Session, draw_number: int, teams: int) -> None:
    """Check that all teams play both halves, and each two teams their boards both ways."""
    tables = list_tables_of_draw(session, draw_number)
    for half in (2 * draw_number - 1, 2 * draw_number):
        now = [one_table for one_table in tables if one_table.round == half]
        places = Counter(place for item in now for place in (*item.ns.places, *item.ew.places))
        assert len(places) == 2 * teams
        assert set(places.values()) == {1}
    ns_entries_by_meeting: dict[tuple[frozenset[int], int], list[int]] = {}
    for table in tables:
        for board in table.boards:
            opponents = frozenset((table.ns.entries[0], table.ew.entries[0]))
            ns_entries_by_meeting.setdefault((opponents, board), []).append(table.ns.entries[0])
    assert all(
        sorted(ns_entries) == sorted(opponents)
        for (opponents, _), ns_entries in ns_entries_by_meeting.items()
    )
    boards = Counter(team for opponents, _board in ns_entries_by_meeting for team in opponents)
    assert set(boards.values()) == {2}


def check_bracket(session: Session, segments: int, last: int) -> None:
    """Check the bracket against the results, added up by other code."""
    current_bracket = load_current_bracket(session.event)
    for row in current_bracket.rounds:
        for match in row:
            draw_numbers = range(
                (match.round_number - 1) * segments + 1, match.round_number * segments + 1
            )
            net_tricks: Counter[int] = Counter()
            for draw in (draw_number for draw_number in draw_numbers if draw_number <= last):
                for one, other in combinations(match.sides, 2):
                    margin = recount_net_tricks(session, draw)[one, other]
                    net_tricks[one] += margin
                    net_tricks[other] -= margin
            if match.score.advancing_seeds or not match.advancing_sides:
                continue
            worst_advancing_net = min(net_tricks[item] for item in match.advancing_sides)
            assert worst_advancing_net >= max(net_tricks[loser] for loser in match.losers)


def test_correction_at_tables_moves_nobody_and_asks_director(
    client: Client,
) -> None:
    session, user = open_bracket(5)
    event = session.event
    play_draw(session, 1, user, Random("correction"))
    three = load_current_bracket(event).rounds[0][1]
    assert three.advancing_sides
    made = draw_next(session, 2, user)
    (winner,) = three.advancing_sides
    loser = three.losers[0]
    seated_opponents = [
        {one_table.ns.entries[0], one_table.ew.entries[0]}
        for one_table in list_tables_of_draw(session, 2)
    ]
    assert all(winner in item for item in seated_opponents)
    for table in list_tables_of_draw(session, 1):  # the loser now takes everything
        if loser in (table.ns.entries[0], table.ew.entries[0]):
            mark = "13" if table.ns.entries[0] == loser else "0"
            for board in table.boards:
                evenings.enter_result(session, table.sitting_id, board, mark, user)
    current_bracket = load_current_bracket(event)
    assert current_bracket.rounds[0][1].advancing_sides == (winner,)
    assert current_bracket.corrected_winners_by_match == {(1, 2): (loser,)}
    assert [
        {one_table.ns.entries[0], one_table.ew.entries[0]}
        for one_table in list_tables_of_draw(session, 2)
    ] == seated_opponents
    client.force_login(user)
    for name in ("bracket_desk", "draws"):
        page = client.get(reverse(name, args=[event.slug]), follow=True)
        assert "Keep the winner, or undo the draw." in page.content.decode()
    with pytest.raises(StageRefused, match="already seated for the next round"):
        record_match(event, (1, 2), user, winner_number=loser)
    current_bracket = record_match(event, (1, 2), user, later_choice="keep")
    assert not current_bracket.corrected_winners_by_match
    assert current_bracket.rounds[0][1].advancing_sides == (winner,)
    act = audit.list_acts(event).filter(action="match.decided").first()
    hall.history.undo.undo_event_act(event=event, act=act, by=user)
    assert load_current_bracket(event).corrected_winners_by_match
    scoring.services.undo_change(change=made, by=user)
    current_bracket = load_current_bracket(event)
    assert not current_bracket.corrected_winners_by_match
    assert current_bracket.rounds[0][1].advancing_sides == (loser,)
    draw_next(session, 2, user)
    assert all(
        loser in (one_table.ns.entries[0], one_table.ew.entries[0])
        for one_table in list_tables_of_draw(session, 2)
    )


@pytest.mark.slow
def test_director_decides_after_withdrawal_from_three_way_match() -> None:
    session, user = open_bracket(5)
    event, lots = session.event, Random("left")
    play_draw(session, 1, user, lots, half=1)
    section = reload_section(session)
    place = section.places.filter(entry__number=5).order_by("number")[0].number
    scoring.services.apply_seating_change(
        section=section,
        rounds_played=1,
        incident=Withdrawal(place),
        continuation_key="swiss-out",
        incident_data={"kind": "left", "names": [], "round": 2},
        names=[],
        by=user,
    )
    play_draw(session, 1, user, lots, half=2)
    current_bracket = load_current_bracket(event)
    assert current_bracket.rounds[0][1].advancing_sides == ()
    with pytest.raises(ActionUnavailable, match="The sides of match"):
        draw_next(session, 2, user)
    record_match(event, (1, 2), user, winner_number=2)
    assert draw_next(session, 2, user) is not None


@pytest.mark.parametrize("gone_index", [0, 1])
def test_correction_after_withdrawal_of_a_winner_moves_no_one(gone_index: int) -> None:
    session, user = open_bracket(7)
    event = session.event
    play_draw(session, 1, user, Random("withdrawn winner"))
    decide_level_matches(event, user)
    (three_way_match,) = [
        match
        for match in load_current_bracket(event).rounds[0]
        if len(match.next_positions) == 2
    ]
    winners = three_way_match.advancing_sides
    draw_next(session, 2, user)
    section = reload_section(session)
    gone_place = section.places.filter(entry__number=winners[gone_index]).order_by("number")[0]
    scoring.services.apply_seating_change(
        section=section,
        rounds_played=scoring.services.find_last_scored_round(section),
        incident=Withdrawal(gone_place.number),
        continuation_key="swiss-out",
        incident_data={"kind": "left", "names": [], "round": 3},
        names=[],
        by=user,
    )
    (loser,) = three_way_match.losers
    for table in list_tables_of_draw(session, 1):  # the loser now takes everything
        pair = (table.ns.entries[0], table.ew.entries[0])
        if loser in pair:
            for board in table.boards:
                evenings.enter_result(
                    session, table.sitting_id, board, "13" if pair[0] == loser else "0", user
                )
    bracket = load_current_bracket(event)
    seated_pairs = [
        {table.ns.entries[0], table.ew.entries[0]} for table in list_tables_of_draw(session, 2)
    ]
    sides = [set(match.sides) for match in bracket.rounds[1]]
    assert seated_pairs
    assert all(pair in sides for pair in seated_pairs)
    match = bracket.rounds[0][three_way_match.number - 1]
    assert match.advancing_sides[1 - gone_index] == winners[1 - gone_index]


@pytest.mark.slow
def test_imported_copy_and_next_draw_preserve_three_way_matches() -> None:
    session, user = open_bracket(6, own_boards=True)
    event = session.event
    play_draw(session, 1, user, Random("file"))
    decide_level_matches(event, user)
    text = encode_event_file(export_event(event, should_include_deals=False))
    halves = text.replace('"three_way": true', '"three_way": false', 1)
    with pytest.raises(UnusableEventFile, match="the bracket and its draws, or in neither"):
        import_event(document=halves, by=user)
    repeated_event = import_event(document=text, by=user)
    assert repeated_event.knockout.three_way
    assert load_current_bracket(repeated_event).rounds == load_current_bracket(event).rounds
    assert (
        encode_event_file(
            export_event(reload_event(repeated_event), should_include_deals=False)
        )
        == text
    )
    copy = repeated_event.sessions.get()
    draw_next(copy, 2, user)
    assert find_draw(reload_section(copy), 4) == find_draw(reload_section(copy), 3)
    play_draw(copy, 2, user, Random("final"))
    assert (
        load_current_bracket(repeated_event).champion_number
        or load_current_bracket(repeated_event).rounds[-1][0].is_level
    )


def test_pages_and_api_show_three_way_matches(client: Client) -> None:
    event, user = create_bracket(7, segments=2)
    client.force_login(user)
    desk = reverse("bracket_desk", args=[event.slug])
    page = client.get(desk, follow=True).content.decode()
    assert "three-way: the best two go through" in page
    assert page.count('name="margin-1-') == 6 + 2 * 2
    response = client.post(
        desk,
        {"act": "matches", "round": "1", "margin-1-1": ["1", "2", "0", "1", "", "3"]},
        follow=True,
    )
    assert "A margin is missing" in response.content.decode()
    response = client.post(
        desk, {"act": "matches", "round": "1", "margin-1-1": ["1", "2", "0", "1", "2", "3"]}
    )
    assert response.status_code == 302
    url = f"/api/events/{event.slug}/bracket/"
    data = client.get(url).json()["matches"][0]
    assert (data["go_on"], data["third"]["seed"]) == (2, 7)
    response = client.put(
        f"{url}1/1/", {"winner": 1, "second": 3}, content_type="application/json"
    )
    assert [side["place"] for side in list_sides(response.json()["matches"][0])] == [1, 2, 0]
    rows = build_csv_folder(load_results(reload_event(event), has_full_names=False))[
        "bracket.csv"
    ].decode("utf-8-sig")
    first_row = next(csv.DictReader(rows.splitlines()))
    assert (first_row["winner"], first_row["third_entry"], first_row["second_winner"]) == (
        "1",
        "7",
        "3",
    )
    for name in ("bracket", "screen"):
        response = client.get(reverse(name, args=[event.slug]), follow=True)
        page = html.unescape(response.content.decode())
        assert all(entry.name in page for entry in event.entries.all())
    assert "second of match 1" not in page
    assert "winner of match 2" in page


def list_sides(match_data):
    return [match_data["one"], match_data["other"], match_data["third"]]


@pytest.mark.slow
def test_bracket_cannot_be_changed_or_undone_while_matches_have_tables() -> None:
    event, user = create_bracket(5)
    session = event.sessions.get()
    scoring.services.seat_knockout(session=session, boards_a_round=2, copies=4, by=user)
    act = audit.list_acts(event).filter(action="knockout.settled").first()
    for change in ({"seeds": range(1, 6)}, {"seeds": []}):
        with pytest.raises(StageRefused, match="already have tables"):
            scoring.services.set_bracket(event=event, by=user, **change)
    with pytest.raises(StageRefused, match="already have tables"):
        hall.history.undo.undo_event_act(event=event, act=act, by=user)
    movement = build_named_movement("howell-teams", teams=5)
    evenings.tournaments.services.seat_section(
        session=session,
        movement=movement,
        entries_by_place=arrange_entries(movement, list(event.entries.order_by("number"))),
        boards_a_round=2,
        by=user,
    )
    assert scoring.services.set_bracket(event=event, seeds=range(1, 6), by=user)


def test_sheet_lists_each_match_once_and_marks_two_advancing() -> None:
    for teams in (5, 7, 12, 31, 64 - 1):
        sheet = stage_samples.build_bracket(teams, three_way=True)
        parts = bracket_paper.split_bracket_into_pages(sheet.rounds)
        keys = [match.key for part in parts for matches in part.matches for match in matches]
        whole = [match.key for round_ in sheet.rounds for match in round_.matches]
        assert sorted(keys) == sorted(whole)
        assert all(len(matches) <= 8 for part in parts for matches in part.matches)
    event, _user = create_bracket(7)
    sheet = build_bracket_sheet(reload_event(event))
    text = " ".join(read_texts(bracket_paper.draw_pdf([sheet])))
    assert "first of match 1" in text
    assert "second of match 1" in text
    assert "winner of match 3" in text


@pytest.mark.slow
def test_new_bracket_is_next_step_on_desk(client: Client) -> None:
    event, user = create_bracket(6)
    client.force_login(user)
    next_step = client.get(f"/director/events/{event.slug}/").context["next"]
    assert next_step.url == f"/director/events/{event.slug}/bracket/"
    assert next_step.title == "Knock-out"
