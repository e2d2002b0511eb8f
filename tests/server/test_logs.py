"""The log contains no cards and no secrets."""

import io
import logging

import pytest
from django.test import Client

from server.logs import RedactingFormatter, redact_hands

HAND = "AKQ2.T98.7654.32"


@pytest.mark.parametrize(
    "text", [HAND, f"N:{HAND} J3.AKQ.AKQJT.987 ...", "AKQJT98765432...", "...AKQJT98765432"]
)
def test_card_hands_are_redacted_from_log_text(text: str) -> None:
    assert "AKQ" not in redact_hands(text)


@pytest.mark.parametrize(
    "text", ["127.0.0.1", "version 5.2.19.3", "10.255.255.254", "GET /boards/12/", "wait ..."]
)
def test_log_text_without_card_hands_is_unchanged(text: str) -> None:
    assert redact_hands(text) == text


def test_card_hands_are_redacted_from_traceback() -> None:
    try:
        raise ValueError(f"Failing row contains (1, N:{HAND} {HAND} {HAND} {HAND}, C9)")
    except ValueError as error:
        record = logging.LogRecord(
            "x", 40, "f", 1, "It broke", None, (type(error), error, None)
        )
    line = RedactingFormatter().format(record)
    assert "It broke" in line
    assert "Failing row contains (1, N:* * * *, C9)" in line


def test_log_line_begins_with_its_time_in_utc() -> None:
    record = logging.LogRecord("x", 40, "f", 1, "It broke", None, None)
    record.created, record.msecs = 1_800_000_000.25, 250.0
    line = RedactingFormatter().format(record)
    assert line == "2027-01-15T08:00:00.250Z ERROR x: It broke"


SECRETS = [
    "GET /t/Ab3_xyz-1234567890123/ 500",
    "/e/Ab3_xyz-1234567890123/?round=2",
    "see http://club.example/type/Ab3_xyz-1234567890123",
    "/invite/short1",
    "/reset/MQ/set-Ab3_xyz/",
    "Authorization: Token 9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b",
    "{'HTTP_AUTHORIZATION': 'Token 9944b09199c62bcf'}",
    "Cookie: sessionid=9944b09199c62bcf; csrftoken=9944b09199c62bcf",
    "{'sessionid': '9944b09199c62bcf', 'csrftoken': '9944b09199c62bcf'}",
    "password=9944b09199c62bcf&next=/",
    "new_password1='9944b09199c62bcf'",
    "postgres://overplay:9944b09199c62bcf@db:5432/overplay refused",
    "redis://:9944b09199c62bcf@queue:6379/0",
    "otpauth://totp/Overplay:anna?secret=9944b09199c62bcf&issuer=Overplay",
    "SECRET_KEY=9944b09199c62bcf",
    '{"token": "9944b09199c62bcf"}',
]


@pytest.mark.parametrize("text", SECRETS)
def test_logs_contain_no_secrets(text: str) -> None:
    record = logging.LogRecord("x", 40, "f", 1, "%s", (text,), None)
    line = RedactingFormatter(["t", "e", "type", "invite", "reset"]).format(record)
    assert "*" in line
    for secret in ("Ab3_xyz", "9944b09199c62bcf", "short1"):
        assert secret not in line


@pytest.mark.parametrize(
    "text",
    [
        "/events/tuesday/standings/ 503",
        "Mistake 1a2b3c4d at GET /director/events/tuesday/",
        "https://whist.example.org/events/",
        "postgres://db:5432/overplay",
        "No sweep, the database does not answer: OperationalError",
    ],
)
def test_log_text_without_secrets_is_unchanged(text: str) -> None:
    record = logging.LogRecord("x", 40, "f", 1, "%s", (text,), None)
    assert text in RedactingFormatter(["t", "e", "type"]).format(record)


@pytest.mark.parametrize("text", ["a\nERROR b", "a\r\nb", "a\x1b[31mb", "a\u2028b", "a\0b"])
def test_user_input_adds_no_line_to_the_log(text: str) -> None:
    record = logging.LogRecord("x", 40, "f", 1, "Input: %s", (text,), None)
    line = RedactingFormatter().format(record)
    assert line.isprintable()
    assert len(line.splitlines()) == 1
    assert "Input: a\\" in line


@pytest.mark.parametrize("host", ["evil.example", "a_b", "x" * 300, "127.0.0.1:abc"])
def test_unknown_host_logs_one_line_without_traceback(
    host: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = io.StringIO()
    (console,) = [
        handler for handler in logging.getLogger().handlers if handler.name == "console"
    ]
    monkeypatch.setattr(console, "stream", output)
    assert client.get("/login/", headers={"Host": host}).status_code == 400
    assert "Invalid HTTP_HOST header" in output.getvalue()
    assert output.getvalue().count("\n") == 1
