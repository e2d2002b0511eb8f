"""Read environment variables for the settings; error messages explain how to correct a
value.
"""

import os
import secrets
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.conf.locale import LANG_INFO
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import to_language

Environment = Mapping[str, str]

# Every commit waits for the disk, so that no entry is lost if a laptop loses power.
SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
    "PRAGMA foreign_keys=ON; PRAGMA busy_timeout=10000; PRAGMA cache_size=-20000"
)
# A dead connection is detected after 10 + 2 * 5 seconds.
KEEPALIVE_OPTIONS = {
    "keepalives_idle": "10",  # seconds without data before the first probe
    "keepalives_interval": "5",  # seconds between two probes
    "keepalives_count": "2",  # unanswered probes
}
POSTGRES_SCHEMES = ("postgres", "postgresql")


class DataFolderUnavailable(ImproperlyConfigured):
    """The data folder cannot be used, although the settings are valid."""

    is_data_error = True
    """Whether `manage.py` exits with the status for unusable data after this error."""


def read_number(environ: Environment, variable_name: str, default_number: int) -> int:
    """Read a whole number from a variable."""
    number_text = environ.get(variable_name, "").strip() or str(default_number)
    if not number_text.isdecimal():
        raise ImproperlyConfigured(
            f"{variable_name}={number_text!r} is not a whole number. "
            f"Use digits, e.g. {variable_name}={default_number}, or leave it out."
        )
    return int(number_text)


def read_list(environ: Environment, variable_name: str) -> list[str]:
    """Read a comma-separated list from a variable, without empty items."""
    return [
        item_text
        for item in environ.get(variable_name, "").split(",")
        if (item_text := item.strip())
    ]


def read_site_url(environ: Environment) -> tuple[str, str]:
    """Return scheme and host of SITE_URL; both are "" on a laptop."""
    site_url = environ.get("SITE_URL", "").strip()
    if not site_url:
        return "", ""
    url_parts = urlsplit(site_url)
    if url_parts.scheme not in ("http", "https") or not url_parts.hostname:
        raise ImproperlyConfigured(
            f"SITE_URL={site_url!r} is not a web address. Use e.g. "
            "SITE_URL=https://whist.example.org, or leave it out on a single laptop."
        )
    if url_parts.path.strip("/") or url_parts.query or url_parts.fragment:
        raise ImproperlyConfigured(
            f"SITE_URL={site_url!r} has a path. Give only scheme and host: "
            f"SITE_URL={url_parts.scheme}://{url_parts.netloc}."
        )
    return url_parts.scheme, url_parts.hostname


def create_data_folder(environ: Environment, default: Path) -> Path:
    """Return the folder of all stored data; create it if it is missing."""
    folder = Path(environ.get("DATA_DIR", "").strip() or default).expanduser().resolve()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DataFolderUnavailable(
            f"The data folder {folder} can't be created ({error.strerror}). Set DATA_DIR to a "
            "folder you can write in."
        ) from error
    return folder


def read_folder(environ: Environment, variable_name: str, default: Path) -> Path:
    """Read the path of a folder, which is created when it is first used."""
    return Path(environ.get(variable_name, "").strip() or default).expanduser().resolve()


def load_secret_key(environ: Environment, folder: Path) -> str:
    """Return SECRET_KEY, or the key in the data folder, which is created on the first run.

    Two processes that start at the same time get the same key: the file is written completely
    and then linked to its name, and the second process reads that file.
    """
    if environment_key := environ.get("SECRET_KEY", "").strip():
        return environment_key
    key_path = folder / "secret_key"
    try:
        if not key_path.exists():
            _write_file_if_missing(key_path, secrets.token_urlsafe(64))
        secret_key = key_path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise DataFolderUnavailable(
            f"The folder {folder} can't be used: {key_path} can't be written or read "
            f"({error.strerror}). Give the account that runs Overplay permission, or set "
            "DATA_DIR to another folder. Nothing was changed."
        ) from error
    if not secret_key:
        raise ImproperlyConfigured(
            f"The file {key_path} is empty. Delete it and start again. A new key is created, "
            "and everyone must sign in again."
        )
    return secret_key


def load_previous_secret_keys(environ: Environment, folder: Path) -> list[str]:
    """Return the previous secret keys, newest first, whose signatures are still accepted."""
    if environ.get("SECRET_KEY", "").strip():
        return read_list(environ, "SECRET_KEY_FALLBACKS")
    try:
        return (folder / "secret_keys_before").read_text(encoding="ascii").split()
    except OSError:  # there is no such file if the key was never changed
        return []


def read_log_format(environ: Environment) -> str:
    """Read the log format: "plain" for people, "json" for log collectors."""
    format_name = environ.get("LOG_FORMAT", "").strip() or "plain"
    if format_name not in ("plain", "json"):
        raise ImproperlyConfigured(
            f"LOG_FORMAT={format_name!r} is not known. Use plain or json."
        )
    return format_name


def read_metrics_token(environ: Environment) -> str:
    """Read the token that clients need for the metrics; "" disables the metrics."""
    token = environ.get("METRICS_TOKEN", "").strip()
    if token and len(token) < 20:
        raise ImproperlyConfigured(
            "METRICS_TOKEN is too short. Use at least 20 characters, e.g. from "
            "`python3 -c 'import secrets; print(secrets.token_urlsafe(32))'`."
        )
    return token


def list_languages(folder: Path) -> list[tuple[str, str]]:
    """List English and each language with a compiled catalogue, with their native names."""
    catalogue_folder_names = [
        mo_path.parents[1].name for mo_path in folder.glob("*/LC_MESSAGES/django.mo")
    ]
    codes = ["en", *sorted(to_language(folder_name) for folder_name in catalogue_folder_names)]
    return [(code, str(LANG_INFO.get(code, {}).get("name_local", code))) for code in codes]


def read_version_url(environ: Environment) -> str:
    """Read NEW_VERSION_URL, the URL of a file that names the newest version.

    "" disables the check for a new version.
    """
    url = environ.get("NEW_VERSION_URL", "").strip()
    url_parts = urlsplit(url)
    if url and (url_parts.scheme != "https" or not url_parts.hostname):
        raise ImproperlyConfigured(
            f"NEW_VERSION_URL={url!r} is not an https address. Use e.g. "
            "NEW_VERSION_URL=https://whist.example.org/newest.txt, or leave it out."
        )
    return url


def read_language(environ: Environment, languages: list[tuple[str, str]]) -> str:
    """Read the language of the program; English by default."""
    code = to_language(environ.get("LANGUAGE_CODE", "").strip()) or "en"
    codes = [known_code for known_code, _name in languages]
    if code not in codes:
        raise ImproperlyConfigured(
            f"LANGUAGE_CODE={code!r} is not an available language. "
            f"Choose from {', '.join(codes)}, or leave it out. docs/languages.md shows how to "
            "add one."
        )
    return code


def build_database_settings(environ: Environment, folder: Path) -> dict[str, Any]:
    """Return Django's settings for the database in DATABASE_URL.

    Without DATABASE_URL, the database is the SQLite file in the data folder.
    """
    url = environ.get("DATABASE_URL", "").strip()
    scheme, _, url_path = url.partition("://")
    if not url:
        return _build_sqlite_settings(folder / "overplay.sqlite3", folder)
    if scheme == "sqlite" and url_path.startswith("/"):
        return _build_sqlite_settings(Path(unquote(url_path[1:])), folder)
    if scheme in POSTGRES_SCHEMES:
        return _build_postgres_settings(url)
    raise ImproperlyConfigured(
        f"DATABASE_URL begins with {scheme!r}, which Overplay doesn't support. Use "
        "postgres://user:password@host:5432/name or sqlite:////full/path/to/file, or leave "
        "it out for the embedded database."
    )


def build_databases(environ: Environment, folder: Path) -> dict[str, dict[str, Any]]:
    """Return Django's DATABASES.

    If DATABASE_POOL_URL is set, page requests use it, the URL of a connection pooler. A pooler
    lends a connection for one transaction only, which is useless for LISTEN and for session
    settings. The listener, the worker and commands therefore use DATABASE_URL. In processes
    that serve pages, DATABASE_URL is the database "direct".
    """
    direct_settings = build_database_settings(environ, folder)
    pool_url = environ.get("DATABASE_POOL_URL", "").strip()
    if not pool_url:
        return {"default": direct_settings}
    if (
        pool_url.partition("://")[0] not in POSTGRES_SCHEMES
        or "postgresql" not in direct_settings["ENGINE"]
    ):
        raise ImproperlyConfigured(
            "DATABASE_POOL_URL is only for PostgreSQL. Put the pooler's address there, e.g. "
            "postgres://user:password@host:6432/name, and PostgreSQL's in DATABASE_URL."
        )
    if environ.get("OVERPLAY_PAGES") != "yes":
        return {"default": direct_settings}
    pooled_settings = _build_postgres_settings(pool_url, "DATABASE_POOL_URL") | {
        "DISABLE_SERVER_SIDE_CURSORS": True
    }
    return {"default": pooled_settings, "direct": direct_settings}


def read_mail_settings(environ: Environment) -> dict[str, Any]:
    """Read EMAIL_URL as Django's mail settings; empty if no mail is sent."""
    mail_url = environ.get("EMAIL_URL", "").strip()
    if not mail_url:
        return {}
    url_parts = urlsplit(mail_url)
    query_options = dict(parse_qsl(url_parts.query))
    try:
        port = url_parts.port
    except ValueError:
        port = 0
    if url_parts.scheme not in ("smtp", "smtps") or not url_parts.hostname or port == 0:
        raise ImproperlyConfigured(
            "EMAIL_URL can't be read. Use smtp://user:password@host:587/?from=club@host "
            "(STARTTLS), smtps:// (TLS from the start), or leave it out."
        )
    if "@" not in query_options.get("from", ""):
        raise ImproperlyConfigured(
            "EMAIL_URL has no sender. Add ?from=club@example.org at its end."
        )
    uses_implicit_tls = url_parts.scheme == "smtps"
    return {
        "EMAIL_HOST": url_parts.hostname,
        "EMAIL_PORT": port or (465 if uses_implicit_tls else 587),
        "EMAIL_HOST_USER": unquote(url_parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url_parts.password or ""),
        "EMAIL_USE_SSL": uses_implicit_tls,
        "EMAIL_USE_TLS": not uses_implicit_tls and query_options.get("tls") != "no",
        "EMAIL_TIMEOUT": 10,
        "DEFAULT_FROM_EMAIL": query_options["from"],
    }


def read_queue_url(environ: Environment, variable_name: str) -> str:
    """Read the URL of a Redis server or another message broker; "" if it is not set."""
    queue_url = environ.get(variable_name, "").strip()
    if queue_url.startswith("redis"):
        _require_library_installed(variable_name, "redis")
    return queue_url


def _require_library_installed(variable_name: str, library_name: str) -> None:
    """Raise ImproperlyConfigured if a library is missing that a variable's value needs."""
    if find_spec(library_name) is None:
        raise ImproperlyConfigured(
            f"{variable_name} needs the library {library_name}. Install it with "
            f"pip install -r requirements-server.txt, or leave {variable_name} out."
        )


def _write_file_if_missing(path: Path, text: str) -> None:
    """Write a file that only its owner can read; keep a file that another process has
    written.
    """
    temporary_path = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(
        os.open(temporary_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w"
    ) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(temporary_path, path)
    except FileExistsError:
        pass
    except OSError:  # the file system has no hard links (a USB stick): the last process wins
        temporary_path.replace(path)
    temporary_path.unlink(missing_ok=True)


def _build_sqlite_settings(path: Path, folder: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "init_command": SQLITE_PRAGMAS,
            # A transaction takes the write lock at its start, so its later writes never wait.
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
        },
        # A file instead of memory, so that each thread of a test server has its own connection.
        "TEST": {"NAME": folder / "test.sqlite3"},
    }


def _build_postgres_settings(url: str, variable_name: str = "DATABASE_URL") -> dict[str, Any]:
    url_parts = urlsplit(url)
    database_name = unquote(url_parts.path.strip("/"))
    try:
        port = url_parts.port
    except ValueError:
        port = 0
    if not database_name or "/" in database_name or port == 0:
        raise ImproperlyConfigured(
            f"{variable_name} can't be read. It needs a host, a port and a database name, "
            "e.g. postgres://user:password@host:5432/name."
        )
    _require_library_installed(variable_name, "psycopg")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database_name,
        "USER": unquote(url_parts.username or ""),
        "PASSWORD": unquote(url_parts.password or ""),
        "HOST": url_parts.hostname or "",
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        # An unreachable database is reported soon; keepalives end dead connections.
        "OPTIONS": {
            "connect_timeout": "3",
            **KEEPALIVE_OPTIONS,
            **dict(parse_qsl(url_parts.query)),
        },
    }
