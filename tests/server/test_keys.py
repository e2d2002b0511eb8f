"""One root key and the keys derived from it; changing it only ends logins."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.crypto import salted_hmac

import hall.challenges.services
import hall.phones.services
from clubs.links import count_unprintable_links
from clubs.models import TableLink
from config import environment
from config.management.commands import rekey
from server import keys
from tests import evenings
from tournaments.models import EntryLink

OLD_KEY, NEW_KEY = "the old key " * 5, "the new key " * 5


def test_each_purpose_and_root_key_gives_distinct_key(settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW_KEY, [OLD_KEY]
    derived_keys = [*keys.derive_keys("links"), *keys.derive_keys("factors")]
    assert len(set(derived_keys)) == 4
    assert {len(key) for key in derived_keys} == {32}
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD_KEY, []
    assert list(keys.derive_keys("links")) == [derived_keys[1]]


def test_derived_keys_match_standard_test_vectors(settings: Any) -> None:
    """Computed after RFC 5869 §2 with hmac only."""
    import hashlib
    import hmac

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "root", []
    extracted_key = hmac.new(bytes(32), b"root", hashlib.sha256).digest()
    digest = hmac.new(extracted_key, b"overplay links\x01", hashlib.sha256).digest()
    assert list(keys.derive_keys("links")) == [digest]


def test_laptop_stores_previous_keys_next_to_its_key(tmp_path: Path) -> None:
    first_secret_key = environment.load_secret_key({}, tmp_path)
    keys.rotate_root_key(tmp_path)
    keys.rotate_root_key(tmp_path)
    assert environment.load_secret_key({}, tmp_path) != first_secret_key
    assert len(environment.load_previous_secret_keys({}, tmp_path)) == 2
    assert environment.load_previous_secret_keys({}, tmp_path)[1] == first_secret_key
    assert (tmp_path / keys.OLD_KEYS_FILE_NAME).stat().st_mode & 0o077 == 0
    environment_values = {"SECRET_KEY": "x", "SECRET_KEY_FALLBACKS": "y, z"}
    assert environment.load_previous_secret_keys(environment_values, tmp_path) == ["y", "z"]


@pytest.mark.django_db
def test_links_signed_with_lost_key_work_until_replaced(settings: Any) -> None:
    session, user = evenings.seat_session()
    hall.phones.services.create_table_links(session=session, by=user)
    hall.challenges.services.create_entry_links(event=session.event, by=user)
    old_table_link = TableLink.objects.all()[0]
    path, desk = old_table_link.path, f"/director/events/{session.event.slug}/"
    client = Client()
    client.force_login(user)
    secret_key_before, settings.SECRET_KEY = settings.SECRET_KEY, NEW_KEY
    settings.SECRET_KEY_FALLBACKS = [secret_key_before]
    assert old_table_link.path == path
    client.force_login(user)
    assert "can’t be reprinted" not in client.get(desk).content.decode()
    settings.SECRET_KEY_FALLBACKS = []
    client.force_login(user)
    assert client.get(path).status_code == 200
    link_querysets = [TableLink.objects.all(), EntryLink.objects.all()]
    assert count_unprintable_links(*link_querysets) == 9
    assert "9 QR codes still work but can’t be reprinted" in client.get(desk).content.decode()
    client.post(f"{desk}links-anew/")
    assert count_unprintable_links(*link_querysets) == 0
    assert client.get(path).status_code == 410
    assert "can’t be reprinted" not in client.get(desk).content.decode()


@pytest.mark.django_db
def test_path_of_version_1_0_link_is_unchanged() -> None:
    session, user = evenings.seat_session()
    link = hall.phones.services.create_table_links(session=session, by=user)[0]
    from clubs.links import encode_token, hash_token

    digest = salted_hmac("overplay.table-link", link.salt, algorithm="sha256").digest()
    link.token_hash = hash_token(encode_token(digest))
    link.save()
    assert link.path == f"/t/{encode_token(digest)}/"


@pytest.mark.django_db
def test_new_secret_key_ends_login_sessions(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.delenv("SECRET_KEY")
    (tmp_path / keys.KEY_FILE_NAME).write_text(settings.SECRET_KEY)
    monkeypatch.setattr(rekey, "REENCRYPT_FUNCTIONS", (lambda: 3,))
    session, user = evenings.seat_session()
    link = hall.phones.services.create_table_links(session=session, by=user)[0]
    path, client = link.path, Client()
    client.force_login(user)
    output = StringIO()
    call_command("rekey", stdout=output)
    assert "1 logins were signed out and 3 secrets" in output.getvalue()
    assert link.path == path
    assert client.get("/director/").status_code == 302


@pytest.mark.django_db
def test_rekey_tells_server_operator_where_to_put_old_key(settings: Any) -> None:
    output = StringIO()
    call_command("rekey", stdout=output)
    assert f"SECRET_KEY_FALLBACKS={settings.SECRET_KEY}" in output.getvalue()
    with pytest.raises(CommandError, match="Put the old key there"):
        call_command("rekey", "--finish")
