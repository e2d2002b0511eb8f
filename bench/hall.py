"""What each page of a hall of a hundred tables costs the server, in two sections.

Run by hand: `python -m bench.hall`. The evening is that of `stage --tables 100`, three rounds
of seven in. Prints processor time, of the first answer and of the fastest of three, and the
number of queries.
"""

import sys
import time
from typing import Any

from bench.setup import own_folder

TABLES = 100
DIRECTOR = (
    *("", "room/", "scores/", "scores/?by=round", "standings/", "closing/", "seats/"),
    *("change/", "papers/", "history/", "entries/", "tables/", "rulings/", "movement/"),
)
PUBLIC = ("", "standings/", "boards/", "boards/1/", "recap/", "entries/1/", "screen/", "clock/")


def main() -> None:
    """Print the figures."""
    with own_folder():
        from django.conf import settings
        from django.test import Client

        import clubs.services
        from hall.rehearsal.staging import stage
        from server.models import User

        settings.ALLOWED_HOSTS = ["*"]
        settings.STORAGES["staticfiles"]["BACKEND"] = (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
        user = User.objects.create(username="director")
        club = clubs.services.create_club(name="Bench", owner=user, by=user)
        started = time.process_time()
        slug = stage(club=club, tables=TABLES, played=3, by=user).event.slug
        print(f"{'staged':<32} {time.process_time() - started:8.1f} s", flush=True)
        director, anybody = Client(), Client()
        director.force_login(user)
        for client, root, paths in (
            (director, f"/director/events/{slug}/", DIRECTOR),
            (anybody, f"/events/{slug}/", PUBLIC),
        ):
            for path in paths:
                times, queries, size = _request(client, root + path)
                print(
                    f"{root[:10] + '… ' + path:<32} {times[0] * 1000:8.0f} ms first "
                    f"{min(times) * 1000:6.0f} ms {queries:4d} queries {size // 1024:5d} kB",
                    flush=True,
                )


def _request(client: Any, path: str) -> tuple[list[float], int, int]:
    """Ask for a page three times."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    times, queries, size = [], 0, 0
    for _ in range(3):
        with CaptureQueriesContext(connection) as found:
            started = time.process_time()
            answer = client.get(path, headers={"HX-Request": "true"})
            times.append(time.process_time() - started)
        if answer.status_code != 200:
            sys.exit(f"{path}: {answer.status_code}")
        queries, size = len(found), len(answer.content)
    return times, queries, size


if __name__ == "__main__":
    main()
