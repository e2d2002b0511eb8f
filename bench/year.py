"""A club's year after ten of them: how long its pages, files and the static site take.

    python -m bench.year --years 10

It stages one evening of 30 pairs, copies it to a week of its own so many years back, other
people in the seats each time, and asks for each page twice: as the first after a change, and
as everybody after. Times are of this process alone. Ends with 0 where all are within bounds.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

WEEKS = 52
PEOPLE = 90
Told = dict[str, Any]


def main() -> int:
    """Build the club, and measure in a program of its own, so that its memory is its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--keep", type=Path, help="a folder where the club stays, or lies")
    parser.add_argument("--only", default="", help="the measures whose names have this in them")
    parser.add_argument("--step", choices=("build", "measure"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        return _step(options)
    with tempfile.TemporaryDirectory() as work:
        folder = options.keep or Path(work)
        if not (folder / "built").exists():
            _run("build", folder, options)
            (folder / "built").touch()
        return _run("measure", folder, options)


def _run(step: str, folder: Path, options: argparse.Namespace) -> int:
    environ = os.environ | {
        "DATA_DIR": str(folder),
        "BACKUP_BY_ITSELF": "no",
        "SECRET_KEY": "only for this " * 5,
    }
    command = [sys.executable, "-m", "bench.year", "--step", step, "--only", options.only]
    return subprocess.run([*command, "--years", str(options.years)], env=environ).returncode


def _step(options: argparse.Namespace) -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from django.conf import settings

    from server.databases import prepare_database

    settings.ALLOWED_HOSTS = ["*"]
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    prepare_database()
    if options.step == "build":
        _build(options.years)
        return 0
    return _measure(options.only)


def _build(years: int) -> None:
    """Stage an evening, close it, copy it week by week, and settle seasons and ladders."""
    from django.core.management import call_command

    import scoring.services
    from clubs.models import Club, Player
    from scoring.reckoning import standings
    from tournaments.models import Session

    call_command("stage", "--tables", "15", "--rounds", "12", "--boards", "2",
                 "--played", "12", verbosity=0)  # fmt: skip
    session = Session.objects.get()
    scoring.services.close_session(session=session, by=None)
    Club.objects.update(correction_hours=0)
    standings.recompute(session.event)
    club = session.event.club
    there = club.players.count()
    Player.objects.bulk_create(
        Player(club=club, name=f"Person Number{n}", number=str(n)) for n in range(there, PEOPLE)
    )
    _weeks(club, years * WEEKS)
    _seasons(club, years)


def _seasons(club: Any, years: int) -> None:
    from seasons.models import Ladder, Season

    today = date.today()
    spans = [(f"year-{n}", today - timedelta(weeks=WEEKS * n)) for n in range(years)]
    for slug, last in spans:
        _season(club, slug, last - timedelta(weeks=WEEKS) + timedelta(days=1), last)
    _season(club, "all-years", today - timedelta(weeks=WEEKS * years), today)
    assert Season.objects.count() == years + 1
    assert Ladder.objects.exists()


def _season(club: Any, slug: str, first: date, last: date) -> None:
    from seasons.models import Ladder, Season
    from seasons.services.handicaps import freeze_handicaps, set_season_handicap

    season = Season.objects.create(
        club=club, slug=slug, name=slug, first_day=first, last_day=last
    )
    place = {"measure": "place", "points": [10, 8, 6, 5, 4, 3, 2, 1], "combine": "sum"}
    mean = {"measure": "plus_a_board", "combine": "mean", "minimum": 8}
    for name, rule in (("players", place | {"best": 20}), ("mean", mean)):
        rows = {"name": name, "rule": {"who": "players"} | rule}
        Ladder.objects.create(season=season, slug=name, **rows)
    if slug == "year-0":
        set_season_handicap(season=season, terms={}, by=None)
        freeze_handicaps(season)


def _weeks(club: Any, weeks: int) -> None:
    """Copy the event with everything below it, a week earlier each time."""
    from django.db import transaction

    from clubs.archives.keys import reserved
    from clubs.archives.known import tables
    from clubs.models import Player
    from config.archives import KNOWN

    rooms = ("boards", "tournaments", "scoring")
    carried = [
        t for t in tables(KNOWN)
        if t.label.startswith(rooms) or t.label == "clubs.Evening"
    ]  # fmt: skip
    rows = {t.label: list(t.rows(club, KNOWN).values()) for t in carried}
    people = list(Player.objects.filter(club=club).order_by("pk"))
    chance = Random(5)
    for back in range(1, weeks):
        keys = {
            t.label: dict(
                zip(
                    (row["id"] for row in rows[t.label]),
                    reserved(t.model, len(rows[t.label])),
                    strict=True,
                )
            )
            for t in carried
        }
        mixed = chance.sample(people, len(people))
        seats = {old.pk: new for old, new in zip(people, mixed, strict=True)}
        with transaction.atomic():
            for table in carried:
                made = [_copied(table, row, keys, back, seats) for row in rows[table.label]]
                table.model._base_manager.bulk_create(made, batch_size=500)
    _name_entries()


def _copied(
    table: Any, row: Told, keys: dict[str, dict[int, int]], back: int, seats: Any
) -> Any:
    """Make a row like another, of the same copy as all that it leads to."""
    from clubs.archives.known import pointed_to

    new = dict(row)
    for field in table.fields:
        name, to = field.attname, pointed_to(field)
        if field.primary_key:
            new[name] = keys[table.label][row[name]]
        elif to is not None:
            new[name] = _pointed(to._meta.label, row[name], keys, seats)
        elif field.name in ("uid", "date", "form_key"):
            new[name] = _own(field.name, row[name], back)
        elif field.unique and row[name] is not None:
            new[name] = f"{row[name]}-{back}"[-60:]
    return table.model(**new)


def _pointed(label: str, value: Any, keys: dict[str, dict[int, int]], seats: Any) -> Any:
    """What a copy leads to: the copy of what the first led to, or another person."""
    if label == "clubs.Player":
        return seats[value].pk if value in seats else value
    return keys.get(label, {}).get(value, value)


def _own(name: str, value: Any, back: int) -> Any:
    """What each copy has for itself: a name that lasts, its day, no key of a form."""
    if name == "date":
        return value - timedelta(weeks=back)
    return uuid4() if name == "uid" else None


def _name_entries() -> None:
    from tournaments.models import Entry

    entries = list(Entry.objects.prefetch_related("memberships__player"))
    for entry in entries:
        entry.name = " & ".join(each.player.name for each in entry.memberships.all())
    Entry.objects.bulk_update(entries, ["name"], batch_size=500)


def _measure(only: str) -> int:
    from django.test import Client

    found = _measures(Client())
    over = 0
    for name, limit, work in found:
        if only not in name:
            continue
        first, size = _timed(work)
        again, _size = _timed(work) if limit < 2 else (first, size)
        is_over = again > limit
        over += is_over
        print(
            f"{name:44} first {first * 1000:8.0f} ms, then {again * 1000:8.0f} ms, "
            f"bound {limit * 1000:6.0f} ms{'  OVER' if is_over else ''}  {size}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"over": over, "megabytes": round(peak)}))
    return 1 if over else 0


def _timed(work: Callable[[], object]) -> tuple[float, object]:
    began = time.process_time()
    size = work()
    return time.process_time() - began, size


def _measures(client: Any) -> list[tuple[str, float, Callable[[], object]]]:
    """What is asked, within how many seconds of the processor."""
    from clubs.models import Club
    from clubs.services.person_links import make_links
    from seasons.everything import everything
    from seasons.models import Season
    from seasons.published.writing import event_document, events_to_publish
    from seasons.services.figures import events_behind, keep_figures
    from seasons.site.whole import club_site, one_evening
    from seasons.year_end import end_of_addresses
    from server.planning import measure_tables

    measure_tables()  # what a worker does as it begins
    for behind in events_behind():
        keep_figures(behind)  # what a worker does after each evening
    club = Club.objects.get()
    base = f"/clubs/{club.slug}"
    event = events_to_publish(club).last()
    person = club.players.order_by("pk")[3]
    year = Season.objects.get(slug="year-0")
    (link,) = make_links(club=club, players=[person], ends_at=end_of_addresses(club), by=None)
    client.get(link.path)

    def page(path: str) -> Callable[[], object]:
        def asked() -> str:
            answer = client.get(path)
            assert answer.status_code == 200, (path, answer.status_code)
            return f"{len(answer.getvalue()) // 1024} kB"

        return asked

    def files(made: Callable[[], Iterable[tuple[str, bytes]]]) -> Callable[[], object]:
        def made_all() -> str:
            number, size = 0, 0
            for _name, content in made():
                number, size = number + 1, size + len(content)
            return f"{number} files, {size // 1024} kB"

        return made_all

    pages = [
        ("ladder page", 0.05, f"{base}/seasons/year-0/players/"),
        ("ladder of means", 0.05, f"{base}/seasons/year-0/mean/"),
        ("ladder over all years", 0.15, f"{base}/seasons/all-years/players/"),
        ("season page", 0.05, f"{base}/seasons/year-0/"),
        ("club page", 0.05, f"{base}/"),
        ("calendar", 0.05, f"{base}/calendar/"),
        ("records", 0.05, f"{base}/records/"),
        ("honours", 0.05, f"{base}/honours/"),
        ("feed", 0.05, f"{base}/feed.xml"),
        ("person's page, public", 0.05, f"/players/{person.pk}/"),
        ("person's own page", 0.05, "/me/"),
        ("handicaps", 0.15, f"{base}/handicaps/year-0/"),
        ("an evening with handicap", 0.15, f"{base}/handicaps/year-0/{event.slug}/"),
    ]
    return [
        *((name, limit, page(path)) for name, limit, path in pages),
        ("document of an evening", 0.5, lambda: len(json.dumps(event_document(event)))),
        ("site of one evening", 0.5, files(lambda: one_evening(event))),
        ("site of a season", 15.0, files(lambda: club_site(club, year))),
        ("everything, of a season", 5.0, files(lambda: everything(club, year))),
        ("everything", 20.0, files(lambda: everything(club, None))),
        ("site of all years", 150.0, files(lambda: club_site(club))),
    ]


if __name__ == "__main__":
    sys.exit(main())
