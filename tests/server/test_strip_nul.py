"""NUL bytes in a URL, which a database would refuse."""

import pytest
from django.test import Client

from tests import evenings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "url",
    [
        "/?club=%00",
        "/?q=%00",
        "/laws/?event=%00&q=%00",
        "/movements/compass/?event=%00&tables=7",
    ],
)
def test_nul_byte_in_public_url_is_ignored(client: Client, url: str) -> None:
    evenings.create_event()
    assert client.get(url).status_code == 200


def test_nul_byte_in_section_field_is_not_a_server_error(client: Client) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/change/"
    assert client.post(address, {"section": "\0"}).status_code in (200, 302, 400)
