"""While phones cannot connect, no page shows a QR code or a link for phones.

The axes: each page that shows a link for phones × whether phones can connect. The big screens
lead back to the Room; the axes are each screen × the visitor.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import hall.challenges.services
import hall.helpers.services
import hall.phones.services
from clubs.models import Membership, TableLink
from server.models import User
from tests import evenings
from tests.browser import drives
from tests.drives.test_check_in_start import create_open_check_in
from tests.drives.test_table_phones import create_drive_with_links
from tests.factories import MembershipFactory, UserFactory
from tournaments.models import EntryLink

pytestmark = pytest.mark.django_db
SERVER_URL = "http://192.168.1.20:8000"


def open_drive_tables() -> tuple[User, str, str]:
    drive = create_drive_with_links()
    link = TableLink.objects.get(evening=drive.evening, table=2)
    url = f"/director/drives/{drive.slug}/tables/?table=2"
    return drive.club.memberships.get().user, url, link.path


def open_rubber_tables() -> tuple[User, str, str]:
    night, user, path = drives.create_marked_rubber_night()
    return user, f"{reverse('rubber_tables', args=[night.slug])}?table=1", path


def open_check_in_desk() -> tuple[User, str, str]:
    drive, user = create_open_check_in()
    link = TableLink.objects.get(evening=drive.evening, table=1)
    return user, f"/director/drives/{drive.slug}/check-in/?code=1", link.path


def open_event_table() -> tuple[User, str, str]:
    session, user = evenings.open_session()
    hall.phones.services.create_table_links(session=session, by=user)
    link = TableLink.objects.filter(evening=session.evening).first()
    assert link is not None
    return user, reverse("table_code", args=[session.event.slug, link.pk]), link.path


def open_entry_code() -> tuple[User, str, str]:
    session, user = evenings.open_session()
    hall.challenges.services.create_entry_links(event=session.event, by=user)
    link = EntryLink.objects.get(entry__event=session.event, entry__number=1)
    return user, reverse("entry_code", args=[session.event.slug, link.pk]), link.path


def open_entry_list() -> tuple[User, str, str]:
    user, _url, path = open_entry_code()
    slug = EntryLink.objects.select_related("entry__event")[0].entry.event.slug
    return user, reverse("challenges", args=[slug]), path


def open_helpers() -> tuple[User, str, str]:
    session, user = evenings.open_session()
    link = hall.helpers.services.create_hand_link(session=session, are_outsiders=True, by=user)
    return user, reverse("helpers", args=[session.event.slug]), link.path


PAGES: dict[str, Callable[[], tuple[User, str, str]]] = {
    "check-in": open_check_in_desk,
    "drive": open_drive_tables,
    "entries": open_entry_list,
    "entry": open_entry_code,
    "event": open_event_table,
    "helpers": open_helpers,
    "rubbers": open_rubber_tables,
}


@pytest.mark.parametrize("is_reachable", [False, True])
@pytest.mark.parametrize("page_name", PAGES)
def test_page_shows_a_link_for_phones_only_if_they_can_connect(
    page_name: str, is_reachable: bool, client: Client, settings: Any
) -> None:
    settings.PHONE_ADDRESSES = [f"{SERVER_URL}/"] if is_reachable else []
    user, url, path = PAGES[page_name]()
    client.force_login(user)
    page = client.get(url).content.decode()
    assert ('class="code"' in page) == (is_reachable and page_name != "entries")
    assert (SERVER_URL + path in page) == is_reachable
    assert ("Open on this computer" in page) == (not is_reachable)
    assert (reverse("hall") in page.partition("<main")[2]) == (not is_reachable)
    assert f"http://testserver{path}" not in page.replace(f'href="http://testserver{path}"', "")


def open_drive_screens() -> tuple[Any, list[str], str]:
    drive = create_drive_with_links()
    urls = [reverse(name, args=[drive.slug]) for name in ("drive_screen", "drive_clock")]
    return drive.club, urls, reverse("drive_desk", args=[drive.slug])


def open_event_screens() -> tuple[Any, list[str], str]:
    session, _user = evenings.open_session()
    slug = session.event.slug
    urls = [reverse(name, args=[slug]) for name in ("screen", "clock")]
    return session.event.club, urls, reverse("room", args=[slug])


@pytest.mark.parametrize("visitor", ["public", "other club", "scorer"])
@pytest.mark.parametrize("open_screens", [open_drive_screens, open_event_screens])
def test_big_screens_link_only_scorers_back_to_the_room(
    open_screens: Callable[[], tuple[Any, list[str], str]], visitor: str, client: Client
) -> None:
    club, urls, room_url = open_screens()
    if visitor == "scorer":
        membership = MembershipFactory.create(club=club, role=Membership.Role.SCORER)
        client.force_login(membership.user)
    elif visitor == "other club":
        client.force_login(UserFactory.create())
    for url in urls:
        page = client.get(url).content.decode()
        assert (f'screen__back"><a href="{room_url}"' in page) == (visitor == "scorer")


def test_drive_page_links_the_list_named_in_its_announcement(client: Client) -> None:
    drive = create_drive_with_links()
    client.force_login(drive.club.memberships.get().user)
    page = " ".join(client.get(f"/director/drives/{drive.slug}/").content.decode().split())
    screen_url = reverse("drive_screen", args=[drive.slug])
    _announced, _colon, rest = page.partition("find your table and seat on the list.")
    assert rest.startswith(f'</p> <p><a href="{screen_url}">Who sits where</a>')
    screen = " ".join(client.get(screen_url).content.decode().split())
    assert "<small>Table</small> 1 <small>seat</small>" in screen
