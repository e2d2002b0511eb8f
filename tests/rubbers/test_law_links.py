"""Rubber nights and drives link to the law book of their code."""

from datetime import date

import pytest
from django.test import Client

from rubbers import services
from rubbers.rubber.codes import LAW_CODES_BY_NAME
from tests import evenings
from tests.drives.test_services import begin_drive

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("code", LAW_CODES_BY_NAME)
def test_night_links_to_the_law_book_of_its_code(code: str) -> None:
    club, user = evenings.create_club_with_director()
    night = services.create_rubber_night(
        club=club, name="Fire", date=date(2026, 11, 27), code=code, by=user,
        players=[services.NewRubberPlayer(name=name) for name in ("Ann", "Bea", "Cy", "Di")],
    )  # fmt: skip
    client = Client()
    client.force_login(user)
    link = f'href="/laws/{code}/#happened"'
    for address in (
        f"/rubbers/{night.slug}/",
        f"/director/rubbers/{night.slug}/",
        f"/director/rubbers/{night.slug}/tables/1/",
    ):
        page = client.get(address).content.decode()
        assert link in page, address
        assert page.count("/laws/") == page.count(f"/laws/{code}/"), address


def test_drive_without_rubbers_links_to_the_english_code(client: Client) -> None:
    drive = begin_drive()
    page = client.get(f"/drives/{drive.slug}/").content.decode()
    assert 'href="/laws/english-1900/#happened"' in page
