"""A page that starts a background job follows it to its end, including failure."""

import re
from collections.abc import Callable

import pytest
from django.db.models import F
from django.test import Client, override_settings
from django.urls import reverse

import clubs.services
import scoring.services
from config.jobs import KINDS
from scoring.tasks import recompute_standings
from server.jobs import broker, runner
from server.jobs.progress import read_progress
from server.models import Job, User
from tests import evenings
from tournaments.models import Event

pytestmark = pytest.mark.django_db
REASON = "an error in Overplay, see the log"


@pytest.fixture
def event(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Create a closed evening with its standings; later jobs wait in the queue."""
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    recompute_standings(session.event.pk)
    player = session.event.entries.order_by("number")[0].players.order_by("pk")[0]
    clubs.services.update_person(
        player=player, details={"email": "p@example.org"}, consents={"mail": True}, by=user
    )
    Job.objects.all().delete()
    monkeypatch.setattr(broker, "is_celery_eager", lambda: False)
    monkeypatch.setattr(broker, "wake_worker", lambda *_args: None)
    User.objects.update(is_superuser=True, is_staff=True)
    event: Event = session.event
    return event


JobOrder = Callable[[Client, Event], str]


def order_results_file(client: Client, event: Event) -> str:
    client.post(reverse("club_file_make"), {"club": event.club.slug, "kind": "everything"})
    return reverse("results_out")


def order_results_mail(client: Client, event: Event) -> str:
    client.post(reverse("results_mail_send", args=[event.slug]))
    return reverse("results_mail", args=[event.slug])


def order_grades(client: Client, event: Event) -> str:
    page = reverse("club_grades") + f"?club={event.club.slug}"
    client.post(page, {"club": event.club.slug, "is_on": "yes", "seen": "club"})
    return page


def order_archive(client: Client, event: Event) -> str:
    client.post(reverse("club_archive_make"), {"club": event.club.slug})
    return reverse("club_archives")


def order_backup(client: Client, event: Event) -> str:
    client.post(reverse("backup_make"))
    return reverse("backups")


def retry_job(client: Client, event: Event) -> str:
    order_archive(client, event)
    Job.objects.update(state="failed", trouble="broken", done_no=F("wanted_no"))
    client.post(reverse("job_retry"), {"job": Job.objects.get().pk})
    return reverse("jobs")


JOB_ORDERS: dict[str, tuple[JobOrder, str]] = {
    "club_file": (order_results_file, "files"),
    "result_letters": (order_results_mail, "letters"),
    "grades": (order_grades, "grades"),
    "club_archive": (order_archive, "archives"),
    "backup": (order_backup, "backups"),
    "retried": (retry_job, "jobs"),
}


def find_refreshed_part(text: str) -> re.Match[str] | None:
    """Return the element that refreshes itself."""
    return re.search(r'id="([\w-]+)"[^>]*?data-hx-get="([^"]+)" data-hx-select="#\1"', text)


@override_settings(HAS_MAIL=True, SITE_URL="https://whist.example.org")
@pytest.mark.parametrize("job_name", JOB_ORDERS)
def test_page_polls_job_until_failure_and_shows_reason(job_name: str, event: Event) -> None:
    start, element_id = JOB_ORDERS[job_name]
    client = Client()
    client.force_login(User.objects.get())
    page = start(client, event)
    html = client.get(page).content.decode()
    refreshed_part = find_refreshed_part(html)
    assert refreshed_part is not None
    assert refreshed_part[1] == element_id
    assert "htmx" in html
    repeated_response = client.get(
        refreshed_part[2].replace("&amp;", "&"), headers={"HX-Request": "true"}
    )
    assert f'id="{element_id}"' in repeated_response.content.decode()

    job = Job.objects.get()
    runner._record_failure(job, KINDS[job.kind], Job.FailureCause.PROGRAM_ERROR)
    Job.objects.update(state="failed", trouble="broken", done_no=F("wanted_no"))
    failed_page = client.get(page).content.decode()
    assert find_refreshed_part(failed_page) is None
    assert REASON in failed_page


def test_job_progress_is_read_from_its_row(event: Event) -> None:
    assert (read_progress("grades", 1).is_waiting, read_progress("grades", None).error) == (
        False,
        "",
    )
    from server.jobs.outbox import enqueue

    enqueue(KINDS["grades"], 1)
    assert read_progress(KINDS["grades"], 1).is_waiting
    Job.objects.update(done_no=F("wanted_no"), state="done")
    assert not read_progress(KINDS["grades"], 1).is_waiting
