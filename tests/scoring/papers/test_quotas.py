"""A club over its daily quota sees a message when it orders, and keeps its existing papers."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

import tournaments.services
from boards.worked_hands import read_worked_hands
from clubs.models import Membership
from scoring.errors import QuotaReached
from scoring.models import Paper, Ranking
from scoring.services import close_session, order_paper, sum_stored_bytes
from scoring.services.play_records import PlayContext, create_play_record
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from server.models import ClubDay, Job, User
from tests import evenings
from tests.factories import ClubFactory, UserFactory
from tournaments.models import Session

pytestmark = pytest.mark.django_db
MAX_PAPERS = 3
MEGABYTE = 1024**2


@pytest.fixture
def evening() -> tuple[Session, User]:
    return evenings.play_session()


@pytest.fixture
def client(evening: tuple[Session, User]) -> Client:
    client = Client()
    client.force_login(evening[1])
    return client


def set_used_quota(session: Session, quota: str, amount: float) -> None:
    day = timezone.now().date()
    club = session.event.club_id
    ClubDay.objects.update_or_create(
        club=club, day=day, quota=quota, defaults={"amount": amount}
    )


def create_stored_paper(session: Session, byte_count: int, *, days: int = 0) -> Paper:
    return Paper.objects.create(
        session=session, kind="ranking", size="A4", state="ready", file="papers/x.pdf",
        bytes=byte_count, ordered_by="", ordered_at=timezone.now(),
        made_at=timezone.now() - timedelta(days=days),
    )  # fmt: skip


QUOTA_CASES = {
    "no quota": (0, 0, 50, 900 * MEGABYTE, ""),
    "under": (MAX_PAPERS, 1, 2, MEGABYTE - 1, ""),
    "the papers of the day": (MAX_PAPERS, 0, 3, 0, "limit of 3 papers"),
    "over, since it was lowered": (MAX_PAPERS, 0, 50, 0, "limit of 3 papers"),
    "all that it may keep": (0, 1, 0, MEGABYTE, "papers have filled its 1 MB"),
    "both": (MAX_PAPERS, 1, 3, MEGABYTE, "limit of 3 papers"),
    "nothing of the day, much to keep": (
        MAX_PAPERS,
        1,
        0,
        5 * MEGABYTE,
        "filled its 1 MB",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", QUOTA_CASES)
@pytest.mark.parametrize("interface", ["page", "API"])
def test_paper_over_quota_is_refused_with_the_limit_and_a_solution(
    interface: str, case: str, evening: tuple[Session, User], client: Client, settings: Any
) -> None:
    """Under, at and over each quota, from the page and the API."""
    papers, media_limit_mb, ordered_paper_count, stored_bytes, words = QUOTA_CASES[case]
    settings.QUOTA_PAPERS, settings.QUOTA_MEDIA_MB = papers, media_limit_mb
    session, _user = evening
    set_used_quota(session, "papers", ordered_paper_count)
    create_stored_paper(session, stored_bytes)
    slug, paper_count_before = session.event.slug, Paper.objects.count()
    if interface == "page":
        response = client.post(
            f"/director/events/{slug}/papers/order/", {"kind": "door_list"}, follow=True
        )
        text = " ".join(response.content.decode().split())
        assert response.status_code == 200
    else:
        response = client.post(
            f"/api/events/{slug}/sessions/1/papers/",
            {"kind": "door_list"},
            content_type="application/json",
        )
        text = response.json().get("detail", "")
        assert response.status_code == (429 if words else 200)
    assert ("QUOTA_" in text) == bool(words)
    assert words in text
    assert Paper.objects.count() == paper_count_before + (not words)
    assert Paper.objects.filter(bytes=stored_bytes).exists()  # finished papers are kept
    if interface == "API" and words:
        wait = int(response.headers["Retry-After"])
        assert 0 < wait <= 86_400
        assert response.headers["Content-Type"] == "application/problem+json"
        data = response.json()
        assert (data["code"], data["retry_after"], data["status"]) == (
            "quota_reached",
            wait,
            429,
        )
    club_day = ClubDay.objects.filter(quota="papers").values_list("amount", flat=True).get()
    assert club_day == ordered_paper_count + (1 if papers and not words else 0)


def test_other_clubs_and_the_next_day_have_their_own_quota(
    evening: tuple[Session, User], settings: Any
) -> None:
    settings.QUOTA_PAPERS = 1
    session, user = evening
    other_session, _user = evenings.play_session()
    set_used_quota(other_session, "papers", 1)
    ClubDay.objects.update(club=F("club") + 1000)
    assert order_paper(session=session, kind="door_list", size="A4", by=user)
    with pytest.raises(QuotaReached) as exc_info:
        order_paper(session=session, kind="ranking", size="A4", by=user)
    assert exc_info.value.wait_seconds > 0
    ClubDay.objects.update(day=timezone.now().date() - timedelta(days=1))
    assert order_paper(session=session, kind="ranking", size="A4", by=user)


def test_queued_paper_is_not_counted_again(
    evening: tuple[Session, User], settings: Any
) -> None:
    settings.QUOTA_PAPERS = 1
    session, user = evening
    first_paper = order_paper(session=session, kind="door_list", size="A4", by=user)
    assert order_paper(session=session, kind="door_list", size="A4", by=user) == first_paper


def test_papers_due_for_deletion_do_not_count_towards_the_quota(
    evening: tuple[Session, User], settings: Any
) -> None:
    settings.QUOTA_MEDIA_MB = 1
    session, user = evening
    create_stored_paper(session, 9 * MEGABYTE, days=31)
    assert sum_stored_bytes([session.event.club_id]) == {}
    assert order_paper(session=session, kind="door_list", size="A4", by=user)


def test_paper_stores_its_size_in_bytes(
    evening: tuple[Session, User], django_capture_on_commit_callbacks: Any
) -> None:
    session, user = evening
    with django_capture_on_commit_callbacks(execute=True):
        paper = order_paper(session=session, kind="door_list", size="A4", by=user)
    paper.refresh_from_db()
    assert paper.bytes == paper.file.size > 1000
    assert sum_stored_bytes([session.event.club_id]) == {session.event.club_id: paper.bytes}


def test_standings_are_computed_regardless_of_used_quotas(
    evening: tuple[Session, User], settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.QUOTA_PAPERS = settings.QUOTA_ANALYSIS_SECONDS = settings.QUOTA_MEDIA_MB = 1
    session, user = evening
    for quota in ("papers", "analysis"):
        set_used_quota(session, quota, 99)
    create_stored_paper(session, 9 * MEGABYTE)
    table = load_session_snapshot(session).tables[0]
    version_before = standings.update_standings(session.event).version
    with django_capture_on_commit_callbacks(execute=True):
        evenings.enter_result(session, table.sitting_id, table.boards[0], "13", user)
    assert Ranking.objects.get(event=session.event).version > version_before


@pytest.mark.parametrize(
    ("limit", "amount"), [(0, 99), (MAX_PAPERS, 2.9), (MAX_PAPERS, 3), (MAX_PAPERS, 99)]
)
def test_play_is_recorded_over_quota_and_page_announces_delayed_best_play(
    limit: int,
    amount: float,
    evening: tuple[Session, User],
    settings: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.QUOTA_ANALYSIS_SECONDS = limit
    session, user = evening
    set_used_quota(session, "analysis", amount)
    occasion = PlayContext(club=session.event.club, title="A hand of Pole's")
    with django_capture_on_commit_callbacks(execute=True):
        record = create_play_record(
            context=occasion, play=read_worked_hands()["pole-1"].play, by=user
        )
    rests = bool(limit) and amount >= limit
    assert Job.objects.filter(kind="play", rests_until__isnull=False).exists() is rests
    page = " ".join(Client().get(f"/plays/{record.pk}/").content.decode().split())
    assert ("Best play waits until" in page) is rests
    assert ("its 3 seconds for today" in page) is rests


@pytest.mark.parametrize(("limit", "amount"), [(0, 99), (MAX_PAPERS, 2.9), (MAX_PAPERS, 3)])
def test_boards_page_announces_delayed_best_play(
    limit: int, amount: float, client: Client, evening: tuple[Session, User], settings: Any
) -> None:
    session, user = evening
    deals_by_board = {number: read_worked_hands()["pole-1"].play.deal for number in (1, 2)}
    tournaments.services.import_deals(session=session, deals_by_board=deals_by_board, by=user)
    close_session(session=session, by=user)
    session.refresh_from_db()
    assert session.board_set is not None
    session.board_set.wants_tables = True
    session.board_set.save()
    session.board_set.boards.update(table="")
    settings.QUOTA_ANALYSIS_SECONDS = limit
    set_used_quota(session, "analysis", amount)
    page = client.get(f"/director/events/{session.event.slug}/deals/").content.decode()
    rests = bool(limit) and amount >= limit
    assert ("Best play waits until" in page) is rests
    assert ("Refresh in a minute" in page) is not rests


@pytest.mark.parametrize("quota_state", ["on", "off"])
@pytest.mark.parametrize("reader_role", ["owner", "owner elsewhere", "keeper"])
def test_jobs_page_shows_quota_used_today(
    reader_role: str, quota_state: str, evening: tuple[Session, User], settings: Any
) -> None:
    if quota_state == "on":
        settings.QUOTA_PAPERS, settings.QUOTA_ANALYSIS_SECONDS = 2000, 3600
        settings.QUOTA_MEDIA_MB = 500
    session, _user = evening
    set_used_quota(session, "papers", 12)
    set_used_quota(session, "analysis", 3599.6)
    create_stored_paper(session, 7 * MEGABYTE)
    reader = UserFactory(username="reader", is_superuser=reader_role == "keeper")
    club = ClubFactory(name="Elsewhere", slug="elsewhere") if "else" in reader_role else None
    if reader_role != "keeper":
        club = club or session.event.club
        Membership.objects.create(club=club, user=reader, role="owner")
    client = Client()
    client.force_login(reader)
    page = " ".join(client.get("/director/jobs/").content.decode().split())
    assert ("Used today" in page) == (quota_state == "on")
    is_shown = quota_state == "on" and reader_role != "owner elsewhere"
    for line in ("12 of 2000 papers", "3600 of 3600 seconds", "Saved papers: 7 of 500 MB"):
        assert (line in page.replace(",", "")) is is_shown, line
    assert ("0 of 2000 papers" in page.replace(",", "")) == (
        quota_state == "on" and reader_role == "owner elsewhere"
    )
