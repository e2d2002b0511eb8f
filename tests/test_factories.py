"""The factories: every model has one, and its objects are valid."""

import pytest
from django.apps import apps
from factory.django import DjangoModelFactory

from scoring.standings_engine import standings
from tests import factories
from tests.rooms import ROOMS
from tournaments.models import Session

FACTORIES = [
    factory
    for factory in vars(factories).values()
    if isinstance(factory, type) and issubclass(factory, DjangoModelFactory)
]


def test_every_model_has_a_factory() -> None:
    models = {m for room in ROOMS for m in apps.get_app_config(room).get_models()}
    assert models <= {factory._meta.model for factory in FACTORIES}


@pytest.mark.django_db
@pytest.mark.parametrize("made", FACTORIES, ids=lambda made: made.__name__)
def test_factory_creates_valid_row_twice(made: type[DjangoModelFactory]) -> None:
    for row in (made(), made()):
        row.full_clean(exclude=["password"])


@pytest.mark.slow
@pytest.mark.django_db
def test_played_session_has_all_results() -> None:
    session = factories.create_played_session(closed=True)
    ranking = standings.update_standings(session.event)
    assert session.state == Session.State.CLOSED
    assert (ranking.complete, ranking.standings.count()) == (True, 6)
