"""Players' pages have an app manifest with the club's name and existing icons."""

from io import BytesIO

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from clubs.models import Club
from tests import evenings

pytestmark = pytest.mark.django_db


def test_manifest_has_the_clubs_short_name_and_start_page(client: Client) -> None:
    club, _user = evenings.create_club_with_director()
    Club.objects.update(short_name="Hill WC")
    response = client.get(f"/clubs/{club.slug}/app.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    assert response.headers["Cache-Control"] == "public, max-age=3600"
    assert not response.cookies
    data = response.json()
    assert (data["name"], data["short_name"]) == (club.name, "Hill WC")
    Club.objects.update(short_name="", name="Riverside Whist Club")
    data = client.get(f"/clubs/{club.slug}/app.webmanifest").json()
    assert data["short_name"] == "Riverside"  # the name at the top of pages on a phone
    assert data["start_url"] == data["id"] == f"/clubs/{club.slug}/"
    assert data["scope"] == "/"
    assert data["theme_color"] == "#0c4a32"


def test_site_of_many_clubs_has_its_own_manifest(client: Client) -> None:
    data = client.get("/app.webmanifest").json()
    assert (data["short_name"], data["start_url"]) == ("Overplay", "/")
    assert client.get("/clubs/nowhere/app.webmanifest").status_code == 404


def test_every_icon_has_the_size_that_the_manifest_states(client: Client) -> None:
    icons = client.get("/app.webmanifest").json()["icons"]
    assert [icon["sizes"] for icon in icons] == ["192x192", "512x512", "512x512"]
    for icon in icons:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert path is not None
        with Image.open(path) as image:
            assert "{}x{}".format(*image.size) == icon["sizes"]
            is_transparent = image.convert("RGBA").getchannel("A").getextrema()[0] == 0
        assert is_transparent is (icon["purpose"] == "any")


def test_only_player_pages_link_to_the_manifest(client: Client) -> None:
    session, user = evenings.play_session()
    slug = session.event.slug
    link = f'<link rel="manifest" href="/clubs/{session.event.club.slug}/app.webmanifest">'
    assert link in client.get(f"/events/{slug}/").content.decode()
    assert link in client.get("/").content.decode()
    assert 'rel="manifest"' not in client.get(f"/events/{slug}/screen/").content.decode()
    client.force_login(user)
    assert 'rel="manifest"' not in client.get("/director/").content.decode()


def test_shared_link_to_the_club_shows_its_name_and_a_picture(client: Client) -> None:
    club = evenings.play_session()[0].event.club
    page = client.get(f"/clubs/{club.slug}/").content.decode()
    assert f'<meta property="og:title" content="{club.name}">' in page
    assert '<meta property="og:description" content="Standings, scorecards' in page
    icon = '<meta property="og:image" content="http://testserver/static/img/icon-512.png">'
    assert icon in page
    Club.objects.update(logo_mark="abc")
    page = client.get("/").content.decode()
    assert 'property="og:image" content="http://testserver/logos/abc.png">' in page


def test_shared_link_to_standings_shows_them_as_a_picture(client: Client) -> None:
    event = evenings.play_session()[0].event
    page = client.get(f"/events/{event.slug}/").content.decode()
    address = f"http://testserver/events/{event.slug}/standings.png"
    assert f'<meta property="og:title" content="{event.name}">' in page
    assert f'<meta property="og:description" content="Standings, {event.club.name}, ' in page
    assert f'<meta property="og:image" content="{address}">' in page
    with Image.open(BytesIO(client.get(address).content)) as image:
        assert image.size == (1200, 630)
