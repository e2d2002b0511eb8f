"""The admin's lists respond to any query string."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client

from boards import services
from server.models import User

pytestmark = pytest.mark.django_db

ADMIN_MODELS = [model for model in apps.get_models() if admin.site.is_registered(model)]
INVALID_VALUES = ["9" * 25, "x"]
FILTER_NAMES = ("pk__in", "id__range", "attempt_time__year", "secret__in", "o", "p", "q", "e")


@pytest.fixture
def keeper_client() -> Client:
    services.create_board_set(name="Tuesday", board_count=1)
    client = Client()
    client.force_login(User.objects.create(username="k", is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("model", ADMIN_MODELS, ids=lambda model: model.__name__)
def test_admin_list_ignores_invalid_filter_values(keeper_client: Client, model: type) -> None:
    list_url = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    for name in FILTER_NAMES:
        for value in INVALID_VALUES:
            response = keeper_client.get(list_url, {name: value}, follow=True)
            assert response.status_code == 200, (name, value)
            assert response.content.decode().startswith("<!DOCTYPE html>")


def test_error_not_caused_by_filter_is_not_hidden(
    keeper_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_unrelated_error(*_given: object) -> None:
        raise ValueError("no filter made this")

    for model in ADMIN_MODELS:
        page = admin.site.get_model_admin(model)
        monkeypatch.setattr(page, "get_changelist_instance", raise_unrelated_error)
    with pytest.raises(ValueError, match="no filter made this"):
        keeper_client.get("/admin/boards/boardset/")
