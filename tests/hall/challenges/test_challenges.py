"""After play a pair queries a score, the opponents respond, and the director decides."""

import html
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

import scoring.services
from clubs import audit
from clubs.errors import EntryConflict
from hall.challenges import services
from hall.models import Challenge
from scoring.errors import PlayNotFound
from scoring.models import Result
from scoring.session_snapshot import load_session_snapshot
from server.hall_network import is_in_local_network
from tests import evenings
from tests.page_text import collapse_spaces
from tournaments.errors import ActionUnavailable
from tournaments.models import Entry, EntryLink, Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    """Create a finished session with a link for every pair."""
    played_session, user = evenings.play_session()
    services.create_entry_links(event=played_session.event, by=user)
    session = scoring.services.close_session(session=played_session, by=user)
    return Session.objects.select_related("event__club").get(pk=session.pk)


def find_owner(session: Session):
    return session.event.club.memberships.get().user


def find_first_result(session: Session) -> Result:
    return Result.objects.order_by("pk").select_related("sitting__north__entry")[0]


def find_sides(result: Result) -> tuple[Entry, Entry]:
    sitting = result.sitting
    assert sitting.north.entry is not None
    assert sitting.east.entry is not None
    return sitting.north.entry, sitting.east.entry


def find_page_path(entry: Entry) -> str:
    return EntryLink.objects.get(entry=entry, revoked_at=None).path


def choose_other_tricks(result: Result) -> int:
    assert result.ns_tricks is not None
    return (result.ns_tricks + 1) % 14


@pytest.mark.slow
def test_open_query_is_listed_before_closing(session: Session, client: Client) -> None:
    result = find_first_result(session)
    _ns, ew = find_sides(result)
    client.post(
        find_page_path(ew),
        {"act": "ask", "result": result.pk, "tricks": 13 - choose_other_tricks(result)},
    )
    client.force_login(find_owner(session))
    base_url = f"/director/events/{session.event.slug}/"
    text = f"Board {result.board}: query from {ew}"
    assert text in html.unescape(client.get(f"{base_url}closing/").content.decode())
    scoring.services.reopen_session(session=session, by=find_owner(session))
    assert client.get(base_url).context["checks"] == ["1 score queried by players"]


@pytest.mark.slow
def test_query_of_a_single_player_is_sent_to_opponents_only(
    client: Client,
) -> None:
    session, user = evenings.player_count(9)
    table = next(table for table in load_session_snapshot(session).tables if table.is_played)
    evenings.enter_all_results([(table.sitting_id, board, "7") for board in table.boards], user)
    services.create_entry_links(event=session.event, by=user)
    scoring.services.close_session(session=session, by=user)
    result = find_first_result(session)
    north, east, south, west = (
        getattr(result.sitting, seat).entry for seat in ("north", "east", "south", "west")
    )
    client.post(find_page_path(north), {"act": "ask", "result": result.pk, "tricks": 9})
    question = f"Board {result.board}: did you make 4?"
    for opponent in (east, west):
        opponent_page = collapse_spaces(
            html.unescape(client.get(find_page_path(opponent)).content.decode())
        )
        assert question in opponent_page
        assert f"{north.name} & {south.name} say you made 4 (6 is recorded)." in opponent_page
    partner = collapse_spaces(html.unescape(client.get(find_page_path(south)).content.decode()))
    assert "did you make" not in partner
    assert "Your partner says 9. Waiting for your opponents." in partner
    own_page = collapse_spaces(
        html.unescape(client.get(find_page_path(north)).content.decode())
    )
    assert "You say 9. Waiting for your opponents." in own_page
    client.post(find_page_path(west), {"act": "yes", "result": result.pk})
    assert Challenge.objects.get().agreed


def test_agreed_and_approved_query_changes_the_score(session: Session, client: Client) -> None:
    result = find_first_result(session)
    ns, ew = find_sides(result)
    other_tricks = choose_other_tricks(result)
    form = {"act": "ask", "result": result.pk, "tricks": 13 - other_tricks}
    assert client.post(find_page_path(ew), form).status_code == 302
    opponent_page = html.unescape(client.get(find_page_path(ns)).content.decode())
    assert f"Board {result.board}: did you make {other_tricks}?" in opponent_page
    client.post(find_page_path(ns), {"act": "yes", "result": result.pk})
    client.force_login(find_owner(session))
    base_url = f"/director/events/{session.event.slug}/challenges/"
    assert "Their opponents agree." in client.get(base_url).content.decode()
    challenge = Challenge.objects.get()
    client.post(f"{base_url}decide/", {"challenge": challenge.pk, "act": "approve"})
    result.refresh_from_db()
    challenge.refresh_from_db()
    assert (result.ns_tricks, challenge.approved) == (other_tricks, True)
    assert challenge.decided_by == "director"


def test_denied_query_is_not_approved(session: Session) -> None:
    result = find_first_result(session)
    ns, ew = find_sides(result)
    challenge = services.challenge_result(
        entry=ns, result=result, ns_tricks=choose_other_tricks(result)
    )
    services.answer_challenge(entry=ew, challenge=challenge, has_agreed=False)
    with pytest.raises(ActionUnavailable, match="doesn’t agree"):
        services.decide_challenge(challenge=challenge, is_approved=True, by=find_owner(session))
    services.decide_challenge(challenge=challenge, is_approved=False, by=find_owner(session))
    decline_act = audit.list_acts(session.event).get(action="challenge.declined")
    # The history names the table and round, too.
    assert decline_act.where == result.history_location
    assert {"round", "table", "board"} <= set(decline_act.where)
    assert Challenge.objects.get().approved is False


@pytest.mark.slow
def test_director_can_enter_an_unanswered_query_and_sees_it_is_unanswered(
    session: Session, client: Client
) -> None:
    result = find_first_result(session)
    tricks_before, other_tricks = result.ns_tricks, choose_other_tricks(result)
    made = services.challenge_result(
        entry=find_sides(result)[0], result=result, ns_tricks=other_tricks
    )
    client.force_login(find_owner(session))
    base_url = f"/director/events/{session.event.slug}/challenges/"
    assert "Correct anyway" in client.get(base_url).content.decode()
    form = {"challenge": made.pk, "act": "approve"}
    page_text = client.post(f"{base_url}decide/", form, follow=True).content.decode()
    assert f"corrected: North-South {other_tricks}, not {tricks_before}." in page_text
    result.refresh_from_db()
    assert result.ns_tricks == other_tricks
    history = client.get(f"/director/events/{session.event.slug}/history/").content.decode()
    assert "no answer from opponents" in history


def test_own_results_show_whose_tricks_they_are_and_the_effect_of_a_ruling(
    session: Session, client: Client
) -> None:
    result = find_first_result(session)
    _ns, ew = find_sides(result)
    made = 13 - result.ns_tricks
    shown_html = client.get(find_page_path(ew)).content.decode()
    assert f"Board {result.board}: {made} tricks for you (N-S {result.ns_tricks})" in shown_html
    assert "ruling" not in shown_html
    scoring.services.make_ruling(
        kind="adjusted",
        result=result,
        ns_tricks="4",
        ew_tricks="9",
        reason="x",
        by=find_owner(session),
    )
    shown_html = html.unescape(client.get(find_page_path(ew)).content.decode())
    assert "Adjusted score: 9." in shown_html


@pytest.mark.slow
def test_no_one_answers_for_the_other_side_or_queries_others_scores(session: Session) -> None:
    result = find_first_result(session)
    ns, ew = find_sides(result)
    stranger = session.event.entries.exclude(pk__in=[ns.pk, ew.pk])[0]
    with pytest.raises(PlayNotFound):
        services.challenge_result(
            entry=stranger, result=result, ns_tricks=choose_other_tricks(result)
        )
    made = services.challenge_result(
        entry=ns, result=result, ns_tricks=choose_other_tricks(result)
    )
    for entry in (ns, stranger):
        with pytest.raises(PlayNotFound):
            services.answer_challenge(entry=entry, challenge=made, has_agreed=True)
    response = Client().post(
        find_page_path(stranger), {"act": "ask", "result": result.pk, "tricks": 3}
    )
    assert response.status_code == 400


@pytest.mark.slow
def test_results_are_folded_by_rounds_and_one_with_a_query_is_open(
    session: Session, client: Client
) -> None:
    result = find_first_result(session)
    ns, _ew = find_sides(result)
    html = client.get(find_page_path(ns)).content.decode()
    assert html.count('<details class="own">') == 3  # rounds of two boards each
    assert html.count('class="own__board"') == 6
    services.challenge_result(entry=ns, result=result, ns_tricks=choose_other_tricks(result))
    html = client.get(find_page_path(ns)).content.decode()
    assert html.count('<details class="own">') == 2
    open_round_html = html.split('<details class="own" open>')[1].partition("</ul>")[0]
    assert f"Board {result.board}: {result.ns_tricks}" in open_round_html


def test_board_has_at_most_one_open_query(session: Session) -> None:
    result = find_first_result(session)
    ns, ew = find_sides(result)
    first_challenge = services.challenge_result(
        entry=ns, result=result, ns_tricks=choose_other_tricks(result)
    )
    repeated_challenge = services.challenge_result(
        entry=ns, result=result, ns_tricks=choose_other_tricks(result)
    )
    assert first_challenge.pk == repeated_challenge.pk
    with pytest.raises(ActionUnavailable, match="already queried"):
        services.challenge_result(
            entry=ew, result=result, ns_tricks=(choose_other_tricks(result) + 1) % 14
        )


def test_result_changed_since_the_query_is_not_overwritten(session: Session) -> None:
    result = find_first_result(session)
    ns, ew = find_sides(result)
    made = services.challenge_result(
        entry=ns, result=result, ns_tricks=choose_other_tricks(result)
    )
    services.answer_challenge(entry=ew, challenge=made, has_agreed=True)
    mark = str((choose_other_tricks(result) + 1) % 14)
    evenings.enter_result(session, result.sitting_id, result.board, mark, find_owner(session))
    with pytest.raises(EntryConflict):
        services.decide_challenge(challenge=made, is_approved=True, by=find_owner(session))


def order_new_deal(session: Session, result: Result) -> Result:
    """Rule a redeal of a result's board, with the same number of tricks."""
    ruling = scoring.services.make_ruling(
        kind="new_deal", result=result, law="III.2", by=find_owner(session)
    )
    mark = result.mark
    evenings.enter_result(session, result.sitting_id, result.board, mark, find_owner(session))
    current_result = Result.find_or_create_current_result(result.sitting, result.board)
    assert (current_result.deal, current_result.mark, ruling.result_id) == (2, mark, result.pk)
    return current_result


def list_marks(session: Session) -> list[tuple[int, str]]:
    rows = Result.objects.filter(sitting__section__session=session).order_by("pk")
    return [(row.pk, row.mark) for row in rows]


@pytest.mark.parametrize("is_entered", [True, False])
def test_query_about_the_old_deal_does_not_change_the_redeal(
    session: Session, client: Client, is_entered: bool
) -> None:
    result = find_first_result(session)
    made = services.challenge_result(
        entry=find_sides(result)[0], result=result, ns_tricks=choose_other_tricks(result)
    )
    redealt_result = order_new_deal(session, result)
    if not is_entered:
        evenings.enter_result(
            session, redealt_result.sitting_id, redealt_result.board, "", find_owner(session)
        )
    marks_before = list_marks(session)
    with pytest.raises(ActionUnavailable, match="has since been redealt"):
        services.decide_challenge(challenge=made, is_approved=True, by=find_owner(session))
    client.force_login(find_owner(session))
    base_url = f"/director/events/{session.event.slug}/challenges/"
    form = {"challenge": made.pk, "act": "approve"}
    page_text = client.post(f"{base_url}decide/", form, follow=True).content.decode()
    assert "has since been redealt" in page_text
    assert list_marks(session) == marks_before
    made.refresh_from_db()
    assert made.decided_at is None
    services.decide_challenge(challenge=made, is_approved=False, by=find_owner(session))
    services.reopen_challenge(challenge=made, by=find_owner(session))
    assert list_marks(session) == marks_before


@pytest.mark.slow
def test_query_about_a_redeal_changes_only_the_redeal_and_can_be_undone(
    session: Session,
) -> None:
    result = find_first_result(session)
    new = order_new_deal(session, result)
    marks_before = list_marks(session)
    made = services.challenge_result(
        entry=find_sides(result)[0], result=new, ns_tricks=choose_other_tricks(new)
    )
    services.decide_challenge(challenge=made, is_approved=True, by=find_owner(session))
    expected = [
        (pk, str(made.ns_tricks) if pk == new.pk else mark) for pk, mark in marks_before
    ]
    assert list_marks(session) == expected
    services.reopen_challenge(challenge=made, by=find_owner(session))
    assert list_marks(session) == marks_before


@pytest.mark.slow
def test_decision_about_the_old_deal_is_not_undone_on_the_redeal(
    session: Session,
) -> None:
    result = find_first_result(session)
    made = services.challenge_result(
        entry=find_sides(result)[0], result=result, ns_tricks=choose_other_tricks(result)
    )
    services.decide_challenge(challenge=made, is_approved=True, by=find_owner(session))
    result.refresh_from_db()
    order_new_deal(session, result)
    marks_before = list_marks(session)
    with pytest.raises(ActionUnavailable, match="has since been redealt"):
        services.reopen_challenge(challenge=made, by=find_owner(session))
    assert list_marks(session) == marks_before


@pytest.mark.slow
def test_redealt_board_cannot_be_queried(session: Session, client: Client) -> None:
    result = find_first_result(session)
    ns, _ew = find_sides(result)
    new = order_new_deal(session, result)
    with pytest.raises(ActionUnavailable, match="has since been redealt"):
        services.challenge_result(
            entry=ns, result=result, ns_tricks=choose_other_tricks(result)
        )
    form = {"act": "ask", "result": result.pk, "tricks": choose_other_tricks(result)}
    assert client.post(find_page_path(ns), form).status_code == 400
    assert not Challenge.objects.exists()
    form["result"] = new.pk
    assert client.post(find_page_path(ns), form).status_code == 302
    assert Challenge.objects.get().result_id == new.pk


def test_page_explains_that_the_time_for_queries_is_over(
    session: Session, client: Client
) -> None:
    Session.objects.update(closed_at=timezone.now() - timedelta(hours=30))
    result = find_first_result(session)
    ns, _ew = find_sides(result)
    shown = html.unescape(client.get(find_page_path(ns)).content.decode())
    assert "Speak to the director" in shown
    assert "Query score" not in shown
    form = {"act": "ask", "result": result.pk, "tricks": choose_other_tricks(result)}
    assert client.post(find_page_path(ns), form).status_code == 400
    assert not Challenge.objects.exists()


def test_entry_page_is_secret_revocable_and_sets_no_cookie(
    session: Session, client: Client
) -> None:
    link = EntryLink.objects.all()[0]
    address = link.path
    response = client.get(address)
    assert (response.status_code, bool(response.cookies)) == (200, False)
    services.revoke_entry_link(link=link, by=None)
    assert client.get(address).status_code == 404


@pytest.mark.slow
def test_page_shows_no_result_before_the_close(client: Client) -> None:
    played, user = evenings.play_session()
    services.create_entry_links(event=played.event, by=user)
    response = client.get(find_page_path(played.event.entries.all()[0]))
    assert response.context["rounds"] == []
    assert "The session is in play" in response.content.decode()


@pytest.mark.slow
def test_director_of_another_club_cannot_decide(session: Session, client: Client) -> None:
    client.force_login(evenings.create_club_with_director("Other club", "other")[1])
    base_url = f"/director/events/{session.event.slug}/challenges/"
    assert client.get(base_url).status_code == 403
    assert client.post(f"{base_url}decide/", {"challenge": "1"}).status_code == 403


@pytest.mark.slow
def test_desk_and_event_page_show_an_open_query(session: Session, client: Client) -> None:
    result = find_first_result(session)
    ns, _ew = find_sides(result)
    client.force_login(find_owner(session))
    evening = f"/director/events/{session.event.slug}/"
    text = "Players have queried 1 score"
    assert text not in client.get("/director/").content.decode()
    services.challenge_result(entry=ns, result=result, ns_tricks=choose_other_tricks(result))
    for address in ("/director/", evening):
        html = client.get(address).content.decode()
        assert text in html
        assert f"{evening}challenges/" in html
    challenge = Challenge.objects.get()
    services.decide_challenge(challenge=challenge, is_approved=False, by=find_owner(session))
    assert text not in client.get("/director/").content.decode()
    assert text not in client.get(evening).content.decode()


@pytest.mark.slow
def test_desk_of_another_club_does_not_show_the_query(session: Session, client: Client) -> None:
    result = find_first_result(session)
    services.challenge_result(
        entry=find_sides(result)[0], result=result, ns_tricks=choose_other_tricks(result)
    )
    client.force_login(evenings.create_club_with_director("Other club", "other")[1])
    assert "queried" not in client.get("/director/").content.decode()


@pytest.mark.slow
def test_player_chooses_a_number_and_sees_that_the_query_was_sent(
    session: Session, client: Client
) -> None:
    result = find_first_result(session)
    ns, ew = find_sides(result)
    assert '<option value="">choose</option>' in client.get(find_page_path(ns)).content.decode()
    empty_form = {"act": "ask", "result": result.pk, "tricks": ""}
    assert client.post(find_page_path(ns), empty_form).status_code == 400
    form = {"act": "ask", "result": result.pk, "tricks": choose_other_tricks(result)}
    page_text = client.post(find_page_path(ns), form, follow=True).content.decode()
    assert "Query sent to your opponents." in page_text
    response = client.post(find_page_path(ew), {"act": "yes", "result": result.pk}, follow=True)
    assert "You agreed." in response.content.decode()


@pytest.mark.parametrize(
    ("address", "is_local"),
    [
        ("http://192.168.1.7:8000", True),
        ("http://10.0.0.2", True),
        ("http://laptop:8000", True),
        ("http://laptop.local:8000", True),
        ("https://whist.example.org", False),
        ("http://9.9.9.9", False),
    ],
)
def test_local_network_addresses_are_recognised(address: str, is_local: bool) -> None:
    assert is_in_local_network(address) is is_local


@pytest.mark.slow
def test_director_sees_that_the_links_work_only_in_the_hall(
    session: Session, client: Client, settings
) -> None:
    client.force_login(find_owner(session))
    base_url = f"/director/events/{session.event.slug}/challenges/"
    text = "work only in this room"
    settings.PHONE_ADDRESSES = ["http://192.168.1.7:8000"]
    assert text in client.get(base_url).content.decode()
    settings.PHONE_ADDRESSES = ["https://whist.example.org"]
    assert text not in client.get(base_url).content.decode()
