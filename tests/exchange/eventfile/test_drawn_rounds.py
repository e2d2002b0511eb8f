"""Events whose rounds are drawn one after another are exported and imported."""

from contextlib import suppress
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import scoring.services
from boards.whist.dealing import deal_board
from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from exchange.eventfile.reader import read_event_file
from scoring.services.wrong_boards import record_actual_board
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.draws import load_drawn_rounds
from scoring.standings_engine.scores import score_event
from server.models import User
from tests import evenings
from tests.copies import build_once
from tests.exchange.eventfile.documents import MOVEMENTS
from tests.exchange.eventfile.documents import build_event_file as file_of
from tests.scoring.swiss import swiss_evenings
from tests.scoring.swiss.swiss_evenings import play_round, reload_section
from tournaments.board_counts import count_boards
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Session, Sitting
from tournaments.movements import UnplayableMovement
from tournaments.movements.changes import Withdrawal
from tournaments.seating_snapshot import load_movement_with_withdrawals
from tournaments.services import import_deals
from tournaments.stages.brackets import can_replace_byes
from tournaments.swiss.plan import read_plan

pytestmark = pytest.mark.django_db

DRAWN_EVENTS: list[tuple[str, int, dict[str, bool]]] = [
    ("pairs", 7, {}),
    ("pairs", 8, {}),
    ("teams", 4, {"own_boards": True}),
    ("teams", 5, {"three_way": True}),
    ("teams", 7, {"three_way": True, "own_boards": True}),
    ("pairs", 5, {"knockout": True}),
    ("teams", 5, {"knockout": True, "own_boards": True}),
    ("teams", 5, {"knockout": True, "three_way": True}),
    ("teams", 6, {"knockout": True, "three_way": True, "own_boards": True}),
]
parametrize_drawn_events = pytest.mark.parametrize(
    ("contest", "size", "plan"),
    DRAWN_EVENTS,
    ids=lambda item: "-".join(item) or "swiss" if isinstance(item, dict) else str(item),
)


@build_once
def open_bracket(
    contest: str, size: int, *, segments: int = 1, **plan: bool
) -> tuple[Session, User]:
    """Create a bracket whose first round is seated."""
    event, user = evenings.create_event(0, contest=contest)
    for number in range(max(size, 4)):
        names = [f"{evenings.SURNAMES[number]} {letter}" for letter in "abcd"]
        entry_names = names if contest == "teams" else names[:2]
        evenings.tournaments.services.create_entry(event=event, names=entry_names, by=user)
    scoring.services.set_bracket(
        event=event,
        seeds=range(1, size + 1),
        seed_wins=True,
        segments=segments,
        three_way=plan.get("three_way", False),
        by=user,
    )
    session = event.sessions.get()
    scoring.services.seat_knockout(
        session=session,
        boards_a_round=2,
        copies=4,
        own_boards=plan.get("own_boards", False),
        by=user,
    )
    session.refresh_from_db()
    return scoring.services.open_session(session=session, by=user), user


def open_swiss(contest: str, size: int, plan: dict[str, bool]) -> tuple[Session, User]:
    if plan.get("knockout"):
        return open_bracket(contest, size, **plan)
    return swiss_evenings.open_swiss(size, 3 if size > 4 else 2, contest=contest, **plan)


def draw_next_round(session: Session, user: User) -> None:
    section = reload_section(session)
    scoring.services.draw_round(section=section, round_number=section.rounds + 1, by=user)


def play_draw(session: Session, user: User) -> None:
    """Play all rounds of the last draw."""
    section = reload_section(session)
    plan = read_plan(section.options)
    assert plan is not None
    for round_ in range(section.rounds - plan.halves + 1, section.rounds + 1):
        play_round(session, round_, user)


def deal_all_boards(session: Session, user: User) -> int:
    board_count = count_boards(session)
    deals = {number: deal_board(bytes(32), number) for number in range(1, board_count + 1)}
    import_deals(session=session, deals_by_board=deals, by=user)
    session.refresh_from_db()
    return board_count


def reimport(event: Event, user: User) -> tuple[dict[str, Any], Session]:
    """Export an event, import it, and check that it is exported again unchanged."""
    document = export_event(event, should_include_deals=True)
    new_event = import_event(document=document, club=event.club, by=user)
    assert export_event(new_event, should_include_deals=True) == document
    return document, new_event.sessions.get()


@pytest.mark.slow
@parametrize_drawn_events
def test_dealt_boards_are_read_while_rounds_are_not_drawn_yet(
    contest: str, size: int, plan: dict[str, bool]
) -> None:
    session, user = open_swiss(contest, size, plan)
    needed = deal_all_boards(session, user)
    for round_number in (1, 2):
        if round_number > 1:
            draw_next_round(session, user)
        play_draw(session, user)
        document, copy = reimport(session.event, user)
        assert len(document["sessions"][0]["boards"]) == needed
        assert count_boards(copy) == copy.board_set.size == count_boards(session)
        assert copy.load_known_deals() == session.load_known_deals()


@pytest.mark.slow
@parametrize_drawn_events
def test_file_may_have_only_the_boards_that_were_played(
    contest: str, size: int, plan: dict[str, bool]
) -> None:
    session, user = open_swiss(contest, size, plan)
    deal_all_boards(session, user)
    play_draw(session, user)
    document = export_event(session.event, should_include_deals=True)
    (session_data,) = document["sessions"]
    played_boards = {result["board"] for result in session_data["sections"][0]["results"]}
    session_data["boards"] = [
        board for board in session_data["boards"] if board["number"] in played_boards
    ]
    event = import_event(document=document, club=session.event.club, by=user)
    copy = event.sessions.get()
    assert copy.state == Session.State.OPEN
    assert set(copy.load_known_deals()) == played_boards
    assert export_event(event, should_include_deals=True) == document


def test_board_of_an_undrawn_round_may_have_been_played_instead() -> None:
    session, user = swiss_evenings.open_swiss(8)
    table = load_session_snapshot(session).tables[0]
    sitting = Sitting.objects.get(pk=table.sitting_id)
    record_actual_board(sitting=sitting, board=1, really=5, by=user)
    document, copy = reimport(session.event, user)
    assert document["sessions"][0]["sections"][0]["strays"] == [
        {"round": 1, "table": 1, "board": 1, "played": 5}
    ]
    assert count_boards(copy) == 6
    document["sessions"][0]["sections"][0]["strays"][0]["played"] = 7
    with pytest.raises(UnusableEventFile, match="Board 7 isn’t from another set"):
        import_event(document=document, club=session.event.club, by=user)


@pytest.mark.slow
@pytest.mark.parametrize("own_boards", [False, True])
def test_error_of_a_bracket_of_half_matches_names_its_path(own_boards: bool) -> None:
    session, user = open_bracket("teams", 8, own_boards=own_boards)
    document = export_event(session.event, should_include_deals=False)
    draw = document["sessions"][0]["sections"][0]["draw"]
    draw |= {"rounds": 2, "segments": 3}
    expected_problem = (
        r"sessions\[0\]\.sections\[0\]\.draw\.rounds: 2 rounds don’t make whole matches"
    )
    with pytest.raises(UnusableEventFile, match=expected_problem):
        import_event(document=document, club=session.event.club, by=user)


def withdraw_entry(session: Session, number: int, user: User) -> None:
    section = reload_section(session)
    place = section.places.filter(entry__number=number).order_by("number").first()
    assert place is not None
    scoring.services.apply_seating_change(
        section=section,
        rounds_played=section.rounds,
        incident=Withdrawal(place.number),
        continuation_key="swiss-out",
        incident_data={"kind": "left", "names": [], "round": section.rounds + 1},
        by=user,
    )


def list_players_by_round(session: Session) -> dict[int, set[int]]:
    """Return the players of each round."""
    players_by_round: dict[int, set[int]] = {}
    for table in load_session_snapshot(session).tables:
        if table.is_played:
            both_entries = {table.ns.entries[0], table.ew.entries[0]}
            players_by_round.setdefault(table.round, set()).update(both_entries)
    return players_by_round


INVALID_WITHDRAWALS = [
    ("pairs", 7, {}),
    ("pairs", 8, {}),
    ("teams", 7, {}),
    ("teams", 7, {"three_way": True}),
    ("teams", 8, {"own_boards": True}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("contest", "size", "plan"), INVALID_WITHDRAWALS)
def test_withdrawn_entry_stays_away_and_keeps_its_score_after_import(
    contest: str, size: int, plan: dict[str, bool]
) -> None:
    session, user = swiss_evenings.open_swiss(
        size, 3, contest=contest, method="victory_points", **plan
    )
    play_draw(session, user)
    withdraw_entry(session, 2, user)
    for round_number in (2, 3):
        draw_next_round(session, user)
        document, copy = reimport(session.event, user)  # also before the round is played
        assert document["sessions"][0]["sections"][0]["gone"] == ["2"]
        play_draw(session, user)
        document, copy = reimport(session.event, user)
        assert (
            score_event(copy.event).scores_by_entry
            == score_event(session.event).scores_by_entry
        )
        assert (
            score_event(copy.event).tally.missed_rounds_by_session
            == score_event(session.event).tally.missed_rounds_by_session
        )
        if round_number == 2:
            draw_next_round(copy, user)
            rounds = list_players_by_round(copy)
            assert all(2 not in rounds[round_] for round_ in rounds if round_ > len(rounds) / 3)
            with pytest.raises(UnplayableMovement, match="No one is sitting there"):
                withdraw_entry(copy, 2, user)


@pytest.mark.slow
def test_round_of_an_entry_that_sat_out_before_withdrawing_counts() -> None:
    session, user = swiss_evenings.open_swiss(7, 3, method="victory_points")
    play_draw(session, user)
    (sat_out_number,) = {*range(1, 8)} - list_players_by_round(session)[1]
    withdraw_entry(session, sat_out_number, user)
    draw_next_round(session, user)
    play_draw(session, user)
    for event in (session.event, reimport(session.event, user)[1].event):
        assert score_event(event).tally.count_missed_rounds(1) == {sat_out_number: 1}
        assert score_event(event).scores_by_entry[sat_out_number] == 10
    copy = scoring.services.copy_session(session=session, name="Practice", by=user)
    assert reload_section(copy).options["gone_from"] == {
        str(reload_section(copy).places.get(entry__number=sat_out_number).number): 2
    }
    document = export_event(session.event, should_include_deals=False)
    (section,) = document["sessions"][0]["sections"]
    del section["gone"]
    with pytest.raises(UnusableEventFile, match=r"gone_from: 7 isn’t in the “gone” list"):
        import_event(document=document, club=session.event.club, by=user)


def test_withdrawal_from_a_planned_session_is_kept_too() -> None:
    session, user = evenings.open_session(6)
    section = reload_section(session)
    place = section.places.get(label="2NS")
    scoring.services.apply_seating_change(
        section=section,
        rounds_played=1,
        incident=Withdrawal(place.number),
        continuation_key="empty",
        incident_data={"kind": "left", "names": [], "round": 2},
        by=user,
    )
    document, copy = reimport(session.event, user)
    assert document["sessions"][0]["sections"][0]["gone"] == ["2NS"]
    assert load_movement_with_withdrawals(reload_section(copy)).withdrawn_places == {
        reload_section(copy).places.get(label="2NS").number
    }


@pytest.mark.parametrize(
    ("gone_places", "expected"),
    [
        (["9"], "gone[0]: "),
        (["2NS"], "gone[0]: "),
        (["2", "2"], "gone[1]: Place 2 is listed twice."),
        (["7"], "gone[0]: No one sits at 7"),
        (["two"], "gone[0]: “two” isn’t a place of the movement"),
        ([2], "gone[0]: 2 is a number. Write it as text"),
    ],
)
def test_error_of_a_withdrawal_from_an_occupied_place_names_its_path(
    gone_places: list[Any], expected: str
) -> None:
    session, user = swiss_evenings.open_swiss(8)
    document = export_event(session.event, should_include_deals=False)
    (section,) = document["sessions"][0]["sections"]
    del section["seating"]["7"]
    section["gone"] = gone_places
    with pytest.raises(UnusableEventFile) as exc_info:
        import_event(document=document, club=session.event.club, by=user)
    assert any(
        problem.startswith(f"sessions[0].sections[0].{expected}")
        for problem in exc_info.value.problems
    ), exc_info.value.problems


def list_drawn_rounds(session: Session) -> list[tuple[Any, ...]]:
    """Return each drawn round, without the reasons that depend on the draw's history."""
    return [
        (
            drawn_round.title,
            [
                (match.table, match.ns, match.ew, drop_history_reason(match.reason))
                for match in drawn_round.matches
            ],
            [
                (line.name, line.table_label, line.side_text, line.opponents)
                for line in drawn_round.lines
            ],
            [(item[0], item[1], drop_history_reason(item[2])) for item in drawn_round.sit_outs],
            drawn_round.has_three_way_match,
            drawn_round.note,
        )
        for drawn_round in load_drawn_rounds(load_session_snapshot(session))
    ]


def drop_history_reason(reason: str) -> str:
    return reason if reason.startswith(("Three-way", "Knock-out", "bye")) else ""


@pytest.mark.slow
@parametrize_drawn_events
def test_list_of_rounds_is_the_same_after_import(
    contest: str, size: int, plan: dict[str, bool]
) -> None:
    session, user = open_swiss(contest, size, plan)
    first_drawn_rounds = list_drawn_rounds(session)
    assert bool(first_drawn_rounds[0][3]) == bool(size % 2 and not plan.get("three_way"))
    play_draw(session, user)
    draw_next_round(session, user)
    _document, copy = reimport(session.event, user)
    assert list_drawn_rounds(copy) == list_drawn_rounds(session)
    assert list_drawn_rounds(copy)[1] == first_drawn_rounds[0]
    play_draw(copy, user)
    if size > 4 and not plan.get("knockout"):
        draw_next_round(copy, user)
        assert list_drawn_rounds(copy)[1:] == list_drawn_rounds(session)


@pytest.mark.slow
def test_withdrawn_entry_sits_out_no_listed_round() -> None:
    session, user = swiss_evenings.open_swiss(8)
    play_draw(session, user)
    withdraw_entry(session, 2, user)
    draw_next_round(session, user)
    assert [
        round_[0] for round_ in load_drawn_rounds(load_session_snapshot(session))[0].sit_outs
    ] != [2]
    _document, copy = reimport(session.event, user)
    assert list_drawn_rounds(copy) == list_drawn_rounds(session)


@pytest.mark.slow
def test_imported_sit_out_without_history_has_no_reason() -> None:
    session, user = swiss_evenings.open_swiss(7)
    _document, copy = reimport(session.event, user)
    ((number, _name, reason),) = load_drawn_rounds(load_session_snapshot(copy))[0].sit_outs
    assert number == load_drawn_rounds(load_session_snapshot(session))[0].sit_outs[0][0]
    assert reason == ""


DRAW_PATH = "sessions[0].sections[0].draw"
INVALID_DRAWS: list[tuple[dict[str, Any], str]] = [
    ({"apart": [[3]]}, ".apart[0]: List two pairs"),
    ({"apart": [[1, 2], [3, 2, 1]]}, ".apart[1]: List two pairs"),
    ({"apart": [[3, 3]]}, ".apart[0]: List two pairs"),
    ({"apart": [[3, 99]]}, ".apart[0]: Entry 99 isn’t in this file."),
    ({"three_way": True}, ".three_way: Only teams have this"),
    ({"own_boards": True}, ".own_boards: Only teams have this"),
    ({"rounds": 1}, ": Drawn rounds can’t be planned: Choose from 2 to 20 rounds."),
    ({"rounds": "3"}, ".rounds: “3” is text"),
    ({"knockout": True, "segments": 2}, ".rounds: 3 rounds don’t make whole matches"),
]


@pytest.mark.parametrize(("draw", "expected"), INVALID_DRAWS)
def test_error_of_an_impossible_draw_names_its_path(
    draw: dict[str, Any], expected: str
) -> None:
    session, user = swiss_evenings.open_swiss(8)
    document = export_event(session.event, should_include_deals=False)
    document["sessions"][0]["sections"][0]["draw"] |= draw
    with pytest.raises(UnusableEventFile) as exc_info:
        import_event(document=document, club=session.event.club, by=user)
    (problem,) = exc_info.value.problems
    assert problem.startswith(DRAW_PATH + expected)
    assert Event.objects.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("draw", [{}, {"three_way": True}, {"own_boards": True}], ids=str)
@pytest.mark.parametrize("movement_data", MOVEMENTS, ids=lambda item: item["name"])
def test_rounds_are_drawn_only_for_pairs_and_teams(
    client: Client, movement_data: dict[str, Any], draw: dict[str, Any]
) -> None:
    """Rounds listed with any other movement are refused by path, or shown and drawn."""
    document = file_of(movement_data, method="tricks", with_deals=False)
    document["event"]["method"] = "plus_minus"
    document["sessions"][0]["sections"][0]["draw"] = {"rounds": 20, **draw}
    contest = document["event"]["contest"]
    club, user = evenings.create_club_with_director()
    if contest not in ("pairs", "teams") or (draw and contest == "pairs"):
        with pytest.raises(UnusableEventFile) as exc_info:
            import_event(document=document, club=club, by=user)
        assert all(problem.startswith(DRAW_PATH) for problem in exc_info.value.problems)
        return
    event = import_event(document=document, club=club, by=user)
    client.force_login(user)
    page = client.get(reverse("draws", args=[event.slug]), follow=True)
    assert page.status_code == 200
    with suppress(ActionUnavailable):
        draw_next_round(event.sessions.get(), user)


@pytest.mark.slow
@pytest.mark.parametrize("segments", [1, 2])
@pytest.mark.parametrize("size", [2, 3, 5, 6, 8, 9])
@pytest.mark.parametrize("three_way", [False, True])
def test_bracket_and_its_draws_agree_on_rounds_and_segments(
    size: int, segments: int, three_way: bool
) -> None:
    """Each bracket is accepted with the draws that play gives it, and with no others."""
    if three_way and not can_replace_byes(size):
        return
    plan = {"three_way": True} if three_way else {}
    session, _user = open_bracket("teams", size, segments=segments, **plan)
    document = export_event(session.event, should_include_deals=False)
    draw = document["sessions"][0]["sections"][0]["draw"]
    valid_draw = dict(draw)
    for rounds in {1, 2, 3, 4, 6, 8, 20}:
        for item in (1, 2, 4):
            draw |= {"rounds": rounds, "segments": item}
            if draw == valid_draw:
                assert read_event_file(document)
                continue
            with pytest.raises(UnusableEventFile) as exc_info:
                read_event_file(document)
            (problem,) = exc_info.value.problems
            assert problem.startswith((f"{DRAW_PATH}.rounds: ", f"{DRAW_PATH}.segments: "))
