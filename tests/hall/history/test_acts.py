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
from tournaments.movements import build

pytestmark = pytest.mark.django_db


def list_change_texts(event: Event) -> list[tuple[str, str, str]]:
    return [
        (change.text, change.before, change.after)
        for change in list_changes(EventAccess(event))
    ]


def test_history_describes_event_change_without_a_code() -> None:
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

Told = list[tuple[str, ...]]


def play_varied_event() -> tuple[Event, User]:
    """Return a history with nearly every kind of act, some of them undone."""
    event, user = evenings.create_event(pairs=6)
    session = event.sessions.get()
    set_up = [act for act in acts.PLANNED.values() if act is not acts.put_away]
    seated = (
        acts.seat_howell,
        acts.remove_seating,
        seat_mitchell,
        acts.draw_random_seats,
        acts.add_session,
        acts.date_session,
    )
    acts_in_play = (acts.create_hand_link, acts.type_deals, acts.open_play, *acts.OPEN.values())
    for act in (*set_up, *seated, *acts_in_play, acts.withdraw_ruling, acts.reopen):
        act(Session.objects.get(pk=session.pk), user)
        if act in (acts.add_penalty, acts.set_clock):
            acts.take_back(acts.find_newest_act(event), event, user)
            acts.take_back(acts.find_newest_act(event), event, user)
    act_without_login(Session.objects.get(pk=session.pk), user)
    acts.add_players_and_movement(event.club, user)
    of_players = (
        acts.change_correction_hours,
        acts.add_player,
        acts.hide_player,
        acts.put_right,
    )
    for of_club in (*of_players, acts.save_over, acts.delete_movement, acts.record_play):
        of_club(event.club, user)
    return event, user


def seat_mitchell(session: Session, user: User) -> object:
    return tournaments.services.seat_section(
        session=session, movement=build("compass", pairs=6), boards_a_round=2, by=user
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


def store_in_language(language: AbstractContextManager[None]) -> tuple[str, Told]:
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
def test_history_reads_the_same_whichever_language_the_act_was_recorded_in() -> None:
    kept, reported = store_in_language(nullcontext())
    other, told_too = store_in_language(activate_marked_language())
    assert len(reported) > 50
    assert "«" not in other
    assert other == kept
    assert told_too == reported


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
    left = {text: remove_marked_text(text) for text in texts}
    assert {
        t for t, rest in left.items() if has_words(rest, sorted(names, key=len, reverse=True))
    } == set()


def test_history_names_table_with_its_section_if_there_are_several() -> None:
    event, user = evenings.create_event(pairs=8)
    session, entries = event.sessions.get(), list(event.entries.order_by("number"))
    plans = [
        tournaments.services.PlannedSection(build("howell", pairs=4), {}, half)
        for half in tournaments.services.divide_entries(entries, 2)
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
    newest = list_changes(EventAccess(event))[0]
    assert (newest.text, newest.before, newest.after, newest.via, newest.by) == (
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
