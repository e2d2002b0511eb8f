"""Health checks of this installation.

`/health/live` responds while the process runs. `/health/ready` runs `READY_CHECKS`, which must
succeed before pages can be served. `manage.py doctor` runs `ALL_CHECKS`.
"""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from http.client import HTTPException
from pathlib import Path
from smtplib import SMTPException
from ssl import SSLError
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, build_opener

from django.conf import settings
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from server import database_version
from server.backups import store
from server.backups.tasks import is_backup_overdue
from server.command_line import format_command
from server.invalidation import KNOWN_VERSIONS
from server.jobs import broker, heartbeats
from server.logins.passwords import has_stolen_password_list
from server.models import Job
from server.version import VERSION

OK, DEGRADED, FAILED = "ok", "degraded", "wrong"
MIN_FREE_BYTES = 200 * 1024 * 1024
"""The minimum free disk space in bytes."""
MAX_RESPONSE_SECONDS = 1.0
"""The maximum response time of a healthy database, in seconds."""
MAX_JOB_DELAY = timedelta(seconds=60)
"""The time for which a due job may wait before the check reports it."""
MAX_CLOCK_DIFFERENCE_SECONDS = 5.0
"""The maximum acceptable difference between two clocks, in seconds."""
MAIL_TIMEOUT_SECONDS = 5.0
"""The timeout for the mail server and for the site's own public URL, in seconds."""
LIVE_PATH, READY_PATH = "/health/live", "/health/ready"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check; its field names are keys in the output of `doctor --json`.

    `state` is "ok", "degraded" or "wrong". `words` describes the result, and `cure` how to fix
    it.
    """

    name: str
    state: str
    words: str
    cure: str = ""


Check = Callable[[], CheckResult]


def check_database() -> CheckResult:
    """Check that the database responds in time."""
    started_at = time.monotonic()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        advice = _("Start it and check DATABASE_URL.")
        error_text = " ".join(str(error).split())[:200] or type(error).__name__
        message = _("it doesn’t respond (%(why)s)") % {"why": error_text}
        return CheckResult("database", FAILED, message, advice)
    seconds = time.monotonic() - started_at
    if seconds > MAX_RESPONSE_SECONDS:
        message = _("it took %(seconds).1f seconds to respond") % {"seconds": seconds}
        return CheckResult("database", FAILED, message, _("Check what keeps it busy."))
    return CheckResult("database", OK, _describe_database())


def _describe_database() -> str:
    if connection.vendor != "postgresql":
        return f"SQLite {sqlite3.sqlite_version}"
    major_version, minor = divmod(connection.pg_version, 10_000)  # type: ignore[attr-defined]  # PostgreSQL's own
    return f"PostgreSQL {major_version}.{minor}"


def check_schema() -> CheckResult:
    """Check that the database has the schema of this version."""
    try:
        stored_version = database_version.read_version(connection)
        database_version.check_known_version(stored_version)
    except database_version.WrongDatabase as error:
        return CheckResult("schema", FAILED, str(error))
    except DatabaseError:
        return CheckResult("schema", FAILED, _("unknown: the database doesn’t respond"))
    if stored_version.pending_migrations or stored_version.is_empty:
        return CheckResult(
            "schema", FAILED, _("it needs an upgrade"), format_command("upgrade")
        )
    return CheckResult("schema", OK, f"Overplay {stored_version.version}")


def check_folder() -> CheckResult:
    """Check that the data folder is writable and has free space."""
    data_folder = Path(settings.DATA_DIR)
    try:
        with tempfile.TemporaryFile(dir=data_folder):
            pass
    except OSError as error:
        message = _("can’t write in %(folder)s (%(why)s)")
        placeholders = {"folder": data_folder, "why": error.strerror}
        return CheckResult(
            "folder", FAILED, message % placeholders, _("Give this account write permission.")
        )
    free_bytes = shutil.disk_usage(data_folder).free
    if free_bytes < MIN_FREE_BYTES:
        message = _("only %(free)s free") % {"free": filesizeformat(free_bytes)}
        return CheckResult("folder", FAILED, message, _("Free some space on that disk."))
    return CheckResult("folder", OK, _("%(free)s free") % {"free": filesizeformat(free_bytes)})


def check_worker() -> CheckResult:
    """Check that a worker runs and that no due job waits too long."""
    try:
        if heartbeats.has_no_worker():
            message = _("no worker has responded for 30 seconds")
            return CheckResult("worker", FAILED, message, _("Start it and check its log."))
        now = timezone.now()
        due_jobs = Job.objects.filter_runnable(now).filter(
            not_before__lt=now - MAX_JOB_DELAY, lane=Job.Lane.NOW
        )
        if late_job_count := due_jobs.count():
            message = _("%(count)d jobs have waited for more than a minute") % {
                "count": late_job_count
            }
            return CheckResult("worker", FAILED, message, format_command("jobs"))
        if failed_count := Job.objects.filter_failed().count():
            message = _("%(count)d jobs failed") % {"count": failed_count}
            return CheckResult("worker", DEGRADED, message, format_command("jobs --failed"))
    except DatabaseError:
        return CheckResult("worker", FAILED, _("unknown: the database doesn’t respond"))
    return CheckResult("worker", OK, _("nothing waiting"))


def check_queue() -> CheckResult:
    """Check that the message broker responds; without it, jobs start a few seconds later."""
    if broker.is_broker_unreachable():
        message = _("it doesn’t respond, so jobs start a few seconds late")
        return CheckResult("queue", DEGRADED, message, _("Start it and check REDIS_URL."))
    return CheckResult(
        "queue", OK, _("in this process") if broker.is_broker_in_memory() else _("it responds")
    )


def check_listener() -> CheckResult:
    """Check that this process receives change notifications.

    Without them it polls the database.
    """
    if not KNOWN_VERSIONS.has_listener:
        return CheckResult("listening", OK, _("not needed in this process"))
    if not KNOWN_VERSIONS.is_connected:
        message = _("no live updates: pages query the database more often")
        return CheckResult(
            "listening", DEGRADED, message, _("This usually recovers within seconds.")
        )
    return CheckResult("listening", OK, _("live updates are working"))


READY_CHECKS: tuple[Check, ...] = (
    check_database,
    check_schema,
    check_folder,
    check_worker,
    check_queue,
    check_listener,
)


def check_backups() -> CheckResult:
    """Check that there is a recent good backup."""
    newest_backup = store.find_newest_good_backup(store.list_backups(settings.BACKUP_DIR))
    if newest_backup is None or is_backup_overdue(timezone.now()):
        message = _("no good backup in the last eight days")
        return CheckResult("backups", FAILED, message, format_command("backup"))
    return CheckResult("backups", OK, f"{newest_backup.created_at:%Y-%m-%d %H:%M} UTC")


def check_durability() -> CheckResult:
    """Check that the database writes every commit to the disk before confirming it."""
    setting_names = ("fsync", "synchronous_commit", "full_page_writes")
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA synchronous")
                unsafe_settings = [] if cursor.fetchone()[0] >= 2 else ["synchronous"]
            else:
                setting_values = []
                for name in setting_names:
                    cursor.execute(f"SHOW {name}")
                    setting_values.append((name, cursor.fetchone()[0]))
                unsafe_settings = [name for name, value in setting_values if value == "off"]
    except DatabaseError:
        return CheckResult("durability", FAILED, _("unknown: the database doesn’t respond"))
    if unsafe_settings:
        message = _("%(names)s is off: stored data can be lost") % {
            "names": ", ".join(unsafe_settings)
        }
        return CheckResult("durability", FAILED, message, _("Turn it on in the database."))
    return CheckResult("durability", OK, _("stored data is safe"))


def check_privacy() -> CheckResult:
    """Check that other accounts on this machine cannot read the data."""
    if os.name != "posix":
        return CheckResult("privacy", OK, _("not checked on this system"))
    data_folder = Path(settings.DATA_DIR)
    private_paths = [
        data_folder / "secret_key",
        *data_folder.glob("overplay*.sqlite3"),
        Path(settings.BACKUP_DIR),
    ]
    readable_paths = [
        path for path in private_paths if path.exists() and path.stat().st_mode & 0o077
    ]
    if readable_paths:
        message = _("others on this computer can read %(file)s") % {"file": readable_paths[0]}
        advice = f"chmod go= {readable_paths[0]}"
        return CheckResult("privacy", FAILED, message, advice)
    return CheckResult("privacy", OK, _("only this account can read the data"))


def check_programs() -> CheckResult:
    """Check that `pg_dump` and `pg_restore` are installed, which PostgreSQL backups need."""
    missing_programs = [
        name for name in ("pg_dump", "pg_restore") if shutil.which(name) is None
    ]
    if connection.vendor == "postgresql" and missing_programs:
        message = _("%(names)s is not installed") % {"names": ", ".join(missing_programs)}
        return CheckResult("programs", FAILED, message, "apt install postgresql-client")
    return CheckResult("programs", OK, _("all installed"))


def check_passwords() -> CheckResult:
    """Check that a server has the list of stolen passwords installed."""
    if not settings.IS_SERVER_DEPLOYMENT:
        return CheckResult("passwords", OK, _("not needed on a laptop"))
    if not has_stolen_password_list():
        message = _("the list of stolen passwords is missing")
        advice = "pip install -r requirements-server.txt"
        return CheckResult("passwords", DEGRADED, message, advice)
    return CheckResult(
        "passwords", OK, _("new passwords are checked against the list of stolen ones")
    )


def check_clock() -> CheckResult:
    """Check that the clocks of this machine and of the database agree."""
    if connection.vendor != "postgresql":
        return CheckResult("clock", OK, f"{timezone.now():%Y-%m-%d %H:%M:%S} UTC")
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            difference_seconds = abs((cursor.fetchone()[0] - timezone.now()).total_seconds())
    except DatabaseError:
        return CheckResult("clock", FAILED, _("unknown: the database doesn’t respond"))
    if difference_seconds > MAX_CLOCK_DIFFERENCE_SECONDS:
        message = _("this computer’s clock and the database’s differ by %(seconds).0f seconds")
        advice = _("Set both from the network (timedatectl set-ntp true).")
        return CheckResult("clock", FAILED, message % {"seconds": difference_seconds}, advice)
    return CheckResult("clock", OK, f"{timezone.now():%Y-%m-%d %H:%M:%S} UTC")


def check_mail() -> CheckResult:
    """Check that the mail server responds and accepts the password; no mail is sent."""
    if not settings.HAS_MAIL:
        return CheckResult("mail", OK, _("no e-mail set up"))
    try:
        with get_connection(timeout=MAIL_TIMEOUT_SECONDS):
            pass
    except (OSError, SMTPException) as error:  # OSError includes socket errors
        message = _("%(host)s doesn’t accept e-mail (%(why)s)")
        placeholders = {"host": settings.EMAIL_HOST, "why": type(error).__name__}
        return CheckResult("mail", FAILED, message % placeholders, _("Check EMAIL_URL."))
    return CheckResult("mail", OK, _("%(host)s accepts e-mail") % {"host": settings.EMAIL_HOST})


class _NoRedirects(HTTPRedirectHandler):
    """A handler that follows no redirect, so that the check can read the redirect's URL."""

    def redirect_request(self, *_anything: object) -> None:
        """Return None, which means that the redirect is not followed."""


def check_proxy() -> CheckResult:
    """Check that the site responds at its public URL, and that the proxy reports https."""
    if not settings.IS_SERVER_DEPLOYMENT:
        return CheckResult("proxy", OK, _("not needed"))
    page_url, advice = f"{settings.SITE_URL}/login/", _("Check the proxy and the name.")
    try:
        with build_opener(_NoRedirects).open(page_url, timeout=MAIL_TIMEOUT_SECONDS):
            return CheckResult("proxy", OK, _("%(page)s opens") % {"page": page_url})
    except HTTPError as error:
        status_code, redirect_url = error.code, error.headers.get("Location")
        error.close()
    except (OSError, HTTPException) as error:
        if isinstance(getattr(error, "reason", None), SSLError):
            message = _("the certificate of %(page)s isn’t valid (%(why)s)")
            advice = _("Renew it.")
            return CheckResult(
                "proxy", FAILED, message % {"page": page_url, "why": error}, advice
            )
        # only degraded: this machine may be unable to reach itself through the proxy
        message = _("%(page)s can’t be reached from here (%(why)s)")
        return CheckResult(
            "proxy", DEGRADED, message % {"page": page_url, "why": error}, advice
        )
    if redirect_url == page_url:
        message = _("%(page)s redirects to itself") % {"page": page_url}
        return CheckResult("proxy", FAILED, message, _("Set X-Forwarded-Proto in the proxy."))
    message = _("%(page)s answers with %(status)d") % {"page": page_url, "status": status_code}
    return CheckResult("proxy", FAILED, message, advice)


ALL_CHECKS: tuple[Check, ...] = (
    *READY_CHECKS,
    check_backups,
    check_durability,
    check_privacy,
    check_programs,
    check_passwords,
    check_clock,
    check_mail,
    check_proxy,
)
CHECKS_WITHOUT_DATABASE: tuple[Check, ...] = (
    check_folder,
    check_queue,
    check_privacy,
    check_passwords,
    check_mail,
    check_proxy,
)


def run_checks(checks: tuple[Check, ...]) -> list[CheckResult]:
    """Run all checks; a check that raises an exception is reported as wrong."""
    check_results = []
    for check in checks:
        try:
            check_results.append(check())
        except Exception as error:
            check_results.append(
                CheckResult(check.__name__.removeprefix("check_"), FAILED, type(error).__name__)
            )
    return check_results


def serve_health(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return a middleware that serves both health URLs for any host name, without a login.

    Everyone can read the responses, so they contain no file name, account or host name.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path == LIVE_PATH:
            return _build_json_response(200, {"state": OK, "version": VERSION})
        if request.path == READY_PATH:
            with _close_broken_connection():
                check_results = run_checks(READY_CHECKS)
            states = {check_result.state for check_result in check_results}
            overall_state = (
                FAILED if FAILED in states else DEGRADED if DEGRADED in states else OK
            )
            states_by_check = {
                check_result.name: check_result.state for check_result in check_results
            }
            return _build_json_response(
                503 if overall_state == FAILED else 200,
                {"state": overall_state, "checks": states_by_check},
            )
        return get_response(request)

    return middleware


@contextmanager
def _close_broken_connection() -> Iterator[None]:
    """Close a broken database connection after the block, as Django does after a request."""
    try:
        yield
    finally:
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()


def _build_json_response(status_code: int, response_data: dict[str, object]) -> JsonResponse:
    return JsonResponse(
        response_data, status=status_code, headers={"Cache-Control": "no-store"}
    )


def serialize_check_results(check_results: list[CheckResult]) -> list[dict[str, str]]:
    """Return the results as JSON data."""
    return [asdict(check_result) for check_result in check_results]
