"""Each new round restarts the clock of a drive, and every act on it can be undone."""

from datetime import UTC, datetime, timedelta
from unittest import mock

import pytest
from django.test import Client

from clubs import audit
from clubs.models import RoundClock
from drives.models import Drive
from drives.services import begin_next_round, close_drive, undo_act, undo_last_act
from drives.services.clock import (
    add_minutes,
    pause_clock,
    set_round_minutes,
    start_clock,
    stop_clock,
)
from drives.sheets.clock import build_clock
from tests.browser.drives import create_drive_with_prizes

pytestmark = pytest.mark.django_db
EIGHT_O_CLOCK = datetime(2026, 11, 27, 20, tzinfo=UTC)


def set_clock(minutes: float) -> "mock._patch[mock.Mock]":
    moment = EIGHT_O_CLOCK + timedelta(minutes=minutes)
    return mock.patch("django.utils.timezone.now", return_value=moment)


def read_clock_face(drive: Drive) -> tuple[str, float]:
    drive.refresh_from_db()
    face = build_clock(drive)
    return face.state, face.left / 60


def test_next_round_restarts_the_clock() -> None:
    drive, user, _link = create_drive_with_prizes()
    with set_clock(0):
        assert read_clock_face(drive) == ("off", 0)
        set_round_minutes(drive=drive, minutes=20, by=user)
        start_clock(drive=drive, by=user)
        assert read_clock_face(drive) == ("running", 20)
    with set_clock(5):
        pause_clock(drive=drive, by=user)
    with set_clock(9):
        assert read_clock_face(drive) == ("paused", 15)
        start_clock(drive=drive, by=user)
        add_minutes(drive=drive, minutes=2, by=user)
    with set_clock(12):
        assert read_clock_face(drive) == ("running", 14)
        begin_next_round(drive=drive, by=user)
        assert read_clock_face(drive) == ("running", 20)
    with set_clock(13):
        # After the undo round 1 has its former remaining time.
        undo_last_act(drive=drive, by=user)
        assert read_clock_face(drive) == ("running", 13)
        begin_next_round(drive=drive, by=user)
    with set_clock(34):
        assert read_clock_face(drive) == ("over", 0)
        add_minutes(drive=drive, minutes=1, by=user)
        assert read_clock_face(drive) == ("running", 1)
        act = audit.list_acts(drive).first()
        assert act is not None
        undo_act(drive=drive, act=act, by=user)
        assert read_clock_face(drive) == ("over", 0)
        stop_clock(drive=drive, by=user)
        assert read_clock_face(drive) == ("off", 0)


def test_undoing_a_round_keeps_a_clock_that_was_changed_since() -> None:
    drive, user, _link = create_drive_with_prizes()
    with set_clock(0):
        start_clock(drive=drive, by=user)
    with set_clock(10):
        begin_next_round(drive=drive, by=user)
        act = audit.list_acts(drive).first()
        assert act is not None
    with set_clock(11):
        pause_clock(drive=drive, by=user)
        undo_act(drive=drive, act=act, by=user)
    clock = RoundClock.objects.get()
    assert clock.paused_at == EIGHT_O_CLOCK + timedelta(minutes=11)


def test_clock_of_a_closed_drive_is_over() -> None:
    drive, user, _link = create_drive_with_prizes()
    close_drive(drive=drive, anyway=True, by=user)
    page = Client().get(f"/drives/{drive.slug}/screen/").content.decode()
    clock_text = page.partition('id="drive-clock-words"')[2].partition("</")[0]
    assert "The drive is over" in clock_text
    assert "finish the hand" not in clock_text
    drive.refresh_from_db()
    assert (build_clock(drive).state, build_clock(drive).phase) == ("over", "closed")


def test_desk_has_the_clock_buttons_and_the_screen_shows_the_time() -> None:
    drive, user, _link = create_drive_with_prizes()
    client = Client()
    client.force_login(user)
    desk, act = f"/director/drives/{drive.slug}/", f"/director/drives/{drive.slug}/clock/act/"
    assert "Start the clock" in client.get(desk).content.decode()
    client.post(act, {"act": "set", "minutes": "25"})
    client.post(act, {"act": "start"})
    page = client.get(desk).content.decode()
    assert "Pause" in page
    assert 'value="25"' in page
    state = Client().get(f"/drives/{drive.slug}/clock/state/").json()
    assert (state["state"], state["round"], state["rounds"]) == ("running", 1, 2)
    assert 1490 <= state["left"] <= 1500
    assert "Round 1 of 2" in Client().get(f"/drives/{drive.slug}/clock/").content.decode()
    assert "drive-clock" in Client().get(f"/drives/{drive.slug}/screen/").content.decode()
    client.post(act, {"act": "pause"})
    assert "Continue" in client.get(desk).content.decode()
    for invalid_form, message in (
        ({"act": "set", "minutes": "0"}, "1–240 minutes"),
        ({"act": "set", "minutes": "x"}, "minutes per round"),
        ({"act": "?"}, "minutes per round"),
    ):
        assert message in client.post(act, invalid_form, follow=True).content.decode()
    history = client.get(f"/director/drives/{drive.slug}/history/").content.decode()
    assert "25 min per round" in history
    assert "paused" in history
