"""Malformed requests to everything that takes contracts or points.

Each is answered without a server error. A refused request writes nothing, and an accepted one
writes a whole change.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError
from django.urls import reverse

from clubs.models import Act
from drives.hand_points import settle_stored_hand
from drives.models import Drive, DrivePlayer, HouseTerms, Seat, Sheet, SheetVersion
from drives.scores.terms import parse_points_table
from drives.services import create_table_links, enter_sheet, save_club_points_table
from tests.drives.games.malformed import spoil_form, spoil_json
from tests.drives.games.test_contract_phones import ContractPhone
from tests.drives.games.test_hand_grid import fields, typed
from tests.drives.games.test_hand_services import export_to_dict
from tests.drives.games.test_points_page import OrganiserBrowser
from tests.drives.test_drive_command import run_command

pytestmark = pytest.mark.django_db
JSON_REQUEST = {"headers": {"accept": "application/json"}}
HTMX_REQUEST = {"headers": {"hx-request": "true"}}
HANDS = (
    {"contract": "together-8", "by": [1, 3], "tricks": 9},
    {"contract": "misere", "by": [1, 2], "tricks": [0, 1], "passed": 1},
    {"contract": "misere", "by": [4], "made": [True], "times": 2, "revokes": 1},
    {"contract": "slam", "by": [2], "tricks": 13, "fines": [{"by": 1, "each": 5, "why": "x"}]},
)
HOUSE_RULES = {
    "contracts": {
        "misere": {"made": [10], "lost": [10]},
        "own-1": {
            "title": "Our own", "key": "zz", "side": "each", "how": "most", "wants": 2,
            "made": [9], "lost": [6],
        },
    },
    "passed": "adds", "times": [2], "revoke": {"tricks": 3}, "fines": True, "several": "camp",
}  # fmt: skip
TYPED_ROWS = (
    ("t8", "13", "9"), ("mi", "12", "0 1", "1"), ("ss", "2", "+", "", "f1:5 x"),
    ("", "", "", "", "", "3 -1 -1 -1"),
)  # fmt: skip
OWN_CONTRACT_FIELDS = {
    "own.shown": "1", "own-1.title": "Our own", "own-1.key": "zz", "own-1.side": "each",
    "own-1.how": "most", "own-1.wants": "2", "own-1.made": "9", "own-1.lost": "6 +2",
    "own-1.played": "on", "terms.shown": "1", "terms.passed": "adds", "terms.fines": "on",
    "terms.times": "2 4", "terms.revoke": "tricks", "terms.revoke_count": "3",
    "terms.several": "camp",
}  # fmt: skip
COUNTED_MODELS = (Act, Drive, DrivePlayer, Seat, Sheet, SheetVersion, HouseTerms)


def read_state() -> list[Any]:
    """Return what a refused request must not change."""
    counts: list[Any] = [model._default_manager.count() for model in COUNTED_MODELS]
    counts += Drive.objects.order_by("pk").values_list("pk", "revision", "score", "at_round")
    counts += Sheet.objects.order_by("pk").values_list("pk", "score", "contract", "agreement")
    return [*counts, *HouseTerms.objects.values_list("presets", flat=True)]


def assert_sheets_are_consistent() -> None:
    """Check that every sheet has the points of its contract, and is its newest version."""
    for sheet in Sheet.objects.select_related("round__drive"):
        version = sheet.versions.latest("pk")
        assert (version.score, version.contract) == (sheet.score, sheet.contract)
        assert sum(sheet.score) == 0
        table = parse_points_table(sheet.round.drive.score)
        if sheet.contract:
            assert table is not None
            assert list(settle_stored_hand(table, sheet.contract).points) == sheet.score


class MalformedRequestTarget:
    """A drive with entered hands, a director's browser, a phone, and the seed."""

    def __init__(self, rng: random.Random) -> None:
        self.chance = rng
        self.organiser = OrganiserBrowser()
        self.drive, self.client = self.organiser.drive, self.organiser.client
        create_table_links(drive=self.drive, by=None)
        self.drive = Drive.objects.select_related("club", "evening").get(pk=self.drive.pk)
        self.phone = ContractPhone(self.drive)
        save_club_points_table(
            club=self.drive.club,
            name="Ours",
            game_code="wiezen",
            variant_code=None,
            club_changes=HOUSE_RULES,
            by=None,
        )
        for hand in (1, 2):
            enter_sheet(
                drive=self.drive, round_number=1, table=2, hand=hand, contract=HANDS[0], by=None
            )

    def pick_hand(self) -> int:
        return self.chance.choice((1, 2, 3, 4, 4, 0, 5))

    def send_to_phone(self) -> int:
        hand = self.chance.choice((1, 2, 3, 4))
        self.phone.load_page()
        if self.chance.random() < 0.3:
            act = self.phone.build_confirmation(hand=hand)
        else:
            key = f"k{self.chance.randrange(10**9)}"
            act = self.phone.entry("", hand=hand, key=key)
            act |= {"contract": spoil_json(self.chance, self.chance.choice(HANDS))}
        form = spoil_form(self.chance, {name: str(value) for name, value in act.items()})
        headers = self.chance.choice((JSON_REQUEST, {}))
        return self.phone.client.post(self.phone.link.path, form, **headers).status_code

    def send_to_grid(self) -> int:
        url = f"/director/drives/{self.drive.slug}/hands/"
        hand = self.pick_hand()
        form = {"round": "1", "table": "1", "hand": str(hand), f"seen{hand}": ""}
        form |= typed(hand, *self.chance.choice(TYPED_ROWS))
        if self.chance.random() < 0.2:  # the whole page, as without a script
            form |= fields(self.client.get(url, {"round": "1", "table": "1"}))
        if self.chance.random() < 0.5:
            form[f"seen{hand}"] = spoil_json(self.chance, [[3, -3, 3, -3], HANDS[0]])
        spoiled_form = spoil_form(self.chance, form | {"w1": "3", "reason": ""})
        status = self.client.post(
            url, spoiled_form, **self.chance.choice((JSON_REQUEST, {}))
        ).status_code
        return 0 if status == 422 and "hand" not in spoiled_form else status

    def send_to_points_form(self) -> int:
        chance, form = self.chance, self.organiser.form(misere__made="10") | OWN_CONTRACT_FIELDS
        form |= {"act": chance.choice(("preview", "save", "ready", "keep"))}
        form |= {
            "house": spoil_json(chance, HOUSE_RULES),
            "name": "Ours",
            "former_name": "Ours",
        }
        form |= {"game": "wiezen", "club": self.drive.club.slug}
        spoiled_form = spoil_form(chance, form)
        url = chance.choice(
            (self.organiser.url, f"{self.organiser.url}keep/", reverse("drive_house_table"))
        )
        return self.client.post(url, spoiled_form).status_code

    def send_to_examples(self) -> int:
        form = (
            self.organiser.form(misere__lost="10")
            | OWN_CONTRACT_FIELDS
            | {"former_name": "Ours"}
        )
        form |= {"game": "wiezen", "club": self.drive.club.slug}
        state_before = read_state()
        url = reverse("drive_house_examples")
        response = self.client.post(url, spoil_form(self.chance, form), **HTMX_REQUEST)
        assert read_state() == state_before
        return int(response.status_code)

    def send_to_api(self) -> int:
        chance, drive_url = self.chance, f"/api/drives/{self.drive.slug}/"
        hand = {"hand": self.pick_hand(), "contract": chance.choice(HANDS)}
        new_drive_body = {
            "name": "New",
            "date": "2026-11-20",
            "form": "lot",
            "count": 8,
            "rounds": 2,
        }
        new_drive_body |= {
            "score": {"kind": "player", "sum": 0, "game": "wiezen", "house": HOUSE_RULES}
        }
        table = chance.choice((1, 2, 1, 3, 10**6))
        method, url, body = chance.choice(
            (
                ("put", f"{drive_url}rounds/1/tables/{table}/", hand),
                ("put", f"{drive_url}rounds/{chance.choice((0, 2, 10**6))}/tables/1/", hand),
                ("put", f"{drive_url}game/", {"custom": None, "house": HOUSE_RULES}),
                ("patch", drive_url, {"score": new_drive_body["score"]}),
                ("post", "/api/drives/", new_drive_body),
            )
        )
        return self._send_body(method, url, body)

    def send_file_to_api(self) -> int:
        url = f"/api/clubs/{self.drive.club.slug}/drives/"
        return self._send_body("post", url, self._build_file())

    def _send_body(self, method: str, url: str, body: Any) -> int:
        content: str | bytes = spoil_json(self.chance, body)
        if self.chance.random() < 0.02:
            content = content.encode() + b"\xff"
        response = getattr(self.client, method)(url, content, content_type="application/json")
        return int(response.status_code)

    def _build_file(self) -> dict[str, Any]:
        file = export_to_dict(self.drive)
        if self.chance.random() < 0.7:
            file["uid"] = f"{self.chance.getrandbits(128):032x}"
        file["score"]["house"] = self.chance.choice(({}, HOUSE_RULES))
        return file

    def import_by_command(self) -> int:
        name = self.chance.choice((self.drive.club.name, self.drive.club.name, "x" * 300))
        text = spoil_json(self.chance, self._build_file())
        try:
            run_command("import", "--club", name, file=text)
        except CommandError as problem:
            return 400 if problem.returncode == 2 and "\n" not in str(problem) else 500
        return 200


TARGETS: dict[str, tuple[Callable[[MalformedRequestTarget], int], int]] = {
    "phone": (MalformedRequestTarget.send_to_phone, 2_000),
    "grid": (MalformedRequestTarget.send_to_grid, 1_500),
    "points form": (MalformedRequestTarget.send_to_points_form, 1_500),
    "examples": (MalformedRequestTarget.send_to_examples, 1_000),
    "API": (MalformedRequestTarget.send_to_api, 2_000),
    "API file": (MalformedRequestTarget.send_file_to_api, 1_000),
    "command": (MalformedRequestTarget.import_by_command, 1_000),
}


def send_malformed_requests(name: str, count: int, seed: int) -> dict[int, int]:
    """Send requests to a target; return how many had each status."""
    send = TARGETS[name][0]
    target = MalformedRequestTarget(random.Random(seed))
    answers: dict[int, int] = {}
    for _request in range(count):
        before, random_state = read_state(), target.chance.getstate()
        status = send(target)
        assert status < 500
        if status >= 400:
            assert read_state() == before, (name, random_state[1][-1])
        elif read_state() != before:
            assert_sheets_are_consistent()
        answers[status] = answers.get(status, 0) + 1
    return answers


@pytest.mark.parametrize("name", TARGETS)
def test_malformed_requests_are_rejected_or_applied_completely(name: str) -> None:
    answers = send_malformed_requests(name, 12, 39)
    assert sum(answers.values()) == 12


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_ten_thousand_malformed_requests_are_rejected_or_applied_completely(name: str) -> None:
    count = TARGETS[name][1]
    answers = send_malformed_requests(name, count, 40)
    assert sum(answers.values()) == count
    print(f"\n{name}: {answers}")  # noqa: T201 - the measured answers
