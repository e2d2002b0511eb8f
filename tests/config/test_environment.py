"""Environment variables are read, or refused with how to fix them."""

import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment


def test_number_is_read_or_its_default_used() -> None:
    assert environment.read_number({"PORT": " 8001 "}, "PORT", 8000) == 8001
    assert environment.read_number({}, "PORT", 8000) == 8000
    assert environment.read_number({"PORT": ""}, "PORT", 8000) == 8000


def test_invalid_number_is_refused_with_an_example() -> None:
    with pytest.raises(ImproperlyConfigured, match="PORT='eight' is not a whole number"):
        environment.read_number({"PORT": "eight"}, "PORT", 8000)


def test_list_is_split_at_commas_without_empty_items() -> None:
    assert environment.read_list({"ALLOWED_HOSTS": "a.org, b.org,,"}, "ALLOWED_HOSTS") == [
        "a.org",
        "b.org",
    ]


def test_site_url_is_parsed_as_scheme_and_host() -> None:
    assert environment.read_site_url({"SITE_URL": "https://whist.example.org/"}) == (
        "https",
        "whist.example.org",
    )
    assert environment.read_site_url({}) == ("", "")


@pytest.mark.parametrize(
    "text", ["whist.example.org", "ftp://whist.example.org", "https://", "https://a.org/club"]
)
def test_invalid_site_url_is_refused(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="SITE_URL"):
        environment.read_site_url({"SITE_URL": text})


def test_data_folder_is_created(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b"
    assert environment.create_data_folder({"DATA_DIR": str(path)}, tmp_path) == path
    assert path.is_dir()


def test_data_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match="Set DATA_DIR"):
        environment.create_data_folder({"DATA_DIR": str(tmp_path / "file")}, tmp_path)


def test_secret_key_is_generated_once_and_stored(tmp_path: Path) -> None:
    key = environment.load_secret_key({}, tmp_path)
    assert len(key) >= 64
    assert environment.load_secret_key({}, tmp_path) == key
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights in another way")
def test_secret_key_file_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    environment.load_secret_key({}, tmp_path)
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_concurrent_processes_share_one_secret_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: environment.load_secret_key({}, tmp_path), range(64)))
    assert len(keys) == 1


def test_secret_key_is_complete_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_link_error(*_paths: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr("os.link", raise_link_error)
    assert environment.load_secret_key({}, tmp_path) == (tmp_path / "secret_key").read_text()


def test_given_secret_key_is_not_stored(tmp_path: Path) -> None:
    assert environment.load_secret_key({"SECRET_KEY": "given"}, tmp_path) == "given"
    assert list(tmp_path.iterdir()) == []


def test_empty_key_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").touch()
    with pytest.raises(ImproperlyConfigured, match="Delete it and start again"):
        environment.load_secret_key({}, tmp_path)


def test_embedded_database_is_in_the_data_folder(tmp_path: Path) -> None:
    database_settings = environment.build_database_settings({}, tmp_path)
    assert database_settings["NAME"] == tmp_path / "overplay.sqlite3"
    assert database_settings["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_another_sqlite_file_can_be_configured(tmp_path: Path) -> None:
    database_settings = environment.build_database_settings(
        {"DATABASE_URL": "sqlite:////data/my%20club.sqlite3"}, tmp_path
    )
    assert database_settings["NAME"] == Path("/data/my club.sqlite3")


def test_postgres_url_is_parsed(tmp_path: Path) -> None:
    url = "postgres://whist:p%40ss@db.example.org:5433/club?sslmode=require"
    database_settings = environment.build_database_settings({"DATABASE_URL": url}, tmp_path)
    assert (database_settings["USER"], database_settings["PASSWORD"]) == ("whist", "p@ss")
    assert (
        database_settings["HOST"],
        database_settings["PORT"],
        database_settings["NAME"],
    ) == ("db.example.org", "5433", "club")
    assert database_settings["OPTIONS"]["sslmode"] == "require"
    assert database_settings["OPTIONS"]["connect_timeout"] == "3"


@pytest.mark.parametrize(
    "url",
    [
        "mysql://host/name",
        "club.sqlite3",
        "sqlite://club",
        "postgres://host",
        "postgres://host:port/name",
        "postgres://host/a/b",
    ],
)
def test_invalid_database_url_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        environment.build_database_settings({"DATABASE_URL": url}, tmp_path)


POOLER_ENVIRON = {
    "DATABASE_URL": "postgres://me@db:5432/club",
    "DATABASE_POOL_URL": "postgres://me@pool:6432/club",
}


def test_pages_query_through_the_pooler_and_listen_directly(tmp_path: Path) -> None:
    assert set(environment.build_databases(POOLER_ENVIRON, tmp_path)) == {"default"}
    assert environment.build_databases(POOLER_ENVIRON, tmp_path)["default"]["PORT"] == "5432"
    databases = environment.build_databases(
        POOLER_ENVIRON | {"OVERPLAY_PAGES": "yes"}, tmp_path
    )
    assert {alias: item["PORT"] for alias, item in databases.items()} == {
        "default": "6432",
        "direct": "5432",
    }
    assert databases["default"]["DISABLE_SERVER_SIDE_CURSORS"] is True


@pytest.mark.parametrize(
    "environ",
    [
        POOLER_ENVIRON | {"DATABASE_URL": ""},
        POOLER_ENVIRON | {"DATABASE_POOL_URL": "sqlite:////club.sqlite3"},
        POOLER_ENVIRON
        | {"DATABASE_POOL_URL": "postgres://pool:6432/", "OVERPLAY_PAGES": "yes"},
    ],
)
def test_inconsistent_pooler_settings_are_refused(
    environ: dict[str, str], tmp_path: Path
) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_POOL_URL"):
        environment.build_databases(environ, tmp_path)


def test_missing_server_package_is_named_with_its_setting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = {"DATABASE_URL": "postgres://db/club", "REDIS_URL": "redis://queue/0"}
    assert environment.read_queue_url(url, "REDIS_URL") == "redis://queue/0"
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_URL .*requirements-server\.txt"):
        environment.build_database_settings(url, tmp_path)
    with pytest.raises(ImproperlyConfigured, match=r"REDIS_URL .*requirements-server\.txt"):
        environment.read_queue_url(url, "REDIS_URL")
    assert environment.read_queue_url({}, "REDIS_URL") == ""


def test_languages_are_english_and_those_with_a_catalogue(tmp_path: Path) -> None:
    for name in ("pt_BR", "de", "tlh"):
        (tmp_path / name / "LC_MESSAGES").mkdir(parents=True)
        (tmp_path / name / "LC_MESSAGES" / "django.mo").touch()
    (tmp_path / "fr" / "LC_MESSAGES").mkdir(parents=True)
    assert environment.list_languages(tmp_path) == [
        ("en", "English"),
        ("de", "Deutsch"),
        ("pt-br", "Português Brasileiro"),
        ("tlh", "tlh"),
    ]


def test_language_must_have_a_catalogue() -> None:
    available_languages = [("en", "English"), ("pt-br", "Português Brasileiro")]
    assert environment.read_language({}, available_languages) == "en"
    assert (
        environment.read_language({"LANGUAGE_CODE": " pt_BR "}, available_languages) == "pt-br"
    )
    with pytest.raises(ImproperlyConfigured, match=r"available language\. .* from en, pt-br"):
        environment.read_language({"LANGUAGE_CODE": "de"}, available_languages)
