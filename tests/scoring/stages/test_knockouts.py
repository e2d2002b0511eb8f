"""A bracket stored in rows: typed margins, levels, walk-overs, corrections, a plate."""

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
from hall.challenges.own_page import build_own_page
from scoring.errors import StageRefused
from scoring.models import Knockout, Standing
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.brackets import BracketSheet, build_bracket_sheet
from scoring.sheets.draws import load_drawn_rounds
from scoring.standings_engine.knockouts import load_bracket
from scoring.tasks import recompute_standings
from tests import evenings
from tests.scoring.swiss import swiss_evenings
from tournaments.addresses import format_address
from tournaments.models import Event, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def create_knockout(pairs: int = 6, **options) -> tuple[Event, object]:
    event, user = evenings.create_event(pairs)
    scoring.services.set_bracket(event=event, seeds=range(1, pairs + 1), by=user, **options)
    return event, user


def make_teams(entries: int, contest: str) -> list[list[str]]:
    """Return this many pairs or teams by the names of their players."""
    letters = "abcd" if contest == "teams" else "ab"
    return [[f"{name} {letter}" for letter in letters] for name in evenings.SURNAMES[:entries]]


def record_match(event: Event, key: tuple[int, int], user, **fields):
    return scoring.services.record_match(event=event, key=key, by=user, **fields)


def test_margins_send_the_winner_on_and_a_level_match_waits_for_boards() -> None:
    event, user = create_knockout(6, segments=2)  # seeds 1 and 2 have byes
    bracket = load_bracket(Knockout.objects.get())
    assert [(m.one, m.other, m.bye) for m in bracket.rounds[0]] == [
        (1, None, True), (4, 5, False), (2, None, True), (3, 6, False)
    ]  # fmt: skip
    bracket = record_match(event, (1, 2), user, margins=["3"])
    assert bracket.rounds[0][1].winner is None  # the second segment is still to come
    bracket = record_match(event, (1, 2), user, margins=["3", "-3"])
    assert bracket.rounds[0][1].is_level
    bracket = record_match(event, (1, 2), user, margins=["3", "−3"], extra=["0", "-1"])
    assert bracket.rounds[1][0].other == 5
    with pytest.raises(StageRefused, match="t known yet"):
        record_match(event, (3, 1), user, margins=["1"])
    record_match(event, (2, 1), user, winner=1)
    record_match(event, (1, 4), user, margins=["1", "1"])
    record_match(event, (2, 2), user, margins=["0", "-2"])
    bracket = record_match(event, (3, 1), user, margins=["5", "-4.5"])
    assert bracket.champion == 1


def test_a_correction_that_changes_a_winner_asks_and_moves_nothing_by_itself() -> None:
    event, user = create_knockout(4)
    for key, margin in (((1, 1), "4"), ((1, 2), "2"), ((2, 1), "1")):
        record_match(event, key, user, margins=[margin])
    matches_before = Knockout.objects.get().matches
    with pytest.raises(StageRefused, match=r"the next match \(round 2\) has begun"):
        record_match(event, (1, 1), user, margins=["-4"])
    assert Knockout.objects.get().matches == matches_before
    recorded_match = record_match(event, (1, 1), user, margins=["-4"], later="keep")
    assert recorded_match.rounds[1][0].one == 1
    recorded_match = record_match(
        event, (1, 1), user, margins=["-4"], later="keep"
    )  # a double click
    assert recorded_match.rounds[1][0].one == 1


def test_the_later_scores_are_taken_back_where_it_is_said() -> None:
    event, user = create_knockout(4)
    for key, margin in (((1, 1), "4"), ((1, 2), "2"), ((2, 1), "1")):
        record_match(event, key, user, margins=[margin])
    recorded_match = record_match(event, (1, 1), user, margins=["-4"], later="take_back")
    assert recorded_match.rounds[1][0].one == 4
    assert recorded_match.champion is None
    act = audit.list_acts(event).filter(action="match.decided").first()
    hall.history.undo.undo_event_act(event=event, act=act, by=user)
    assert load_bracket(Knockout.objects.get()).champion == 1


def test_the_losers_of_a_round_play_a_plate() -> None:
    event, user = create_knockout(5)
    with pytest.raises(StageRefused, match="still open"):
        scoring.services.create_plate(event=event, round_=1, name="Plate", by=user)
    record_match(event, (1, 2), user, margins=["2"])
    with pytest.raises(StageRefused, match="Fewer than two entries lost"):
        scoring.services.create_plate(event=event, round_=1, name="Plate", by=user)
    record_match(event, (2, 1), user, margins=["1"])
    record_match(event, (2, 2), user, margins=["1"])
    plate = scoring.services.create_plate(event=event, round_=2, name="Plate", by=user)
    assert scoring.services.create_plate(event=event, round_=2, name="Plate", by=user) == plate
    entries = {entry.number: entry.name for entry in event.entries.all()}
    assert [entry.name for entry in plate.entries.all()] == [entries[3], entries[4]]
    assert plate.knockout.seeds == [1, 2]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"seeds": [1]}, "2 to 256"),
        ({"seeds": [1, 1]}, "used once"),
        ({"seeds": [1, 99]}, "an entry's number"),
        ({"seeds": [1, 2], "segments": 9}, "1 to 8 segments"),
    ],
)
def test_a_bracket_that_cannot_be_is_refused(given, text: str) -> None:
    event, user = evenings.create_event(4)
    with pytest.raises(StageRefused, match=text):
        scoring.services.set_bracket(event=event, by=user, **given)


def test_a_bracket_with_scores_is_not_laid_again() -> None:
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
def test_a_bracket_is_played_at_the_tables_round_by_round(contest: str) -> None:
    event, user = evenings.create_event(0, contest=contest)
    evenings.enter_everybody(event, make_teams(5, contest), user)
    session = event.sessions.get()
    with pytest.raises(StageRefused, match="Create the bracket first"):
        scoring.services.seat_knockout(session=session, boards_a_round=2, by=user)
    scoring.services.set_bracket(event=event, seeds=range(1, 6), segments=2, by=user)
    event.refresh_from_db()
    scoring.services.seat_knockout(session=session, boards_a_round=2, copies=2, by=user)
    session.refresh_from_db()
    session = scoring.services.open_session(session=session, by=user)
    lots = random.Random(7)
    for round_ in range(1, 7):
        section = swiss_evenings.reload_section(session)
        if round_ > 1:
            level = [m for row in load_current_bracket(event).rounds for m in row if m.is_level]
            for match in level:
                record_match(event, match.key, user, extra=["1"])
            scoring.services.draw_round(section=section, round_=round_, by=user)
        swiss_evenings.play_round(session, round_, user, lots=lots)
    current_bracket = load_current_bracket(event)
    assert current_bracket.champion is not None or current_bracket.rounds[-1][0].is_level
    assert (
        len([m for row in current_bracket.rounds for m in row if len(m.score.margins) == 2])
        == 4
    )
    tables = [t for t in load_session_snapshot(session).tables if t.is_played]
    sides = 2 if contest == "teams" else 1
    assert [sum(t.round == n for t in tables) for n in range(1, 7)] == [
        sides * item for item in (1, 1, 2, 2, 1, 1)
    ]
    last = load_drawn_rounds(load_session_snapshot(session))[0]
    assert last.matches[0].reason == "Knock-out, round 3"


def load_current_bracket(event: Event):
    return load_bracket(Knockout.objects.select_related("event__terms").get(event=event))


def test_the_big_screen_shows_the_round_in_play_and_the_next(client: Client) -> None:
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
    evenings.enter_everybody(event, make_teams(entries, contest), user)
    scoring.services.set_bracket(event=event, seeds=range(1, entries + 1), by=user)
    event.refresh_from_db()
    session = event.sessions.get()
    scoring.services.seat_knockout(
        session=session, by=user, **({"boards_a_round": 2, "copies": entries} | options)
    )
    session.refresh_from_db()
    return event, scoring.services.open_session(session=session, by=user), user


@pytest.mark.parametrize("happened", ["average", "not_played"])
def test_a_deal_that_one_table_did_not_rightly_play_moves_no_margin_of_teams(
    happened: str,
) -> None:
    event, session, user = seat_first_round("teams")
    first, second = [
        table
        for table in load_session_snapshot(session).tables
        if {*table.ns.entries, *table.ew.entries} == {1, 4}
    ]
    board, other = first.boards
    evenings.enter_all(
        [
            (first.sitting, board, "-" if happened == "not_played" else ""),
            (first.sitting, other, "8"),
            (second.sitting, board, "9"),
            (second.sitting, other, "6"),
        ],
        user,
    )
    if happened == "average":
        scoring.services.make_ruling(
            kind="average",
            sitting=Sitting.objects.get(pk=first.sitting),
            board=board,
            by=user,
        )
    match = load_current_bracket(event).rounds[0][0]
    ahead = 1 if first.ns.entries == (1,) else -1
    assert match.score.margins == (2 * ahead,)  # eight N-S against six, on the other board


def test_a_split_score_counts_for_either_team_of_a_match_what_was_set_for_it() -> None:
    event, session, user = seat_first_round("teams")
    first, second = [
        table
        for table in load_session_snapshot(session).tables
        if {*table.ns.entries, *table.ew.entries} == {1, 4}
    ]
    evenings.enter_all(
        [(table.sitting, board, "7") for table in (first, second) for board in table.boards],
        user,
    )
    scoring.services.make_ruling(
        kind="adjusted",
        sitting=Sitting.objects.get(pk=first.sitting),
        board=first.boards[0],
        ns_tricks=7,
        ew_tricks=2,
        reason="E-W looked into the tray",
        by=user,
    )
    match = load_current_bracket(event).rounds[0][0]
    recompute_standings(event.pk)
    scores_by_number = {row.entry.number: row.score for row in Standing.objects.all()}
    assert match.score.margins == (2,) == (Fraction(scores_by_number[first.ns.entries[0]]),)


def test_the_rounds_of_another_session_are_no_matches_of_the_bracket() -> None:
    session, user = swiss_evenings.open_swiss(pairs=4, rounds=3)
    for round_ in (1, 2, 3):
        if round_ > 1:
            section = swiss_evenings.reload_section(session)
            scoring.services.draw_round(section=section, round_=round_, by=user)
        swiss_evenings.play_round(session, round_, user, lots=random.Random(5))
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
    assert load_current_bracket(event).seated_winners == {}


def test_the_public_bracket_tells_no_result_that_another_table_has_still_to_play() -> None:
    event, session, user = seat_first_round("pairs", entries=8)
    *through, last = [
        table for table in load_session_snapshot(session).tables if table.is_played
    ]
    evenings.enter_all(
        [(table.sitting, board, "7") for table in through for board in table.boards], user
    )

    def build_sheet() -> BracketSheet | None:
        return build_bracket_sheet(Event.objects.select_related("terms").get(pk=event.pk))

    sheet_before = build_sheet()
    assert [match.margins for match in sheet_before.rounds[0].matches].count(("0",)) == 3
    evenings.enter_all([(last.sitting, last.boards[0], "13")], user)
    assert (
        build_sheet() == sheet_before
    )  # though the means of all who played that board have moved
    evenings.enter_all([(last.sitting, last.boards[1], "13")], user)
    assert build_sheet() != sheet_before


def test_who_went_on_is_told_where_nothing_counts_before_the_close() -> None:
    event, session, user = seat_first_round("teams", boards_a_round=1)
    swiss_evenings.play_round(session, 1, user, lots=random.Random(3))
    winners = [match.winner for match in load_current_bracket(event).rounds[0]]
    assert None not in winners
    sheet = build_bracket_sheet(event)
    assert not any(side.is_winner for match in sheet.rounds[0].matches for side in match.sides)
    section = swiss_evenings.reload_section(session)
    scoring.services.draw_round(section=section, round_=2, by=user)
    sheet = build_bracket_sheet(event)
    assert [m.winner for m in load_current_bracket(event).rounds[0]] == winners
    for match in sheet.rounds[0].matches:
        assert [side.seed for side in match.sides if side.is_winner] == [
            winners[match.number - 1]
        ]
        assert (match.note, match.margins, match.unsettled) == ("", (), "")


def test_an_entry_s_own_page_says_who_goes_on_without_a_match_and_who_is_out() -> None:
    event, session, user = seat_first_round("pairs", entries=5)
    entries = {entry.number: entry for entry in event.entries.all()}
    assert build_own_page(entries[1]).notes[0] == ("You have a bye to the next round.")
    swiss_evenings.play_round(session, 1, user, lots=random.Random(3))
    (match,) = [round_ for round_ in load_current_bracket(event).rounds[0] if not round_.bye]
    (loser,) = match.losers
    section = swiss_evenings.reload_section(session)
    for _draw in range(2):
        page = build_own_page(entries[loser])
        assert (page.notes, page.next, page.is_over) == ((), (), True)
        section.refresh_from_db()
        if section.rounds == 1:
            assert not build_own_page(entries[match.winner]).is_over
            scoring.services.draw_round(section=section, round_=2, by=user)
    assert [seat.round for seat in build_own_page(entries[match.winner]).next] == [2]


def test_a_bracket_is_played_in_one_session_and_another_does_not_begin_it_again(
    client: Client,
) -> None:
    event, session, user = seat_first_round("teams")
    swiss_evenings.play_round(session, 1, user, lots=random.Random(3))
    scoring.services.close_session(session=session, by=user)
    current_bracket_before = load_current_bracket(event)
    later_session = tournaments.services.add_session(event=event, by=user)
    with pytest.raises(StageRefused, match="played in another session"):
        scoring.services.seat_knockout(session=later_session, boards_a_round=2, by=user)
    assert load_current_bracket(event).rounds == current_bracket_before.rounds
    client.force_login(user)
    desk = client.get(
        reverse("bracket_desk", args=[format_address(event.slug, later_session.number)])
    )
    assert 'value="play"' not in desk.content.decode()
