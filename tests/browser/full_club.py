"""A club that fills the pages of the program, and the address of each page."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Any

from django.test import Client
from django.utils import timezone

import clubs.evenings.services
import drives.services
import scoring.services
from clubs.models import Booking, Club, TableLink
from clubs.services.person_links import create_person_links
from config.demo_season import create_demo_season
from drives.models import Drive
from drives.scores.presets import find_preset_by_code
from scoring.tasks import recompute_standings
from seasons.grades.services.computation import compute_grades
from seasons.grades.services.settings import set_grades_enabled
from seasons.ladders.services.handicaps import set_season_handicap
from seasons.ladders.services.trophies import create_trophy, engrave_trophy
from server.models import User
from tests import acts, evenings
from tests.refusals import short_error_responses
from tests.releases import night, walk
from tests.releases.chance import Clock
from tests.worlds import ActivityScenario
from tournaments.swiss.plan import SwissPlan

SKIPPED_URL_PREFIXES = (
    "admin/",
    "api/",
    "logout/",
    "start/",
)  # of Django, programs, and laptops
PAGES_PER_ROUTE = 2  # of the events in different states

KNOCKOUT_SLUG, SWISS_SLUG, TEAMS_SLUG, DRIVE_SLUG = (
    f"{name}-{night.DAY}" for name in ("knockout", "swiss-pairs", "team-match", "wiezen")
)
MORE_DIRECTOR_PAGES = [
    *(f"/director/events/{KNOCKOUT_SLUG}/{page}/" for page in ("bracket", "prizes", "stages")),
    *(f"/director/events/{SWISS_SLUG}/{page}/" for page in ("room", "rounds", "movement")),
    *(f"/director/events/{TEAMS_SLUG}/{page}/" for page in ("scores", "standings", "entries")),
    *(
        f"/director/drives/{DRIVE_SLUG}/{page}"
        for page in ("", "sheets/", "players/", "papers/")
    ),
]
"""Pages of events and drives that differ from those of the first events in the database."""


@dataclass(frozen=True)
class FullClub:
    """The login that directs the club, and the pages of each kind of visitor."""

    user: User
    director_pages: list[str]
    public_pages: list[str]
    """Public pages, and those with a secret link."""


def build_full_club() -> FullClub:
    """Create a club with evenings of every kind and state."""
    world = ActivityScenario()
    world.seat()
    world.begin()
    club, user = world.club, world.user
    play_pairs(club, user)
    clock = Clock(timezone.now())
    for create_event in (night.play_teams, night.play_individual, night.play_sections):
        create_event(club, user, clock)
    night.create_planned_event(club, user)
    create_knockout(club, user)
    create_swiss_event(club, user)
    create_contract_drive(club, user)
    create_season(club, user)
    player = create_person_with_booking(club, user)
    director_pages, public_pages = list_pages(user, player)
    closed_drive_slug = Drive.objects.exclude(closed_at=None)[0].slug
    public_pages += [f"/drives/{closed_drive_slug}/", f"/drives/{closed_drive_slug}/screen/"]
    links = {link.evening_id: link.path for link in TableLink.objects.filter(revoked_at=None)}
    return FullClub(
        user, director_pages + MORE_DIRECTOR_PAGES, [player, *public_pages, *links.values()]
    )


def play_pairs(club: Club, user: User) -> None:
    """Create a closed session with rulings, queries, and the cards of its boards."""
    event = night.create_event(club, "Autumn pairs", [2] * 6, user)
    session = night.seat_newest_session(event, "compass", 2, user, pairs=6)
    acts.request_dealing(session, user)
    session = acts.open_session(night.reload_session(session), user)
    night.enter_results(session, user)
    night.enter_by_phone(session, user)
    night.make_rulings(session, user)
    acts.create_entry_links(night.reload_session(session), user)
    acts.close_session(night.reload_session(session), user)
    night.create_score_queries(event, user)


def create_knockout(club: Club, user: User) -> None:
    """Create a bracket of six pairs in strata, with prizes."""
    event = night.create_event(club, "Knockout", [2] * 6, user)
    scoring.services.set_bracket(event=event, seeds=range(1, 7), by=user)
    scoring.services.record_match(event=event, match_key=(1, 2), by=user, margins=["3"])
    scoring.services.set_strata(event=event, lines=[("A", ""), ("B", "")], by=user)
    prizes = [{"name": "Cup", "listed": "all"}, {"name": "Purse", "kind": "money", "value": 5}]
    scoring.services.set_prizes(event=event, prizes=prizes, by=user)


def create_swiss_event(club: Club, user: User) -> None:
    """Create a Swiss event whose first round is drawn."""
    event = night.create_event(club, "Swiss pairs", [2] * 8, user)
    session = event.sessions.get()
    scoring.services.seat_swiss(
        session=session, plan=SwissPlan(3), boards_a_round=2, copy_count=4, method="",
        by_corrected=None, random_seed="lot", by=user,
    )  # fmt: skip
    scoring.services.open_session(session=night.reload_session(session), by=user)


def create_contract_drive(club: Club, user: User) -> None:
    """Create a drive with contracts, and with codes for its tables."""
    preset = find_preset_by_code("wiezen-evening")
    assert preset is not None
    drive = drives.services.create_drive(
        club=club, name="Wiezen", date=night.DAY, form="lot", rounds=3, hands=4,
        players=[drives.services.NewPlayer(name=name) for name in evenings.SURNAMES[:9]],
        score=dict(preset.score), by=user,
    )  # fmt: skip
    drives.services.create_table_links(drive=drive, by=user)


def create_season(club: Club, user: User) -> None:
    """Create a season with ladders, a handicap, grades and a trophy."""
    season = create_demo_season(club)
    set_season_handicap(season=season, terms={"figure": "plus", "least": 1}, by=user)
    trophy = create_trophy(club=club, name="Challenge cup", by=user)
    engrave_trophy(trophy=trophy, year="2025", winner_names=["Ann Lee", "Bob Ray"], by=user)
    for event in club.events.all():
        recompute_standings(event.pk)
    set_grades_enabled(club=club, is_on=True, by=user)
    compute_grades(club)


def create_person_with_booking(club: Club, user: User) -> str:
    """Create an evening that players book, and return the personal link of one player."""
    values: dict[str, Any] = {
        "date": timezone.localdate() + timedelta(days=5), "start": None, "place": "",
        "title": "Thursday", "books": True, "places": 4, "unit": "players",
        "fee_member": 300, "fee_visitor": 550,
    }  # fmt: skip
    fixture = clubs.evenings.services.create_fixture(club=club, values_by_field=values, by=user)
    player = club.players.filter(grades__isnull=False).order_by("pk")[0]
    ends_at = timezone.now() + timedelta(days=9)
    (link,) = create_person_links(club=club, players=[player], ends_at=ends_at, by=user)
    person = clubs.evenings.services.NewPerson(player=player)
    clubs.evenings.services.create_booking(fixture=fixture, people=[person], by=user)
    assert Booking.objects.exists()
    return link.path


def list_pages(user: User, player: str) -> tuple[list[str], list[str]]:
    """Return the pages of directors, and those of everyone else, at most two of a route."""
    director, public_client = Client(), Client()
    director.force_login(user)
    public_client.get(player)  # opens the personal pages
    found_paths: tuple[list[str], list[str]] = ([], [])
    with short_error_responses():
        for route, pages in groupby(walk.list_pages(), key=lambda page: page.route):
            if route.startswith(SKIPPED_URL_PREFIXES):
                continue
            is_director_page = route.startswith("director/")
            client = director if is_director_page else public_client
            found_paths[not is_director_page].extend(
                choose_pages(client, [page.path for page in pages])
            )
    return found_paths


def choose_pages(client: Client, paths: list[str]) -> Iterator[str]:
    """Yield the first paths that respond with a complete page."""
    remaining_count = PAGES_PER_ROUTE
    for path in paths:
        response = client.get(path)
        if response.status_code == 405 or not remaining_count:
            return
        is_html = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code == 200 and is_html and b"<html" in response.getvalue():
            remaining_count -= 1
            yield path
