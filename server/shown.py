"""One number for each thing that public pages show: who writes raises it, who draws reads it.

An answer for everybody names the numbers that it was drawn at. As long as none of them has
grown it is as good as new, however old it is; each process hears of those that grow (see
`server.listening`).
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import connection, transaction

from server.listening import CHANNEL, NUMBERS
from server.models import Shown

_waiting: ContextVar[set[str] | None] = ContextVar("waiting", default=None)

RAISE = """
    INSERT INTO server_shown (about, no) VALUES (%s, %s)
    ON CONFLICT (about) DO UPDATE
    SET no = CASE WHEN server_shown.no >= excluded.no THEN server_shown.no + 1
                  ELSE excluded.no END
    RETURNING no
"""


@contextmanager
def together() -> Iterator[None]:
    """Inside a transaction: what many acts alter has its number raised once, at the end."""
    if _waiting.get() is not None:
        yield
        return
    abouts: set[str] = set()
    token = _waiting.set(abouts)
    try:
        yield
    finally:
        _waiting.reset(token)
    for about in sorted(abouts):
        raise_number(about)


def raise_number(about: str) -> None:
    """Say that what everybody may see of a thing alters with this transaction.

    The number is the time in thousandths of a second, or one more than it was where the clock
    was put back: after a restored backup no number comes a second time.
    """
    waiting = _waiting.get()
    if waiting is not None:
        waiting.add(about)
        return
    with connection.cursor() as cursor:
        cursor.execute(RAISE, [about, int(time.time() * 1000)])
        no = int(cursor.fetchone()[0])
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{about} {no}"])
    transaction.on_commit(lambda: NUMBERS.learn(about, no))


def numbers(abouts: Iterable[str]) -> dict[str, int]:
    """Read the numbers of some things as the database has them; 0 for one that has no row."""
    wanted = tuple(abouts)
    found = dict(Shown.objects.filter(about__in=wanted).values_list("about", "no"))
    return {about: found.get(about, 0) for about in wanted}
