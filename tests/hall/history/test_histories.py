"""The order in which acts can be undone, and the pages that offer it."""

from datetime import date

import pytest
from django.test import Client

import hall.challenges.services
import hall.history.undo
import scoring.services
import tournaments.services
from clubs import audit
from clubs.models import Act, Player
from clubs.undo import list_undoable_act_pks
from tests import acts, evenings
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Sitting
from tournaments.movements import build_named_movement
from tournaments.movements.systems.custom import build_rows

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


# The order of undo.


def test_undo_is_refused_until_newer_change_of_same_setting_is_undone() -> None:
    event, user = evenings.create_event(pairs=4)
    tournaments.services.set_standings_visibility(event=event, shown="after", by=user)
    older_act = acts.find_newest_act(event)
    tournaments.services.set_standings_visibility(event=event, shown="never", by=user)
    with pytest.raises(ActionUnavailable, match="Undo the newer change"):
        hall.history.undo.undo_event_act(event=event, act=older_act, by=user)
    acts.undo_act(acts.find_newest_act(event), event, user)
    acts.undo_act(older_act, event, user)
    assert acts.read_event_state(event)["event"]["standings_shown"] == "always"


def test_undo_does_not_depend_on_changes_of_other_settings() -> None:
    event, user = evenings.create_event(pairs=4)
    tournaments.services.set_standings_visibility(event=event, shown="after", by=user)
    older_act = acts.find_newest_act(event)
    acts.rename_entry(event.sessions.get(), user)
    acts.change_scoring(event.sessions.get(), user)
    acts.undo_act(older_act, event, user)
    changed_event = Event.objects.get(pk=event.pk)
    assert (changed_event.standings_shown, changed_event.terms.method) == (
        "always",
        "matchpoints",
    )


def test_restored_pair_can_be_removed_by_undoing_its_first_entry() -> None:
    event, user = evenings.create_event(pairs=4)
    act = audit.list_acts(event)[0]
    act_before = Act.objects.get(pk=act.pk - 1)
    tournaments.services.remove_entry(entry=event.entries.get(number=4), by=user)
    acts.undo_act(acts.find_newest_act(event), event, user)
    acts.undo_act(act, event, user)
    acts.undo_act(act_before, event, user)
    assert list(event.entries.values_list("number", flat=True)) == [1, 2]


def test_ruling_can_be_undone_and_redone_repeatedly() -> None:
    session, user = evenings.open_session(6)
    acts.add_penalty(session, user)
    act, rulings = (
        acts.find_newest_act(session.event),
        acts.read_event_state(session.event)["rulings"],
    )
    for step in range(6):
        act = acts.undo_act(act, session.event, user)
        assert acts.read_event_state(session.event)["rulings"] == (rulings if step % 2 else [])
    undoable_acts = list_undoable_act_pks(audit.list_acts(session.event))
    assert undoable_acts & {
        ruling_act.pk for ruling_act in list_ruling_acts(session.event)
    } == {act.pk}


def list_ruling_acts(event: Event) -> list[Act]:
    return [act for act in audit.list_acts(event) if act.action.startswith("ruling.")]


def test_restored_session_keeps_its_date() -> None:
    session, user = evenings.open_session(6)
    acts.add_session(session, user)
    acts.set_session_date(session, user)
    date_act = acts.find_newest_act(session.event)
    event_state_before = acts.read_event_state(session.event)
    second_session = session.event.sessions.get(number=2)
    tournaments.services.remove_session(session=second_session, by=user)
    acts.undo_act(acts.find_newest_act(session.event), session.event, user)
    assert acts.read_event_state(session.event) == event_state_before
    acts.undo_act(date_act, session.event, user)
    assert session.event.sessions.get(number=2).day == date(2026, 3, 17)


def test_undo_can_be_undone_until_a_newer_change() -> None:
    event, user = evenings.create_event(pairs=4)
    acts.hide_standings(event.sessions.get(), user)
    undoing_act = acts.undo_act(acts.find_newest_act(event), event, user)
    event.refresh_from_db()
    tournaments.services.set_standings_visibility(event=event, shown="never", by=user)
    with pytest.raises(ActionUnavailable, match="Undo the newer change"):
        hall.history.undo.undo_event_act(event=event, act=undoing_act, by=user)


def test_repeated_undo_is_one_change() -> None:
    event, user = evenings.create_event(pairs=4)
    acts.hide_standings(event.sessions.get(), user)
    act, act_count_before = acts.find_newest_act(event), audit.list_acts(event).count()
    for _click in range(2):
        hall.history.undo.undo_event_act(event=event, act=act, by=user)
    assert audit.list_acts(event).count() == act_count_before + 1


def test_refused_undo_changes_nothing() -> None:
    session, user = evenings.open_session(6)
    act = acts.find_newest_act(session.event)
    sitting = Sitting.objects.get(section__session=session, round=1, table=1)
    evenings.enter_result(
        session, sitting.pk, session.get_group_boards(sitting.board_group)[0], "7", user
    )
    event_state_before = acts.read_event_state(session.event)
    with pytest.raises(ActionUnavailable, match="Scores have been entered"):
        hall.history.undo.undo_event_act(event=session.event, act=act, by=user)
    assert acts.read_event_state(session.event) == event_state_before
    assert not Act.objects.filter(undoes=act).exists()


# The pages.


def test_history_offers_each_undo_or_says_why_it_is_unavailable(client: Client) -> None:
    session, user = evenings.open_session(6)
    acts.hide_standings(session, user)
    tournaments.services.set_standings_visibility(event=session.event, shown="never", by=user)
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/history/"
    changes = list(client.get(url).context["changes"])
    assert [bool(item.undo) for item in changes[:3]] == [True, False, True]
    assert changes[1].no_undo_reason == "undo newer change first"
    assert changes[0].undo is not None
    response = client.post(changes[0].undo.url, follow=True)
    assert "Undone: Players see the standings" in response.content.decode()
    changes = list(response.context["changes"])
    assert (changes[0].via, changes[1].no_undo_reason) == ("undo", "undone")
    assert changes[2].undo is not None


def test_club_change_is_undone_from_the_clubs_history(client: Client) -> None:
    own_club, user = evenings.create_club_with_director()
    client.force_login(user)
    add = tournaments.services.add_player
    player = add(club=own_club, name="Ann Pole", shown="initials", by=user)
    tournaments.services.rename_player(player=player, name="Anne Pole", by=user)
    tournaments.services.remove_player(player=player, by=user)
    steps = [set(), {("Anne Pole", "initials")}, {("Ann Pole", "initials")}, set()]
    for step in steps:
        assert set(own_club.players.values_list("name", "shown")) == step
        page = client.get("/director/history/")
        ((club, club_changes),) = page.context["clubs"]
        assert club == own_club
        undos = [item.undo for item in club_changes if item.undo and item.via != "undo"]
        if undos:
            client.post(undos[0].url)
    assert "Undone: Player added" in page.content.decode()
    assert undos == []


def test_undo_restores_overwritten_movement() -> None:
    home, user = evenings.create_club_with_director()
    first_rows, second = (
        build_rows(build_named_movement("howell", pairs=pairs)) for pairs in (4, 6)
    )
    for rows in (first_rows, second):
        tournaments.services.save_movement(
            club=home, name="Ours", contest="pairs", rows=rows, sharing=True, by=user
        )
    overwrite_act, creation_act = audit.list_acts(home)[:2]
    for act, remaining_rows in ((overwrite_act, [first_rows]), (creation_act, [])):
        hall.history.undo.undo_club_act(club=home, act=act, by=user)
        assert list(home.movements.values_list("rows", flat=True)) == remaining_rows


def test_only_directors_read_a_clubs_history(client: Client) -> None:
    home, user = evenings.create_club_with_director()
    player = tournaments.services.add_player(club=home, name="Ann Pole", by=user)
    act = audit.list_acts(home)[0]
    client.force_login(evenings.create_scorer(home))
    assert client.get("/director/history/").status_code == 403
    client.force_login(evenings.create_club_with_director("Hillside", "other")[1])
    assert "Ann Pole" not in client.get("/director/history/").content.decode()
    assert client.post(f"/director/history/{home.slug}/{act.pk}/undo/").status_code == 404
    assert Player.objects.filter(pk=player.pk).exists()


def test_setup_cannot_be_undone_while_session_is_open(client: Client) -> None:
    session, user = evenings.seat_session(6)
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/history/"
    assert all(change.undo for change in client.get(url).context["changes"])
    scoring.services.open_session(session=session, by=user)
    opening_change, *earlier_changes = client.get(url).context["changes"]
    assert opening_change.undo is not None
    assert {(item.undo, item.no_undo_reason) for item in earlier_changes} == {
        (None, "undo newer change first")
    }


def test_long_history_is_paginated(client: Client) -> None:
    session, user = evenings.play_session(12, movement="howell")
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/history/"
    first_response = client.get(url)
    assert len(first_response.context["changes"]) == 20
    last = first_response.context["page"].paginator.num_pages
    assert last > 2
    assert f'href="?page={2}"' in first_response.content.decode()
    oldest_change = client.get(url, {"page": last}).context["changes"][-1]
    assert oldest_change.text == "Event created: Tuesday"


def test_only_a_director_of_the_club_can_undo(client: Client) -> None:
    session, user = evenings.open_session(6)
    act = acts.find_newest_act(session.event)
    address = f"/director/events/{session.event.slug}/history/{act.pk}/undo/"
    for other_user in (
        evenings.create_club_with_director("Hillside", "other")[1],
        evenings.create_scorer(session.event.club),
    ):
        client.force_login(other_user)
        assert client.post(address).status_code in (403, 404)
    client.force_login(user)
    path = f"/director/events/{session.event.slug}/history/{act.pk + 999}/undo/"
    assert client.post(path).status_code == 404
    assert not Act.objects.exclude(undoes=None).exists()


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("back_url", ["", "/director/"])
def test_undo_urls_redirect_a_get_request(client: Client, method: str, back_url: str) -> None:
    session, user = evenings.open_session(6)
    event = session.event
    tournaments.services.add_player(club=event.club, name="Ann Pole", by=user)
    client.force_login(user)
    act_count = Act.objects.count()
    act_paths_by_url = {
        f"/director/events/{event.slug}/history/": audit.list_acts(event)[0].pk,
        "/director/history/": f"{event.club.slug}/{audit.list_acts(event.club)[0].pk}",
    }
    for history_url, act_path in act_paths_by_url.items():
        query = f"?back={back_url}" if back_url else ""
        response = getattr(client, method)(f"{history_url}{act_path}/undo/{query}")
        assert (response.status_code, response.url) == (302, back_url or history_url)
    assert Act.objects.count() == act_count


@pytest.mark.parametrize("fields", [{}, {"anyway": "1"}])
@pytest.mark.parametrize("kind", ["links", "standings", "club"])
def test_undoing_an_undone_act_reports_no_success(
    client: Client, kind: str, fields: dict[str, str]
) -> None:
    session, user = evenings.seat_session(6)
    event = session.event
    history_url = f"/director/events/{event.slug}/history/"
    if kind == "club":
        tournaments.services.add_player(club=event.club, name="Ann Pole", by=user)
        act = audit.list_acts(event.club)[0]
        url = f"/director/history/{event.club.slug}/{act.pk}/undo/"
        hall.history.undo.undo_club_act(club=event.club, act=act, by=user)
    else:
        if kind == "links":
            hall.challenges.services.create_entry_links(event=event, by=user)
        else:
            acts.hide_standings(session, user)
        act = acts.find_newest_act(event)
        url = f"{history_url}{act.pk}/undo/"
        hall.history.undo.undo_event_act(event=event, act=act, by=user)
    act_count = Act.objects.count()
    client.force_login(user)
    page = client.post(url, fields, follow=True).content.decode()
    assert "data-said>Already undone." in page
    assert "data-said>Undone" not in page
    assert "Undo this change?" not in page
    assert Act.objects.count() == act_count


@pytest.mark.parametrize("is_undone", [False, True])
def test_undo_confirmation_is_requested_only_if_undo_is_possible(
    client: Client, is_undone: bool
) -> None:
    session, user = evenings.seat_session(6)
    hall.challenges.services.create_entry_links(event=session.event, by=user)
    act = acts.find_newest_act(session.event)
    if is_undone:
        hall.history.undo.undo_event_act(event=session.event, act=act, by=user)
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/history/{act.pk}/undo/"
    page = client.post(url, follow=True).content.decode()
    assert ("Undo this change?" in page) == (not is_undone)
