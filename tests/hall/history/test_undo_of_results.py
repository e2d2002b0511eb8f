"""Every change of a result can be undone once, and a grid receives others' entries."""

import pytest
from django.test import Client

import scoring.services
import tournaments.services
from clubs.audit import describe_author
from clubs.errors import EntryConflict
from hall.history.sheets import HistoryRow
from scoring.models import Result, ResultVersion, Ruling
from tests import evenings
from tests.page_text import collapse_spaces
from tournaments.errors import ActionUnavailable
from tournaments.models import SeatingChange, Session, Sitting
from tournaments.movements.changes import LateArrival, list_continuations
from tournaments.seating_snapshot import load_movement

pytestmark = pytest.mark.django_db


@pytest.fixture
def play() -> tuple[Session, Sitting, int]:
    session, user = evenings.open_session()
    sitting = Sitting.objects.get(section__session=session, round=1, table=1)
    board = session.get_group_boards(sitting.board_group)[0]
    for mark in ("8", "9"):
        evenings.enter_result(session, sitting.pk, board, mark, user)
    return session, sitting, board


def load_version(number: int) -> ResultVersion:
    return ResultVersion.objects.get(number=number)


def test_undo_restores_previous_result_and_is_a_change_itself(play) -> None:
    scoring.services.undo_result(version=load_version(2), by=None)
    assert Result.objects.get().ns_tricks == 8
    undo_version = load_version(3)
    assert (undo_version.via, undo_version.ns_tricks, describe_author(undo_version.by)) == (
        "undo",
        8,
        "the command line",
    )
    scoring.services.undo_result(version=undo_version, by=None)
    assert Result.objects.get().ns_tricks == 9


def test_undoing_first_entry_clears_the_result(play) -> None:
    session, _sitting, _board = play
    sitting = Sitting.objects.get(section__session=session, round=1, table=2)
    board = session.get_group_boards(sitting.board_group)[0]
    result = scoring.services.record_result(
        sitting=sitting, board_number=board, mark="5", seen_score="", by=None
    )
    scoring.services.undo_result(version=result.result.versions.get(), by=None)
    assert Result.objects.get(sitting=sitting).mark == ""


def test_undoing_older_change_restores_result_and_keeps_history(play) -> None:
    session, sitting, board = play
    user = session.event.club.memberships.get().user
    evenings.enter_result(session, sitting.pk, board, "11", user)
    scoring.services.undo_result(
        version=load_version(2), last_seen_version_id=load_version(3).pk, by=user
    )
    assert Result.objects.get().ns_tricks == 8
    rows = ResultVersion.objects.order_by("number").values_list("ns_tricks", "via")
    assert list(rows) == [(8, "grid"), (9, "grid"), (11, "grid"), (8, "undo")]


def test_repeated_undo_of_a_result_is_one_change(play) -> None:
    for _click in range(2):
        scoring.services.undo_result(
            version=load_version(2), last_seen_version_id=load_version(2).pk, by=None
        )
    assert ResultVersion.objects.count() == 3
    assert Result.objects.get().ns_tricks == 8


def test_stale_undo_of_a_result_is_refused(play) -> None:
    for last in (None, load_version(1).pk):
        with pytest.raises(EntryConflict, match="director has since changed board"):
            scoring.services.undo_result(
                version=load_version(1), last_seen_version_id=last, by=None
            )
    assert Result.objects.get().ns_tricks == 9


def test_undo_keeps_result_of_a_redeal(play) -> None:
    session, _sitting, _board = play
    user = session.event.club.memberships.get().user
    scoring.services.make_ruling(
        kind=Ruling.Kind.NEW_DEAL, result=Result.objects.get(), reason="fouled", by=user
    )
    with pytest.raises(ActionUnavailable, match="redealt"):
        scoring.services.undo_result(
            version=load_version(2), last_seen_version_id=load_version(2).pk, by=user
        )
    assert Result.objects.get().ns_tricks == 9


def test_history_offers_undo_for_each_change(play, client: Client) -> None:
    session, _sitting, _board = play
    client.force_login(session.event.club.memberships.get().user)
    url = f"/director/events/{session.event.slug}/history/"
    page_text = collapse_spaces(client.get(url).content.decode())
    assert page_text.count('name="version"') == 2
    assert '<button type="submit">Undo' in page_text
    assert ">Back to no result<" in page_text
    last = load_version(2).pk
    response = client.post(f"{url}undo/", {"version": last, "last": last}, follow=True)
    assert ": undone." in response.content.decode()
    rejected_response = client.post(
        f"{url}undo/", {"version": load_version(1).pk, "last": last}, follow=True
    )
    assert "has since changed" in rejected_response.content.decode()
    assert Result.objects.get().ns_tricks == 8


def test_ruling_seating_and_visibility_are_undone_from_the_history(
    play, client: Client
) -> None:
    session, _sitting, _board = play
    event, user = session.event, session.event.club.memberships.get().user
    client.force_login(user)
    scoring.services.make_ruling(
        kind=Ruling.Kind.AVERAGE, result=Result.objects.get(), reason="noise", by=user
    )
    tournaments.services.set_standings_visibility(event=event, shown="never", by=user)
    url = f"/director/events/{event.slug}/history/"
    for shown_change in list_shown_changes(client, url):
        if shown_change.undo and not shown_change.text.startswith("Board"):
            client.post(shown_change.undo.url, dict(shown_change.undo.fields))
    event.refresh_from_db()
    assert event.standings_shown == "always"
    assert Ruling.objects.get().withdrawn_at is not None
    texts = [found_shown_change.text for found_shown_change in list_shown_changes(client, url)]
    assert sum(text.startswith("Ruling withdrawn") for text in texts) == 1


def test_scorer_can_undo_only_results(play, client: Client) -> None:
    session, _sitting, _board = play
    user = session.event.club.memberships.get().user
    tournaments.services.set_standings_visibility(event=session.event, shown="never", by=user)
    client.force_login(evenings.create_scorer(session.event.club))
    shown_changes = list_shown_changes(
        client, f"/director/events/{session.event.slug}/history/"
    )
    undoable_names = [item.text.split(",")[0] for item in shown_changes if item.undo]
    assert len(undoable_names) == 2
    assert all(text.startswith("Board") for text in undoable_names)


def list_shown_changes(client: Client, page: str) -> list[HistoryRow]:
    return list(client.get(page).context["changes"])


def test_grid_receives_only_changes_since_its_last_request(play, client: Client) -> None:
    session, sitting, board = play
    user = session.event.club.memberships.get().user
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/scores/changes/"
    first_data = client.get(url).json()
    assert first_data["cells"] == [
        {"sitting": sitting.pk, "board": board, "seen": "9", "trump": "", "by": "director"}
    ]
    assert client.get(f"{url}?since={first_data['at']}").json()["cells"] == []
    evenings.enter_result(session, sitting.pk, board, "-", user)
    repeated_data = client.get(f"{url}?since={first_data['at']}").json()
    assert [cell["seen"] for cell in repeated_data["cells"]] == ["-"]
    assert repeated_data["missing"] == 17


def test_director_of_another_club_cannot_undo_or_receive_changes(play, client: Client) -> None:
    session, _sitting, _board = play
    client.force_login(evenings.create_club_with_director("Other club", "other")[1])
    root_url = f"/director/events/{session.event.slug}/"
    assert client.get(f"{root_url}scores/changes/").status_code == 403
    response = client.post(f"{root_url}history/undo/", {"version": load_version(2).pk})
    assert response.status_code == 403


def test_last_seating_change_is_undone_from_the_history(client: Client) -> None:
    session, user = evenings.open_session(9)
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/history/"
    section = session.sections.get()
    continuations = list_continuations(load_movement(section), 0, LateArrival())
    scoring.services.apply_seating_change(
        section=section,
        rounds_played=0,
        incident=LateArrival(),
        continuation_key=continuations[0].key,
        incident_data={"kind": "late", "names": ["Zoë Whitfield", "Robert Foster"], "round": 1},
        names=["Zoë Whitfield", "Robert Foster"],
        by=user,
    )
    (shown_changes,) = [
        shown_change
        for shown_change in list_shown_changes(client, url)
        if shown_change.before.endswith("arrived late, in time for round 1.")
    ]
    assert shown_changes.undo is not None
    client.post(shown_changes.undo.url)
    assert session.event.entries.count() == 9
    assert SeatingChange.objects.get().undone_at is not None
    newest_change = list_shown_changes(client, url)[0]
    assert newest_change.undo is not None
    shown_changes = [
        shown_change
        for shown_change in list_shown_changes(client, url)
        if shown_change.before.endswith("arrived late, in time for round 1.")
    ]
    assert [(item.undo, item.no_undo_reason) for item in shown_changes] == [(None, "undone")]
    client.post(newest_change.undo.url)
    assert session.event.entries.get(number=10).name == "Zoë Whitfield & Robert Foster"
