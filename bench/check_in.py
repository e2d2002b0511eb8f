"""160 people check in at 40 tables by phone, and the event starts.

Run manually: `python -m bench.check_in`, about a minute. It starts `serve` on SQLite in a new
folder. Each person's phone opens the table's page, chooses a seat, requests the names for three
letters and sits down; then it polls the table. The director then opens the list and starts. It
prints the response times, and exits with 1 unless everyone sits within 90 seconds and no one
has to move. The phones run on the same machine.
"""

import argparse
import asyncio
import re
import sys
import time
from collections import defaultdict
from datetime import date
from typing import Any

from bench.load import LAPTOP_COMMAND, PORT, print_step, run_program
from bench.phones import HTMX_HEADER, Connection, compute_percentiles
from bench.setup import set_up_folder

HTML_HEADER = "Accept: text/html"
POLL_SECONDS = 8
MAX_SEATING_SECONDS = 90
SEATS = (1, 2, 3, 4)
Times = dict[str, list[float]]


def main() -> int:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=60, help="in which people sit down")
    options = parser.parse_args()
    with set_up_folder():
        print_step(f"check-in opens at {options.tables} tables")
        event, paths = _open_check_in(options.tables)
        times: Times = defaultdict(list)
        with run_program(LAPTOP_COMMAND, port=PORT):
            print_step("people sit down")
            started_at = time.monotonic()
            asyncio.run(_run_phones(paths, options.seconds, times))
            seating_seconds = time.monotonic() - started_at
            _start_session(event, times)
        return _print_results(event, options.tables, seating_seconds, times)


def _open_check_in(tables: int) -> tuple[Any, list[str]]:
    """Create a club with 160 players, of whom half show their name, and open the check-in."""
    import clubs.services
    import scoring.services
    from clubs.evenings.services import open_check_in
    from clubs.models import Player
    from server.models import User

    user = User.objects.create(username="director")
    club = clubs.services.create_club(name="Bench", owner=user, by=user)
    for number in range(len(SEATS) * tables):
        name_visibility = Player.Shown.NAME if number % 2 else Player.Shown.NO_NAME
        Player.objects.create(club=club, name=_build_name(number), shown=name_visibility)
    event = scoring.services.create_event(
        club=club, name="Bench", date=date(2026, 11, 27), by=user
    )
    evening = event.sessions.get().evening
    open_check_in(evening=evening, table_count=tables, subject=event, by=user)
    return event, [link.path for link in evening.table_links.order_by("table")]


def _build_name(number: int) -> str:
    """Return a name of letters that differs from the others in more than one letter."""
    first_letter_index, second_letter_index = divmod(number, 20)
    return f"{chr(65 + first_letter_index) * 4}ann {chr(65 + second_letter_index) * 4}olm"


async def _run_phones(paths: list[str], seconds: float, times: Times) -> None:
    people = [(path, seat) for path in paths for seat in SEATS]
    poll_tasks: list[asyncio.Task[None]] = []
    start_delays = (seconds * number / len(people) for number in range(len(people)))
    await asyncio.gather(
        *(
            _sit_down(path, seat, _build_name(number), start_delay, times, poll_tasks)
            for number, ((path, seat), start_delay) in enumerate(
                zip(people, start_delays, strict=True)
            )
        )
    )
    for poll_task in poll_tasks:
        poll_task.cancel()


async def _sit_down(
    path: str,
    seat: int,
    name: str,
    delay: float,
    times: Times,
    polls: list[asyncio.Task[None]],
) -> None:
    await asyncio.sleep(delay)
    connection, page_url = Connection(PORT), f"{path}check-in/"
    await _send(connection, "opens", times, page_url, HTML_HEADER)
    await _send(connection, "chooses a seat", times, f"{page_url}?seat={seat}", HTML_HEADER)
    search_url = f"{page_url}?seat={seat}&name={name[:3]}"
    await _send(connection, "types three letters", times, search_url, HTMX_HEADER)
    form = {"act": "sit", "seat": seat, "name": name}
    await _send(connection, "sits down", times, page_url, HTML_HEADER, form)
    polls.append(asyncio.create_task(_poll(connection, page_url, times)))


async def _poll(connection: Connection, page_url: str, times: Times) -> None:
    while True:
        await asyncio.sleep(POLL_SECONDS)
        await _send(connection, "polls", times, page_url, HTMX_HEADER)


async def _send(connection: Connection, label: str, times: Times, *request: Any) -> None:
    started_at = time.monotonic()
    status, _body = await connection.request(*request)
    times[label].append(time.monotonic() - started_at)
    if status >= 400:
        times["failed"].append(0)


def _start_session(event: Any, times: Times) -> None:
    """Open the list and the page before the start, then start."""
    from django.conf import settings
    from django.test import Client

    from server.models import User

    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    client.force_login(User.objects.get(username="director"))
    desk_url = f"/director/events/{event.slug}/check-in/"
    for label, url in (
        ("director's list", desk_url),
        ("before the start", f"{desk_url}start/"),
    ):
        started_at = time.monotonic()
        page = client.get(url).content.decode()
        times[label].append(time.monotonic() - started_at)
    versions = re.findall(r'name="version" value="(\w+)"', page)
    started_at = time.monotonic()
    client.post(f"{desk_url}start/", {"act": "start", "choice": "0", "version": versions[:1]})
    times["start"].append(time.monotonic() - started_at)


def _print_results(event: Any, tables: int, seating_seconds: float, times: Times) -> int:
    from hall.check_in.events import EVENT_CHECK_IN
    from hall.check_in.sheets import load_page

    for label, waits in sorted(times.items()):
        row = compute_percentiles(waits)
        print(f"{label:20} {row['n']:5} p50 {row['p50']:5.0f} ms, p95 {row['p95']:5.0f} ms")
    session = event.sessions.get()
    people = session.evening.check_ins.count()
    mover_count = len(load_page(EVENT_CHECK_IN, session.evening).movers)
    print(f"{people} of {len(SEATS) * tables} people sat down in {seating_seconds:.0f} s")
    print(f"the session is {session.state}, and {mover_count} people move")
    is_done = people == len(SEATS) * tables and session.state == session.State.OPEN
    return 0 if is_done and not mover_count and seating_seconds <= MAX_SEATING_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
