"""Cached public pages for readers of one, two and seven languages, in one process.

Run manually: `python -m bench.languages`, half a minute. It sends the same requests in turn to
the program with one, two and seven languages, in blocks, and prints the responses for each
second of processor time, as a share of those with one language. `cached` are pages that
everyone has already fetched. `changing` changes the event after every 2,000 responses, so that
each language is rendered again.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable

from bench.setup import set_up_folder, stage_evening

LANGUAGE_CODES = ("en", "nl", "fr", "de", "da", "nb", "sv")
LANGUAGE_COUNTS = (1, 2, 7)
REQUESTS_PER_BLOCK, BLOCK_COUNT, REQUESTS_PER_CHANGE = 2000, 21, 2000
ACCEPT_LANGUAGE_TEMPLATE = "{code}-{code},{code};q=0.9,en;q=0.8"


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=BLOCK_COUNT)
    block_count = parser.parse_args().blocks
    with set_up_folder():
        _measure_languages(block_count)


def _measure_languages(blocks: int) -> None:
    path, subject = _stage_event()
    send_request, choose_languages = _build_client(path)
    for word, requests_per_change in (("cached", 0), ("changing", REQUESTS_PER_CHANGE)):
        rates: dict[int, list[float]] = {
            language_count: [] for language_count in LANGUAGE_COUNTS
        }
        for block in range(blocks):
            for language_count in LANGUAGE_COUNTS if block % 2 else reversed(LANGUAGE_COUNTS):
                choose_languages(language_count)
                rates[language_count].append(
                    _measure_block_rate(
                        send_request, language_count, subject, requests_per_change
                    )
                )
        single_rate = statistics.median(rates[1])
        for language_count in LANGUAGE_COUNTS:
            rate = statistics.median(rates[language_count])
            print(
                f"{word:>8}, {language_count} languages: {rate:7.0f} a second, "
                f"{rate / single_rate:5.1%}"
            )


def _stage_event() -> tuple[str, str]:
    """Create an event with results; return the URL path of a page, and the event's key."""
    from django.conf import settings

    from scoring.standings_engine import standings
    from server.invalidation import KNOWN_VERSIONS

    settings.ALLOWED_HOSTS.append("testserver")
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    event = stage_evening(tables=12, sections=1, played_round_count=6).event
    standings.update_standings(event)
    KNOWN_VERSIONS.is_connected = True  # as on a server: no query for a cached page
    return f"/events/{event.slug}/", event.audit_key


def _build_client(path: str) -> tuple[Callable[[str], None], Callable[[int], None]]:
    """Return a function that requests the page, and one that sets how many languages exist."""
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIHandler
    from django.test import RequestFactory
    from django.test.signals import setting_changed

    from server.languages import find_language

    handler = WSGIHandler()
    environs = {
        code: RequestFactory()
        .get(
            path,
            HTTP_ACCEPT_ENCODING="gzip",
            HTTP_ACCEPT_LANGUAGE=ACCEPT_LANGUAGE_TEMPLATE.format(code=code),
        )
        .environ
        for code in LANGUAGE_CODES
    }

    def send(code: str) -> None:
        statuses: list[str] = []
        body = handler(dict(environs[code]), lambda status, *_rest: statuses.append(status))
        if not statuses[0].startswith("200") or not b"".join(body):
            sys.exit(f"{path}: {statuses[0]}")

    def choose(count: int) -> None:
        find_language.cache_clear()
        settings.LANGUAGES = [(code, code) for code in LANGUAGE_CODES[:count]]
        setting_changed.send(
            sender=None, setting="LANGUAGES", value=settings.LANGUAGES, enter=True
        )

    return send, choose


def _measure_block_rate(
    send_request: Callable[[str], None], count: int, subject: str, change_every: int
) -> float:
    """Return the responses for each second of processor time."""
    from server.public_versions import bump_version

    for code in LANGUAGE_CODES[:count]:  # a change of settings has emptied Django's own caches
        send_request(code)
    started_at = time.process_time()
    for number in range(REQUESTS_PER_BLOCK):
        if change_every and number % change_every == 0:
            bump_version(subject)
        send_request(LANGUAGE_CODES[number % count])
    return REQUESTS_PER_BLOCK / (time.process_time() - started_at)


if __name__ == "__main__":
    main()
