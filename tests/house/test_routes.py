"""The seven routes through the program: the functions entered, in order, with no step back.

A route goes from an edge (page, API, phone) through access checks to one service, which calls
no presentation. Then the edge renders the result. Complexity is measured by the errands of the
edge: its calls into other modules.
"""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import hall.phones.services
import scoring.services
import tests.drives.test_services
from clubs.models import TableLink
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine.standings import update_standings
from tests import evenings
from tests.drives.test_table_phones import create_drive_with_links
from tests.factories import LadderFactory, SeasonFactory
from tests.house.walks import Step, Walk, record_walk
from tests.solving import replace_solver
from tournaments.models import Session

pytestmark = pytest.mark.django_db
PRESENTATION_PACKAGES = {"views", "forms", "api", "sheets", "papers", "templatetags"}
RECORDING_SERVICE = "scoring.services.results.record_result"
ERROR_MESSAGES_MODULE = (
    "clubs.views.error_messages"  # ends the block in which an edge calls a service
)
JSON_HEADERS = {"Accept": "application/json"}


def check_no_step_back(walk: Walk, act: str, edge: str) -> None:
    """Check that a service calls no presentation, and that no service runs after it."""
    steps = [step for step in walk.steps if step.is_within_a_service]
    assert [step.name for step in steps if is_presentation(step)] == []
    later_steps = walk.list_steps_after(act)
    assert [step.name for step in later_steps if is_in_service(step)] == []
    assert {step.module for step in later_steps if "views" in step.kinds} <= {
        edge,
        ERROR_MESSAGES_MODULE,
    }


def is_presentation(step: Step) -> bool:
    """Return whether a step is presentation; `drives.play_forms` has pure play forms."""
    return bool(step.kinds & PRESENTATION_PACKAGES) and not step.module.startswith(
        "drives.play_forms"
    )


def is_in_service(step: Step) -> bool:
    """Return whether a step is in a service, or in a form that validates the request."""
    return "services" in step.kinds or ("forms" in step.kinds and is_presentation(step))


def check_call_order(walk: Walk, *names: str) -> None:
    """Check that functions are entered first in this order."""
    assert [walk.get_first_index(name) for name in names] == sorted(
        map(walk.get_first_index, names)
    )


@pytest.fixture
def director(client: Client) -> tuple[Client, Session]:
    """Return a session of three tables in play, with its director signed in."""
    session, user = evenings.open_session(6)
    client.force_login(user)
    return client, session


def post_typed_result(client: Client, session: Session, sitting: int) -> int:
    fields = {"sitting": sitting, "board": 1, "value": "7", "seen": ""}
    return client.post(f"/director/events/{session.event.slug}/result/", fields).status_code


def find_first_board_sitting(session: Session) -> int:
    """Return a table that plays board 1."""
    return load_session_snapshot(session).tables_by_board[1][0].sitting_id


def test_typed_result_passes_the_layers_in_order(director: tuple[Client, Session]) -> None:
    client, session = director
    sitting = find_first_board_sitting(session)
    with record_walk() as walk, CaptureQueriesContext(connection) as queries:
        assert post_typed_result(client, session, sitting) == 200
    edge = "scoring.views.scores"
    walk = walk.select_below(edge)
    check_no_step_back(walk, RECORDING_SERVICE, edge)
    check_call_order(
        walk,
        f"{edge}.save_result",
        "tournaments.event_access.load_scorer_event",
        RECORDING_SERVICE,
        "scoring.session_snapshot.load_session_snapshot",
        "scoring.doubts.open_doubts.find_doubtful_result",
        "scoring.doubts.plausibility.check_result",
        "tournaments.services.groundwork.revisions.increment_revisions",
        "scoring.services.recompute.enqueue_recomputation",
        f"{edge}._build_result_data",
    )
    # two calls for the act, six for the text and numbers of its row
    assert len(walk.list_edge_calls(edge)) <= 8
    # one query for the standings and one for the letter of the table are among them
    assert len(queries) <= 23


def test_phone_result_passes_the_layers_in_order(client: Client) -> None:
    session, user = evenings.open_session(6)
    path = hall.phones.services.create_table_links(session=session, by=user)[0].path
    first_round = client.get(path, headers=JSON_HEADERS).json()["page"]["rounds"][0]
    play = {"sitting": first_round["sitting"], "board": first_round["boards"][0]["board"]}
    form = play | {"act": "enter", "value": "7", "seen": "", "key": "a"}
    with record_walk() as walk, CaptureQueriesContext(connection) as queries:
        assert client.post(path, form, headers=JSON_HEADERS).status_code == 200
    edge, request_service = (
        "clubs.views.tables",
        "clubs.evenings.services.tables.process_table_request",
    )
    page = "hall.phones.table_page.build_page_data"
    recording_service = "scoring.services.results.record_result_in_snapshot"
    walk = walk.select_below(edge)
    check_no_step_back(walk, request_service, edge)
    check_call_order(
        walk,
        "hall.phones.services.query_session_links",
        recording_service,
        page,
        f"{edge}._build_json_response",
    )
    # one call of the service, then one of the presentation
    assert walk.list_edge_calls(edge) == [request_service, page]
    places = walk.places(edge, "scoring.services.results._save_result")
    assert len(places) <= 10, places
    snapshot_readers = [
        step.callers[-1]
        for step in walk.steps
        if step.name == "scoring.session_snapshot.load_session_snapshot"
    ]
    assert snapshot_readers == ["hall.phones.own_table"]
    assert len(walk.files) <= 35  # with locks, secrecy, trays, drawn rounds, two for standings
    assert len(queries) <= 12


def test_drive_score_from_a_phone_passes_the_layers_in_order(client: Client) -> None:
    drive = create_drive_with_links()
    path = TableLink.objects.get(evening=drive.evening, table=1).path
    now = client.get(path, headers=JSON_HEADERS).json()["page"]
    place = {"round": now["round"], "hand": 1, "seats": now["seats"]}
    form = place | {"act": "enter", "score": "8", "seen": "", "key": "a"}
    with record_walk() as walk:
        assert client.post(path, form, headers=JSON_HEADERS).status_code == 200
    edge, taking = "clubs.views.tables", "clubs.evenings.services.tables.process_table_request"
    page = "drives.sheets.contract_phone.build_page_data"
    walk = walk.select_below(edge)
    check_no_step_back(walk, taking, edge)
    check_call_order(
        walk,
        "drives.services.tables.perform_table_act",
        "drives.services.scores._write_sheet",
        page,
    )
    assert walk.list_edge_calls(edge) == [taking, page]


def test_ruling_passes_the_layers_in_order(
    director: tuple[Client, Session], callbacks: Any
) -> None:
    client, session = director
    sitting = find_first_board_sitting(session)
    post_typed_result(client, session, sitting)
    terms = {"kind": "revoke", "side": "NS", "revokes": 1, "won_before": 0}
    with record_walk() as callback_walk, callbacks(execute=True), record_walk() as walk:
        response = client.post(
            f"/director/events/{session.event.slug}/rulings/make/",
            terms | {"sitting": sitting, "board": 1},
        )
    assert response.status_code == 302, response.content.decode()
    act, edge = "scoring.services.rulings.make_ruling", "scoring.views.rulings"
    check_no_step_back(walk, act, edge)
    check_call_order(
        walk,
        "tournaments.event_access.load_director_event",
        act,
        "scoring.services.recompute.enqueue_recomputation",
    )
    check_call_order(
        callback_walk,
        "scoring.tasks.recompute_standings",
        "scoring.standings_engine.remedies.build_remedy",
        "scoring.methods.apply_rulings.apply_rulings",
    )


def test_dealing_boards_passes_the_layers_in_order(
    client: Client, callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_solver(monkeypatch)
    session, user = evenings.seat_session(6)
    client.force_login(user)
    with record_walk() as queued, callbacks(execute=True), record_walk() as walk:
        response = client.post(f"/director/events/{session.event.slug}/deals/make/")
    assert response.status_code == 302
    session.refresh_from_db()
    assert session.board_set is not None
    assert session.board_set.is_ready
    act, edge = "tournaments.services.session_boards.request_dealing", "tournaments.views.deals"
    check_no_step_back(walk, act, edge)
    check_call_order(
        walk,
        f"{edge}.deal_boards",
        "tournaments.event_access.load_director_event",
        act,
        "boards.services.create_board_set",
    )
    check_call_order(
        queued,
        "boards.tasks.deal_boards",
        "boards.batches.deal_missing_boards",
        "boards.whist.dealing.deal_board",
    )


# Running scores are computed from an event's results; no row stores them.
RUNNING_SCORES_MODULE = "scoring.standings_engine.running_scores"


def test_standings_page_passes_the_layers_in_order(
    director: tuple[Client, Session], callbacks: Any
) -> None:
    client, session = director
    with record_walk() as queued, callbacks(execute=True):
        post_typed_result(client, session, find_first_board_sitting(session))
    check_call_order(
        queued,
        RECORDING_SERVICE,
        "scoring.tasks.recompute_standings",
        "scoring.standings_engine.standings.update_standings",
        "scoring.standings_engine.result_lines.tally_results",
        "scoring.standings_engine.field_ranking.rank_groups",
    )
    with record_walk() as walk:
        response = Client(headers={"HX-Request": "true"}).get(
            f"/events/{session.event.slug}/standings/"
        )
    assert response.status_code == 200
    check_call_order(
        walk,
        "scoring.views.public.show_standings",
        "tournaments.event_access.load_public_event",
        "scoring.secrecy.can_see_standings",
        "scoring.sheets.ranks.load_rank_table",
    )
    assert [step.name for step in walk.steps if "services" in step.kinds] == []
    names = {
        step.name
        for step in walk.steps
        if "reckoning" in step.kinds
        and RUNNING_SCORES_MODULE not in (step.module, *step.callers)
    }
    assert names <= {
        "scoring.standings_engine.scores.find_scoring_method"
    }  # looks up the method's record


def test_drive_totals_pass_the_layers_in_order(client: Client) -> None:
    """A pure function computes a drive's total from one snapshot and runs no queries."""
    drive = tests.drives.test_services.begin_drive(rounds=2, standings_shown="always")
    tests.drives.test_services.play_rounds(drive, 1)
    with record_walk() as walk:
        assert client.get(f"/drives/{drive.slug}/").status_code == 200
    sheet, pure_package = "drives.sheets.standing", "drives.scores.drive_scores"
    check_call_order(
        walk,
        "drives.views.public.show_drive",
        "clubs.activities.activity_access.load_for_public",
        "drives.snapshot.load_drive_snapshot",
        f"{sheet}.build_drive_standings",
        "drives.snapshot.scores",
        f"{pure_package}.ranking",
        "drives.scores.sheets.compute_tallies",
        "drives.scores.ranking.rank_players",
    )
    walk = walk.select_below(sheet)
    assert len({name for name in walk.files if name.startswith("drives.")}) <= 12
    assert [
        step.name
        for step in walk.steps
        if "snapshot" in step.kinds and pure_package in step.callers
    ] == []
    assert [step.name for step in walk.steps if "services" in step.kinds] == []


def test_ladder_page_passes_the_layers_in_order(client: Client) -> None:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    update_standings(session.event)
    rule = {"who": "players", "measure": "place", "points": [8, 6, 4], "combine": "sum"}
    row = LadderFactory(season=SeasonFactory(club=session.event.club), rule=rule)
    address = reverse("ladder", args=[session.event.club.slug, row.season.slug, row.slug])
    with record_walk() as walk:
        assert client.get(address).status_code == 200
    edge, sheet = "seasons.ladders.views.public", "seasons.ladders.sheets.ladders"
    check_call_order(
        walk,
        f"{edge}.show_ladder",
        f"{sheet}.build_ladder_sheet",
        "seasons.ladders.season_tables.load_ladder_table",
        "seasons.ladders.season_evenings.load_season_evenings",
        "seasons.ladders.rules.table.compute_ladder",
        "seasons.ladders.rules.words.describe_rule",
    )
    assert [step.name for step in walk.steps if "services" in step.kinds] == []
    steps = [step for step in walk.steps if (sheet, "build_ladder_sheet") in step.calls]
    other_modules = {step.module for step in steps if "models" not in step.kinds}
    assert len({edge, sheet, *other_modules}) <= 16


def test_repeated_or_backward_layer_call_is_detected() -> None:
    """Test the check itself: a service that calls a sheet, and an edge that acts twice."""
    edge, act, sheet = "a.views", "a.services.act", "a.sheets"
    correct_walk = Walk([Step(edge, "page", ()), Step("a.services", "act", ((edge, "page"),))])
    call_stack = ((edge, "page"), ("a.services", "act"))
    presenting_walk = Walk([*correct_walk.steps, Step(sheet, "words", call_stack)])
    repeated_service_walk = Walk(
        [*correct_walk.steps, Step("a.services", "again", ((edge, "page"),))]
    )
    check_no_step_back(correct_walk, act, edge)
    for walk in (presenting_walk, repeated_service_walk):
        with pytest.raises(AssertionError):
            check_no_step_back(walk, act, edge)


@pytest.fixture
def callbacks(django_capture_on_commit_callbacks: Any) -> Any:
    """Run callbacks that are queued on commit at the end of the block."""
    return django_capture_on_commit_callbacks
