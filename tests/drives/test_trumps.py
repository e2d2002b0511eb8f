"""Directors choose how trumps are decided."""

import pytest
from django.test import Client

from drives.errors import DriveRefused
from drives.trumps import parse_trumps
from tests.drives.games.test_hand_services import begin_drive
from tests.factories import MembershipFactory

ALLOWED = "H, C, D, S and N"
UNUSED = "Suits in turn: to use them, set Trumps to “suits in turn”."


@pytest.mark.parametrize("stored", ["turned", "declared", "HCDS"])
@pytest.mark.parametrize("rule", ["turned", "declared", "cycle", "cycel", ""])
@pytest.mark.parametrize("suits", ["", "HCDS", "h, c, d, s", "SH", "XYZ", "H" * 21])
def test_typed_suits_are_stored_or_refused(stored: str, rule: str, suits: str) -> None:
    parsed = suits.upper().replace(",", "").replace(" ", "")
    expected, error = "", ""
    if rule not in ("turned", "declared", "cycle"):
        error = "Trumps: choose one of the options."
    elif rule == "cycle" and parsed in ("HCDS", "SH"):
        expected = parsed
    elif rule == "cycle":
        error = ALLOWED
    elif parsed in ("", stored):
        expected = rule
    else:
        error = UNUSED
    if not error:
        assert parse_trumps(rule, suits, stored) == expected
        return
    with pytest.raises(DriveRefused, match=error):
        parse_trumps(rule, suits, stored)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rule", "suits", "text"),
    [
        ("turned", "SH", UNUSED),
        ("lot", "SH", "Trumps: choose one of the options."),
        ("cycle", "SH", "Settings saved."),
    ],
)
def test_page_says_why_trumps_are_unchanged(rule: str, suits: str, text: str) -> None:
    drive = begin_drive()
    former = drive.trumps
    client = Client()
    client.force_login(MembershipFactory(club=drive.club).user)
    path = f"/director/drives/{drive.slug}/terms/"
    page = client.post(path, {"trumps_rule": rule, "trumps": suits}, follow=True)
    assert text in page.content.decode()
    drive.refresh_from_db()
    assert drive.trumps == (suits if text == "Settings saved." else former)
