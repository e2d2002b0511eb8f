"""Actions that would renumber entries are refused while something refers to their numbers."""

from collections.abc import Callable

import pytest
from django.test import Client

import hall.history.undo
import scoring.services
import tournaments.services
from clubs import audit
from clubs.errors import ActionUnavailable as ClubActionUnavailable
from scoring.models import Final
from server.models import User
from tests import evenings
from tests.scoring.stages.championship import RULE, play_qualifying
from tournaments.errors import ActionUnavailable
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def create_bracket() -> tuple[Event, User]:
    event, user = evenings.create_event(6)
    scoring.services.set_bracket(event=event, seeds=[1, 2, 3, 4, 5, 6], by=user)
    return Event.objects.get(pk=event.pk), user


def create_final() -> tuple[Event, User]:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    scoring.services.draw_finals(event=event, by=user)
    return Final.objects.order_by("order")[0].event, user


def remove_second_entry(event: Event, user: User) -> None:
    tournaments.services.remove_entry(entry=event.entries.get(number=2), by=user)


def _restore_entry(event: Event, user: User) -> None:
    tournaments.services.restore_entry(
        event=event, number=1, names=["Una New", "Vic New"], by=user
    )


@pytest.mark.parametrize(
    "act", [remove_second_entry, _restore_entry], ids=["removed", "put back"]
)
@pytest.mark.parametrize(
    "create_event", [create_bracket, create_final], ids=["bracket", "final"]
)
def test_entries_referenced_by_number_keep_their_number(
    create_event: Callable[[], tuple[Event, User]], act: Callable[[Event, User], None]
) -> None:
    event, user = create_event()
    entries_before = list(event.entries.order_by("pk").values_list("pk", "number"))
    with pytest.raises(ActionUnavailable, match="Undo the bracket or the finals first"):
        act(event, user)
    assert list(event.entries.order_by("pk").values_list("pk", "number")) == entries_before
    client = Client()
    client.force_login(user)
    page = f"/director/events/{event.slug}/"
    html = client.post(f"{page}entries/2/remove/", follow=True).content.decode()
    assert "Undo the bracket or the finals first" in html
    assert client.get(f"{page}bracket/").status_code == 200


def test_later_entry_gets_next_number_and_undo_of_entry_is_refused() -> None:
    event, user = evenings.create_event(6)
    late_entry = tournaments.services.create_entry(
        event=event, names=["Una New", "Vic New"], by=user
    )
    numbers = list(range(1, 8))
    scoring.services.set_bracket(event=event, seeds=numbers, by=user)
    act = audit.list_acts(event).filter(action="entry.made").first()
    assert act is not None
    with pytest.raises((ActionUnavailable, ClubActionUnavailable)):
        hall.history.undo.undo_event_act(event=event, act=act, by=user)
    scoring.services.set_bracket(event=event, seeds=[], by=user)
    event.refresh_from_db()
    assert not event.numbers_stand
    tournaments.services.remove_entry(entry=late_entry, by=user)
    assert event.entries.count() == 6
