"""Results are mailed with consent, once per person and version; one click unsubscribes."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client, override_settings
from django.urls import reverse

import clubs.services
import scoring.services
import tournaments.services
from clubs.models import Consent, Player
from scoring.tasks import recompute_standings
from seasons.ladders.errors import SeasonActionRefused
from seasons.publishing import mailing
from seasons.publishing.mailing import build_unsubscribe_path, queue_mails, send_mails
from seasons.publishing.models import ResultsMail
from server.models import User
from tests import evenings
from tests.house.markup import find_faults
from tournaments.models import Event

pytestmark = pytest.mark.django_db
MAIL_SETTINGS = {"HAS_MAIL": True, "SITE_URL": "https://whist.example.org"}
HIDDEN_NAME = "Canary Quillfeather"


def create_evening_with_addresses() -> tuple[Event, User, list[Player]]:
    """Create three people with an address, two of whom consented, and one hidden person."""
    session, user = evenings.play_session()
    event = session.event
    players = [entry.players.order_by("pk")[0] for entry in event.entries.order_by("number")]
    for number, player in enumerate(players[:3]):
        clubs.services.update_person(
            player=player,
            details={"email": f"p{number}@example.org"},
            consents={"mail": number < 2},
            by=user,
        )
    tournaments.services.rename_player(player=players[3], name=HIDDEN_NAME, by=user)
    tournaments.services.set_player_visibility(player=players[3], shown="nobody", by=user)
    scoring.services.close_session(session=session, by=user)
    recompute_standings(event.pk)
    return event, user, players


@pytest.mark.slow
@override_settings(**MAIL_SETTINGS)
def test_only_consenting_people_get_one_mail_per_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, user, players = create_evening_with_addresses()
    assert queue_mails(event=event, by=user) == 2
    assert queue_mails(event=event, by=user) == 0
    monkeypatch.setattr(mailing, "MAX_MAILS_PER_RUN", 1)
    assert send_mails(event.pk)
    assert not send_mails(event.pk)
    assert not send_mails(event.pk)
    assert [message.to for message in mail.outbox] == [["p0@example.org"], ["p1@example.org"]]
    first: Any = mail.outbox[0]
    html = first.alternatives[0][0]
    for text in (first.body, html):
        assert HIDDEN_NAME not in text
        assert "A player" in text
        assert f"/events/{event.slug}/" in text
        assert "None" not in text
        assert "<span" not in first.body
    assert players[0].name in first.body
    assert find_faults(html) == []
    assert first.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "p1@example.org" not in first.message().as_string()


@override_settings(**MAIL_SETTINGS)
def test_crash_between_send_and_mark_sends_at_most_one_duplicate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, user, _players = create_evening_with_addresses()
    queue_mails(event=event, by=user)
    first_results_mail = ResultsMail.objects.order_by("pk")[0]
    store_state = mailing._update_mail

    def fail_to_store_sent_state(row: ResultsMail, **values: object) -> None:
        if values.get("state") == "sent":
            raise KeyboardInterrupt
        store_state(row, **values)

    with monkeypatch.context() as crash_patch:
        crash_patch.setattr(mailing, "_update_mail", fail_to_store_sent_state)
        with pytest.raises(KeyboardInterrupt):
            send_mails(event.pk)
    send_mails(event.pk)
    send_mails(event.pk)
    recipients = [message.to[0] for message in mail.outbox]
    assert recipients.count("p0@example.org") == 2
    assert recipients.count("p1@example.org") == 1
    first_results_mail.refresh_from_db()
    assert (first_results_mail.state, first_results_mail.tries) == ("sent", 2)


@override_settings(**MAIL_SETTINGS)
def test_mails_are_disabled_by_unsubscribe_click_and_by_bounce(client: Client) -> None:
    event, user, players = create_evening_with_addresses()
    queue_mails(event=event, by=user)
    unsubscribe_url = build_unsubscribe_path(players[0])
    page = client.get(unsubscribe_url)
    assert find_faults(page.content.decode()) == []
    assert Consent.objects.get(player=players[0], what="mail").given, "a look changes nothing"
    one_click_client = Client(enforce_csrf_checks=True)
    assert (
        one_click_client.post(unsubscribe_url, {"List-Unsubscribe": "One-Click"}).status_code
        == 200
    )
    assert not Consent.objects.get(player=players[0], what="mail").given
    assert client.get(f"{unsubscribe_url[:-3]}x/").status_code == 404
    send_mails(event.pk)
    assert [message.to for message in mail.outbox] == [["p1@example.org"]]
    client.force_login(user)
    mail_page_url = reverse("results_mail", args=[event.slug])
    text = client.get(mail_page_url).content.decode()
    assert find_faults(text) == []
    assert "0 e-mails to send" in text
    row = ResultsMail.objects.get()
    client.post(reverse("results_mail_bounced", args=[event.slug, row.pk]))
    assert not Consent.objects.get(player=players[1], what="mail").given
    client.force_login(evenings.create_club_with_director("Hilltop", "other")[1])
    assert client.get(mail_page_url).status_code in (403, 404)


def test_missing_mail_server_disables_mail_button_with_explanation(client: Client) -> None:
    event, user, _players = create_evening_with_addresses()
    client.force_login(user)
    text = client.get(reverse("results_mail", args=[event.slug])).content.decode()
    assert "set up on this computer." in text
    assert re.search(r'<button type="submit" class="button--main" disabled>', text)
    with pytest.raises(SeasonActionRefused, match="set up on this computer"):
        queue_mails(event=event, by=user)
    assert not send_mails(event.pk)
    assert not ResultsMail.objects.exists()
