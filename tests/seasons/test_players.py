"""Test a club's players: display of names, merging, and removal of unused names."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

import scoring.services
from clubs.models import Act, Club, Player
from tests import evenings
from tests.copies import build_once
from tournaments import services
from tournaments.errors import InvalidEntry
from tournaments.models import Entry, Event
from tournaments.services.players import restore_player, undo_merge

pytestmark = pytest.mark.django_db
VISIBILITIES = ["name", "initials", "nobody"]


@build_once
def create_two_events() -> tuple[Club, Event, Event]:
    club, user = evenings.create_club_with_director()
    events = []
    for day, name in ((3, "Ada Pole"), (10, "Ada Pool")):
        event = scoring.services.create_event(
            club=club, name=f"Tuesday {day}", date=date(2026, 3, day), by=user
        )
        services.create_entry(event=event, names=[name, f"Partner {day}"], by=user)
        events.append(event)
    return club, events[0], events[1]


def sign_in() -> Client:
    client = Client()
    client.force_login(evenings.create_club_with_director()[1])
    return client


def find_player(name: str) -> Player:
    return Player.objects.get(name=name)


@pytest.mark.parametrize(
    ("name", "visibility", "expected_name"),
    [
        ("Ada Pole", "name", "Ada Pole"),
        ("Ada Pole", "initials", "A. P."),
        ("émile zähringer", "initials", "É. Z."),
        ("Ada Pole", "nobody", "A player"),
    ],
)
def test_displayed_name_follows_visibility_setting(
    name: str, visibility: str, expected_name: str
) -> None:
    assert Player(name=name, shown=visibility).shown_name == expected_name


def test_hidden_name_disappears_from_past_entries_but_results_remain() -> None:
    session, user = evenings.play_session()
    entry = session.event.entries.get(number=1)
    first, second = entry.players.order_by("entry_memberships__order")
    services.set_player_visibility(player=first, shown="initials", by=user)
    entry.refresh_from_db()
    first.refresh_from_db()
    assert entry.name == f"{first.shown_name} & {second.name}"
    assert first.name not in entry.name
    services.set_player_visibility(player=first, shown="name", by=user)
    entry.refresh_from_db()
    assert entry.name == f"{first.name} & {second.name}"


def test_no_public_endpoint_shows_hidden_name() -> None:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    entry = session.event.entries.get(number=1)
    hidden_player = entry.players.order_by("entry_memberships__order")[0]
    services.set_player_visibility(player=hidden_player, shown="nobody", by=user)
    slug = session.event.slug
    client = Client()
    for url in (
        f"/events/{slug}/",
        f"/events/{slug}/entries/1/",
        f"/events/{slug}/boards/1/",
        f"/api/events/{slug}/entries/",
        f"/api/events/{slug}/sessions/1/cards/1/",
        f"/api/events/{slug}/standings/",
    ):
        response = client.get(url)
        assert response.status_code == 200, url
        assert hidden_player.name not in response.content.decode(), url


def test_new_spelling_of_partner_does_not_reveal_hidden_name() -> None:
    _club, first, _second = create_two_events()
    services.set_player_visibility(player=find_player("Ada Pole"), shown="initials", by=None)
    services.rename_player(player=find_player("Partner 3"), name="Bo Low", by=None)
    assert first.entries.get().name == "A. P. & Bo Low"


def test_hidden_player_stays_hidden_in_next_event() -> None:
    club, _first, _second = create_two_events()
    services.set_player_visibility(player=find_player("Ada Pole"), shown="nobody", by=None)
    event = scoring.services.create_event(
        club=club, name="April", date=date(2026, 4, 7), by=None
    )
    assert services.create_entry(event=event, names=["ada pole", "Bo Low"], by=None).name == (
        "A player & Bo Low"
    )


def test_team_keeps_own_name_when_player_is_hidden() -> None:
    _club, first, _second = create_two_events()
    entry = services.create_entry(
        event=first, names=["Cy Dee", "Eve Fox"], name="The Owls", by=None
    )
    services.set_player_visibility(player=find_player("Cy Dee"), shown="initials", by=None)
    entry.refresh_from_db()
    assert entry.name == "The Owls"


def test_merge_of_two_names_keeps_all_events() -> None:
    _club, first, second = create_two_events()
    players = services.merge_players(
        removed_player=find_player("Ada Pool"), kept_player=find_player("Ada Pole"), by=None
    )
    assert not Player.objects.filter(name="Ada Pool").exists()
    assert {entry.event for entry in players.entries.all()} == {first, second}
    assert second.entries.get().name == "Ada Pole & Partner 10"
    act = Act.objects.get(action="players.merged", about=second.audit_key)
    assert (act.before, act.after) == ({"name": "Ada Pool"}, {"name": "Ada Pole"})


@pytest.mark.parametrize(
    ("kind", "shown", "other_visibility"),
    [
        *(("visitor", shown, other) for shown in VISIBILITIES for other in VISIBILITIES),
        *(("member", "initials", other) for other in VISIBILITIES),
    ],
)
def test_merge_with_hidden_name_stays_hidden(
    kind: str, shown: str, other_visibility: str
) -> None:
    """A visitor's initials are the club's default, and no choice of that person."""
    club, _first, _second = create_two_events()
    removed_player, stored_player = find_player("Ada Pool"), find_player("Ada Pole")
    for player, player_visibility in (
        (removed_player, shown),
        (stored_player, other_visibility),
    ):
        services.set_player_visibility(player=player, shown=player_visibility, by=None)
    Player.objects.filter(pk=removed_player.pk).update(kind=kind)
    removed_player, stored_player = (
        Player.objects.get(pk=removed_player.pk),
        Player.objects.get(pk=stored_player.pk),
    )
    entries = sorted(Entry.objects.values_list("pk", "name"))
    services.merge_players(removed_player=removed_player, kept_player=stored_player, by=None)
    chosen_visibility = "name" if (kind, shown) == ("visitor", "initials") else shown
    assert Player.objects.get(pk=stored_player.pk).shown == max(
        chosen_visibility, other_visibility, key=VISIBILITIES.index
    )
    text = " ".join(Entry.objects.values_list("name", flat=True))
    assert ("Ada Pole" in text, "Ada Pool" in text) == (
        chosen_visibility == other_visibility == "name",
        False,
    )
    act = Act.objects.get(action="players.merged", about=club.audit_key)
    undo_merge(**act.back["given"] | {"kept": stored_player}, by=None)
    assert sorted(Entry.objects.values_list("pk", "name")) == entries
    assert Player.objects.get(pk=stored_player.pk).shown == other_visibility
    assert find_player("Ada Pool").shown == shown


def test_players_of_same_event_cannot_be_merged() -> None:
    _club, first, _second = create_two_events()
    services.create_entry(event=first, names=["Ada Pool", "Bo Low"], by=None)
    with pytest.raises(InvalidEntry, match="both play in Tuesday 3"):
        services.merge_players(
            removed_player=find_player("Ada Pool"), kept_player=find_player("Ada Pole"), by=None
        )
    assert Player.objects.filter(name="Ada Pool").exists()


def test_players_of_different_clubs_cannot_be_merged() -> None:
    create_two_events()
    other_club_player = Player.objects.create(
        club=evenings.create_club_with_director("Hillside", "another")[0], name="Ada Pole"
    )
    with pytest.raises(InvalidEntry, match="same club"):
        services.merge_players(
            removed_player=other_club_player, kept_player=find_player("Ada Pool"), by=None
        )


def test_only_player_without_entries_can_be_removed() -> None:
    club, _first, _second = create_two_events()
    with pytest.raises(InvalidEntry, match="Ada Pole is in 1 event and can’t be removed"):
        services.remove_player(player=find_player("Ada Pole"), by=None)
    services.remove_player(player=services.add_player(club=club, name="Typo", by=None), by=None)
    assert not Player.objects.filter(name="Typo").exists()


def test_removed_name_is_restored_with_one_click() -> None:
    club, _first, _second = create_two_events()
    misspelt_player = services.add_player(club=club, name="Typo", by=None)
    client = sign_in()
    page = client.post(reverse("player_remove", args=[misspelt_player.pk]), follow=True)
    assert not Player.objects.filter(name="Typo").exists()
    (message,) = page.context["messages"]
    client.post(message.extra_tags)
    assert Player.objects.filter(name="Typo").exists()


def test_merge_page_shows_changes_before_confirmation() -> None:
    create_two_events()
    player, stored_player = find_player("Ada Pool"), find_player("Ada Pole")
    client = sign_in()
    address = reverse("player_merge", args=[player.pk])
    page = client.get(address, {"into": stored_player.pk})
    assert "Tuesday 10" in page.content.decode()
    assert Player.objects.filter(pk=player.pk).exists()
    client.post(address, {"into": stored_player.pk})
    assert client.post(address, {"into": stored_player.pk}).status_code == 302  # pressed twice
    assert not Player.objects.filter(pk=player.pk).exists()


@pytest.mark.parametrize("target", ["", "0", "x", "²", "999999"])
def test_merge_without_target_is_refused_with_message(target: str) -> None:
    create_two_events()
    player = find_player("Ada Pool")
    page = sign_in().get(
        reverse("player_merge", args=[player.pk]), {"into": target}, follow=True
    )
    assert "Choose which name to keep." in page.content.decode()


def test_director_of_another_club_cannot_change_player() -> None:
    create_two_events()
    player = find_player("Ada Pool")
    stranger = Client()
    stranger.force_login(evenings.create_club_with_director("Hillside", "another")[1])
    for name in ("player_edit", "player_remove", "player_merge"):
        address = reverse(name, args=[player.pk])
        assert stranger.post(address, {"into": "1"}).status_code == 403
    assert Player.objects.filter(pk=player.pk).exists()


def test_restored_or_unmerged_player_keeps_uid() -> None:
    club, _first, _second = create_two_events()
    player, stored_player = find_player("Ada Pool"), find_player("Ada Pole")
    services.merge_players(removed_player=player, kept_player=stored_player, by=None)
    act = Act.objects.get(action="players.merged", about=club.audit_key)
    undo_merge(**act.back["given"] | {"kept": stored_player}, by=None)
    assert find_player("Ada Pool").uid == player.uid != stored_player.uid
    restored_player = services.add_player(club=club, name="Ida New", by=None)
    services.remove_player(player=restored_player, by=None)
    removal_act = Act.objects.get(action="player.removed")
    restore_player(club=club, **removal_act.back["given"], by=None)
    assert find_player("Ida New").uid == restored_player.uid


@pytest.mark.parametrize(
    ("query", "expected_count"),
    [
        ("", 8),
        ("?q=pole", 1),
        ("?q=zahr", 1),
        ("?q=NOWAK 0", 1),
        ("?q=nobody", 0),
        ("?club=hillside", 1),
        ("?club=hillside&q=pole", 0),
    ],
)
def test_players_of_one_club_are_listed_and_searched(query: str, expected_count: int) -> None:
    event, user = evenings.create_event(pairs=4)
    other = evenings.create_club_with_director("Hillside", user.username)[0]
    services.add_player(club=other, name="Grace Hill", by=user)
    services.rename_player(player=find_player("Wheelock 2a"), name="Wheelock A", by=user)
    page = sign_in().get("/director/players/" + query)
    players = page.context["players"]
    assert len(players) == expected_count
    club = other if "hillside" in query else event.club
    assert {player.club for player in players} <= {club}
    assert page.context["club"] == club


def test_player_is_added_once_and_addition_can_be_undone() -> None:
    club, _user = evenings.create_club_with_director()
    client = sign_in()
    assert ">Add player<" in client.get("/director/players/").content.decode()
    form = {"club": club.slug, "name": "Ida New"}
    page = client.post(reverse("player_add"), form, follow=True)
    ida = find_player("Ida New")
    assert page.request["PATH_INFO"] == reverse("player_edit", args=[ida.pk])
    assert "Ida New added." in page.content.decode()
    assert '<button type="submit">Undo' in page.content.decode()
    repeated_html = client.post(reverse("player_add"), form, follow=True).content.decode()
    assert "Ida New is already a player." in repeated_html
    assert club.players.count() == 1
    response = client.post(reverse("player_add"), form | {"name": " "}, follow=True)
    assert 'class="toast toast--error"' in response.content.decode()
    elsewhere = client.post(reverse("player_add"), form | {"club": "not-mine"})
    assert elsewhere.status_code == 404


def test_player_list_of_another_club_is_not_accessible() -> None:
    evenings.create_event(pairs=4)
    assert sign_in().get("/director/players/?club=not-mine").status_code == 404


SPELLINGS = [
    ("Ann Lee", "ann lee"),
    ("Ann Lee", "ANN  LEE"),
    ("Łucja Nowak", "łucja nowak"),
    ("Иванова", "ИВАНОВА"),
    ("Weiß", "WEISS"),
]


@pytest.mark.parametrize(("name", "spelling"), SPELLINGS)
def test_name_matching_ignores_case(name: str, spelling: str) -> None:
    club, user = evenings.create_club_with_director()
    ann = services.add_player(club=club, name=name, by=user)
    bob = services.add_player(club=club, name="Bob", by=user)
    with pytest.raises(InvalidEntry, match=f"already has a player called {name}"):
        services.rename_player(player=bob, name=spelling, by=user)
    assert services.add_player(club=club, name=spelling, by=user) == ann
    other_text = " ".join(spelling.split())
    with pytest.raises(InvalidEntry, match=f"already has a player called {name}"):
        restore_player(
            club=club, pk=99, uid=str(ann.uid), name=other_text, shown="name", by=user
        )
    assert (
        services.rename_player(player=ann, name=other_text, by=user).name == other_text
    )  # their own
    assert club.players.count() == 2
