"""Any act of the history goes back in one step, exactly, and that step goes back too."""

import random
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

import scoring.services
import tournaments.services
from boards.models import Board
from boards.whist.dealing import make_deal
from scoring.models import Challenge, EntryLink, Result, RoundClock, Ruling, TableLink
from scoring.services import challenges, clock, doubting
from scoring.sheets.clock import usual_pace
from tests import evenings
from tournaments import audit
from tournaments.errors import NotNow
from tournaments.held import held_movement, snapshot
from tournaments.models import AuditEntry, Event, Player, Session, Sitting
from tournaments.movements import build
from tournaments.movements.changes import ways
from tournaments.movements.custom import rows_of
from tournaments.movements.happenings import WrongBoards
from tournaments.services.clubs import set_correction_hours
from tournaments.services.session_boards import set_boards_aside
from tournaments.undoing import standing

pytestmark = pytest.mark.django_db

CLOCK = ("minutes", "moving", "started_at", "paused_at", "added", "added_moving")
Act = Callable[[Session, User], object]


def state_of(event: Event) -> dict[str, Any]:
    """All that acts change, but for what counts writes and says when."""
    event = Event.objects.get(pk=event.pk)
    fields = ("name", "date", "method", "standings_shown", "paper_size", "tie_breaks")
    return {
        "event": [getattr(event, name) for name in (*fields, "carry_over", "revokes_read")],
        "away": event.put_away_at is not None,
        "hours": event.club.correction_hours,
        "entries": [
            (each.number, each.name, members_of(each), each.stays_seated)
            for each in event.entries.order_by("number")
        ],
        "sessions": [of_session(each) for each in event.sessions.order_by("number")],
        "rulings": sorted(
            Ruling.objects.standing().filter(session__event=event).values_list("kind", "reason")
        ),
        "players": sorted(event.club.players.values_list("name", "shown")),
        "table links": TableLink.objects.filter(revoked_at=None).count(),
        "entry links": EntryLink.objects.filter(revoked_at=None).count(),
    }


def members_of(entry: Any) -> list[str]:
    return [each.player.name for each in entry.memberships.order_by("order")]


def of_session(session: Session) -> dict[str, Any]:
    results = Result.objects.filter(sitting__section__session=session)
    time = RoundClock.objects.filter(session=session).first() or RoundClock(
        **usual_pace(session)
    )
    return {
        "fields": (session.number, session.day, session.state, session.deals),
        "closed": session.closed_at,
        "boards": (session.board_set_id, session.boards_a_round, session.across_sections),
        "cards": sorted(
            Board.objects.current()
            .filter(board_set=session.board_set)
            .values_list("number", "deal")
        ),
        "seats": [by_number(snapshot(section)) for section in session.sections.all()],
        "clock": [getattr(time, name) for name in CLOCK],
        "results": sorted(
            (
                row.board,
                row.sitting.round,
                row.sitting.table,
                row.mark,
                row.doubt,
                row.agreement,
            )
            for row in results.select_related("sitting")
        ),
    }


def by_number(section: dict[str, Any]) -> dict[str, Any]:
    """Entries by number: one that was put back is another row."""
    numbers = dict(evenings.Event.objects.get().entries.values_list("pk", "number"))
    places = [[*row[:3], numbers.get(row[3])] for row in section["places"]]
    return section | {"places": places}


def newest(event: Event) -> AuditEntry:
    return audit.history(event)[0]


def take_back(act: AuditEntry, event: Event, user: User) -> AuditEntry:
    scoring.services.take_back(event=event, act=act, by=user)
    return AuditEntry.objects.get(undoes=act)


# What is done to an evening before play, in play and after it.


def _edit(session: Session, by: User) -> object:
    event = session.event
    return scoring.services.edit_event(
        event=event,
        name="Charity night",
        date=date(2026, 4, 1),
        method="tricks",
        standings_shown="never",
        paper_size="Letter",
        by=by,
    )


def _show(session: Session, by: User) -> object:
    return tournaments.services.show_standings(event=session.event, shown="after", by=by)


def _settle(session: Session, by: User) -> object:
    return scoring.services.settle_scoring(
        event=session.event, method="matchpoints", carry_over="1/2", across=[1], by=by
    )


def _hours(session: Session, by: User) -> object:
    return set_correction_hours(event=session.event, hours="3", by=by)


def _put_away(session: Session, by: User) -> object:
    return tournaments.services.put_away_event(event=session.event, by=by)


def _enter(session: Session, by: User) -> object:
    names = ["Ada Newcomer", "Bob Newcomer"]
    return tournaments.services.enter(event=session.event, names=names, by=by)


def _remove(session: Session, by: User) -> object:
    entry = session.event.entries.get(number=3)
    tournaments.services.wish_to_stay(entries=[entry], staying=[], by=by)
    return tournaments.services.remove_entry(entry=entry, by=by)


def _rename(session: Session, by: User) -> object:
    entry = session.event.entries.get(number=2)
    return tournaments.services.rename_entry(entry=entry, names=["Uma Nu", "Vic Nu"], by=by)


def _wish(session: Session, by: User) -> object:
    entries = list(session.event.entries.filter(number=1))
    return tournaments.services.wish_to_stay(entries=entries, staying=[1], by=by)


def _seat(session: Session, by: User) -> object:
    pairs = session.event.entries.count()
    return tournaments.services.seat_section(
        session=session, movement=build("howell", pairs=pairs), boards_a_round=3, by=by
    )


def _unseat(session: Session, by: User) -> object:
    return tournaments.services.unseat(session=session, by=by)


def _draw(session: Session, by: User) -> object:
    section = session.sections.get()
    return tournaments.services.draw_seats(section=section, how="random", seed="7", by=by)


def _order_boards(session: Session, by: User) -> object:
    return tournaments.services.prepare_boards(session=session, by=by)


def _leave_out(session: Session, by: User) -> object:
    return tournaments.services.shuffle_at_table(session=session, by=by)


def _type_deals(session: Session, by: User) -> object:
    deals = {number: make_deal(bytes(32), number) for number in (1, 2)}
    return tournaments.services.import_deals(session=session, deals=deals, by=by)


def _date(session: Session, by: User) -> object:
    last = session.event.sessions.order_by("-number")[0]
    return tournaments.services.date_session(session=last, date=date(2026, 5, 5), by=by)


def _add_session(session: Session, by: User) -> object:
    return tournaments.services.add_session(event=session.event, by=by)


def _open(session: Session, by: User) -> object:
    return tournaments.services.open_session(session=session, by=by)


def _close(session: Session, by: User) -> object:
    return tournaments.services.close_session(session=session, by=by)


def _reopen(session: Session, by: User) -> object:
    return tournaments.services.reopen_session(session=session, by=by)


def _set_clock(session: Session, by: User) -> object:
    return clock.set_clock(session=session, minutes=21, moving=3, by=by)


def _start_clock(session: Session, by: User) -> object:
    return clock.start_clock(session=session, by=by)


def _add_minutes(session: Session, by: User) -> object:
    return clock.add_to_clock(session=session, minutes=4, by=by)


def _penalty(session: Session, by: User) -> object:
    return scoring.services.make_ruling(
        kind=Ruling.Kind.PENALTY,
        entry=session.event.entries.get(number=1),
        session=session,
        amount=1,
        reason="late",
        by=by,
    )


def _withdraw(session: Session, by: User) -> object:
    ruling = Ruling.objects.standing().get()
    return scoring.services.withdraw_ruling(ruling=ruling, by=by)


def _links(session: Session, by: User) -> object:
    return scoring.services.make_links(session=session, by=by)


def _own_links(session: Session, by: User) -> object:
    return challenges.make_entry_links(event=session.event, by=by)


def _other_boards(session: Session, by: User) -> object:
    section = session.sections.get()
    change = WrongBoards(round=1, table=1, board_group=2)
    way = ways(held_movement(section), 1, change)[0]
    return scoring.services.change_session(
        section=section, played=1, change=change, key=way.key, what="boards", how="so", by=by
    )


def _rename_player(session: Session, by: User) -> object:
    player = session.event.entries.get(number=1).players.first()
    assert player is not None
    return tournaments.services.rename_player(player=player, name="Quentin Query", by=by)


def _merge(session: Session, by: User) -> object:
    gone = session.event.entries.get(number=1).players.first()
    assert gone is not None
    kept = Player.objects.create(club=session.event.club, name="Zuzana Same")
    return tournaments.services.merge_players(gone=gone, kept=kept, by=by)


PLANNED: dict[str, Act] = {
    "an event edited": _edit,
    "what players see": _show,
    "the scoring settled": _settle,
    "the hours for corrections": _hours,
    "an event put away": _put_away,
    "a pair entered": _enter,
    "a pair removed": _remove,
    "a pair renamed": _rename,
    "who stays seated": _wish,
    "a movement chosen": _seat,
    "a player renamed": _rename_player,
}
SEATED: dict[str, Act] = {
    "another movement chosen": _seat,
    "a movement taken back": _unseat,
    "seats drawn": _draw,
    "boards ordered": _order_boards,
    "deals left to the tables": _leave_out,
    "deals typed": _type_deals,
    "a session added": _add_session,
    "play opened": _open,
    "links for the tables": _links,
}
OPEN: dict[str, Act] = {
    "other boards played": _other_boards,
    "the clock set": _set_clock,
    "the clock started": _start_clock,
    "a penalty": _penalty,
    "addresses of their own": _own_links,
    "the session closed": _close,
    "what players see": _show,
}


def check_both_ways(session: Session, user: User, act: Act) -> None:
    """An act goes back exactly, and its undoing goes back to what the act had made."""
    event = session.event
    before = state_of(event)
    act(Session.objects.get(pk=session.pk), user)
    made, after = newest(event), state_of(event)
    assert after != before
    undone = take_back(made, event, user)
    assert state_of(event) == before
    assert (undone.via, undone.by) == ("undo", user.get_username())
    if undone.back.get("call"):
        take_back(undone, event, user)
        assert without_links(state_of(event)) == without_links(after)


def without_links(state: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if "links" not in key}


@pytest.mark.parametrize("name", PLANNED)
def test_what_is_done_while_an_event_is_set_up_goes_back(name: str) -> None:
    event, user = evenings.event(pairs=6)
    check_both_ways(event.sessions.get(), user, PLANNED[name])


@pytest.mark.parametrize("name", SEATED)
def test_what_is_done_before_play_goes_back(name: str) -> None:
    session, user = evenings.seated(6)
    check_both_ways(session, user, SEATED[name])


@pytest.mark.parametrize("name", OPEN)
def test_what_is_done_in_play_goes_back(name: str) -> None:
    session, user = evenings.opened(6)
    check_both_ways(session, user, OPEN[name])


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (_start_clock, _add_minutes),
        (_penalty, _withdraw),
        (_close, _reopen),
        (_add_session, _date),
    ],
)
def test_what_is_done_to_what_was_done_goes_back(first: Act, then: Act) -> None:
    session, user = evenings.opened(6)
    first(session, user)
    check_both_ways(session, user, then)


def test_two_names_made_one_player_are_two_again() -> None:
    event, user = evenings.event(pairs=4)
    check_both_ways_but_for_the_new_name(event, user)


def check_both_ways_but_for_the_new_name(event: Event, user: User) -> None:
    before = state_of(event)["entries"]
    _merge(event.sessions.get(), user)
    made, after = newest(event), state_of(event)["entries"]
    assert after != before
    undone = take_back(made, event, user)
    assert state_of(event)["entries"] == before
    take_back(undone, event, user)
    assert state_of(event)["entries"] == after


def test_several_sections_chosen_are_one_act() -> None:
    session, user = evenings.seated(8, movement="howell")
    before, acts = state_of(session.event), audit.history(session.event).count()
    entries = list(session.event.entries.order_by("number"))
    halves = tournaments.services.divided(entries, 2)
    plans = [
        tournaments.services.SectionPlan(build("howell", pairs=4), {}, half) for half in halves
    ]
    tournaments.services.seat_sections(
        session=session, plans=plans, boards_a_round=2, across=True, by=user
    )
    assert audit.history(session.event).count() == acts + 1
    take_back(newest(session.event), session.event, user)
    assert state_of(session.event) == before


def test_a_deal_that_was_replaced_stands_again() -> None:
    session, user = evenings.seated(6)
    _type_deals(session, user)
    before = state_of(session.event)
    session.refresh_from_db()
    tournaments.services.correct_deal(
        session=session, number=2, deal=make_deal(bytes([9]) * 32, 2), by=user
    )
    after = state_of(session.event)
    undone = take_back(newest(session.event), session.event, user)
    assert state_of(session.event) == before
    take_back(undone, session.event, user)
    assert state_of(session.event) == after
    assert Board.objects.filter(number=2).count() == 2


def test_boards_ordered_after_others_were_laid_aside_are_counted() -> None:
    session, user = evenings.seated(6)
    first = tournaments.services.prepare_boards(session=session, by=user)
    take_back(newest(session.event), session.event, user)
    session.refresh_from_db()
    assert session.board_set is None
    assert session.deals == Session.Deals.UNDECIDED
    second = tournaments.services.prepare_boards(session=session, by=user)
    assert (second.ordinal, second.replaces) == (2, first)


def test_boards_are_not_laid_aside_once_they_are_played() -> None:
    session, user = evenings.seated(6)
    tournaments.services.prepare_boards(session=session, by=user)
    ordered = newest(session.event)
    tournaments.services.open_session(session=session, by=user)
    with pytest.raises(NotNow, match="Something newer"):
        take_back(ordered, session.event, user)
    with pytest.raises(NotNow, match="Play has begun"):
        set_boards_aside(session=session, by=user)
    session.refresh_from_db()
    assert session.board_set is not None


def test_a_query_kept_is_asked_again() -> None:
    session, user = evenings.played(6)
    row = Result.objects.filter(sitting__section__session=session)[0]
    Result.objects.filter(pk=row.pk).update(doubt="queried")
    before = state_of(session.event)
    doubting.keep_result(sitting=row.sitting, board=row.board, by=user)
    after = state_of(session.event)
    undone = take_back(newest(session.event), session.event, user)
    assert state_of(session.event) == before
    take_back(undone, session.event, user)
    assert state_of(session.event) == after


def test_a_query_kept_whose_result_was_entered_anew_is_left_alone() -> None:
    session, user = evenings.played(6)
    row = Result.objects.filter(sitting__section__session=session)[0]
    Result.objects.filter(pk=row.pk).update(doubt="queried")
    doubting.keep_result(sitting=row.sitting, board=row.board, by=user)
    kept = newest(session.event)
    evenings.enter(session, row.sitting_id, row.board, "0", user)
    before = state_of(session.event)
    with pytest.raises(NotNow, match="entered anew since"):
        take_back(kept, session.event, user)
    assert state_of(session.event) == before


def test_a_yes_from_the_other_side_goes_back() -> None:
    session, user = evenings.opened(6)
    sitting = Sitting.objects.get(section__session=session, round=1, table=1)
    board = session.boards_of(sitting.board_group)[0]
    scoring.services.record_result(
        sitting=sitting, board=board, mark="8", seen="", by=user, via="phone"
    )
    before = state_of(session.event)
    scoring.services.results.confirm_result(sitting=sitting, board=board, seen="8", by=user)
    take_back(newest(session.event), session.event, user)
    assert state_of(session.event) == before


@pytest.mark.parametrize("approve", [True, False])
def test_a_decision_about_a_score_goes_back(approve: bool) -> None:
    session, user = evenings.played(6)
    tournaments.services.close_session(session=session, by=user)
    row = Result.objects.select_related("sitting__north__entry", "sitting__east__entry")[0]
    asker, other = row.sitting.north.entry, row.sitting.east.entry
    assert asker is not None
    assert other is not None
    wanted = (row.ns_tricks or 0) + 1
    asked = challenges.challenge_result(entry=asker, result=row, ns_tricks=wanted)
    challenges.answer_challenge(entry=other, challenge=asked, agreed=True)
    before = state_of(session.event)
    challenges.decide_challenge(challenge=asked, approve=approve, by=user)
    take_back(newest(session.event), session.event, user)
    assert state_of(session.event) == before
    asked = Challenge.objects.get()
    assert (asked.agreed, asked.approved, asked.decided_at) == (True, None, None)


# The order in which acts go back.


def test_what_something_newer_has_changed_waits_for_that() -> None:
    event, user = evenings.event(pairs=4)
    tournaments.services.show_standings(event=event, shown="after", by=user)
    older = newest(event)
    tournaments.services.show_standings(event=event, shown="never", by=user)
    with pytest.raises(NotNow, match="Something newer"):
        scoring.services.take_back(event=event, act=older, by=user)
    take_back(newest(event), event, user)
    take_back(older, event, user)
    assert state_of(event)["event"][3] == "always"


def test_what_was_done_to_something_else_does_not_wait() -> None:
    event, user = evenings.event(pairs=4)
    tournaments.services.show_standings(event=event, shown="after", by=user)
    older = newest(event)
    _rename(event.sessions.get(), user)
    _settle(event.sessions.get(), user)
    take_back(older, event, user)
    changed = Event.objects.get(pk=event.pk)
    assert (changed.standings_shown, changed.method) == ("always", "matchpoints")


def test_a_pair_put_back_can_be_taken_out_by_the_act_that_had_entered_it() -> None:
    event, user = evenings.event(pairs=4)
    entered = audit.history(event)[0]
    before = AuditEntry.objects.get(pk=entered.pk - 1)
    tournaments.services.remove_entry(entry=event.entries.get(number=4), by=user)
    take_back(newest(event), event, user)
    take_back(entered, event, user)
    take_back(before, event, user)
    assert list(event.entries.values_list("number", flat=True)) == [1, 2]


def test_a_ruling_goes_and_comes_as_often_as_one_likes() -> None:
    session, user = evenings.opened(6)
    _penalty(session, user)
    act, made = newest(session.event), state_of(session.event)["rulings"]
    for step in range(6):
        act = take_back(act, session.event, user)
        assert state_of(session.event)["rulings"] == (made if step % 2 else [])
    offered = standing(audit.history(session.event))
    assert offered & {each.pk for each in ruled(session.event)} == {act.pk}


def ruled(event: Event) -> list[AuditEntry]:
    return [act for act in audit.history(event) if act.action.startswith("ruling.")]


def test_a_session_that_was_taken_away_comes_back_with_its_day() -> None:
    session, user = evenings.opened(6)
    _add_session(session, user)
    _date(session, user)
    dated = newest(session.event)
    before = state_of(session.event)
    last = session.event.sessions.get(number=2)
    tournaments.services.remove_session(session=last, by=user)
    take_back(newest(session.event), session.event, user)
    assert state_of(session.event) == before
    take_back(dated, session.event, user)
    assert session.event.sessions.get(number=2).day == date(2026, 3, 17)


def test_an_undoing_goes_back_until_something_new_is_done() -> None:
    event, user = evenings.event(pairs=4)
    _show(event.sessions.get(), user)
    undone = take_back(newest(event), event, user)
    event.refresh_from_db()
    tournaments.services.show_standings(event=event, shown="never", by=user)
    with pytest.raises(NotNow, match="Something newer"):
        scoring.services.take_back(event=event, act=undone, by=user)


def test_an_act_taken_back_twice_is_one_change() -> None:
    event, user = evenings.event(pairs=4)
    _show(event.sessions.get(), user)
    act, before = newest(event), audit.history(event).count()
    for _click in range(2):
        scoring.services.take_back(event=event, act=act, by=user)
    assert audit.history(event).count() == before + 1


def test_a_refusal_leaves_everything_as_it_was() -> None:
    session, user = evenings.opened(6)
    act = newest(session.event)
    sitting = Sitting.objects.get(section__session=session, round=1, table=1)
    evenings.enter(session, sitting.pk, session.boards_of(sitting.board_group)[0], "7", user)
    before = state_of(session.event)
    with pytest.raises(NotNow, match="Scores have been entered"):
        scoring.services.take_back(event=session.event, act=act, by=user)
    assert state_of(session.event) == before
    assert not AuditEntry.objects.filter(undoes=act).exists()


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_evening_is_walked_back_step_by_step(seed: int) -> None:
    """After any mixture of acts each step back leads to the very state before its act."""
    event, user = evenings.event(pairs=6)
    session = event.sessions.get()
    before: dict[int, dict[str, Any]] = {}
    for act in _mixture(random.Random(seed)):
        state, known = state_of(event), audit.history(event).count()
        act(Session.objects.get(pk=session.pk), user)
        if audit.history(event).count() > known:
            before[newest(event).pk] = state
    assert len(before) > 10
    for pk in sorted(before, reverse=True):
        scoring.services.take_back(event=event, act=AuditEntry.objects.get(pk=pk), by=user)
        assert state_of(event) == before[pk]


def _mixture(chance: random.Random) -> Iterator[Act]:
    setting_up = [_edit, _show, _settle, _hours, _enter, _remove, _rename, _rename_player]
    chance.shuffle(setting_up)
    yield from setting_up
    yield from chance.sample([_seat, _unseat, _seat], 3)
    yield _seat
    yield chance.choice([_draw, _wish])
    yield chance.choice([_order_boards, _leave_out, _type_deals])
    yield _open
    in_play = [_set_clock, _start_clock, _penalty, _show]
    chance.shuffle(in_play)
    yield from in_play
    yield _close


# The pages.


def test_the_history_offers_each_way_back_and_says_why_there_is_none(client: Client) -> None:
    session, user = evenings.opened(6)
    _show(session, user)
    tournaments.services.show_standings(event=session.event, shown="never", by=user)
    client.force_login(user)
    page = f"/director/events/{session.event.slug}/history/"
    told = list(client.get(page).context["changes"])
    assert [bool(each.undo) for each in told[:3]] == [True, False, True]
    assert told[1].stands == "undo the newer first"
    assert told[0].undo is not None
    answer = client.post(told[0].undo.url, follow=True)
    assert "Taken back: Players see the standings" in answer.content.decode()
    told = list(answer.context["changes"])
    assert (told[0].via, told[1].stands) == ("undo", "taken back")
    assert told[2].undo is not None


def test_what_is_done_to_the_club_goes_back_from_its_own_history(client: Client) -> None:
    home, user = evenings.club()
    client.force_login(user)
    add = tournaments.services.add_player
    player = add(club=home, name="Ann Pole", shown="initials", by=user)
    tournaments.services.rename_player(player=player, name="Anne Pole", by=user)
    tournaments.services.remove_player(player=player, by=user)
    steps = [set(), {("Anne Pole", "initials")}, {("Ann Pole", "initials")}, set()]
    for step in steps:
        assert set(home.players.values_list("name", "shown")) == step
        page = client.get("/director/history/")
        ((club, told),) = page.context["clubs"]
        assert club == home
        offered = [each.undo for each in told if each.undo and each.via != "undo"]
        if offered:
            client.post(offered[0].url)
    assert "Taken back: Player added" in page.content.decode()
    assert offered == []


def test_a_movement_saved_over_another_gives_that_back() -> None:
    home, user = evenings.club()
    first, second = (rows_of(build("howell", pairs=pairs)) for pairs in (4, 6))
    for rows in (first, second):
        tournaments.services.save_movement(
            club=home, name="Ours", contest="pairs", rows=rows, sharing=True, by=user
        )
    over, made = audit.club_history(home)[:2]
    for act, left in ((over, [first]), (made, [])):
        scoring.services.take_back_of_club(club=home, act=act, by=user)
        assert list(home.movements.values_list("rows", flat=True)) == left


def test_the_history_of_a_club_is_its_directors_alone(client: Client) -> None:
    home, user = evenings.club()
    player = tournaments.services.add_player(club=home, name="Ann Pole", by=user)
    act = audit.club_history(home)[0]
    client.force_login(evenings.scorer(home))
    assert client.get("/director/history/").status_code == 403
    client.force_login(evenings.club("Hillside", "other")[1])
    assert "Ann Pole" not in client.get("/director/history/").content.decode()
    assert client.post(f"/director/history/{home.slug}/{act.pk}/undo/").status_code == 404
    assert Player.objects.filter(pk=player.pk).exists()


def test_what_was_set_up_waits_while_play_is_open(client: Client) -> None:
    session, user = evenings.seated(6)
    client.force_login(user)
    page = f"/director/events/{session.event.slug}/history/"
    assert all(each.undo for each in client.get(page).context["changes"])
    tournaments.services.open_session(session=session, by=user)
    opened, *before = client.get(page).context["changes"]
    assert opened.undo is not None
    assert {(each.undo, each.stands) for each in before} == {(None, "undo the newer first")}


def test_a_long_history_comes_page_by_page(client: Client) -> None:
    session, user = evenings.played(12, movement="howell")
    client.force_login(user)
    page = f"/director/events/{session.event.slug}/history/"
    first = client.get(page)
    assert len(first.context["changes"]) == 60
    last = first.context["page"].paginator.num_pages
    assert last > 2
    assert f'href="?page={2}"' in first.content.decode()
    oldest = client.get(page, {"page": last}).context["changes"][-1]
    assert oldest.text == "Event made: Tuesday"


def test_only_a_director_of_the_club_takes_back(client: Client) -> None:
    session, user = evenings.opened(6)
    act = newest(session.event)
    address = f"/director/events/{session.event.slug}/history/{act.pk}/undo/"
    for other in (evenings.club("Hillside", "other")[1], evenings.scorer(session.event.club)):
        client.force_login(other)
        assert client.post(address).status_code in (403, 404)
    client.force_login(user)
    assert client.get(address).status_code == 405
    away = f"/director/events/{session.event.slug}/history/{act.pk + 999}/undo/"
    assert client.post(away).status_code == 404
    assert not AuditEntry.objects.exclude(undoes=None).exists()
