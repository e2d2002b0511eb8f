"""Test a club's records, trophies and feed: public content and undo."""

from datetime import date, timedelta
from fractions import Fraction
from unittest.mock import patch
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import scoring.services
import tournaments.services
from clubs import audit
from clubs.models import Player
from clubs.undo import undo_recorded_act
from scoring.models import Standing
from scoring.tasks import recompute_standings
from seasons.club_pages.sheets.club_records import load_club_records
from seasons.ladders.errors import SeasonActionRefused
from seasons.ladders.inverses import TROPHY_INVERSES
from seasons.ladders.models import Engraving, Season, Trophy
from seasons.ladders.season_tables import load_ladder_tables
from seasons.ladders.services.trophies import (
    award_trophies,
    create_trophy,
    delete_engraving,
    delete_trophy,
    engrave_trophy,
)
from seasons.ladders.sheets.honours import load_honours
from server.models import User
from tests import evenings
from tests.factories import (
    ClubFactory,
    EntryElsewhereFactory,
    EntryPlayerFactory,
    EveningElsewhereFactory,
    EventFactory,
    LadderFactory,
    PlayerFactory,
    ReceivedFactory,
    SeasonFactory,
    SeatElsewhereFactory,
    StandingFactory,
)
from tests.house.markup import find_faults
from tournaments.models import Event

pytestmark = pytest.mark.django_db
SUM_RULE = {"who": "players", "measure": "plus", "combine": "sum"}
ATOM = "{http://www.w3.org/2005/Atom}"


def play_closed_session() -> tuple[Event, User]:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    recompute_standings(session.event.pk)
    return session.event, user


def test_records_match_standings_and_omit_hidden_names(client: Client) -> None:
    event, user = play_closed_session()
    SeasonFactory(club=event.club, slug="spring", name="Spring 2026")
    club_records_by_title = {
        club_record.title: club_record for club_record in load_club_records(event.club)
    }
    rows = Standing.objects.filter(ranking__event=event)
    best_average = max(Fraction(row.score) / row.boards for row in rows)
    assert best_average == 1
    assert club_records_by_title["Best average per board"].value_text == "+1"
    assert club_records_by_title["Most evenings"].value_text == "1 evening"
    assert club_records_by_title["First evening"].slug == event.slug
    assert "Most wins in a row" not in club_records_by_title, "one evening is no run"
    winner = rows.filter(rank=1).order_by("pk")[0].entry
    for player in Player.objects.exclude(entries=winner):
        tournaments.services.set_player_visibility(player=player, shown="nobody", by=user)
    page = client.get(reverse("club_records", args=[event.club.slug]))
    text = page.content.decode()
    assert find_faults(text) == []
    assert not page.cookies
    shown_club_records_by_title = {
        club_record.title: club_record for club_record in load_club_records(event.club)
    }
    assert set(shown_club_records_by_title["Most evenings"].holder_text.split(" · ")) == {
        player.name for player in winner.players.all()
    }
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(reverse("club_records", args=[event.club.slug]))
    assert len(queries) < 12
    club = ClubFactory(name="Empty", slug="empty")
    assert (
        "No records yet"
        in client.get(reverse("club_records", args=[club.slug])).content.decode()
    )
    assert client.get(reverse("club_page", args=[club.slug])).status_code == 200


@pytest.mark.parametrize("corrected_slug", ["afternoon", "evening"])
def test_events_of_same_day_keep_order_after_correction(
    corrected_slug: str,
) -> None:
    """A week before she was first; in the afternoon she was again, in the evening not."""
    club = ClubFactory()
    ann = PlayerFactory(club=club, name="Ann Lee")
    for slug, day, rank in (("week", 3, 1), ("afternoon", 10, 1), ("evening", 10, 2)):
        event = EventFactory(club=club, slug=slug, name=slug, date=date(2026, 3, day))
        row = StandingFactory(ranking__event=event, rank=rank, score="28")
        EntryPlayerFactory(entry=row.entry, player=ann)
    repeated_standing = Standing.objects.get(ranking__event__slug=corrected_slug)
    Standing.objects.filter(pk=repeated_standing.pk).delete()
    repeated_standing.pk = None
    repeated_standing.save(force_insert=True)
    club_records_by_title = {
        club_record.title: club_record for club_record in load_club_records(club)
    }
    run = club_records_by_title["Most wins in a row"]
    assert (run.value_text, run.slug) == ("2 evenings", "afternoon")
    assert (
        club_records_by_title["Best average per board"].slug == "week"
    )  # the first to achieve it


@pytest.mark.slow
def test_trophy_skips_holder_of_the_other_trophy_and_can_be_undone() -> None:
    event, user = play_closed_session()
    season = SeasonFactory(club=event.club, slug="spring", name="Spring 2026")
    LadderFactory(season=season, slug="best", rule=SUM_RULE)
    table = load_ladder_tables(season)[0][1]
    LadderFactory(season=season, slug="again", rule=SUM_RULE)
    cup = create_trophy(club=event.club, name="The  Cup", ladder_slug="best", by=user)
    plate = create_trophy(
        club=event.club, name="Plate", ladder_slug="again", not_with=cup, by=user
    )
    with pytest.raises(SeasonActionRefused, match="already"):
        create_trophy(club=event.club, name="the cup", by=user)
    awarded_engravings = award_trophies(season=season, by=user)
    winner_ids = {
        player_id for row in table.ranked_rows if row.rank == 1 for player_id in row.subject
    }
    player_ids = [
        {name.player_id for name in engraving.names.all()} for engraving in awarded_engravings
    ]
    assert player_ids[0] == winner_ids
    assert player_ids[1]
    assert not player_ids[0] & player_ids[1], "who has the cup cannot have the plate"
    assert award_trophies(season=season, by=user) == []
    hidden_player = Player.objects.get(pk=min(winner_ids))
    tournaments.services.set_player_visibility(player=hidden_player, shown="nobody", by=user)
    board = load_honours(event.club)
    assert hidden_player.name not in str(board)
    assert "A player" in board.trophies[0].years[0][1]
    engrave_trophy(
        trophy=plate, year="1999", winner_names=["Ann Lee", hidden_player.name], by=user
    )
    assert hidden_player.name not in str(load_honours(event.club)), (
        "a typed name is the same person"
    )
    with pytest.raises(SeasonActionRefused):
        engrave_trophy(trophy=plate, year="1999", winner_names=["Bo"], by=user)
    with pytest.raises(SeasonActionRefused, match="The trophy has winners"):
        delete_trophy(trophy=plate, by=user)
    check_undo_and_redo(plate, user)
    assert Trophy.objects.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first_day", "last_day", "year"),
    [
        ("2026", "2026-01-01", "2026-12-31", "2026"),
        ("Spring  2026", "2026-01-01", "2026-06-30", "Spring 2026"),
        ("Season of 2025/2026", "2025-09-01", "2026-08-31", "Season of 2025/2026"),
        ("Winter championship 2025", "2025-09-01", "2026-08-31", "2025/26"),
        ("Winter championships 2026", "2026-01-01", "2026-12-31", "2026"),
        ("The championships of the club", "1999-09-01", "2000-08-31", "1999/00"),
    ],
)
def test_each_season_awards_its_trophy_exactly_once(
    client: Client, name: str, first_day: str, last_day: str, year: str
) -> None:
    club, user = evenings.create_club_with_director()
    cup = create_trophy(club=club, name="Cup", ladder_slug="best", by=user)
    days = {
        "first_day": date.fromisoformat(first_day),
        "last_day": date.fromisoformat(last_day),
    }
    seasons = [
        create_season_with_winners(SeasonFactory(club=club, name=name, **days))
        for number in range(3)
    ]
    client.force_login(user)
    for _attempt in range(2):
        for season in seasons:
            form = {"season": season.slug}
            page = client.post(reverse("award_trophies_action"), form, follow=True)
            assert page.status_code == 200
    engravings = cup.engravings.order_by("pk")
    assert [item.season for item in engravings] == seasons
    assert [item.year for item in engravings] == [year, f"{year[:16]} (2)", f"{year[:16]} (3)"]
    for engraving in list(engravings):
        delete_engraving(trophy=cup, year=engraving.year, by=user)
        act = audit.list_acts(cup).filter(action="trophy.unengraved").order_by("-pk")[0]
        undo_recorded_act(audit.list_acts(cup), act, TROPHY_INVERSES, trophy=cup, by=user)
    assert award_trophies(season=seasons[0], by=user) == [], "it is known by its season again"
    assert {engraving.season for engraving in cup.engravings.all()} == set(seasons)


@pytest.mark.slow
def test_trophy_of_season_with_truncated_name_is_not_awarded_again() -> None:
    club, user = evenings.create_club_with_director()
    cup = create_trophy(club=club, name="Cup", ladder_slug="best", by=user)
    old, new_season = (
        create_season_with_winners(SeasonFactory(club=club, name=f"Winter championship {item}"))
        for item in (2025, 2026)
    )
    engrave_trophy(
        trophy=cup, year="Winter championship", winner_names=["Bo"], season=old, by=user
    )
    assert award_trophies(season=old, by=user) == []
    assert [engraving.year for engraving in award_trophies(season=new_season, by=user)] == [
        "2026"
    ]
    by_hand = create_season_with_winners(SeasonFactory(club=club, name="2024"))
    engrave_trophy(trophy=cup, year="2024", winner_names=["Bo"], by=user)
    assert award_trophies(season=by_hand, by=user) == [], "a trophy that has the year is left"


@pytest.mark.slow
@pytest.mark.parametrize("tied_winner_count", [1, 2, 12, 13, 14])
def test_tied_winners_are_all_engraved_or_trophy_is_reported_as_not_awarded(
    client: Client, tied_winner_count: int
) -> None:
    club, user = evenings.create_club_with_director()
    season = create_season_with_winners(SeasonFactory(club=club, slug="s"), tied_winner_count)
    LadderFactory(season=season, slug="plus", rule=SUM_RULE | {"ties": ["singles"]})
    cup = create_trophy(club=club, name="Attendance Cup", ladder_slug="best", by=user)
    other_trophy = create_trophy(
        club=club, name="Other", ladder_slug="best", not_with=cup, by=user
    )
    client.force_login(user)
    page = client.post(reverse("award_trophies_action"), {"season": "s"}, follow=True)
    assert page.status_code == 200
    name_counts = [engraving.names.count() for engraving in cup.engravings.all()]
    assert name_counts == ([tied_winner_count] if tied_winner_count <= 12 else [])
    page_text = "Attendance Cup: too many tied for first" in page.content.decode()
    assert page_text == (tied_winner_count > 12)
    assert not other_trophy.engravings.exists()


def test_page_shows_why_award_is_refused(client: Client) -> None:
    club, user = evenings.create_club_with_director()
    season = SeasonFactory(club=club, slug="s")
    LadderFactory(season=season, slug="best", rule=SUM_RULE | {"who": "teams"})
    entry = EntryElsewhereFactory(
        evening__season=season, evening__contest="teams", team="x" * 100
    )
    SeatElsewhereFactory(entry=entry)
    create_trophy(club=club, name="Cup", ladder_slug="best", by=user)
    client.force_login(user)
    with patch("seasons.ladders.services.trophies.MAX_NAME_LENGTH", 99):
        page = client.post(reverse("award_trophies_action"), {"season": "s"}, follow=True)
    assert "Enter 1–12 names" in page.content.decode()


def create_season_with_winners(season: Season, level: int = 1) -> Season:
    """Create a season of one evening, from elsewhere, with this many tied for first."""
    LadderFactory(season=season, slug="best", rule=SUM_RULE | {"measure": "attendance"})
    evening = EveningElsewhereFactory(season=season, date=season.first_day)
    for _number in range(level):
        SeatElsewhereFactory(entry=EntryElsewhereFactory(evening=evening))
    return season


@pytest.mark.slow
@pytest.mark.parametrize("visibility", ["initials", "nobody"])
@pytest.mark.parametrize(
    "typed_value",
    ["Zoë Hidden", "zoë hidden", "ZOË  HIDDEN", " Zoe Hidden", "Zoe\u0308 Hidden"],
)
def test_honours_board_omits_hidden_name_in_any_spelling(
    typed_value: str, visibility: str
) -> None:
    club, user = evenings.create_club_with_director()
    Player.objects.create(club=club, name="Zoe Hidden")
    hidden_player = Player.objects.create(club=club, name="Zoë Hidden", shown=visibility)
    cup = create_trophy(club=club, name="Cup", by=user)
    engrave_trophy(trophy=cup, year="2020", winner_names=[typed_value, "Bo Low"], by=user)
    is_exact_spelling = (
        typed_value.strip() == "Zoe Hidden"
    )  # a name in another spelling is that person's
    [[_year, shown_names]] = load_honours(club).trophies[0].years
    assert (
        shown_names
        == f"{'Zoe Hidden' if is_exact_spelling else hidden_player.shown_name} & Bo Low"
    )


@pytest.mark.slow
def test_name_engraved_before_registration_is_hidden_like_registered_name() -> None:
    club, user = evenings.create_club_with_director()
    cup = create_trophy(club=club, name="Cup", by=user)
    for year, name in (("1998", "Zoe Hidden"), ("1999", "zoë hidden"), ("2000", "Bo Low")):
        engrave_trophy(trophy=cup, year=year, winner_names=[name], by=user)
    zoe = Player.objects.create(club=club, name="Zoë Hidden", shown="nobody")
    board = load_honours(club)
    assert [winners_text for _year, winners_text in board.trophies[0].years] == [
        "Bo Low",
        *["A player"] * 2,
    ]
    assert [name for name, _won in board.people] == ["Bo Low"]
    tournaments.services.set_player_visibility(player=zoe, shown="name", by=user)
    assert load_honours(club).people[0] == ("Zoë Hidden", ("Cup 1999", "Cup 1998"))


def check_undo_and_redo(plate: Trophy, user: User) -> None:
    names_before = [
        engraving.shown_names for engraving in Engraving.objects.filter(trophy=plate)
    ]

    def undo_latest_act(action: str) -> None:
        act = audit.list_acts(plate).filter(action=action).order_by("-pk")[0]
        undo_recorded_act(audit.list_acts(plate), act, TROPHY_INVERSES, trophy=plate, by=user)

    undo_latest_act("trophy.engraved")
    undo_latest_act("trophy.unengraved")  # undo too
    assert [
        engraving.shown_names for engraving in Engraving.objects.filter(trophy=plate)
    ] == names_before
    for engraving in Engraving.objects.filter(trophy=plate).order_by("-pk"):
        delete_engraving(trophy=plate, year=engraving.year, by=user)
    assert not Engraving.objects.filter(trophy=plate).exists()
    delete_trophy(trophy=plate, by=user)


def test_trophies_are_managed_on_their_page(client: Client) -> None:
    event, user = play_closed_session()
    season = SeasonFactory(club=event.club, slug="spring", name="Spring 2026")
    LadderFactory(season=season, slug="best", name="Best five", rule=SUM_RULE)
    client.force_login(user)
    page = reverse("trophies")
    assert find_faults(client.get(page).content.decode()) == []
    client.post(reverse("trophy_make"), {"name": "The Cup", "ladder": "best"})
    cup = Trophy.objects.get()
    client.post(reverse("award_trophies_action"), {"season": "spring"})
    names = {"year": "1998", "names": "Ann Lee\n\nBo Low"}
    client.post(reverse("trophy_engrave", args=[cup.slug]), names)
    assert [engraving.shown_names for engraving in cup.engravings.filter(year="1998")] == [
        "Ann Lee & Bo Low"
    ]
    text = client.get(page).content.decode()
    assert find_faults(text) == []
    act = audit.list_acts(cup).order_by("-pk")[0]
    client.post(reverse("trophy_act_undo", args=[cup.slug, act.pk]))
    assert not cup.engravings.filter(year="1998").exists()
    public = client.get(reverse("honours", args=[event.club.slug])).content.decode()
    assert "The Cup" in public
    assert find_faults(public) == []
    assert (
        "Honours" in client.get(reverse("club_page", args=[event.club.slug])).content.decode()
    )
    client.force_login(evenings.create_club_with_director("Hilltop", "other")[1])
    assert client.post(reverse("trophy_remove", args=[cup.slug])).status_code == 404


@pytest.mark.slow
def test_feed_keeps_entry_ids_and_updates_after_correction(client: Client) -> None:
    event, user = play_closed_session()
    feed_url = reverse("club_feed", args=[event.club.slug])
    first_response = client.get(feed_url)
    root = ElementTree.fromstring(first_response.content)
    entries = list(root.iter(f"{ATOM}entry"))
    assert [entry.findtext(f"{ATOM}id") for entry in entries] == [f"urn:uuid:{event.uid}"]
    for feed_element in (root, *entries):
        for tag in ("id", "title", "updated", "link"):
            assert feed_element.find(f"{ATOM}{tag}") is not None, tag
    repeated_response = client.get(feed_url, headers={"If-None-Match": first_response["ETag"]})
    assert (repeated_response.status_code, repeated_response.content) == (304, b"")
    moment = entries[0].findtext(f"{ATOM}updated")
    event.standings_versions.update(
        made_at=event.standings_versions.get().made_at + timedelta(1)
    )
    ReceivedFactory(club=event.club, name="From a laptop <&")
    response = client.get(feed_url)
    assert response["ETag"] != first_response["ETag"]
    updated_entries = list(ElementTree.fromstring(response.content).iter(f"{ATOM}entry"))
    titles = [item.findtext(f"{ATOM}title") or "" for item in updated_entries]
    assert any("From a laptop <&" in title for title in titles)
    event_entry = next(
        item for item in updated_entries if str(event.uid) in (item.findtext(f"{ATOM}id") or "")
    )
    assert event_entry.findtext(f"{ATOM}updated") != moment
    tournaments.services.set_standings_visibility(event=event, shown="never", by=user)
    assert str(event.uid) not in client.get(feed_url).content.decode()


@pytest.mark.django_db
def test_each_trophy_action_shows_confirmation(client: Client) -> None:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    form = {"club": club.slug, "name": "Silver Plate"}
    html = client.post(reverse("trophy_make"), form, follow=True).content.decode()
    assert "Silver Plate added." in html
    slug = Trophy.objects.get().slug
    removed_html = client.post(
        reverse("trophy_remove", args=[slug]), follow=True
    ).content.decode()
    assert "Silver Plate removed." in removed_html
