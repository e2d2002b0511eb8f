"""A client generated from the schema runs a whole evening by operation ids only."""

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape
from drf_spectacular.generators import SchemaGenerator

from tests import evenings

pytestmark = pytest.mark.django_db
PATH_PARAMETER = re.compile(r"{(\w+)}")


class GeneratedClient:
    """A generated client: each operation a call, with path parameters and body."""

    def __init__(self, client: Client) -> None:
        schema = SchemaGenerator().get_schema(request=None, public=True)
        self.client = client
        self.operations = {
            operation["operationId"]: (http_method, path, operation)
            for path, operations_by_method in schema["paths"].items()
            for http_method, operation in operations_by_method.items()
        }

    def __call__(self, operation: str, body: Any = None, **fields: Any) -> Any:
        way, path, operation_data = self.operations[operation]
        url = PATH_PARAMETER.sub(lambda gap: str(fields.pop(gap[1])), path)
        names = {
            parameter["name"]
            for parameter in operation_data.get("parameters", ())
            if parameter["in"] == "query"
        }
        assert set(fields) <= names, operation
        assert body is None or "requestBody" in operation_data, operation
        form: dict[str, Any] = {"data": fields if way == "get" else body}
        if "multipart/form-data" not in operation_data.get("requestBody", {}).get(
            "content", ()
        ):
            request_text = (
                form["data"] if way == "get" else json.dumps({} if body is None else body)
            )
            form = {"data": request_text, "content_type": "application/json"}
        response = getattr(self.client, way)(url, **form)
        assert str(response.status_code) in operation_data["responses"], (
            operation,
            response.content,
        )
        assert response.status_code < 400, (operation, response.content)
        if response.headers.get("Content-Type") != "application/json":
            return b"".join(response) if response.status_code == 200 else None
        return response.json()


@pytest.fixture
def api(client: Client) -> GeneratedClient:
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    return GeneratedClient(client)


@pytest.mark.slow
def test_generated_api_client_runs_a_whole_session(
    api: GeneratedClient, django_capture_on_commit_callbacks: Any
) -> None:
    club = api("clubs")[0]["slug"]
    new_player = api("player_add", {"name": "Ada Poole"}, slug=club)
    api("player_change", {"name": "Ada Pole"}, slug=club, id=new_player["id"])
    slug = api("event_create", {"name": "Thursday", "date": "2026-03-12"})["slug"]
    for pair in range(6):
        api("entry_create", {"names": [f"North {pair}", f"South {pair}"]}, slug=slug)
    session_arguments = {"slug": slug, "number": 1}
    api("session_seat", {"name": "howell", "boards_a_round": 2}, **session_arguments)
    draw_seats(api, session_arguments)
    with django_capture_on_commit_callbacks(execute=True):
        assert api("boards_prepare", **session_arguments)["deals"] == "recorded"
    assert api("session_open", **session_arguments)["state"] == "open"
    assert len(api("table_links_make", **session_arguments)) == 3
    api(
        "table_link_revoke",
        id=api("table_links", **session_arguments)[0]["id"],
        **session_arguments,
    )
    assert len(api("table_links", **session_arguments)) == 2
    api("clock_set", {"minutes": 15, "moving": 2}, **session_arguments)
    assert api("clock_start", **session_arguments)["state"] == "running"
    api("clock_add", {"minutes": 1}, **session_arguments)
    assert api("clock_pause", **session_arguments)["state"] == "paused"

    sittings = api("sittings", **session_arguments)["results"]
    first_sittings = [
        sitting for sitting in sittings if sitting["round"] == 1 and sitting["played"]
    ]
    for sitting in first_sittings:
        for board in sitting["boards"]:
            api("result_put", {"ns_tricks": 7, "seen": None}, id=sitting["id"], board=board)
    result_key = first_sittings[0]["id"], first_sittings[0]["boards"][0]
    api("result_put", {"ns_tricks": 8, "seen": 7}, id=result_key[0], board=result_key[1])
    newest_change = api("history", slug=slug)["results"][0]
    assert (newest_change["kind"], newest_change["can_undo"]) == ("entry", True)
    api("entry_undo", slug=slug, id=newest_change["id"])
    results_by_key = {
        (one_result["sitting"], one_result["board"]): one_result
        for one_result in api("results", **session_arguments)["results"]
    }
    assert results_by_key[result_key]["ns_tricks"] == 7

    turned_table = {"happened": "turned", "table": 1, "first": 1, "last": 1}
    ways = api("change_ways", turned_table, **session_arguments)
    results_before = api("sittings", **session_arguments)["results"]
    change = api("change_make", turned_table | {"way": ways[0]["key"]}, **session_arguments)
    assert api("sittings", **session_arguments)["results"] != results_before
    assert api("change_undo", id=change["id"], **session_arguments)["undone"]
    assert api("sittings", **session_arguments)["results"] == results_before
    correct_stray_board(api, session_arguments, sittings)
    create_own_links(api, slug, session_arguments)

    for sitting in sittings:
        for board in sitting["boards"] if sitting["played"] else ():
            api("result_put", {"ns_tricks": 6}, id=sitting["id"], board=board)
    assert api("session_close", **session_arguments)["state"] == "closed"
    result = next(
        one_result
        for one_result in api("history", slug=slug)["results"]
        if one_result["kind"] == "act"
    )
    api("act_undo", slug=slug, id=result["id"])
    assert api("session", **session_arguments)["state"] == "open"
    api("session_close", **session_arguments)
    with django_capture_on_commit_callbacks(execute=True):
        ordered_paper = api("paper_order", {"kind": "ranking"}, **session_arguments)
    assert api("papers", **session_arguments)["results"][0]["state"] == "ready"
    assert api("paper_fetch", id=ordered_paper["id"], **session_arguments).startswith(b"%PDF")
    assert b"[Event " in api("boards_file", kind="pbn", **session_arguments)
    assert len(api("standings", slug=slug)["rankings"][0]["rows"]) == 6
    add_and_undo_session(api, slug)
    file = api("event_export", slug=slug)
    assert file["format"] == "whist-event/1"
    upload = SimpleUploadedFile("evening.json", json.dumps(file).encode())
    imported_event = api("event_import", {"file": upload}, slug=club)
    assert (imported_event["name"], imported_event["date"], imported_event["state"]) == (
        "Thursday",
        "2026-03-12",
        "closed",
    )
    assert api("event_export", slug=imported_event["slug"]) == file


def draw_seats(api: GeneratedClient, at: dict[str, Any]) -> None:
    """Seat by list, at random and manually, and return to the list."""
    listed_seats = api("seats", **at)
    assert [item["entry"] for item in listed_seats] == [1, 2, 3, 4, 5, 6]
    drawn_seats = api("seats_draw", {"how": "random"}, **at)
    assert sorted(item["entry"] for item in drawn_seats) == [1, 2, 3, 4, 5, 6]
    manual_seats = [
        {"place": item["place"], "entry": 7 - item["entry"]} for item in listed_seats
    ]
    reversed_seats = api("seats_draw", {"how": "hand", "seats": manual_seats}, **at)
    assert [item["entry"] for item in reversed_seats] == [6, 5, 4, 3, 2, 1]
    assert api("seats_draw", {"how": "list"}, **at) == listed_seats


def correct_stray_board(api: GeneratedClient, at: dict[str, Any], sittings: list[Any]) -> None:
    """Correct a table's board of the last round to one of another set, and back."""
    last_sitting = sittings[-1]
    own_board, entries = (
        last_sitting["boards"][0],
        {last_sitting["ns"]["entries"][0], last_sitting["ew"]["entries"][0]},
    )
    same_entry_sittings = [
        sitting
        for sitting in sittings
        if entries & {*sitting["ns"]["entries"], *sitting["ew"]["entries"]}
    ]
    boards = {board for sitting in sittings for board in sitting["boards"]}
    free_boards = sorted(
        boards
        - {
            board
            for item in same_entry_sittings
            for board in item["boards"]
            if item["round"] < 2
        }
    )
    board = next(board for board in free_boards if board not in last_sitting["boards"])
    corrected_sitting = api(
        "board_put_right", {"really": board}, id=last_sitting["id"], board=own_board
    )
    assert corrected_sitting["boards"][0] == board
    api("board_put_right", {"really": own_board}, id=last_sitting["id"], board=board)
    assert api("sittings", **at)["results"] == sittings


def create_own_links(api: GeneratedClient, slug: str, at: dict[str, Any]) -> None:
    """Make all personal links and revoke one; helpers need none for computer-dealt boards."""
    links = api("entry_links_make", slug=slug)
    assert [item["entry"] for item in links] == [1, 2, 3, 4, 5, 6]
    assert api.client.get(links[0]["path"]).status_code == 200
    api("entry_link_revoke", slug=slug, number=1)
    assert [item["entry"] for item in api("entry_links", slug=slug)] == [2, 3, 4, 5, 6]
    helpers_url = f"/api/events/{slug}/sessions/1/helpers/"
    response = api.client.post(helpers_url, {}, content_type="application/json")
    assert response.status_code == 400
    assert "computer-dealt" in response.json()["detail"]


def add_and_undo_session(api: GeneratedClient, slug: str) -> None:
    """Add a second session on another day, with hands typed by helpers; then undo it."""
    second = api("session_add", slug=slug)
    at = {"slug": slug, "number": second["number"]}
    assert (second["number"], second["day"]) == (2, "2026-03-19")
    assert api("session_date", {"date": "2026-03-20"}, **at)["day"] == "2026-03-20"
    assert [item["number"] for item in api("sessions", slug=slug)] == [1, 2]
    api("session_remove", **at)
    api("session_add", {"date": "2026-03-26"}, slug=slug)
    api("session_seat", {"name": "howell", "boards_a_round": 2}, **at)
    helper_link = api("helpers_make", {"are_outsiders": True}, **at)
    assert api("helpers", **at) == helper_link
    assert api.client.get(helper_link["path"]).status_code == 200
    api("helpers_revoke", **at)
    assert api.client.get(f"/api/events/{slug}/sessions/2/helpers/").status_code == 404
    for act_text in ("Movement chosen", "Session added"):
        results = api("history", slug=slug)["results"]
        act = next(
            item for item in results if item["can_undo"] and item["text"].startswith(act_text)
        )
        api("act_undo", slug=slug, id=act["id"])
    assert len(api("sessions", slug=slug)) == 1


def test_page_and_api_refuse_a_bad_event_file_with_same_message(
    api: GeneratedClient,
) -> None:
    club = api("clubs")[0]["slug"]
    files = {
        b'{"format": "whist-event/1", "evnt": 1}': "evnt",
        b"{": "line",
        b" " * 10_000_001: "larger than 10 MB",
    }
    for content, word in files.items():
        uploads = [SimpleUploadedFile("e.json", content) for number in range(2)]
        response = api.client.post(f"/api/clubs/{club}/import/", {"file": uploads[0]})
        page = api.client.post("/director/events/import/", {"file": uploads[1]})
        assert response.status_code == 400
        message = response.json().get("fields", {"file": [response.json()["detail"]]})["file"][
            0
        ]
        assert word in message
        for message_line in message.splitlines():
            assert escape(message_line) in page.content.decode()
    assert api.client.post(f"/api/clubs/{club}/import/").json()["fields"]["file"]
    other_club_response = api.client.post("/api/clubs/elsewhere/import/", {"file": uploads[0]})
    assert other_club_response.status_code == 404


def test_team_can_have_its_own_name_and_pair_cannot(api: GeneratedClient) -> None:
    data = {"name": "Cup", "date": "2026-03-12", "contest": "teams"}
    slug = api("event_create", data)["slug"]
    names = ["Ada Pole", "Bo Low", "Cy Dee", "Di Fen"]
    new_entry = api("entry_create", {"names": names, "name": "The Owls"}, slug=slug)
    assert new_entry["name"] == "The Owls"
    renamed_entry = api("entry_rename", {"names": names, "name": "Owls"}, slug=slug, number=1)
    assert (renamed_entry["name"], renamed_entry["players"]) == ("Owls", names)
    pairs = api("event_create", {"name": "Pairs", "date": "2026-03-12"})["slug"]
    response = api.client.post(
        f"/api/events/{pairs}/entries/",
        {"names": names[:2], "name": "Owls"},
        content_type="application/json",
    )
    assert (response.status_code, list(response.json()["fields"])) == (400, ["name"])


@pytest.mark.slow
def test_api_page_lists_every_operation_without_external_resources(
    api: GeneratedClient,
) -> None:
    page = Client().get("/api/")
    text = page.content.decode()
    assert page.status_code == 200
    missing_operations = [
        operation_id for operation_id in api.operations if f'id="op-{operation_id}"' not in text
    ]
    assert missing_operations == []
    for _method, path, operation in api.operations.values():
        assert path in text
        assert operation["description"].split(".")[0].split("'")[0].split("&")[0] in text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("operation", ["session_open", "session_close", "session_setup"])
def test_operation_ids_match_their_urls(api: GeneratedClient, operation: str) -> None:
    _way, path, _operation = api.operations[operation]
    assert path.rstrip("/").rpartition("/")[2] == operation.removeprefix("session_")
