"""The script with which version 1.0 creates a year of evenings (`bench.old_year`).

It runs in a checkout of 1.0 with its names, and reads a folder, a number of evenings and a
database URL, which is empty for SQLite, from the command line.
"""

YEAR_SCRIPT = """
import json
import sys
import time
from datetime import timedelta
from pathlib import Path

import tests.conftest  # before Django's settings: the tests' key and data folder
from tests.releases import store

folder, count, url = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
store.set_up()

from django.core.management import call_command

import hall.phones.services
import scoring.services
import tournaments.services
from clubs.models import Membership
from config.environment import database
from scoring.models import Doubt, Result
from scoring.services.doubts import keep_result
from tests import acts, evenings
from tests.databases import opened, sqlite_file
from tests.releases import given, night
from tests.releases.chance import told


night.keep_result = lambda **_arguments: None  # it would choose one of any evening


def accept_queried(session, by):
    rows = Result.objects.filter(doubt=Doubt.QUERIED, sitting__section__session=session)
    for result in rows.order_by("pk")[:1]:
        keep_result(sitting=result.sitting, board=result.board, by=by)


def marks(number):
    return lambda round_, table, board: (3 * round_ + 5 * table + 7 * board + number) % 14


def finish(event, session, by, number, rounds=99):
    acts.order_boards(session, by)
    session = acts.open_play(night.again(session), by)
    night.play(session, by, rounds=rounds, mark=marks(number))
    return night.again(session)


def pairs(club, by, number, clock):
    size = 6 + 2 * (number % 3)
    method = ("plus_minus", "matchpoints", "tricks")[number % 3]
    movement = "howell" if size == 8 or number % 2 else "compass"
    event = night.an_event(club, f"Pairs {number}", [2] * size, by, method=method)
    session = night.seated(event, movement, 1 + number % 2, by, pairs=size)
    night.done_again(acts.show, session, by)
    acts.draw(session, by)
    session = finish(event, session, by, number)
    night.by_phone(session, by)
    accept_queried(session, by)
    night.rulings(session, by)
    clock.wait(hours=3)
    acts.close_session(night.again(session), by)
    if number % 4 == 0:
        acts.reopen(night.again(session), by)
        acts.take_back(acts.newest(event), event, by)
    night.questions(event, by)
    if size == 6 and number % 10 != 3:
        acts.settle(session, by)
        second = tournaments.services.add_session(event=event, date=night.DAY, by=by)
        night.open_evening(second, by, clock)
    elif number % 4 == 1:
        acts.rename(night.again(session), by)
        acts.put_away(night.again(session), by)


def teams(club, by, number, clock):
    terms = {"contest": "teams", "method": "matches"}
    event = night.an_event(club, f"Teams {number}", [4] * 5, by, **terms)
    session = finish(event, night.seated(event, "howell-teams", 2, by, teams=5), by, number)
    night.done_again(acts.penalty, session, by)
    acts.close_session(night.again(session), by)


def individual(club, by, number, clock):
    event = night.an_event(club, f"Individual {number}", [1] * 8, by, contest="individual")
    session = night.seated(event, "whist-individual", 1, by, players=8)
    session = finish(event, session, by, number)
    acts.close_session(night.again(session), by)


def memory(club, by, number, clock):
    event = night.an_event(club, f"Memory {number}", [2, 2], by, contest="memory")
    session = finish(event, night.seated(event, "memory", 3, by, pairs=2), by, number)
    acts.close_session(night.again(session), by)


def sections(club, by, number, clock):
    night.sections(club, by, clock)


ORDER = (pairs, pairs, teams, pairs, individual, pairs, sections, pairs, memory, pairs)


def create_year():
    with told(night.BEGINS - timedelta(weeks=count), "year") as clock:
        club, owner = evenings.club("Riverside Whist Club", "owner")
        director = night.a_login(club, "director", Membership.Role.DIRECTOR)
        for number in range(count):
            clock.wait(days=7)
            night.DAY = clock.moment.date()
            ORDER[number % len(ORDER)](club, director, number, clock)
        night.planned(club, director)
        night.people(club, owner)
        return clock.moment


def main():
    if url:
        description = database({"DATABASE_URL": url}, folder)
    else:
        description = sqlite_file(folder / "overplay.sqlite3")
    began = time.monotonic()
    with opened(description):
        call_command("migrate", verbosity=0)
        moment = create_year()
        made = time.monotonic() - began
        with told(moment):
            year = {
                "moment": moment.isoformat(),
                "seconds": made,
                "results": Result.objects.count(),
                "standings": given.standings_anew(),
                "event files": given.event_files(),
                "goes back": given.what_goes_back(),
            }
    (folder / "year.json").write_text(json.dumps(year, ensure_ascii=False))


main()
"""
