"""Every change of a result can be undone once, and a grid hears what others enter."""

import pytest
from django.test import Client

import scoring.services
from scoring.errors import EnteredMeanwhile
from scoring.models import Result, ResultVersion
from tests import evenings
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def play() -> tuple[Session, Sitting, int]:
    session, user = evenings.opened()
    sitting = Sitting.objects.get(section__session=session, round=1, table=1)
    board = session.boards_of(sitting.board_group)[0]
    for mark in ("8", "9"):
        evenings.enter(session, sitting.pk, board, mark, user)
    return session, sitting, board


def version(number: int) -> ResultVersion:
    return ResultVersion.objects.get(number=number)


def test_undoing_puts_back_what_stood_before_and_is_a_change_itself(play) -> None:
    scoring.services.undo_result(version=version(2), by=None)
    assert Result.objects.get().ns_tricks == 8
    last = version(3)
    assert (last.via, last.ns_tricks, last.by) == ("undo", 8, "the command line")
    scoring.services.undo_result(version=last, by=None)
    assert Result.objects.get().ns_tricks == 9


def test_undoing_the_first_entry_clears_it(play) -> None:
    session, _sitting, _board = play
    sitting = Sitting.objects.get(section__session=session, round=1, table=2)
    board = session.boards_of(sitting.board_group)[0]
    entered = scoring.services.record_result(
        sitting=sitting, board=board, mark="5", seen="", by=None
    )
    scoring.services.undo_result(version=entered.result.versions.get(), by=None)
    assert Result.objects.get(sitting=sitting).mark == ""


def test_a_change_that_was_changed_since_is_not_undone(play) -> None:
    with pytest.raises(EnteredMeanwhile, match="has been changed since, by director"):
        scoring.services.undo_result(version=version(1), by=None)
    assert Result.objects.get().ns_tricks == 9


def test_the_history_offers_the_last_change_of_each_result_alone(play, client: Client) -> None:
    session, _sitting, _board = play
    client.force_login(session.event.club.memberships.get().user)
    page = f"/director/events/{session.event.slug}/history/"
    assert client.get(page).content.decode().count('name="version"') == 1
    answer = client.post(f"{page}undo/", {"version": version(2).pk}, follow=True)
    assert "is as it was before" in answer.content.decode()
    refused = client.post(f"{page}undo/", {"version": version(1).pk}, follow=True)
    assert "has been changed since" in refused.content.decode()
    assert Result.objects.get().ns_tricks == 8


def test_a_grid_is_told_what_is_new_since_it_asked(play, client: Client) -> None:
    session, sitting, board = play
    user = session.event.club.memberships.get().user
    client.force_login(user)
    page = f"/director/events/{session.event.slug}/scores/changes/"
    first = client.get(page).json()
    assert first["cells"] == [
        {"sitting": sitting.pk, "board": board, "seen": "9", "by": "director"}
    ]
    assert client.get(f"{page}?since={first['at']}").json()["cells"] == []
    evenings.enter(session, sitting.pk, board, "-", user)
    again = client.get(f"{page}?since={first['at']}").json()
    assert [cell["seen"] for cell in again["cells"]] == ["-"]
    assert again["missing"] == 17


def test_another_club_neither_undoes_nor_hears(play, client: Client) -> None:
    session, _sitting, _board = play
    client.force_login(evenings.club("Other club", "other")[1])
    root = f"/director/events/{session.event.slug}/"
    assert client.get(f"{root}scores/changes/").status_code == 403
    answer = client.post(f"{root}history/undo/", {"version": version(2).pk})
    assert answer.status_code == 403
