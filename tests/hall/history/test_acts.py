"""The history describes acts in the words of players and shows no code."""

from contextlib import AbstractContextManager, nullcontext
from datetime import date

import pytest
from django.db import transaction

import scoring.services
import tournaments.services
from clubs import audit
from clubs.audit import GuestAuthor
from clubs.models import Act, Player
from hall.history.sheets import list_changes, list_club_changes
from hall.rehearsal.services import create_rehearsal, delete_rehearsal
from scoring.models import ResultVersion, Ruling, StandingsVersion
from scoring.standings_engine import standings, versions
from server.models import User
from tests import acts, evenings
from tests.languages import activate_marked_language, has_words
from tests.page_text import remove_marked_text
from tournaments.event_access import EventAccess
from tournaments.models import Event, SeatingChange, Session, Sitting
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


def list_change_texts(event: Event) -> list[tuple[str, str, str]]:
    return [
        (change.text, change.before, change.after)
        for change in list_changes(EventAccess(event))
    ]


def test_history_shows_labels_instead_of_stored_codes() -> None:
    event, user = evenings.create_event(pairs=4)
    scoring.services.edit_event(
        event=event,
        name=event.name,
        date=date(2026, 3, 11),
        method="matchpoints",
        standings_shown="after",
        paper_size="A4",
        by=user,
    )
    assert (
        "Event changed: date, scoring, players see the standings",
        "10 Mar 2026, plus and minus, always, while the scores come in",
        "11 Mar 2026, matchpoints, after the session",
    ) in list_change_texts(event)


def test_history_shows_name_with_comma_as_entered() -> None:
    event, user = evenings.create_event(pairs=4)
    scoring.services.edit_event(
        event=event,
        name="Club night, late",
        date=event.date,
        method="tricks",
        standings_shown="always",
        paper_size="A4",
        by=user,
    )
    assert any("Club night, late" in after for _, _, after in list_change_texts(event))


def test_history_describes_visibility_of_standings_in_words() -> None:
    event, user = evenings.create_event(pairs=4)
    tournaments.services.set_standings_visibility(event=event, shown="never", by=user)
    player = event.entries.get(number=1).players.all()[0]
    tournaments.services.set_player_visibility(player=player, shown="initials", by=user)
    change_texts = list_change_texts(event)
    assert (
        "Players see the standings",
        "always, while the scores come in",
        "never",
    ) in change_texts
    text = f"Player’s public details: {player.name}"
    assert (text, "name", "initials only") in change_texts


def test_history_of_individual_event_says_player_instead_of_pair() -> None:
    event, user = evenings.create_event(pairs=0, contest="individual")
    tournaments.services.create_entry(event=event, names=["Ada Pole"], by=user)
    texts = [text for text, _, _ in list_change_texts(event)]
    assert "Player added: 1" in texts


# The history stores no text of any language.

HistoryLines = list[tuple[str, ...]]


def play_varied_event() -> tuple[Event, User]:
    """Return a history with nearly every kind of act, some of them undone."""
    event, user = evenings.create_event(pairs=6)
    session = event.sessions.get()
    setup_acts = [
        act for act in acts.PLANNED_SESSION_ACTS.values() if act is not acts.archive_event
    ]
    seating_acts = (
        acts.seat_howell,
        acts.remove_seating,
        seat_mitchell,
        acts.draw_random_seats,
        acts.add_session,
        acts.set_session_date,
    )
    acts_in_play = (
        acts.create_hand_link,
        acts.enter_deals,
        acts.open_session,
        *acts.OPEN_SESSION_ACTS.values(),
    )
    for act in (
        *setup_acts,
        *seating_acts,
        *acts_in_play,
        acts.withdraw_ruling,
        acts.reopen_session,
    ):
        act(Session.objects.get(pk=session.pk), user)
        if act in (acts.add_penalty, acts.set_clock):
            acts.undo_act(acts.find_newest_act(event), event, user)
            acts.undo_act(acts.find_newest_act(event), event, user)
    act_without_login(Session.objects.get(pk=session.pk), user)
    acts.add_players_and_movement(event.club, user)
    player_acts = (
        acts.change_correction_hours,
        acts.add_player,
        acts.hide_player,
        acts.correct_player_name,
    )
    for of_club in (
        *player_acts,
        acts.overwrite_movement,
        acts.delete_movement,
        acts.record_play,
    ):
        of_club(event.club, user)
    return event, user


def seat_mitchell(session: Session, user: User) -> object:
    return tournaments.services.seat_section(
        session=session,
        movement=build_named_movement("compass", pairs=6),
        boards_a_round=2,
        by=user,
    )


def act_without_login(session: Session, user: User) -> None:
    table = GuestAuthor(GuestAuthor.Kind.TABLE, "A3")
    sitting = Sitting.objects.get(section__session=session, round=1, table=3)
    board = session.get_group_boards(sitting.board_group)[0]
    play = {"sitting": sitting, "board_number": board, "by": table}
    scoring.services.record_result(**play, mark="8", seen_score=None, channel="phone")
    scoring.services.confirm_result(**play, seen_score="8")
    result = sitting.results.get()
    result.doubt = "queried"
    result.save()
    scoring.services.accept_result(sitting=sitting, board_number=board, by=user)
    for kind, terms in (
        ("average", {"reason": "noise"}),
        ("revoke", {"side": "NS", "revokes": 1, "won_before": 5, "law": "X.4"}),
        ("adjusted", {"ns_tricks": "13/2", "ew_tricks": "6", "reason": "both at fault"}),
    ):
        scoring.services.make_ruling(kind=kind, result=result, by=user, **terms)
    scoring.services.close_session(session=session, by=None)
    standings.update_standings(session.event)
    versions.store_version(session.event)


def store_in_language(language: AbstractContextManager[None]) -> tuple[str, HistoryLines]:
    """Return all stored values of an event written in a language, and their English form."""
    with transaction.atomic():
        with language:
            event, _user = play_varied_event()
        acts = [list(Act.objects.values("by", "way", "action", "where", "before", "after"))]
        acts.append(list(SeatingChange.objects.values("what", "way", "by")))
        acts.append(list(StandingsVersion.objects.values("reason", "made_by")))
        acts.append(list(Ruling.objects.values("kind", "reason", "made_by")))
        acts.append(list(ResultVersion.objects.values("by", "via")))
        lines = [*list_changes(EventAccess(event)), *list_club_changes(event.club)]
        transaction.set_rollback(True)
    return str(acts), [
        (line.text, line.by, line.before, line.after, line.via) for line in lines
    ]


@pytest.mark.slow
def test_history_text_does_not_depend_on_recording_language() -> None:
    stored_values, history_lines = store_in_language(nullcontext())
    marked_stored_values, marked_history_lines = store_in_language(activate_marked_language())
    assert len(history_lines) > 50
    assert "«" not in marked_stored_values
    assert marked_stored_values == stored_values
    assert marked_history_lines == history_lines


@pytest.mark.slow
def test_whole_history_is_in_the_readers_language() -> None:
    event, _user = play_varied_event()
    names = {*Player.objects.values_list("name", flat=True), "Pole", "Nowak", "Ann", "Ours"}
    names |= {"director", "Tuesday", "Charity night", event.club.name, "A hand from a book"}
    names |= {"noise", "both at fault", "late"}  # reasons typed by people
    with activate_marked_language():
        changes = [*list_changes(EventAccess(event)), *list_club_changes(event.club)]
    texts = [
        text
        for item in changes
        for text in (item.text, item.by, item.before, item.after, item.via)
    ]
    remaining_texts = {text: remove_marked_text(text) for text in texts}
    assert {
        t
        for t, rest in remaining_texts.items()
        if has_words(rest, sorted(names, key=len, reverse=True))
    } == set()


def test_history_names_table_with_its_section_if_there_are_several() -> None:
    event, user = evenings.create_event(pairs=8)
    session, entries = event.sessions.get(), list(event.entries.order_by("number"))
    plans = [
        tournaments.services.PlannedSection(
            build_named_movement("howell", pairs=4), {}, section_entries
        )
        for section_entries in tournaments.services.divide_entries(entries, 2)
    ]
    tournaments.services.seat_sections(
        session=session, planned_sections=plans, boards_a_round=2, by=user
    )
    session = scoring.services.open_session(session=session, by=user)
    sitting = Sitting.objects.get(section__letter="B", round=1, table=2)
    board = session.get_group_boards(sitting.board_group)[0]
    evenings.enter_result(session, sitting.pk, board, "7", user)
    scoring.services.make_ruling(
        kind="average", sitting=sitting, board_number=board, reason="noise", by=user
    )
    texts = [text for text, _, _ in list_change_texts(event)]
    assert texts[:2] == [
        f"Ruling added: board {board}, round 1, table B2",
        f"Board {board}, round 1, table B2",
    ]
    assert "Movement chosen: section A, B" in texts


def test_act_of_a_newer_release_is_shown_in_general_words() -> None:
    event, _user = evenings.create_event(pairs=4)
    audit.record(
        None,
        "ladder.climbed",
        subject=event,
        where={"rung": 3},
        before={"grade": "b"},
        after={"grade": "a", "name": "Ann Pole"},
        way="post",
    )
    newest_change = list_changes(EventAccess(event))[0]
    assert (
        newest_change.text,
        newest_change.before,
        newest_change.after,
        newest_change.via,
        newest_change.by,
    ) == (
        "ladder.climbed: rung 3",
        "grade b",
        "Ann Pole, grade a",
        "post",
        "the command line",
    )


def test_history_is_kept_when_its_event_is_deleted() -> None:
    session, user = evenings.seat_session(6)
    rehearsal = create_rehearsal(session=session, by=user)
    event = rehearsal.event
    delete_rehearsal(event=event, by=user)
    assert not Event.objects.filter(slug=event.slug).exists()
    assert audit.list_acts(Event(slug=event.slug))[0].action == "rehearsal.thrown_away"
