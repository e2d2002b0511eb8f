"""Large numbers may be typed with a space or a comma before the last three digits."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import TableLink
from drives.models import Sheet
from drives.numbers import parse_signed_number
from drives.services import NewPlayer, create_drive, create_table_links
from tests.browser.drives import DRIVE_DATE, NAMES, create_organiser


@pytest.mark.parametrize(
    ("typed_value", "number"),
    [
        ("1200", 1200),
        ("1 200", 1200),
        ("1,200", 1200),
        ("−1\u202f200", -1200),
        ("-520", -520),
        ("1 20", None),
        ("12,00", None),
        ("1 2000", None),
        ("1  200", None),
        ("1.200", None),
    ],
)
def test_total_may_have_a_separator_before_its_last_three_digits(
    typed_value: str, number: int | None
) -> None:
    assert parse_signed_number(typed_value) == number


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("terms", "boxes", "stored_score"),
    [
        ({"kind": "side"}, ["1,200", "-340"], [1200, -340]),
        ({"kind": "side", "sum": 0}, ["1 200", ""], [1200, -1200]),
        ({"kind": "tricks"}, ["8,5"], [8, 5]),  # the page's JavaScript sends one text
        ({"kind": "tricks"}, ["8,5", ""], []),
    ],
)
def test_comma_in_one_of_several_boxes_does_not_split_it(
    client: Client, terms: dict[str, Any], boxes: list[str], stored_score: list[int]
) -> None:
    user = create_organiser()
    drive = create_drive(
        club=user.memberships.get().club, name="Friday drive", date=DRIVE_DATE, form="lot",
        rounds=2,
        hands=1, players=[NewPlayer(name=name) for name in NAMES], score=terms, by=user,
    )  # fmt: skip
    create_table_links(drive=drive, by=user)
    table = TableLink.objects.get(evening=drive.evening, table=1).path
    json_options = {"headers": {"accept": "application/json"}}
    page = client.get(table, **json_options).json()["page"]
    hand = page["hands"][0]["hand"]
    form = {"act": "enter", "round": page["round"], "hand": hand, "seats": page["seats"]}
    response = client.post(table, form | {"score": boxes, "side": "A"}, **json_options)
    assert response.status_code == (200 if stored_score else 400)
    assert [sheet.score for sheet in Sheet.objects.exclude(score=[])] == [stored_score] * bool(
        stored_score
    )
