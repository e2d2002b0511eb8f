"""Test a stored bracket: entered margins, ties, walk-overs, corrections and a plate."""

import random
import re
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

import hall.history.undo
import scoring.services
import tournaments.services
from clubs import audit
from hall.challenges.own_page import build_entry_page
from scoring.errors import StageRefused
from scoring.models import Knockout, Standing
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.brackets import BracketSheet, build_bracket_sheet
from scoring.sheets.draws import load_drawn_rounds
from scoring.standings_engine.knockouts import load_bracket
from scoring.tasks import recompute_standings
from tests import evenings
from tests.scoring.swiss import swiss_evenings
from tournaments.addresses import format_event_address
from tournaments.models import Event, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def create_knockout(pairs: int = 6, **options) -> tuple[Event, object]:
    event, user = evenings.create_event(pairs)
    scoring.services.set_bracket(event=event, seeds=range(1, pairs + 1), by=user, **options)
    return event, user


def build_entry_names(entries: int, contest: str) -> list[list[str]]:
    """Return this many pairs or teams by the names of their players."""
    letters = "abcd" if contest == "teams" else "ab"
    return [[f"{name} {letter}" for letter in letters] for name in evenings.SURNAMES[:entries]]


def record_match(event: Event, key: tuple[int, int], user, **fields):
    return scoring.services.record_match(event=event, match_key=key, by=user, **fields)


def test_margins_decide_match_and_tie_needs_extra_boards() -> None:
    event, user = create_knockout(6, segments=2)  # seeds 1 and 2 have byes
    bracket = load_bracket(Knockout.objects.get())
    assert [(m.first_side, m.second_side, m.is_bye) for m in bracket.rounds[0]] == [
        (1, None, True), (4, 5, False), (2, None, True), (3, 6, False)
    ]  # fmt: skip
    bracket = record_match(event, (1, 2), user, margins=["3"])
    assert bracket.rounds[0][1].winner is None  # the second segment is still to come
    bracket = record_match(event, (1, 2), user, margins=["3", "-3"])
    assert bracket.rounds[0][1].is_level
    bracket = record_match(event, (1, 2), user, margins=["3", "−3"], extra_margins=["0", "-1"])
    assert bracket.rounds[1][0].second_side == 5
    with pytest.raises(StageRefused, match="t known yet"):
        record_match(event, (3, 1), user, margins=["1"])
    record_match(event, (2, 1), user, winner_number=1)
    record_match(event, (1, 4), user, margins=["1", "1"])
    record_match(event, (2, 2), user, margins=["0", "-2"])
    bracket = record_match(event, (3, 1), user, margins=["5", "-4.5"])
    assert bracket.champion_number == 1


def test_correction_that_changes_winner_asks_director_and_moves_nobody() -> None:
    event, user = create_knockout(4)
    for key, margin in (((1, 1), "4"), ((1, 2), "2"), ((2, 1), "1")):
        record_match(event, key, user, margins=[margin])
    matches_before = Knockout.objects.get().matches
    with pytest.raises(StageRefused, match=r"the next match \(round 2\) has begun"):
        record_match(event, (1, 1), user, margins=["-4"])
    assert Knockout.objects.get().matches == matches_before
    updated_bracket = record_match(event, (1, 1), user, margins=["-4"], later_choice="keep")
    assert updated_bracket.rounds[1][0].first_side == 1
    updated_bracket = record_match(
        event, (1, 1), user, margins=["-4"], later_choice="keep"
    )  # a double click
    assert updated_bracket.rounds[1][0].first_side == 1


def test_correction_can_undo_scores_of_later_matches() -> None:
    event, user = create_knockout(4)
    for key, margin in (((1, 1), "4"), ((1, 2), "2"), ((2, 1), "1")):
        record_match(event, key, user, margins=[margin])
    recorded_match = record_match(event, (1, 1), user, margins=["-4"], later_choice="take_back")
    assert recorded_match.rounds[1][0].first_side == 4
    assert recorded_match.champion_number is None
    act = audit.list_acts(event).filter(action="match.decided").first()
    hall.history.undo.undo_event_act(event=event, act=act, by=user)
    assert load_bracket(Knockout.objects.get()).champion_number == 1


def test_losers_of_a_round_play_a_plate() -> None:
    event, user = create_knockout(5)
    with pytest.raises(StageRefused, match="still open"):
        scoring.services.create_plate(event=event, round_number=1, name="Plate", by=user)
    record_match(event, (1, 2), user, margins=["2"])
    with pytest.raises(StageRefused, match="Fewer than two pairs or teams lost"):
        scoring.services.create_plate(event=event, round_number=1, name="Plate", by=user)
    record_match(event, (2, 1), user, margins=["1"])
    record_match(event, (2, 2), user, margins=["1"])
    plate = scoring.services.create_plate(event=event, round_number=2, name="Plate", by=user)
    assert (
        scoring.services.create_plate(event=event, round_number=2, name="Plate", by=user)
        == plate
    )
    entries = {entry.number: entry.name for entry in event.entries.all()}
    assert [entry.name for entry in plate.entries.all()] == [entries[3], entries[4]]
    assert plate.knockout.seeds == [1, 2]


@pytest.mark.parametrize(
    ("bracket_arguments", "expected_error"),
    [
        ({"seeds": [1]}, "2–256"),
        ({"seeds": [1, 1]}, "different pair or team"),
        ({"seeds": [1, 99]}, "a different pair or team number"),
        ({"seeds": [1, 2], "segments": 9}, "1–8 segments"),
    ],
)
def test_invalid_bracket_is_refused(bracket_arguments, expected_error: str) -> None:
    event, user = evenings.create_event(4)
    with pytest.raises(StageRefused, match=expected_error):
        scoring.services.set_bracket(event=event, by=user, **bracket_arguments)


def test_bracket_with_scores_cannot_be_rebuilt() -> None:
    event, user = create_knockout(4)
    record_match(event, (1, 1), user, margins=["1"])
    with pytest.raises(StageRefused, match="Undo them first"):
        scoring.services.set_bracket(event=event, seeds=[2, 1, 3, 4], by=user)
    record_match(event, (1, 1), user)
    scoring.services.set_bracket(event=event, seeds=[2, 1, 3, 4], by=user)
    scoring.services.set_bracket(event=event, seeds=[], by=user)
    assert not Knockout.objects.exists()
    act = audit.list_acts(event).first()
    hall.history.undo.undo_event_act(event=event, act=act, by=user)
    assert Knockout.objects.get().seeds == [2, 1, 3, 4]


@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_bracket_is_played_at_tables_round_by_round(contest: str) -> None:
    event, user = evenings.create_event(0, contest=contest)
    evenings.enter_everybody(event, build_entry_names(5, contest), user)
    session = event.sessions.get()
    with pytest.raises(StageRefused, match="Create the bracket first"):
        scoring.services.seat_knockout(session=session, boards_a_round=2, by=user)
    scoring.services.set_bracket(event=event, seeds=range(1, 6), segments=2, by=user)
    event.refresh_from_db()
    scoring.services.seat_knockout(session=session, boards_a_round=2, copies=2, by=user)
    session.refresh_from_db()
    session = scoring.services.open_session(session=session, by=user)
    random_generator = random.Random(7)
    for round_ in range(1, 7):
        section = swiss_evenings.reload_section(session)
        if round_ > 1:
            level_matches = [
                m for row in load_current_bracket(event).rounds for m in row if m.is_level
            ]
            for match in level_matches:
                record_match(event, match.key, user, extra_margins=["1"])
            scoring.services.draw_round(section=section, round_number=round_, by=user)
        swiss_evenings.play_round(session, round_, user, random_generator=random_generator)
    current_bracket = load_current_bracket(event)
    assert current_bracket.champion_number is not None or current_bracket.rounds[-1][0].is_level
    assert (
        len([m for row in current_bracket.rounds for m in row if len(m.score.margins) == 2])
        == 4
    )
    tables = [t for t in load_session_snapshot(session).tables if t.is_played]
    sides = 2 if contest == "teams" else 1
    assert [sum(t.round == n for t in tables) for n in range(1, 7)] == [
        sides * table_count for table_count in (1, 1, 2, 2, 1, 1)
    ]
    last_drawn_round = load_drawn_rounds(load_session_snapshot(session))[0]
    assert last_drawn_round.matches[0].reason == "Knock-out, round 3"


def load_current_bracket(event: Event):
    return load_bracket(Knockout.objects.select_related("event__terms").get(event=event))


def test_big_screen_shows_current_and_next_round(client: Client) -> None:
    event, user = create_knockout(8)
    path = reverse("screen", args=[event.slug])

    def read_round_captions() -> tuple[list[str], str]:
        page = client.get(path).content.decode()
        return re.findall(r'<caption id="round-(\d)">', page), page

    assert read_round_captions()[0] == ["1", "2"]
    for number in range(1, 5):
        record_match(event, (1, number), user, margins=["4"])
    rounds, page = read_round_captions()
    assert rounds == ["2", "3"]
    assert "t known yet" in page  # who plays the final
    for number in (1, 2):
        record_match(event, (2, number), user, margins=["4"])
    assert read_round_captions()[0] == ["2", "3"]
    record_match(event, (3, 1), user, margins=["2"])
    rounds, page = read_round_captions()
    assert rounds == ["2", "3"]
    assert page.count("goes through") == 3
    assert "t known yet" not in page


def seat_first_round(contest: str, entries: int = 4, **options) -> tuple[Event, object, object]:
    """Return a bracket in play whose first round is seated: segments of two boards."""
    event, user = evenings.create_event(0, contest=contest)
    evenings.enter_everybody(event, build_entry_names(entries, contest), user)
    scoring.services.set_bracket(event=event, seeds=range(1, entries + 1), by=user)
    event.refresh_from_db()
    session = event.sessions.get()
    scoring.services.seat_knockout(
        session=session, by=user, **({"boards_a_round": 2, "copies": entries} | options)
    )
    session.refresh_from_db()
    return event, scoring.services.open_session(session=session, by=user), user


@pytest.mark.parametrize("first_table_outcome", ["average", "not_played"])
def test_board_misplayed_at_one_table_does_not_change_team_margin(
    first_table_outcome: str,
) -> None:
    event, session, user = seat_first_round("teams")
    first, second = [
        table
        for table in load_session_snapshot(session).tables
        if {*table.ns.entries, *table.ew.entries} == {1, 4}
    ]
    board, other_board = first.boards
    evenings.enter_all_results(
        [
            (first.sitting_id, board, "-" if first_table_outcome == "not_played" else ""),
            (first.sitting_id, other_board, "8"),
            (second.sitting_id, board, "9"),
            (second.sitting_id, other_board, "6"),
        ],
        user,
    )
    if first_table_outcome == "average":
        scoring.services.make_ruling(
            kind="average",
            sitting=Sitting.objects.get(pk=first.sitting_id),
            board_number=board,
            by=user,
        )
    match = load_current_bracket(event).rounds[0][0]
    margin_sign = 1 if first.ns.entries == (1,) else -1
    assert match.score.margins == (
        2 * margin_sign,
    )  # eight N-S against six, on the other board


def test_split_score_counts_separately_for_each_team() -> None:
    event, session, user = seat_first_round("teams")
    first, second = [
        table
        for table in load_session_snapshot(session).tables
        if {*table.ns.entries, *table.ew.entries} == {1, 4}
    ]
    evenings.enter_all_results(
        [(table.sitting_id, board, "7") for table in (first, second) for board in table.boards],
        user,
    )
    scoring.services.make_ruling(
        kind="adjusted",
        sitting=Sitting.objects.get(pk=first.sitting_id),
        board_number=first.boards[0],
        ns_tricks=7,
        ew_tricks=2,
        reason="E-W looked into the tray",
        by=user,
    )
    match = load_current_bracket(event).rounds[0][0]
    recompute_standings(event.pk)
    scores_by_number = {row.entry.number: row.score for row in Standing.objects.all()}
    assert match.score.margins == (2,) == (Fraction(scores_by_number[first.ns.entries[0]]),)


def test_rounds_of_another_session_are_not_bracket_matches() -> None:
    session, user = swiss_evenings.open_swiss(pairs=4, rounds=3)
    for round_ in (1, 2, 3):
        if round_ > 1:
            section = swiss_evenings.reload_section(session)
            scoring.services.draw_round(section=section, round_number=round_, by=user)
        swiss_evenings.play_round(session, round_, user, random_generator=random.Random(5))
    scoring.services.close_session(session=session, by=user)
    event = session.event
    later_session = tournaments.services.add_session(event=event, by=user)
    scoring.services.set_bracket(event=event, seeds=range(1, 5), by=user)
    assert all(not m.score.margins for m in load_current_bracket(event).rounds[0])
    event.refresh_from_db()
    scoring.services.seat_knockout(session=later_session, boards_a_round=2, copies=2, by=user)
    later_session.refresh_from_db()
    later_session = scoring.services.open_session(session=later_session, by=user)
    assert all(not m.score.margins for m in load_current_bracket(event).rounds[0])
    assert load_current_bracket(event).seated_winners_by_match == {}


def test_public_bracket_hides_result_of_board_still_in_play_elsewhere() -> None:
    event, session, user = seat_first_round("pairs", entries=8)
    *finished_tables, last = [
        table for table in load_session_snapshot(session).tables if table.is_played
    ]
    evenings.enter_all_results(
        [(table.sitting_id, board, "7") for table in finished_tables for board in table.boards],
        user,
    )

    def build_sheet() -> BracketSheet | None:
        return build_bracket_sheet(Event.objects.select_related("terms").get(pk=event.pk))

    sheet_before = build_sheet()
    assert [match.margins for match in sheet_before.rounds[0].matches].count(("0",)) == 3
    evenings.enter_all_results([(last.sitting_id, last.boards[0], "13")], user)
    assert (
        build_sheet() == sheet_before
    )  # though the means of all who played that board have moved
    evenings.enter_all_results([(last.sitting_id, last.boards[1], "13")], user)
    assert build_sheet() != sheet_before


def test_advancing_entry_is_shown_after_next_draw_while_scores_are_hidden() -> None:
    event, session, user = seat_first_round("teams", boards_a_round=1)
    swiss_evenings.play_round(session, 1, user, random_generator=random.Random(3))
    winners = [match.winner for match in load_current_bracket(event).rounds[0]]
    assert None not in winners
    sheet = build_bracket_sheet(event)
    assert not any(side.is_winner for match in sheet.rounds[0].matches for side in match.sides)
    section = swiss_evenings.reload_section(session)
    scoring.services.draw_round(section=section, round_number=2, by=user)
    sheet = build_bracket_sheet(event)
    assert [m.winner for m in load_current_bracket(event).rounds[0]] == winners
    for match in sheet.rounds[0].matches:
        assert [side.seed for side in match.sides if side.is_winner] == [
            winners[match.number - 1]
        ]
        assert (match.note, match.margins, match.question_to_director) == ("", (), "")


def test_page_of_entry_shows_bye_and_elimination() -> None:
    event, session, user = seat_first_round("pairs", entries=5)
    entries = {entry.number: entry for entry in event.entries.all()}
    assert build_entry_page(entries[1]).notes[0] == ("You have a bye to the next round.")
    swiss_evenings.play_round(session, 1, user, random_generator=random.Random(3))
    (match,) = [round_ for round_ in load_current_bracket(event).rounds[0] if not round_.is_bye]
    (loser,) = match.losers
    section = swiss_evenings.reload_section(session)
    for _draw in range(2):
        page = build_entry_page(entries[loser])
        assert (page.notes, page.next_tables, page.is_over) == ((), (), True)
        section.refresh_from_db()
        if section.rounds == 1:
            assert not build_entry_page(entries[match.winner]).is_over
            scoring.services.draw_round(section=section, round_number=2, by=user)
    assert [
        seat.round_number for seat in build_entry_page(entries[match.winner]).next_tables
    ] == [2]


def test_bracket_of_one_session_is_not_restarted_in_another(
    client: Client,
) -> None:
    event, session, user = seat_first_round("teams")
    swiss_evenings.play_round(session, 1, user, random_generator=random.Random(3))
    scoring.services.close_session(session=session, by=user)
    current_bracket_before = load_current_bracket(event)
    later_session = tournaments.services.add_session(event=event, by=user)
    with pytest.raises(StageRefused, match="played in another session"):
        scoring.services.seat_knockout(session=later_session, boards_a_round=2, by=user)
    assert load_current_bracket(event).rounds == current_bracket_before.rounds
    client.force_login(user)
    desk = client.get(
        reverse("bracket_desk", args=[format_event_address(event.slug, later_session.number)])
    )
    assert 'value="play"' not in desk.content.decode()
