"""A club's records, trophies and feed: what everybody may see, and each taken back."""

from datetime import timedelta
from fractions import Fraction
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
from clubs.undoing import take_back
from scoring.models import Standing
from scoring.tasks import recompute_standings
from seasons.errors import SeasonRefused
from seasons.inverses import TROPHY_INVERSES
from seasons.models import Engraving, Trophy
from seasons.season_tables import tables_of
from seasons.services.trophies import (
    award_season,
    engrave,
    make_trophy,
    remove_trophy,
    unengrave,
)
from seasons.sheets.club_records import club_records
from seasons.sheets.honours import honours
from server.models import User
from tests import evenings
from tests.factories import ClubFactory, LadderFactory, ReceivedFactory, SeasonFactory
from tests.house.markup import faults
from tournaments.models import Event

pytestmark = pytest.mark.django_db
SUM = {"who": "players", "measure": "plus", "combine": "sum"}
ATOM = "{http://www.w3.org/2005/Atom}"


def _over() -> tuple[Event, User]:
    session, user = evenings.played()
    scoring.services.close_session(session=session, by=user)
    recompute_standings(session.event.pk)
    return session.event, user


def test_records_are_those_of_the_standings_and_name_nobody_hidden(client: Client) -> None:
    event, user = _over()
    SeasonFactory(club=event.club, slug="spring", name="Spring 2026")
    found = {each.title: each for each in club_records(event.club)}
    rows = Standing.objects.filter(ranking__event=event)
    best = max(Fraction(row.score) / row.boards for row in rows)
    assert best == 1
    assert found["Highest plus a board"].figure == "+1"
    assert found["Most evenings"].figure == "1 evening"
    assert found["First evening"].slug == event.slug
    assert "Longest run of first places" not in found, "one evening is no run"
    winner = rows.filter(rank=1).order_by("pk")[0].entry
    for player in Player.objects.exclude(entries=winner):
        tournaments.services.show_player(player=player, shown="nobody", by=user)
    page = client.get(reverse("club_records", args=[event.club.slug]))
    text = page.content.decode()
    assert faults(text) == []
    assert not page.cookies
    shown = {each.title: each for each in club_records(event.club)}
    assert set(shown["Most evenings"].who.split(" · ")) == {
        player.name for player in winner.players.all()
    }
    with CaptureQueriesContext(
        connection,
    ) as asked:
        client.get(reverse("club_records", args=[event.club.slug]))
    assert len(asked) < 12
    empty = ClubFactory(name="Empty", slug="empty")
    assert (
        "Records begin"
        in client.get(reverse("club_records", args=[empty.slug])).content.decode()
    )
    assert client.get(reverse("club_page", args=[empty.slug])).status_code == 200


def test_a_trophy_goes_to_the_first_but_not_to_who_has_the_other_and_all_goes_back() -> None:
    event, user = _over()
    season = SeasonFactory(club=event.club, slug="spring", name="Spring 2026")
    LadderFactory(season=season, slug="best", rule=SUM)
    table = tables_of(season)[0][1]
    LadderFactory(season=season, slug="again", rule=SUM)
    cup = make_trophy(club=event.club, name="The  Cup", ladder="best", by=user)
    plate = make_trophy(club=event.club, name="Plate", ladder="again", not_with=cup, by=user)
    with pytest.raises(SeasonRefused, match="already"):
        make_trophy(club=event.club, name="the cup", by=user)
    made = award_season(season=season, by=user)
    first = {key for row in table.ranked if row.rank == 1 for key in row.who}
    won = [{each.player_id for each in one.names.all()} for one in made]
    assert won[0] == first
    assert won[1]
    assert not won[0] & won[1], "who has the cup cannot have the plate"
    assert award_season(season=season, by=user) == []
    hidden = Player.objects.get(pk=min(first))
    tournaments.services.show_player(player=hidden, shown="nobody", by=user)
    board = honours(event.club)
    assert hidden.name not in str(board)
    assert "A player" in board.trophies[0].years[0][1]
    engrave(trophy=plate, year="1999", names=["Ann Lee", hidden.name], by=user)
    assert hidden.name not in str(honours(event.club)), "a typed name is the same person"
    with pytest.raises(SeasonRefused):
        engrave(trophy=plate, year="1999", names=["Bo"], by=user)
    with pytest.raises(SeasonRefused, match="take these away"):
        remove_trophy(trophy=plate, by=user)
    _everything_goes_back_and_comes_again(plate, user)
    assert Trophy.objects.count() == 1


@pytest.mark.parametrize("shown", ["initials", "nobody"])
@pytest.mark.parametrize(
    "typed", ["Zoë Hidden", "zoë hidden", "ZOË  HIDDEN", " Zoe Hidden", "Zoe\u0308 Hidden"]
)
def test_a_hidden_name_is_on_no_honours_board_however_it_is_typed(
    typed: str, shown: str
) -> None:
    club, user = evenings.club()
    Player.objects.create(club=club, name="Zoe Hidden")
    hidden = Player.objects.create(club=club, name="Zoë Hidden", shown=shown)
    cup = make_trophy(club=club, name="Cup", by=user)
    engrave(trophy=cup, year="2020", names=[typed, "Bo Low"], by=user)
    exact = typed.strip() == "Zoe Hidden"  # a name as somebody else writes it is that person's
    [[_year, told]] = honours(club).trophies[0].years
    assert told == f"{'Zoe Hidden' if exact else hidden.shown_name} & Bo Low"


def _everything_goes_back_and_comes_again(plate: Trophy, user: User) -> None:
    before = [each.shown for each in Engraving.objects.filter(trophy=plate)]

    def back(action: str) -> None:
        act = audit.history(plate).filter(action=action).order_by("-pk")[0]
        take_back(audit.history(plate), act, TROPHY_INVERSES, trophy=plate, by=user)

    back("trophy.engraved")
    back("trophy.unengraved")  # the taking back too
    assert [each.shown for each in Engraving.objects.filter(trophy=plate)] == before
    for engraving in Engraving.objects.filter(trophy=plate).order_by("-pk"):
        unengrave(trophy=plate, year=engraving.year, by=user)
    assert not Engraving.objects.filter(trophy=plate).exists()
    remove_trophy(trophy=plate, by=user)


def test_trophies_are_looked_after_on_their_page(client: Client) -> None:
    event, user = _over()
    season = SeasonFactory(club=event.club, slug="spring", name="Spring 2026")
    LadderFactory(season=season, slug="best", name="Best five", rule=SUM)
    client.force_login(user)
    page = reverse("trophies")
    assert faults(client.get(page).content.decode()) == []
    client.post(reverse("trophy_make"), {"name": "The Cup", "ladder": "best"})
    cup = Trophy.objects.get()
    client.post(reverse("trophies_award"), {"season": "spring"})
    names = {"year": "1998", "names": "Ann Lee\n\nBo Low"}
    client.post(reverse("trophy_engrave", args=[cup.slug]), names)
    assert [each.shown for each in cup.engravings.filter(year="1998")] == ["Ann Lee & Bo Low"]
    text = client.get(page).content.decode()
    assert faults(text) == []
    act = audit.history(cup).order_by("-pk")[0]
    client.post(reverse("trophy_act_undo", args=[cup.slug, act.pk]))
    assert not cup.engravings.filter(year="1998").exists()
    public = client.get(reverse("honours", args=[event.club.slug])).content.decode()
    assert "The Cup" in public
    assert faults(public) == []
    assert (
        "Honours" in client.get(reverse("club_page", args=[event.club.slug])).content.decode()
    )
    client.force_login(evenings.club("Hilltop", "other")[1])
    assert client.post(reverse("trophy_remove", args=[cup.slug])).status_code == 404


def test_a_feed_keeps_its_names_and_moves_with_a_correction(client: Client) -> None:
    event, user = _over()
    address = reverse("club_feed", args=[event.club.slug])
    first = client.get(address)
    root = ElementTree.fromstring(first.content)
    entries = list(root.iter(f"{ATOM}entry"))
    assert [each.findtext(f"{ATOM}id") for each in entries] == [f"urn:uuid:{event.uid}"]
    for part in (root, *entries):
        for tag in ("id", "title", "updated", "link"):
            assert part.find(f"{ATOM}{tag}") is not None, tag
    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    moment = entries[0].findtext(f"{ATOM}updated")
    event.standings_versions.update(
        made_at=event.standings_versions.get().made_at + timedelta(1)
    )
    ReceivedFactory(club=event.club, name="From a laptop <&")
    changed = client.get(address)
    assert changed["ETag"] != first["ETag"]
    later = list(ElementTree.fromstring(changed.content).iter(f"{ATOM}entry"))
    titles = [each.findtext(f"{ATOM}title") or "" for each in later]
    assert any("From a laptop <&" in title for title in titles)
    own = next(each for each in later if str(event.uid) in (each.findtext(f"{ATOM}id") or ""))
    assert own.findtext(f"{ATOM}updated") != moment
    tournaments.services.show_standings(event=event, shown="never", by=user)
    assert str(event.uid) not in client.get(address).content.decode()
