"""A director decides a score that the two sides of a table typed differently."""

import pytest
from django.test import Client

from clubs.models import Act
from hall.history.undo import undo_event_act
from hall.phones.services import build_guest, create_table_links
from scoring.models import Result
from scoring.services import record_result, undo_result
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tests.releases.forms import parse_forms
from tournaments.models import Sitting

pytestmark = pytest.mark.django_db


def undo_decision(result: Result, user: User) -> None:
    """Undo the director's decision: a confirmation is an act, a new score a version."""
    act = Act.objects.filter(action="result.settled").first()
    if act is not None:
        undo_event_act(event=result.sitting.section.session.event, act=act, by=user)
    else:
        undo_result(version=result.versions.order_by("number").last(), by=user)


@pytest.mark.parametrize("correct_mark", ["8", "6"])
@pytest.mark.parametrize("page", ["room/", "room/tables/1/?section=A"])
def test_director_resolves_a_dispute_and_can_undo_it(
    client: Client, page: str, correct_mark: str
) -> None:
    session, user = evenings.open_session()
    link = create_table_links(session=session, by=user)[0]
    table = next(
        round_
        for round_ in load_session_snapshot(session).rounds_by_table["A", 1]
        if round_.is_played
    )
    form = {
        "sitting": Sitting.objects.get(pk=table.sitting_id),
        "board_number": table.boards[0],
    }
    for side, mark in (("NS", "8"), ("EW", "6")):
        record_result(
            **form,
            mark=mark,
            seen_score=None,
            channel="phone",
            by=build_guest(link, side),
            request_key=side,
        )
    client.force_login(user)
    root_url = f"/director/events/{session.event.slug}/"
    forms = parse_forms(root_url, client.get(root_url + page).content.decode())
    choices = {
        form.initial_data["mark"]: form
        for form in forms
        if form.initial_data.get("act") == "settle"
    }
    assert set(choices) == {"8", "6"}
    for _attempt in range(2):
        response = client.post(choices[correct_mark].path, choices[correct_mark].initial_data)
        assert response.url.startswith(root_url + "room/")
    result = Result.objects.get()
    assert (result.mark, result.agreement == "awaited") == (correct_mark, False)
    assert "scores don’t agree" not in client.get(root_url + page).content.decode()
    undo_decision(result, user)
    result.refresh_from_db()
    assert result.mark == "6"
    assert result.agreement == ("awaited" if correct_mark == "6" else "")
