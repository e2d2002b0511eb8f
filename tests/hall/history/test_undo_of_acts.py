"""Any act of the history is undone in one exact step, and that undo can be undone too."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import drives.services
import hall.history.undo
import scoring.services
import tournaments.services
from boards.models import Board
from boards.whist.dealing import deal_board
from clubs import audit
from clubs.models import Act
from clubs.undo import undo_recorded_act
from drives.models import HouseTerms
from hall.challenges import services
from hall.history.inverses import CLUB_INVERSES, INVERSES
from hall.models import Challenge
from hall.rehearsal.services import create_rehearsal
from scoring.models import Result
from scoring.services import doubts
from server.models import User
from tests import acts, evenings
from tests.clubs import test_languages as languages
from tests.clubs.evenings import test_bookings as bookings
from tests.clubs.evenings import test_check_ins as check_ins
from tests.drives.games import test_house_tables as house_tables
from tests.scoring import test_check_in_start as check_in_start
from tests.scoring.papers import test_second_play as second_play
from tests.scoring.stages import test_fields as fields
from tests.scoring.stages import test_finals as finals
from tests.scoring.stages import test_knockouts as knockouts
from tests.seasons import test_by_hand as by_hand
from tests.seasons import test_me as me
from tests.seasons import test_people_lists as people
from tests.seasons import test_person as person
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.services.session_boards import cancel_board_request

pytestmark = pytest.mark.django_db


def check_undo_and_redo(session: Session, user: User, act: acts.Act) -> None:
    """Check that undo restores the state exactly, and that undoing the undo does too."""
    event = session.event
    event_state_before = acts.read_event_state(event)
    act(Session.objects.get(pk=session.pk), user)
    new_act, event_state_after = acts.find_newest_act(event), acts.read_event_state(event)
    assert event_state_after != event_state_before
    undoing_act = acts.undo_act(new_act, event, user)
    assert acts.read_event_state(event) == event_state_before
    assert list_undo_actions(new_act, undoing_act) == acts.UNDO_ACTIONS_BY_ACT[act.__name__]
    assert (undoing_act.way, undoing_act.by) == ("undo", user.get_username())
    if undoing_act.back.get("call"):
        acts.undo_act(undoing_act, event, user)
        assert drop_links(acts.read_event_state(event)) == drop_links(event_state_after)


def list_undo_actions(act: Act, undoing_act: Act) -> tuple[str, str]:
    """Return the undo actions of an act and of its undo; empty where they are not possible."""
    return act.back["call"], undoing_act.back.get("call", "")


def drop_links(state: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if "links" not in key}


@pytest.mark.slow
@pytest.mark.parametrize("name", acts.PLANNED_SESSION_ACTS)
def test_acts_during_setup_can_be_undone(name: str) -> None:
    event, user = evenings.create_event(pairs=6)
    check_undo_and_redo(event.sessions.get(), user, acts.PLANNED_SESSION_ACTS[name])


@pytest.mark.parametrize("name", acts.SEATED_SESSION_ACTS)
def test_acts_before_play_can_be_undone(name: str) -> None:
    session, user = evenings.seat_session(6)
    check_undo_and_redo(session, user, acts.SEATED_SESSION_ACTS[name])


@pytest.mark.parametrize("name", acts.OPEN_SESSION_ACTS)
def test_acts_during_play_can_be_undone(name: str) -> None:
    session, user = evenings.open_session(6)
    check_undo_and_redo(session, user, acts.OPEN_SESSION_ACTS[name])


@pytest.mark.slow
def test_rehearsal_speed_can_be_undone() -> None:
    session, user = evenings.seat_session(6)
    rehearsal = create_rehearsal(session=session, by=user)
    check_undo_and_redo(rehearsal.event.sessions.get(), user, acts.set_rehearsal_speed)


@pytest.mark.parametrize("name", acts.CLUB_ACTS)
def test_acts_on_a_club_can_be_undone(name: str) -> None:
    club, user = evenings.create_club_with_director()
    acts.add_players_and_movement(club, user)
    act, club_state_before = acts.CLUB_ACTS[name], acts.read_club_state(club)
    act(club, user)
    new_act, club_state_after = audit.list_acts(club)[0], acts.read_club_state(club)
    assert club_state_after != club_state_before
    hall.history.undo.undo_club_act(club=club, act=new_act, by=user)
    assert acts.read_club_state(club) == club_state_before
    undone_act = Act.objects.get(undoes=new_act)
    assert list_undo_actions(new_act, undone_act) == acts.UNDO_ACTIONS_BY_ACT[act.__name__]
    hall.history.undo.undo_club_act(club=club, act=undone_act, by=user)
    assert acts.read_club_state(club) == club_state_after


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first_act", "second_act"),
    [
        (acts.start_clock, acts.add_minutes),
        (acts.add_penalty, acts.withdraw_ruling),
        (acts.close_session, acts.reopen_session),
        (acts.add_session, acts.set_session_date),
    ],
)
def test_acts_that_depend_on_earlier_acts_can_be_undone(
    first_act: acts.Act, second_act: acts.Act
) -> None:
    session, user = evenings.open_session(6)
    first_act(session, user)
    check_undo_and_redo(session, user, second_act)


@pytest.mark.slow
def test_merge_of_two_players_can_be_undone() -> None:
    event, user = evenings.create_event(pairs=4)
    check_merge_undo(event, user)


def check_merge_undo(event: Event, user: User) -> None:
    entries_before = acts.read_event_state(event)["entries"]
    acts.merge_players(event.sessions.get(), user)
    act, entries_after = acts.find_newest_act(event), acts.read_event_state(event)["entries"]
    assert entries_after != entries_before
    undone = acts.undo_act(act, event, user)
    assert acts.read_event_state(event)["entries"] == entries_before
    acts.undo_act(undone, event, user)
    assert acts.read_event_state(event)["entries"] == entries_after


@pytest.mark.slow
def test_choosing_several_sections_is_one_act() -> None:
    session, user = evenings.seat_session(8, movement="howell")
    event_state_before, act_count = (
        acts.read_event_state(session.event),
        audit.list_acts(session.event).count(),
    )
    entries = list(session.event.entries.order_by("number"))
    halves = tournaments.services.divide_entries(entries, 2)
    plans = [
        tournaments.services.PlannedSection(
            build_named_movement("howell", pairs=4), {}, section_entries
        )
        for section_entries in halves
    ]
    tournaments.services.seat_sections(
        session=session,
        planned_sections=plans,
        boards_a_round=2,
        is_ranked_across_sections=True,
        by=user,
    )
    assert audit.list_acts(session.event).count() == act_count + 1
    acts.undo_act(acts.find_newest_act(session.event), session.event, user)
    assert acts.read_event_state(session.event) == event_state_before


@pytest.mark.slow
def test_undo_restores_replaced_deal() -> None:
    session, user = evenings.seat_session(6)
    acts.enter_deals(session, user)
    event_state_before = acts.read_event_state(session.event)
    session.refresh_from_db()
    tournaments.services.correct_deal(
        session=session, board_number=2, deal=deal_board(bytes([9]) * 32, 2), by=user
    )
    event_state_after = acts.read_event_state(session.event)
    undone = acts.undo_act(acts.find_newest_act(session.event), session.event, user)
    assert acts.read_event_state(session.event) == event_state_before
    acts.undo_act(undone, session.event, user)
    assert acts.read_event_state(session.event) == event_state_after
    assert Board.objects.filter(number=2).count() == 2


def test_boards_ordered_after_replacing_others_are_counted() -> None:
    session, user = evenings.seat_session(6)
    first_boards = tournaments.services.request_dealing(session=session, by=user)
    acts.undo_act(acts.find_newest_act(session.event), session.event, user)
    session.refresh_from_db()
    assert session.board_set is None
    assert session.deals == Session.DealsState.UNDECIDED
    second_boards = tournaments.services.request_dealing(session=session, by=user)
    assert (second_boards.ordinal, second_boards.replaces) == (2, first_boards)


@pytest.mark.slow
def test_played_boards_cannot_be_replaced() -> None:
    session, user = evenings.seat_session(6)
    tournaments.services.request_dealing(session=session, by=user)
    act = acts.find_newest_act(session.event)
    scoring.services.open_session(session=session, by=user)
    with pytest.raises(ActionUnavailable, match="Undo the newer change"):
        acts.undo_act(act, session.event, user)
    with pytest.raises(ActionUnavailable, match="Play has started"):
        cancel_board_request(session=session, by=user)
    session.refresh_from_db()
    assert session.board_set is not None


def test_undoing_acceptance_of_a_score_queries_it_again() -> None:
    session, user = evenings.play_session(6)
    row = Result.objects.filter(sitting__section__session=session)[0]
    Result.objects.filter(pk=row.pk).update(doubt="queried")
    event_state_before = acts.read_event_state(session.event)
    doubts.accept_result(sitting=row.sitting, board_number=row.board, by=user)
    event_state_after = acts.read_event_state(session.event)
    undone = acts.undo_act(acts.find_newest_act(session.event), session.event, user)
    assert acts.read_event_state(session.event) == event_state_before
    acts.undo_act(undone, session.event, user)
    assert acts.read_event_state(session.event) == event_state_after


@pytest.mark.slow
def test_acceptance_cannot_be_undone_after_result_changes() -> None:
    session, user = evenings.play_session(6)
    row = Result.objects.filter(sitting__section__session=session)[0]
    Result.objects.filter(pk=row.pk).update(doubt="queried")
    doubts.accept_result(sitting=row.sitting, board_number=row.board, by=user)
    act = acts.find_newest_act(session.event)
    evenings.enter_result(session, row.sitting_id, row.board, "0", user)
    event_state_before = acts.read_event_state(session.event)
    with pytest.raises(ActionUnavailable, match="has since been changed"):
        acts.undo_act(act, session.event, user)
    assert acts.read_event_state(session.event) == event_state_before


def test_opponents_confirmation_can_be_undone() -> None:
    session, user = evenings.open_session(6)
    sitting = Sitting.objects.get(section__session=session, round=1, table=1)
    board = session.get_group_boards(sitting.board_group)[0]
    scoring.services.record_result(
        sitting=sitting, board_number=board, mark="8", seen_score="", by=user, channel="phone"
    )
    event_state_before = acts.read_event_state(session.event)
    scoring.services.results.confirm_result(
        sitting=sitting, board_number=board, seen_score="8", by=user
    )
    acts.undo_act(acts.find_newest_act(session.event), session.event, user)
    assert acts.read_event_state(session.event) == event_state_before


@pytest.mark.parametrize("approve", [True, False])
def test_decision_about_a_score_can_be_undone(approve: bool) -> None:
    session, user = evenings.play_session(6)
    scoring.services.close_session(session=session, by=user)
    row = Result.objects.select_related("sitting__north__entry", "sitting__east__entry")[0]
    asker, other_entry = row.sitting.north.entry, row.sitting.east.entry
    assert asker is not None
    assert other_entry is not None
    ns_tricks = (row.ns_tricks or 0) + 1
    challenge = services.challenge_result(entry=asker, result=row, ns_tricks=ns_tricks)
    services.answer_challenge(entry=other_entry, challenge=challenge, has_agreed=True)
    event_state_before = acts.read_event_state(session.event)
    services.decide_challenge(challenge=challenge, is_approved=approve, by=user)
    acts.undo_act(acts.find_newest_act(session.event), session.event, user)
    assert acts.read_event_state(session.event) == event_state_before
    challenge = Challenge.objects.get()
    assert (challenge.agreed, challenge.approved, challenge.decided_at) == (True, None, None)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_whole_session_can_be_undone_step_by_step(seed: int) -> None:
    """After any sequence of acts each undo restores exactly the state before its act."""
    event, user = evenings.create_event(pairs=6)
    session = event.sessions.get()
    states_before: dict[int, dict[str, Any]] = {}
    for act in draw_acts(random.Random(seed)):
        state, act_count = acts.read_event_state(event), audit.list_acts(event).count()
        act(Session.objects.get(pk=session.pk), user)
        if audit.list_acts(event).count() > act_count:
            states_before[acts.find_newest_act(event).pk] = state
    assert len(states_before) > 10
    for pk in sorted(states_before, reverse=True):
        hall.history.undo.undo_event_act(event=event, act=Act.objects.get(pk=pk), by=user)
        assert acts.read_event_state(event) == states_before[pk]


@pytest.mark.slow
def test_use_of_a_board_from_another_set_can_be_undone() -> None:
    session, user = evenings.open_session(10)
    sitting = Sitting.objects.get(section__session=session, round=1, table=1)
    evenings.enter_result(session, sitting.pk, 1, "8", user)
    event_state_before = acts.read_event_state(session.event)
    own_board, actual_board = 1, 5
    scoring.services.record_actual_board(
        sitting=sitting, board=own_board, really=actual_board, by=user
    )
    event_state = acts.read_event_state(session.event)
    undoing_act = acts.undo_act(acts.find_newest_act(session.event), session.event, user)
    assert acts.read_event_state(session.event) == event_state_before
    acts.undo_act(undoing_act, session.event, user)
    assert acts.read_event_state(session.event) == event_state


def test_default_drive_terms_of_a_club_can_be_undone() -> None:
    club = evenings.create_club_with_director()[0]
    drives.services.set_house_terms(club=club, terms={"first_word": "lady"}, by=None)
    drives.services.set_house_terms(club=club, terms={"first_word": "red"}, by=None)
    undo_recorded_act(
        audit.list_acts(club), audit.list_acts(club)[0], CLUB_INVERSES, club=club, by=None
    )
    assert HouseTerms.objects.get().terms == {"first_word": "lady"}


SIMILAR_NAMES_TEST = people.test_similar_names_are_listed_until_marked_as_different_people
CHECK_IN_START_TEST = check_in_start.test_undo_of_start_reopens_check_in_with_everyone_seated
TESTED_SEPARATELY = {
    "board.put_right": test_use_of_a_board_from_another_set_can_be_undone,
    "check_in.put_back": check_ins.test_every_act_is_undone_from_the_history,
    "check_in.reopen": CHECK_IN_START_TEST,
    "check_in.state": check_ins.test_every_act_is_undone_from_the_history,
    "challenge.reopen": test_decision_about_a_score_can_be_undone,
    "club.currency": by_hand.test_currency_can_be_chosen_and_undone_until_money_is_recorded,
    "club.language": languages.test_owner_chooses_the_language_on_a_page_and_can_undo_it,
    "drive.contract_words": house_tables.test_change_of_contract_names_is_undone,
    "drive.house_terms": test_default_drive_terms_of_a_club_can_be_undone,
    "entries.profile": fields.test_strata_profiles_and_prizes_can_be_undone,
    "fixture.cancel": bookings.test_calendar_changes_can_be_undone_and_redone,
    "fixture.change": bookings.test_calendar_changes_can_be_undone_and_redone,
    "fixture.revive": bookings.test_calendar_changes_can_be_undone_and_redone,
    "knockout.matches": knockouts.test_correction_can_undo_scores_of_later_matches,
    "knockout.settle": knockouts.test_bracket_with_scores_cannot_be_rebuilt,
    "second_play.settle": second_play.test_second_play_term_is_set_once_and_can_be_undone,
    "prizes.settle": fields.test_strata_profiles_and_prizes_can_be_undone,
    "stage.draw": finals.test_finals_draw_can_be_undone_until_a_final_begins,
    "stage.settle": finals.test_finals_rule_can_be_undone,
    "stage.undraw": finals.test_finals_draw_can_be_undone_until_a_final_begins,
    "strata.settle": fields.test_strata_profiles_and_prizes_can_be_undone,
    "series.change": bookings.test_calendar_changes_can_be_undone_and_redone,
    "series.end": bookings.test_calendar_changes_can_be_undone_and_redone,
    "series.resume": bookings.test_calendar_changes_can_be_undone_and_redone,
    "people.put_back": people.test_list_import_has_preview_is_idempotent_and_can_be_undone,
    "person.put": person.test_personal_details_are_saved_and_undone,
    "person_links.revoke": me.test_personal_link_is_created_printed_and_revoked,
    "players.apart": SIMILAR_NAMES_TEST,
    "players.ask_again": SIMILAR_NAMES_TEST,
    "result.ask_again": test_undoing_acceptance_of_a_score_queries_it_again,
    "result.await_yes": test_opponents_confirmation_can_be_undone,
    "result.keep": test_undoing_acceptance_of_a_score_queries_it_again,
}
"""Undo actions that need more than one act to test, each with the test that does it."""


def test_every_undo_action_is_covered_by_a_test() -> None:
    covered_actions = {
        call for undo_actions in acts.UNDO_ACTIONS_BY_ACT.values() for call in undo_actions
    } - {""}
    assert covered_actions | TESTED_SEPARATELY.keys() == INVERSES.keys() | CLUB_INVERSES.keys()
    tables = (
        acts.PLANNED_SESSION_ACTS,
        acts.SEATED_SESSION_ACTS,
        acts.OPEN_SESSION_ACTS,
        acts.CLUB_ACTS,
    )
    names = {act.__name__ for table in tables for act in table.values()}
    separately_tested_acts = {
        acts.set_rehearsal_speed,
        acts.add_minutes,
        acts.withdraw_ruling,
        acts.reopen_session,
        acts.set_session_date,
    }
    assert (
        names | {act.__name__ for act in separately_tested_acts}
        == acts.UNDO_ACTIONS_BY_ACT.keys()
    )


def draw_acts(chance: random.Random) -> Iterator[acts.Act]:
    setup_acts = [
        acts.edit_event,
        acts.hide_standings,
        acts.change_scoring,
        acts.add_entry,
        acts.remove_entry,
        acts.rename_entry,
        acts.rename_player,
    ]
    chance.shuffle(setup_acts)
    yield from setup_acts
    yield from chance.sample([acts.seat_howell, acts.remove_seating, acts.seat_howell], 3)
    yield acts.seat_howell
    yield chance.choice([acts.draw_random_seats, acts.set_stationary_wishes])
    yield chance.choice([acts.request_dealing, acts.shuffle_at_table, acts.enter_deals])
    yield acts.open_session
    play_acts = [acts.set_clock, acts.start_clock, acts.add_penalty, acts.hide_standings]
    chance.shuffle(play_acts)
    yield from play_acts
    yield acts.close_session
