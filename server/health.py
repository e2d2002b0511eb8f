"""Health checks of this installation, for a proxy, an alert, and its operator.

Each check reports a problem and how to fix it. `/health/live` shows that the process responds,
`/health/ready` that it can serve pages now. `manage.py doctor` runs these checks and those that
only matter when a machine is set up.
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
from server.backups.tasks import is_overdue
from server.command_line import command
from server.invalidation import KNOWN
from server.jobs import broker, heartbeats
from server.logins.passwords import has_stolen_list
from server.models import Job
from server.version import VERSION

OK, DEGRADED, WRONG = "ok", "degraded", "wrong"
MIN_FREE_BYTES = 200 * 1024 * 1024
"""Bytes that should be free on the disk."""
SLOW_SECONDS = 1.0
"""Seconds within which a healthy database responds."""
MAX_JOB_DELAY = timedelta(seconds=60)
"""The longest acceptable wait of a due job."""
MAX_CLOCK_DIFFERENCE = 5.0
"""Seconds by which two clocks may differ."""
MAIL_TIMEOUT_SECONDS = 5.0
"""Timeout of the mail server, in seconds."""
LIVE, READY = "/health/live", "/health/ready"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check: its name, `state` ("ok", "degraded", "wrong"), and what to do."""

    name: str
    state: str
    words: str
    cure: str = ""


Check = Callable[[], Finding]


def database() -> Finding:
    """Check that the database responds in time."""
    began = time.monotonic()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        cure = _("Start it, and look at DATABASE_URL.")
        said = " ".join(str(error).split())[:200] or type(error).__name__
        words = _("it does not answer (%(why)s)") % {"why": said}
        return Finding("database", WRONG, words, cure)
    took = time.monotonic() - began
    if took > SLOW_SECONDS:
        words = _("it took %(seconds).1f seconds to answer") % {"seconds": took}
        return Finding("database", WRONG, words, _("See what keeps it busy."))
    return Finding("database", OK, _database_words())


def _database_words() -> str:
    if connection.vendor != "postgresql":
        return f"SQLite {sqlite3.sqlite_version}"
    major, minor = divmod(connection.pg_version, 10_000)  # type: ignore[attr-defined]  # PostgreSQL's own
    return f"PostgreSQL {major}.{minor}"


def schema() -> Finding:
    """Check that the database is of this version."""
    try:
        stored = database_version.read_version(connection)
        database_version.refuse_strange(stored)
    except database_version.WrongDatabase as error:
        return Finding("schema", WRONG, str(error))
    except DatabaseError:
        return Finding("schema", WRONG, _("nobody knows: the database does not answer"))
    if stored.lacking or stored.is_empty:
        return Finding("schema", WRONG, _("it is not up to date"), command("upgrade"))
    return Finding("schema", OK, f"Overplay {stored.version}")


def folder() -> Finding:
    """Check that the data folder is writable and has free space."""
    path = Path(settings.DATA_DIR)
    try:
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        words = _("nothing can be written in %(folder)s (%(why)s)")
        named = {"folder": path, "why": error.strerror}
        return Finding("folder", WRONG, words % named, _("Give the account the right to."))
    free = shutil.disk_usage(path).free
    if free < MIN_FREE_BYTES:
        words = _("only %(free)s are free") % {"free": filesizeformat(free)}
        return Finding("folder", WRONG, words, _("Make room on that disk."))
    return Finding("folder", OK, _("%(free)s free") % {"free": filesizeformat(free)})


def worker() -> Finding:
    """Check that a worker runs and keeps up."""
    try:
        if heartbeats.has_no_worker():
            words = _("no worker has been heard from for half a minute")
            return Finding("worker", WRONG, words, _("Start it, and look at its log."))
        now = timezone.now()
        waiting = Job.objects.runnable(now).filter(
            not_before__lt=now - MAX_JOB_DELAY, lane=Job.Lane.NOW
        )
        if late := waiting.count():
            words = _("%(count)d jobs wait for more than a minute") % {"count": late}
            return Finding("worker", WRONG, words, command("jobs"))
        if failed := Job.objects.failed().count():
            words = _("%(count)d jobs have failed") % {"count": failed}
            return Finding("worker", DEGRADED, words, command("jobs --failed"))
    except DatabaseError:
        return Finding("worker", WRONG, _("nobody knows: the database does not answer"))
    return Finding("worker", OK, _("nothing waits"))


def queue() -> Finding:
    """Check that the broker responds; without it jobs start some seconds later."""
    if broker.is_unreachable():
        words = _("it does not answer: work is done some seconds later")
        return Finding("queue", DEGRADED, words, _("Start it, and look at REDIS_URL."))
    return Finding(
        "queue", OK, _("in this process") if broker.is_in_memory() else _("it answers")
    )


def listening() -> Finding:
    """Check that this process is notified of changes; if not, it polls the database."""
    if not KNOWN.has_listener:
        return Finding("listening", OK, _("not needed in this process"))
    if not KNOWN.is_connected:
        words = _("changes are not heard of: pages ask the database more often")
        return Finding("listening", DEGRADED, words, _("It mends itself within seconds."))
    return Finding("listening", OK, _("changes are heard of"))


READY_CHECKS: tuple[Check, ...] = (database, schema, folder, worker, queue, listening)


def backups() -> Finding:
    """Check that there is a good backup of the last days."""
    newest = store.newest_good(store.list_backups(settings.BACKUP_DIR))
    if newest is None or is_overdue(timezone.now()):
        words = _("there is no good one of the last eight days")
        return Finding("backups", WRONG, words, command("backup"))
    return Finding("backups", OK, f"{newest.at:%Y-%m-%d %H:%M} UTC")


def durability() -> Finding:
    """Check that the database waits for the disk before it confirms a commit."""
    asked = ("fsync", "synchronous_commit", "full_page_writes")
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA synchronous")
                off = [] if cursor.fetchone()[0] >= 2 else ["synchronous"]
            else:
                found = []
                for name in asked:
                    cursor.execute(f"SHOW {name}")
                    found.append((name, cursor.fetchone()[0]))
                off = [name for name, value in found if value == "off"]
    except DatabaseError:
        return Finding("durability", WRONG, _("nobody knows: the database does not answer"))
    if off:
        words = _("%(names)s is off: what was stored can be lost") % {"names": ", ".join(off)}
        return Finding("durability", WRONG, words, _("Switch it on in the database."))
    return Finding("durability", OK, _("stored means stored"))


def privacy() -> Finding:
    """Check that other accounts of this machine cannot read the data."""
    if os.name != "posix":
        return Finding("privacy", OK, _("not asked on this system"))
    path = Path(settings.DATA_DIR)
    kept = [path / "secret_key", *path.glob("overplay*.sqlite3"), Path(settings.BACKUP_DIR)]
    open_ = [each for each in kept if each.exists() and each.stat().st_mode & 0o077]
    if open_:
        words = _("others on this machine can read %(file)s") % {"file": open_[0]}
        cure = f"chmod go= {open_[0]}"
        return Finding("privacy", WRONG, words, cure)
    return Finding("privacy", OK, _("for this account alone"))


def programs() -> Finding:
    """Check that PostgreSQL's own programs are installed, which make its backups."""
    lacking = [name for name in ("pg_dump", "pg_restore") if shutil.which(name) is None]
    if connection.vendor == "postgresql" and lacking:
        words = _("%(names)s is not installed") % {"names": ", ".join(lacking)}
        return Finding("programs", WRONG, words, "apt install postgresql-client")
    return Finding("programs", OK, _("all that are needed"))


def passwords() -> Finding:
    """Check that new passwords are compared with the list of stolen ones, as on a server."""
    if not settings.ON_A_SERVER:
        return Finding("passwords", OK, _("not needed on a laptop"))
    if not has_stolen_list():
        words = _("the list of stolen passwords is missing")
        cure = "pip install -r requirements-server.txt"
        return Finding("passwords", DEGRADED, words, cure)
    return Finding("passwords", OK, _("compared with stolen ones"))


def clock() -> Finding:
    """Check that the clocks of this machine and of the database agree."""
    if connection.vendor != "postgresql":
        return Finding("clock", OK, f"{timezone.now():%Y-%m-%d %H:%M:%S} UTC")
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            apart = abs((cursor.fetchone()[0] - timezone.now()).total_seconds())
    except DatabaseError:
        return Finding("clock", WRONG, _("nobody knows: the database does not answer"))
    if apart > MAX_CLOCK_DIFFERENCE:
        words = _("this machine's and the database's are %(seconds).0f seconds apart")
        cure = _("Have both set by the network (timedatectl set-ntp true).")
        return Finding("clock", WRONG, words % {"seconds": apart}, cure)
    return Finding("clock", OK, f"{timezone.now():%Y-%m-%d %H:%M:%S} UTC")


def mail() -> Finding:
    """Check that the mail server responds and accepts the password; no mail is sent."""
    if not settings.HAS_MAIL:
        return Finding("mail", OK, _("none is sent"))
    try:
        with get_connection(timeout=MAIL_TIMEOUT_SECONDS):
            pass
    except (OSError, SMTPException) as error:  # including socket errors
        words = _("%(host)s does not take letters (%(why)s)")
        named = {"host": settings.EMAIL_HOST, "why": type(error).__name__}
        return Finding("mail", WRONG, words % named, _("Look at EMAIL_URL."))
    return Finding("mail", OK, _("%(host)s takes letters") % {"host": settings.EMAIL_HOST})


class _Stay(HTTPRedirectHandler):
    """Does not follow redirects: their target is what is checked here."""

    def redirect_request(self, *_anything: object) -> None:
        """Return None: no redirect is followed."""


def proxy() -> Finding:
    """Check that the site responds at its URL, and that the proxy reports https."""
    if not settings.ON_A_SERVER:
        return Finding("proxy", OK, _("none is needed"))
    page, cure = f"{settings.SITE_ADDRESS}/login/", _("Look at the proxy, and at the name.")
    try:
        with build_opener(_Stay).open(page, timeout=MAIL_TIMEOUT_SECONDS):
            return Finding("proxy", OK, _("%(page)s opens") % {"page": page})
    except HTTPError as error:
        status, to = error.code, error.headers.get("Location")
        error.close()
    except (OSError, HTTPException) as error:
        if isinstance(getattr(error, "reason", None), SSLError):
            words = _("the certificate of %(page)s does not hold (%(why)s)")
            cure = _("Renew it.")
            return Finding("proxy", WRONG, words % {"page": page, "why": error}, cure)
        words = _("%(page)s is not reached from here (%(why)s)")  # others may reach it
        return Finding("proxy", DEGRADED, words % {"page": page, "why": error}, cure)
    if to == page:
        words = _("%(page)s is sent on to itself for ever") % {"page": page}
        return Finding("proxy", WRONG, words, _("Have the proxy set X-Forwarded-Proto."))
    words = _("%(page)s is answered with %(status)d") % {"page": page, "status": status}
    return Finding("proxy", WRONG, words, cure)


ALL_CHECKS: tuple[Check, ...] = (
    *READY_CHECKS,
    backups,
    durability,
    privacy,
    programs,
    passwords,
    clock,
    mail,
    proxy,
)
CHECKS_WITHOUT_DATABASE: tuple[Check, ...] = (
    folder,
    queue,
    privacy,
    passwords,
    mail,
    proxy,
)


def findings(checks: tuple[Check, ...]) -> list[Finding]:
    """Run all checks; one that raises counts as wrong and does not hide the others."""
    found = []
    for check in checks:
        try:
            found.append(check())
        except Exception as error:
            found.append(Finding(check.__name__, WRONG, type(error).__name__))
    return found


def answer_health(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return a middleware that serves both health URLs, for any host name and without a login.

    The responses have no file, account or host name.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.path == LIVE:
            return _told(200, {"state": OK, "version": VERSION})
        if request.path == READY:
            with _line_given_back():
                found = findings(READY_CHECKS)
            states = {each.state for each in found}
            state = WRONG if WRONG in states else DEGRADED if DEGRADED in states else OK
            checks = {each.name: each.state for each in found}
            return _told(503 if state == WRONG else 200, {"state": state, "checks": checks})
        return get_response(request)

    return answer


@contextmanager
def _line_given_back() -> Iterator[None]:
    """Close a broken database connection: outside a request Django does not."""
    try:
        yield
    finally:
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()


def _told(status: int, data: dict[str, object]) -> JsonResponse:
    return JsonResponse(data, status=status, headers={"Cache-Control": "no-store"})


def findings_as_data(found: list[Finding]) -> list[dict[str, str]]:
    """Return the findings as JSON data."""
    return [asdict(each) for each in found]
