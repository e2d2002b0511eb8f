"""Test the director's ruling pages: preview, recording, display to players, withdrawal."""

import re
from fractions import Fraction

import pytest
from django.test import Client

from exchange.eventfile import exporter, reader
from hall.closing.checks import list_open_issues
from scoring.models import Knockout, Ruling
from scoring.services import (
    close_session,
    open_session,
    record_match,
    record_result,
    set_bracket,
)
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from scoring.standings_engine.knockouts import load_bracket
from scoring.standings_engine.result_lines import load_tally
from server.models import User
from tests import evenings
from tournaments.models import Session, Sitting
from tournaments.services import set_table_shuffling

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(client: Client) -> Session:
    session, user = evenings.play_session()
    client.force_login(user)
    return session


def build_ruling_form(session: Session, **more: object) -> dict[str, object]:
    table = load_session_snapshot(session).tables_by_board[1][0]
    return {"sitting": table.sitting_id, "board": 1, "kind": "average", "law": "V.1"} | more


def build_root_path(session: Session) -> str:
    return f"/director/events/{session.event.slug}/rulings/"


@pytest.mark.slow
def test_ruling_preview_shows_changes_and_saves_nothing(
    client: Client, session: Session
) -> None:
    response = client.get(f"{build_root_path(session)}play/", build_ruling_form(session))
    ruling_preview = response.context["tried"]
    assert [effect.is_changed for effect in ruling_preview.effects if effect.is_ruled] == [True]
    assert ruling_preview.affected_entries
    assert not Ruling.objects.exists()
    page = response.content.decode()
    form = page[page.index('<form class="ruling"') :]
    form = form[: form.index("</form>")]
    assert 'type="hidden" name="csrfmiddlewaretoken"' not in form  # a preview is a GET
    assert 'name="csrfmiddlewaretoken" value=' in form[form.index("Preview") :]


def test_preview_explains_changed_tricks_with_unchanged_score(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    set_table_shuffling(session=session, by=user)
    open_session(session=session, by=user)
    sitting = Sitting.objects.get(
        pk=load_session_snapshot(session).tables_by_board[1][0].sitting_id
    )
    record_result(sitting=sitting, board_number=1, mark="6", seen_score="", by=user)
    revoke = build_ruling_form(session, kind="revoke", side="EW", revokes=1, won_before=0)
    response = client.get(f"{build_root_path(session)}play/", revoke)
    assert response.context["tried"].has_changed_tricks
    page = response.content.decode()
    assert "Scores follow when another table has played this board" in page
    assert "No score changes." not in page


@pytest.mark.slow
def test_preview_matches_recorded_ruling(client: Client, session: Session) -> None:
    tried = client.get(f"{build_root_path(session)}play/", build_ruling_form(session)).context[
        "tried"
    ]
    client.post(f"{build_root_path(session)}make/", build_ruling_form(session))
    second_preview = client.get(
        f"{build_root_path(session)}play/",
        build_ruling_form(session, kind="average", law="IV.9"),
    ).context["tried"]
    assert [effect.values_after for effect in tried.effects] == [
        effect.values_before for effect in second_preview.effects
    ]


@pytest.mark.slow
def test_board_without_result_can_be_previewed_and_ruled(client: Client) -> None:
    session, user = evenings.play_session(but=18)
    client.force_login(user)
    tried = client.get(f"{build_root_path(session)}play/", build_ruling_form(session)).context[
        "tried"
    ]
    assert tried is not None
    assert (
        client.post(f"{build_root_path(session)}make/", build_ruling_form(session)).status_code
        == 302
    )
    assert Ruling.objects.get().result.mark == ""


@pytest.mark.slow
def test_ruling_is_shown_on_traveller_card_and_standings(
    client: Client, session: Session
) -> None:
    revoke = build_ruling_form(
        session, kind="revoke", side="NS", revokes=1, won_before=0, reason="claimed at once"
    )
    client.post(f"{build_root_path(session)}make/", revoke)
    client.post(
        f"{build_root_path(session)}penalty/",
        {"entry": session.event.entries.get(number=1).pk, "amount": "1/2", "reason": "late"},
    )
    close_session(session=session, by=None)
    standings.update_standings(session.event)
    public = f"/events/{session.event.slug}/"
    traveller = client.get(f"{public}boards/1/").content.decode()
    assert "−R" in traveller
    assert "Revoke by N-S (Law V §1): claimed at once." in traveller
    entry = load_session_snapshot(session).tables_by_board[1][0].ns.entries[0]
    assert "claimed at once" in client.get(f"{public}entries/{entry}/").content.decode()
    assert "penalty 0.50" in client.get(public).content.decode()


def test_withdrawn_ruling_stays_in_list(client: Client, session: Session) -> None:
    client.post(f"{build_root_path(session)}make/", build_ruling_form(session))
    ruling = Ruling.objects.get()
    response = client.post(f"{build_root_path(session)}withdraw/", {"ruling": ruling.pk})
    assert response.status_code == 302
    page = client.get(build_root_path(session))
    assert page.context["rulings"][0].note.withdrawn_by == "director"
    history = client.get(f"/director/events/{session.event.slug}/history/").content.decode()
    assert "Ruling withdrawn" in history


@pytest.mark.parametrize(
    ("extra_fields", "expected_error"),
    [
        ({"kind": "revoke"}, "side that revoked"),
        ({"kind": "adjusted", "ns_tricks": "many", "reason": "x"}, "t a number"),
        ({"kind": "adjusted", "ns_tricks": "7", "ew_tricks": "7"}, "Enter a reason"),
        ({"trump_turned": "H1"}, "isn’t a card"),
        ({"won_before": "99"}, "13"),
        ({"kind": "fine"}, "not one of the available choices"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_invalid_ruling_reports_errors_and_saves_nothing(
    client: Client,
    session: Session,
    extra_fields: dict[str, str],
    expected_error: str,
    method: str,
) -> None:
    ruling_url = f"{build_root_path(session)}{'play' if method == 'get' else 'make'}/"
    response = getattr(client, method)(ruling_url, build_ruling_form(session, **extra_fields))
    assert response.status_code == 400
    assert expected_error in response.context["problem"]
    assert not Ruling.objects.exists()


PRECISION_CASES = [
    ("6.123456789", False),
    ("6.1234567", False),
    ("0.12345678", False),
    ("1234567", False),
    ("1/1234567", False),
    ("1.00000000", True),  # eight decimals, and one trick
    ("6.12345", True),
    ("6.50000000", True),
    ("13/2", True),
]


@pytest.mark.parametrize(
    ("request_kind", "typed_value", "is_accepted"),
    [
        *(("make", *figure) for figure in PRECISION_CASES),
        *(
            (way, *PRECISION_CASES[at])
            for way in ("try", "penalty", "program")
            for at in (0, 6)
        ),
    ],
)
def test_adjusted_score_is_exported_exactly_or_refused_for_too_many_digits(
    client: Client, session: Session, request_kind: str, typed_value: str, is_accepted: bool
) -> None:
    adjusted_form = {
        "kind": "adjusted",
        "ns_tricks": typed_value,
        "ew_tricks": "0",
        "reason": "x",
    }
    penalty_fields = {"amount": typed_value, "reason": "late"}
    if request_kind == "try":
        response = client.get(
            f"{build_root_path(session)}play/", build_ruling_form(session, **adjusted_form)
        )
    elif request_kind == "make":
        response = client.post(
            f"{build_root_path(session)}make/", build_ruling_form(session, **adjusted_form)
        )
    elif request_kind == "penalty":
        request_data = penalty_fields | {"entry": session.event.entries.get(number=1).pk}
        response = client.post(f"{build_root_path(session)}penalty/", request_data)
    else:
        address = f"/api/events/{session.event.slug}/sessions/1/rulings/"
        request_data = penalty_fields | {"kind": "penalty", "entry": 1}
        response = client.post(address, request_data, content_type="application/json")
    success_status = {"try": 200, "program": 201}.get(request_kind, 302)
    assert response.status_code == (success_status if is_accepted else 400)
    assert (b"has too many digits" in response.content) is not is_accepted
    stored_values = [
        Fraction(ruling.amount or ruling.ns_tricks) for ruling in Ruling.objects.all()
    ]
    assert stored_values == [Fraction(typed_value)] * (is_accepted and request_kind != "try")
    reader.read_event_file(exporter.export_event(session.event, should_include_deals=False))


@pytest.mark.slow
def test_penalty_does_not_change_bracket_match_and_page_says_so(
    client: Client, session: Session
) -> None:
    event, user = session.event, User.objects.get()
    root_path, text = build_root_path(session), "doesn’t change the bracket’s matches"
    assert text not in client.get(root_path).content.decode()
    set_bracket(event=event, seeds=range(1, 7), by=user)
    record_match(event=event, match_key=(1, 2), margins=["1"], by=user)
    bracket_before = load_bracket(Knockout.objects.get())
    assert text in client.get(root_path).content.decode()
    penalty = {"entry": event.entries.get(number=1).pk, "amount": "3", "reason": "late"}
    page = client.post(f"{root_path}penalty/", penalty, follow=True).content.decode()
    assert page.count(text) == 2  # next to the form, and in the response
    assert load_bracket(Knockout.objects.get()).rounds == bracket_before.rounds


@pytest.mark.slow
def test_penalty_requires_reason(client: Client, session: Session) -> None:
    entry = session.event.entries.first().pk
    for invalid_fields in ({"reason": ""}, {"amount": "much"}, {"entry": "0"}):
        form = {"entry": entry, "amount": "1", "reason": "late"} | invalid_fields
        assert client.post(f"{build_root_path(session)}penalty/", form).status_code == 400
    assert not Ruling.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"sitting": "x"}, {"sitting": "0"}, {"board": "99"}, {"board": ""}]
)
def test_ruling_page_of_unknown_play_returns_404(
    client: Client, session: Session, wrong: dict[str, str]
) -> None:
    form = {"sitting": build_ruling_form(session)["sitting"], "board": 1} | wrong
    assert client.get(f"{build_root_path(session)}play/", form).status_code == 404


@pytest.mark.slow
def test_scorer_cannot_make_rulings(client: Client, session: Session) -> None:
    client.force_login(evenings.create_scorer(session.event.club))
    assert client.get(build_root_path(session)).status_code == 403
    assert (
        client.post(f"{build_root_path(session)}make/", build_ruling_form(session)).status_code
        == 403
    )


@pytest.mark.slow
def test_grid_requests_new_result_after_new_deal(client: Client, session: Session) -> None:
    client.post(
        f"{build_root_path(session)}make/",
        build_ruling_form(session, kind="new_deal", law="III.2"),
    )
    page = client.get(f"/director/events/{session.event.slug}/scores/")
    cells = [cell for block in page.context["grid"].blocks for cell in block.cells]
    ruling_form = build_ruling_form(session)
    cell = next(
        cell
        for cell in cells
        if (cell.sitting_id, cell.board_number) == (ruling_form["sitting"], 1)
    )
    assert cell.stored_value == ""
    response = client.post(
        f"/director/events/{session.event.slug}/result/",
        {"sitting": cell.sitting_id, "board": 1, "value": "9", "seen": ""},
    )
    assert response.json()["ns_tricks"] == 9


@pytest.mark.slow
def test_tricks_after_revokes_by_both_sides_are_confirmed_with_one_click(
    client: Client, session: Session
) -> None:
    for side in ("NS", "EW"):
        ruling_form = build_ruling_form(
            session, kind="revoke", side=side, revokes=1, won_before=0, law="X.4"
        )
        assert client.post(f"{build_root_path(session)}make/", ruling_form).status_code == 302
    table = load_session_snapshot(session).tables_by_board[1][0]
    address = f"{build_root_path(session)}play/?sitting={table.sitting_id}&board=1"
    response = client.get(address)
    ns, ew = response.context["panel"].tricks_to_confirm
    assert f"Confirm N-S {ns}, E-W {ew}" in response.content.decode()
    assert "confirm" in {
        open_issue.issue_kind
        for open_issue in list_open_issues(
            load_session_snapshot(session), load_tally(session.event)
        )
    }
    form = dict(
        re.findall(r'name="(\w+)" value="([^"]*)"', find_form(response.content.decode()))
    )
    assert client.post(f"{build_root_path(session)}make/", form).status_code == 302
    assert client.get(address).context["panel"].tricks_to_confirm is None
    assert "confirm" not in {
        open_issue.issue_kind
        for open_issue in list_open_issues(
            load_session_snapshot(session), load_tally(session.event)
        )
    }
    ruled_play = load_tally(session.event).ruled_results_by_play[table.sitting_id, 1]
    assert ruled_play.result_line is not None
    assert (str(ruled_play.result_line.ns_tricks), str(ruled_play.result_line.ew_tricks)) == (
        ns,
        ew,
    )
    assert ruled_play.revoke_marks == ("-R +R", "-R +R")


def find_form(page: str) -> str:
    (form,) = [part for part in page.split("<form") if "Confirm N-S" in part]
    return form.split("</form>")[0]


@pytest.mark.slow
def test_rulings_of_play_link_to_laws(client: Client, session: Session) -> None:
    table = load_session_snapshot(session).tables_by_board[1][0]
    page = client.get(
        f"{build_root_path(session)}play/", {"sitting": table.sitting_id, "board": 1}
    )
    address = f"?board=1&amp;table=A-{table.table_number}"
    assert (
        f"{build_root_path(session).replace('rulings', 'ruling')}{address}"
        in page.content.decode()
    )
