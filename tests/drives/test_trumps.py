"""Directors choose how trumps are decided."""

import pytest
from django.test import Client

from drives.errors import DriveActionNotAllowed
from drives.trumps import parse_trumps
from tests.drives.games.test_hand_services import begin_drive
from tests.factories import MembershipFactory

ALLOWED_SUITS_TEXT = "H, C, D, S and N"
UNUSED_SUITS_TEXT = "Suits in turn: to use them, set Trumps to “suits in turn”."


@pytest.mark.parametrize("stored_trumps", ["turned", "declared", "HCDS"])
@pytest.mark.parametrize("rule", ["turned", "declared", "cycle", "cycel", ""])
@pytest.mark.parametrize("suits", ["", "HCDS", "h, c, d, s", "SH", "XYZ", "H" * 21])
def test_typed_suits_are_stored_or_refused(stored_trumps: str, rule: str, suits: str) -> None:
    parsed_suits = suits.upper().replace(",", "").replace(" ", "")
    expected, error = "", ""
    if rule not in ("turned", "declared", "cycle"):
        error = "Trumps: choose one of the options."
    elif rule == "cycle" and parsed_suits in ("HCDS", "SH"):
        expected = parsed_suits
    elif rule == "cycle":
        error = ALLOWED_SUITS_TEXT
    elif parsed_suits in ("", stored_trumps):
        expected = rule
    else:
        error = UNUSED_SUITS_TEXT
    if not error:
        assert parse_trumps(rule, suits, stored_trumps) == expected
        return
    with pytest.raises(DriveActionNotAllowed, match=error):
        parse_trumps(rule, suits, stored_trumps)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rule", "suits", "text"),
    [
        ("turned", "SH", UNUSED_SUITS_TEXT),
        ("lot", "SH", "Trumps: choose one of the options."),
        ("cycle", "SH", "Settings saved."),
    ],
)
def test_page_says_why_trumps_are_unchanged(rule: str, suits: str, text: str) -> None:
    drive = begin_drive()
    former_trumps = drive.trumps
    client = Client()
    client.force_login(MembershipFactory(club=drive.club).user)
    path = f"/director/drives/{drive.slug}/terms/"
    page = client.post(path, {"trumps_rule": rule, "trumps": suits}, follow=True)
    assert text in page.content.decode()
    drive.refresh_from_db()
    assert drive.trumps == (suits if text == "Settings saved." else former_trumps)
