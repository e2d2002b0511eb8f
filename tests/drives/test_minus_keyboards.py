"""Inputs that accept negative numbers offer a keyboard with a minus."""

import re

import pytest
from django.test import Client

from clubs.models import TableLink
from drives.scores.presets import PRESETS
from drives.services import NewPlayer, create_drive, create_table_links
from server.models import User
from tests.browser.drives import DRIVE_DATE, NAMES, create_organiser

pytestmark = pytest.mark.django_db
PRESET_CODES = sorted(set(PRESETS) - {"rubbers"})
SCORE_BOX_PATTERN = re.compile(r'<input [^>]*name="(?:score|total|n1|t1-0)"[^>]*>')


@pytest.mark.parametrize("code", PRESET_CODES)
def test_every_score_box_has_the_keyboard_for_its_terms(client: Client, code: str) -> None:
    user: User = create_organiser()
    terms = PRESETS[code].scoring
    score = {
        "kind": str(terms.kind),
        "sum": terms.total,
        "low": terms.min_score,
        "high": terms.max_score,
    }
    drive = create_drive(
        club=user.memberships.get().club,
        name="Friday drive",
        date=DRIVE_DATE,
        form="lot",
        players=[NewPlayer(name=name) for name in NAMES],
        rounds=2,
        hands=terms.hands_per_round,
        score={name: value for name, value in score.items() if value is not None},
        by=user,
    )
    create_table_links(drive=drive, by=user)
    client.force_login(user)
    own_path = f"/director/drives/{drive.slug}"
    table = TableLink.objects.get(evening=drive.evening, table=1).path
    expected = "numeric" if terms.min_score is not None and terms.min_score >= 0 else "text"
    for address in (
        f"{own_path}/sheets/",
        f"{own_path}/totals/",
        f"{own_path}/totals/again/",
        table,
    ):
        boxes = SCORE_BOX_PATTERN.findall(client.get(address).content.decode())
        assert boxes, address
        assert {re.search('inputmode="([a-z]+)"', box)[1] for box in boxes} == {expected}, (
            address
        )
