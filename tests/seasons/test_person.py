"""Test a person's page for the committee: personal data, consents, and undo."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

import hall.history.undo
from clubs import audit
from clubs.models import Club, Player
from clubs.services.people import InvalidPersonData, update_person
from server.models import User
from tests import evenings

pytestmark = pytest.mark.django_db
PERSON_DETAILS = {
    "number": "0012",
    "kind": "member",
    "joined": "2020-03-10",
    "left": "",
    "email": "ann@example.org",
    "phone": "+44 1",
}
CONSENT_ANSWERS = {"agrees_mail": "yes", "agrees_contact": "no"}


def create_ann() -> tuple[Club, User, Player]:
    club, user = evenings.create_club_with_director()
    return club, user, Player.objects.create(club=club, name="Ann Lee")


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_personal_details_are_saved_and_undone() -> None:
    club, user, ann = create_ann()
    client, page = sign_in(user), reverse("player_edit", args=[ann.pk])
    form = {"name": "Ann Lee", "shown": "initials"} | PERSON_DETAILS | CONSENT_ANSWERS
    response = client.post(page, form, follow=True)
    ann.refresh_from_db()
    assert (ann.number, ann.joined, ann.shown) == ("0012", date(2020, 3, 10), "initials")
    assert dict(ann.consents.values_list("what", "given")) == {"mail": True, "contact": False}
    text = response.content.decode()
    assert "Ann Lee saved." in text
    assert 'value="ann@example.org"' in text
    assert client.post(page, form).status_code == 302  # a repetition is no act
    acts = audit.list_acts(club).filter(action="person.kept")
    assert acts.count() == 1
    assert acts[0].after == {
        "details": ["contact", "email", "joined", "mail", "number", "phone"]
    }
    (message,) = response.context["messages"]
    client.post(message.extra_tags)
    ann.refresh_from_db()
    assert (ann.number, ann.joined, ann.email) == ("", None, "")
    assert not ann.consents.exists()
    hall.history.undo.undo_club_act(club=club, act=audit.list_acts(club)[0], by=user)
    ann.refresh_from_db()
    assert (ann.number, ann.phone, ann.consents.count()) == ("0012", "+44 1", 2)


def test_history_names_changed_fields_without_values() -> None:
    _club, user, ann = create_ann()
    update_person(
        player=ann, details=PERSON_DETAILS | {"joined": date(2020, 3, 10)}, consents={}, by=user
    )
    text = sign_in(user).get(reverse("club_history")).content.decode()
    assert "Personal details changed: Ann Lee" in text
    assert "e-mail" in text
    for secret in ("ann@example.org", "+44 1", "0012"):
        assert secret not in text


def test_number_belongs_to_one_person_and_consent_can_be_withdrawn() -> None:
    club, user, ann = create_ann()
    update_person(player=ann, details={"number": "7"}, consents={"mail": True}, by=user)
    bo = Player.objects.create(club=club, name="Bo Low")
    with pytest.raises(InvalidPersonData, match="belongs to another player"):
        update_person(player=bo, details={"number": "7"}, consents={}, by=user)
    page = reverse("player_edit", args=[bo.pk])
    form = {"name": "Bo Low", "shown": "name", "kind": "member", "number": "7"}
    response = sign_in(user).post(page, form)
    assert response.status_code == 200
    assert "belongs to another player" in response.content.decode()
    update_person(player=ann, details={}, consents={"mail": None}, by=user)
    assert not ann.consents.exists()


def test_many_players_are_paginated_and_search_ignores_accents() -> None:
    club, user, _ann_lee = create_ann()
    names = [f"Łukasz Person {n:04}" for n in range(450)]
    Player.objects.bulk_create(Player(club=club, name=name) for name in names)
    client = sign_in(user)
    page = client.get(reverse("players"))
    assert len(page.context["players"]) == 200
    assert "Page 1 of 3" in page.content.decode()
    response = client.get(reverse("players"), {"q": "LUKASZ 0449"})
    assert [player.name for player in response.context["players"]] == ["Łukasz Person 0449"]
    edit_html = client.get(reverse("player_edit", args=[_ann_lee.pk])).content.decode()
    assert 'id="name-that-stays"' in edit_html
    assert "Łukasz" not in edit_html
    merge = client.get(
        reverse("player_merge", args=[_ann_lee.pk]), {"name": "łukasz person 0001"}
    )
    assert "Łukasz Person 0001" in merge.content.decode()
