"""A feed that programs for reading news follow: Atom, an entry an evening and a season.

Its names last: an evening keeps its own when its address or its title changes, and a correction
moves its moment. Source: RFC 4287.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from exchange.sheets import UNPRINTED


@dataclass(frozen=True, slots=True)
class News:
    """One thing that is new: its lasting name, its words, where to read on, since when."""

    uid: str
    title: str
    words: str
    href: str
    updated: datetime


def feed_of(*, uid: str, title: str, own: str, home: str, news: Sequence[News]) -> bytes:
    """Write a feed; `own` is where it lies itself, `home` the page that it is of."""
    latest = max((each.updated for each in news), default=datetime(2000, 1, 1, tzinfo=UTC))
    entries = "".join(_entry(each) for each in news)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>urn:uuid:{uid}</id>\n<title>{_text(title)}</title>\n"
        f"<updated>{_moment(latest)}</updated>\n<author><name>{_text(title)}</name></author>\n"
        f'<link rel="self" type="application/atom+xml" href={quoteattr(own)}/>\n'
        f'<link rel="alternate" type="text/html" href={quoteattr(home)}/>\n'
        f"{entries}</feed>\n"
    ).encode()


def _entry(news: News) -> str:
    return (
        f"<entry>\n<id>urn:uuid:{news.uid}</id>\n<title>{_text(news.title)}</title>\n"
        f"<updated>{_moment(news.updated)}</updated>\n"
        f'<link rel="alternate" type="text/html" href={quoteattr(news.href)}/>\n'
        f"<summary>{_text(news.words)}</summary>\n</entry>\n"
    )


def _text(text: str) -> str:
    return escape(UNPRINTED.sub("", text))


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
