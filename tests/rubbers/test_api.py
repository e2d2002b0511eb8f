"""Rubber nights in the API: its input, its output, and its errors with reasons."""

import json
from typing import Any

import pytest
from django.test import Client

from drives.models import Drive
from rubbers.models import RubberNight
from tests.browser.drives import create_organiser
from tests.factories import MembershipFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db
API_URL = "/api/rubbers/"


class ApiClient:
    """A signed-in client that sends and reads JSON."""

    def __init__(self, user: Any) -> None:
        self.client = Client()
        if user is not None:
            self.client.force_login(user)

    def __call__(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        send = getattr(self.client, method)
        response = send(path, json.dumps(body or {}), content_type="application/json")
        return response.status_code, response.json()

    def get_json(self, path: str) -> Any:
        response = self.client.get(path)
        assert response.status_code == 200, response.content
        return response.json()


def create_night(caller: ApiClient, **more: Any) -> str:
    body = {"name": "Night", "date": "2026-11-26", "code": "pole", "key": "k", **more}
    body.setdefault("players", [{"name": name} for name in ("Ann", "Bea Hope", "Cy", "Di")])
    status, night = caller("post", API_URL, body)
    assert status == 201, night
    assert caller("post", API_URL, body)[0] == 200
    return f"{API_URL}{night['slug']}/"


def test_api_plays_a_rubber_and_shows_it_to_everyone() -> None:
    user = create_organiser()
    PlayerFactory(club=user.memberships.get().club, name="Bea Hope", shown="initials")
    caller = ApiClient(user)
    night = create_night(caller)
    status, table = caller(
        "post", f"{night}tables/1/spells/", {"spell": 1, "how": "", "seats": [1, 3, 2, 4]}
    )
    assert (status, table["dealer"], table["may_mark"]) == (200, "Ann", True)
    hand = {"spell": 1, "number": 1, "tricks": {"A": 9, "B": 4}, "honours": {"A": 3}}
    for _attempt in range(2):
        status, table = caller("post", f"{night}tables/1/hands/", hand)
    assert (status, len(table["hands"]), table["hands"][0]["ends"]) == (
        200,
        1,
        "game, a treble",
    )
    invalid_hand = {"spell": 1, "number": 2, "tricks": {"A": 7, "B": 7}}
    status, error_data = caller("post", f"{night}tables/1/hands/", invalid_hand)
    assert (status, error_data["detail"]) == (400, "hand 2: tricks 7 and 7 add up to 14")
    invalid_hand = {
        "spell": 1,
        "number": 2,
        "tricks": {"A": 7, "B": 6},
        "revokes": [{"by": "X"}],
    }
    assert caller("post", f"{night}tables/1/hands/", invalid_hand)[0] == 400
    status, _table = caller(
        "put", f"{night}tables/1/spells/1/hands/1/", {"tricks": {"A": 11, "B": 2}}
    )
    assert status == 200
    assert caller("post", f"{night}tables/1/members/", {"name": "Eve"})[1]["number"] == 5
    assert caller("post", f"{night}tables/1/members/5/leave/")[1]["waiting"] == []
    assert caller("patch", night, {"terms": {"best_of": 1}})[0] == 200
    public = ApiClient(None)
    standing = public.get_json(f"{night}standing/")
    assert [(item["name"], item["points"]) for item in standing[:3]] == [
        ("Ann", 5), ("Cy", 5), ("Eve", 0)
    ]  # fmt: skip
    assert public.get_json(f"{night}tables/")[0]["sides"][1]["people"][0]["name"] == "B. H."
    assert caller("post", f"{night}undo/", {"table": 1})[0] == 200
    assert caller("post", f"{night}undo/")[0] == 200
    assert public.get_json(night)["terms"] == {}


def test_api_reveals_secret_after_the_close_and_imports_the_file() -> None:
    caller = ApiClient(create_organiser())
    night = create_night(caller)
    caller("post", f"{night}tables/1/spells/", {"spell": 1, "how": "lot"})
    assert caller.client.get(f"{night}secret/").status_code == 400
    assert caller.get_json(f"{night}file/")["secret"] is None
    assert caller("post", f"{night}close/")[1]["state"] == "closed"
    response = caller.get_json(f"{night}file/")
    assert response["secret"] == caller.get_json(f"{night}secret/")["secret"]
    club = RubberNight.objects.get().club
    RubberNight.objects.all().delete()
    assert caller("post", f"/api/clubs/{club.slug}/rubbers/", response)[0] == 201
    assert caller.get_json(f"{API_URL}{RubberNight.objects.get().slug}/file/") == response
    assert caller("post", f"{API_URL}{RubberNight.objects.get().slug}/reopen/")[0] == 200
    assert caller.get_json(API_URL)["count"] == 1


def test_scorer_marks_hands_but_cannot_direct() -> None:
    night = create_night(ApiClient(create_organiser()))
    row = RubberNight.objects.get()
    scorer = UserFactory()
    MembershipFactory(club=row.club, user=scorer, role="scorer")
    caller = ApiClient(scorer)
    assert caller("post", f"{night}tables/1/spells/", {"spell": 1, "how": "lot"})[0] == 200
    for path in ("close/", "undo/"):
        assert caller("post", f"{night}{path}")[0] == 403
    assert caller("post", f"{night}undo/", {"table": 1})[0] == 200
    assert ApiClient(UserFactory())("post", f"{night}tables/1/hands/", {})[0] in (400, 403)
    assert ApiClient(None)("post", f"{night}close/")[0] in (401, 403)


def test_drive_can_be_scored_by_rubbers() -> None:
    caller = ApiClient(create_organiser())
    body = {
        "name": "Drive", "date": "2026-11-26", "form": "lot", "rounds": 2, "hands": 1,
        "score": {"kind": "side", "sum": 0}, "count": 8,
    }  # fmt: skip
    status, drive = caller("post", "/api/drives/", body)
    assert status == 201, drive
    status, night = caller(
        "post", f"/api/drives/{drive['slug']}/rubbers/", {"code": "pole", "terms": {"game": 1}}
    )
    assert (status, night["drive"]) == (200, drive["slug"])
    hands_url = f"{API_URL}{night['slug']}/tables/1/hands/"
    for number in (1, 2):
        hand = {"spell": 1, "number": number, "round": 1, "tricks": {"A": 9, "B": 4}}
        assert caller("post", hands_url, hand)[0] == 200
    rounds = caller.get_json(f"/api/drives/{drive['slug']}/rounds/")
    assert rounds[0]["tables"][0]["score"] == [8, -8]
    page = caller.client.get(f"/director/drives/{drive['slug']}/rubbers/").content.decode()
    assert "Round 1, table 2" in page
    assert "1-2/" in caller.client.get(f"/director/drives/{drive['slug']}/").content.decode()
    assert (
        caller.client.get(f"/director/rubbers/{night['slug']}/tables/1-2/").status_code == 200
    )
    assert caller.client.get(f"/rubbers/{night['slug']}/").url.endswith(f"{drive['slug']}/")
    assert Drive.objects.get().rubbers.tables.count() == 1


INVALID_VALUES = ("\x00", "\ud800", -1, 10**30, True, None, [], {"A": "x"})


def test_invalid_request_shows_an_error_and_changes_nothing() -> None:
    caller = ApiClient(create_organiser())
    night = create_night(caller)
    caller("post", f"{night}tables/1/spells/", {"spell": 1, "how": "lot"})
    slug = night.split("/")[3]
    response_before = caller.get_json(f"{night}file/")
    hand = {"tricks": {"A": 9, "B": 4}, "honours": {"A": 3}, "revokes": [{"by": "A"}]}
    bodies_by_path = {
        "tables/1/hands/": {"spell": 1, "number": 1, **hand, "called": "A"},
        "tables/1/spells/": {"spell": 2, "how": "cards", "cuts": {"into": [{"1": 1}]}},
        "tables/1/members/": {"name": "Eve", "number": 9},
        "undo/": {"table": 7, "round": 3},
    }
    for path, body in bodies_by_path.items():
        for field in body:
            for value in INVALID_VALUES:
                status, response_body = caller("post", f"{night}{path}", body | {field: value})
                assert 400 <= status < 500, (path, field, value)
                assert response_body["detail"]
    for field in ("name", "code", "terms", "paper_size"):
        for value in INVALID_VALUES:
            status, _response_body = caller("patch", night, {field: value})
            assert status in (200, 400), (field, value)
    row = RubberNight.objects.get(slug=slug)
    assert row.code == "pole"
    response_after = caller.get_json(f"{night}file/")
    assert response_after["tables"] == response_before["tables"]


def test_api_creates_the_table_links_of_a_night() -> None:
    director = ApiClient(create_organiser())
    night = create_night(director)
    assert director.get_json(f"{night}links/") == []
    status, table_links = director("post", f"{night}links/")
    assert (status, [item["table"] for item in table_links]) == (200, [1])
    assert Client().get(table_links[0]["path"]).status_code == 200
    assert ApiClient(None)("post", f"{night}links/")[0] == 401
    assert ApiClient(UserFactory()).client.get(f"{night}links/").status_code == 403
    link_url = f"{night}links/{table_links[0]['id']}/"
    assert director.client.delete(link_url).status_code == 204
    assert Client().get(table_links[0]["path"]).status_code == 410
    assert director.get_json(f"{night}links/") == []
