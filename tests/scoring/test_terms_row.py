"""Each event has one validated row of terms; a change of terms updates the standings."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError

import scoring.services
from scoring.models import Terms
from scoring.services import recompute
from tests import evenings
from tests.factories import EventFactory, TermsFactory, create_seated_session
from tournaments.models import Event, Session

pytestmark = pytest.mark.django_db


def list_term_values(event: Event) -> list[object]:
    terms = Terms.objects.get(event=event)
    fields = ("method", "tie_breaks", "carry_over", "revokes_read", "whole_averages")
    fields += ("unequal_boards", "totals_grow")
    return [getattr(terms, name) for name in fields]


@pytest.mark.parametrize(
    "invalid_values",
    [
        {"method": ""},
        {"carry_over": ""},
        {"revokes_read": "mildly"},
        {"unequal_boards": "somehow"},
        {"totals_grow": "slowly"},
    ],
    ids=str,
)
def test_database_refuses_empty_terms(invalid_values: dict[str, str]) -> None:
    event = EventFactory()
    with pytest.raises(IntegrityError, match="terms_"):
        Terms.objects.filter(event=event).update(**invalid_values)


def test_event_has_one_terms_row() -> None:
    event = EventFactory()
    with pytest.raises(IntegrityError, match="event_id"):
        Terms.objects.create(event=event, method="tricks")


def test_unsupported_scoring_method_is_refused_with_valid_methods() -> None:
    terms = TermsFactory(event__contest="memory", method="plus_minus")
    terms.full_clean()
    terms.method = "matches"
    with pytest.raises(ValidationError, match="Choose from: plus_minus, tricks"):
        terms.full_clean()


@pytest.mark.parametrize(
    ("contest", "default_method"), [("teams", "matches"), ("pairs", "plus_minus")]
)
def test_event_without_terms_uses_default_scoring_of_contest(
    contest: str, default_method: str
) -> None:
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club, name="Friday", date=EventFactory.date, contest=contest, by=user
    )
    assert event.terms.method == default_method


def test_practice_copy_uses_scoring_of_session() -> None:
    session = create_seated_session()
    event = session.event
    scoring.services.set_scoring_terms(
        event=event,
        method="matchpoints",
        tie_breaks=["tops"],
        carry_over="1/2",
        revokes_read=Terms.RevokeReading.NEVER_ABOVE_AVERAGE,
        unequal_boards=Terms.UnequalBoardsScore.TOTAL,
        totals_grow=Terms.TotalsUpdateTime.AFTER_EACH_RESULT,
        by=None,
    )
    terms = list_term_values(event)
    new_session = scoring.services.copy_session(session=session, name="To practise", by=None)
    assert list_term_values(new_session.event) == terms
    scoring.services.set_scoring_terms(event=new_session.event, method="tricks", by=None)
    assert list_term_values(event) == terms


SessionAction = Callable[[Session], object]


def close_and_reopen_session(session: Session) -> None:
    scoring.services.close_session(session=session, by=None)
    scoring.services.reopen_session(session=session, by=None)


def edit_all_fields(session: Session) -> None:
    event = session.event
    fields = scoring.services.events.build_edit_arguments(event) | {"method": "tricks"}
    scoring.services.edit_event(event=event, by=None, **fields)


SESSION_ACTIONS: dict[str, tuple[SessionAction, int]] = {
    "opened": (lambda item: scoring.services.open_session(session=item, by=None), 1),
    "closed": (lambda item: scoring.services.close_session(session=item, by=None), 1),
    "closed and opened again": (close_and_reopen_session, 2),
    "back in setup": (
        lambda item: scoring.services.return_session_to_setup(session=item, by=None),
        1,
    ),
    "edited": (edit_all_fields, 1),
}


@pytest.mark.parametrize("action_name", SESSION_ACTIONS)
def test_each_result_action_enqueues_standings_update(
    action_name: str,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable,
) -> None:
    events: list[int] = []
    session = create_seated_session()
    monkeypatch.setattr(recompute, "enqueue", lambda _kind, event: events.append(event))
    act, times = SESSION_ACTIONS[action_name]
    with django_capture_on_commit_callbacks(execute=True):
        act(session)
    assert events == [session.event_id] * times
