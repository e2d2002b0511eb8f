"""A club's season, calendar, bookings and publications, created only through the services."""

from datetime import date, datetime, timedelta
from typing import Any

import clubs.evenings.services
import clubs.services
import scoring.services
from clubs.evenings.first_seats import Chair
from clubs.evenings.services import NewCheckIn, NewPerson
from clubs.models import Club, Fixture, Player
from clubs.services.person_links import create_person_links
from drives.models import Drive
from hall.demo_evenings import create_evening, pair_players
from scoring.tasks import recompute_standings
from seasons.grades.services.computation import compute_grades
from seasons.grades.services.settings import hide_grade, set_grades_enabled
from seasons.ladders.models import Season
from seasons.ladders.rules.presets import PRESETS
from seasons.ladders.services.handicaps import (
    freeze_handicaps,
    set_personal_handicap,
    set_season_handicap,
)
from seasons.ladders.services.importing import create_season
from seasons.ladders.services.ladders import close_season
from seasons.ladders.services.trophies import create_trophy, engrave_trophy
from seasons.publishing.club_files import queue_club_file
from seasons.publishing.documents.values import compute_digest
from seasons.publishing.documents.writing import build_drive_document
from seasons.publishing.services import SentDocument, receive_document, set_destination
from server.models import User
from tests.releases import night
from tests.releases.chance import Clock

PLAYER_COUNT = 12
EVENING_COUNT = 4
LADDER_POINTS = ("10", "7", "5", "3", "2", "1")
LADDER_EVENING_COUNT = 2  # evenings that count, or are needed, in a ladder


def create_club_year(club: Club, by: User, clock: Clock) -> None:
    """Create everything of a year that isn't a drive or a rubber night."""
    clubs.services.set_congress_features(club=club, congress=True, by=by)
    clubs.services.set_currency(club=club, currency="EUR", by=by)
    clubs.services.set_club_appearance(club=club, short_name="RWC", accent="forest", by=by)
    set_person_details(club, by)
    season = create_full_season(club, by, clock)
    create_calendar(club, by, clock)
    create_open_check_in(club, by)
    publish_documents(club, season, by)
    clubs.services.set_language(club=club, language="nl", by=by)


def list_players(club: Club) -> list[Player]:
    """Return the players whose names are public, in order of entry."""
    return list(club.players.filter(shown="name").order_by("pk"))


def set_person_details(club: Club, by: User) -> None:
    """Store data, consents and personal links of some players."""
    ann, bob, *_other_players = list_players(club)
    details: dict[str, Any] = {
        "number": "17", "kind": "member", "joined": date(2020, 3, 10),
        "email": "ann@example.org", "phone": "+44 20 7946 0000",
    }  # fmt: skip
    clubs.services.update_person(
        player=ann, details=details, consents={"mail": True, "contact": True}, by=by
    )
    clubs.services.update_person(
        player=bob, details={"kind": "visitor"}, consents={"mail": False}, by=by
    )
    clubs.services.create_different_people_record(player=ann, other_player=bob, by=by)
    ends_at = datetime.fromisoformat("2030-01-01T12:00:00+00:00")
    create_person_links(club=club, players=[ann, bob], ends_at=ends_at, by=by)


def create_full_season(club: Club, by: User, clock: Clock) -> Season:
    """Create a season with each kind of ladder, a handicap, grades and trophies."""
    names = [player.name for player in list_players(club)[:PLAYER_COUNT]]
    for evening_index in range(EVENING_COUNT):
        clock.wait(days=7)
        session = create_evening(
            club, f"Club night {evening_index + 1}",
            pair_players(names, distance=1 + 2 * evening_index),
            night.DAY + timedelta(weeks=evening_index + 1), round_count=len(names) // 4, by=by,
        )  # fmt: skip
        scoring.services.close_session(session=session, by=by)
    ladders: list[dict[str, Any]] = [
        {
            "slug": preset.preset_key,
            "name": preset.get_name(),
            **preset.build_rule(LADDER_EVENING_COUNT, LADDER_POINTS),
        }
        for preset in PRESETS
    ]
    season = create_season(
        club=club, name="Season 2026–27", first_day=date(2026, 9, 1),
        last_day=date(2027, 8, 31), ladders=ladders, by=by,
    )  # fmt: skip
    set_season_handicap(season=season, terms={"figure": "plus", "least": 1}, by=by)
    player = list_players(club)[0]
    set_personal_handicap(
        season=season, player=player.pk, a_board="1/4", reason="a beginner", by=by
    )
    freeze_handicaps(season)
    trophy = create_trophy(club=club, name="Challenge cup", by=by)
    engrave_trophy(trophy=trophy, year="2025", winner_names=["Ann Lee", "Bob Ray"], by=by)
    create_trophy(club=club, name="Ladder cup", ladder_slug="best", by=by)
    for event in club.events.order_by("pk"):
        recompute_standings(event.pk)
    set_grades_enabled(club=club, is_on=True, by=by)
    while compute_grades(club):
        pass
    hide_grade(player=list_players(club)[1], is_hidden=True, by=by)
    close_season(season=season, by=by)
    return season


def create_calendar(club: Club, by: User, clock: Clock) -> None:
    """Create a series, one evening of which is cancelled, and an evening that people book."""
    today = clock.moment.date()
    first_day = today + timedelta(days=7)
    rule = {
        "kind": "weekly", "first": first_day.isoformat(), "every": 4,
        "weekday": first_day.weekday(),
    }  # fmt: skip
    values: dict[str, Any] = {
        "title": "Monthly", "rule": rule, "holidays": {}, "start": None, "place": "Hall",
        "books": True, "places": 4, "unit": "pairs", "closes_hours": 3,
    }  # fmt: skip
    series = clubs.evenings.services.create_series(club=club, values_by_field=values, by=by)
    cancelled_fixture = series.fixtures.order_by("series_day")[1]
    clubs.evenings.services.cancel_fixture(fixture=cancelled_fixture, by=by)
    values = {
        "date": today + timedelta(days=5), "start": None, "place": "", "title": "Thursday",
        "books": True, "places": 4, "unit": "players", "fee_member": 300, "fee_visitor": 550,
    }  # fmt: skip
    fixture = clubs.evenings.services.create_fixture(club=club, values_by_field=values, by=by)
    create_bookings(fixture, by)


def create_bookings(fixture: Fixture, by: User) -> None:
    """Book more people than there are places, and take the table money of some."""
    people = list_players(fixture.evening.club)[:7]
    for pair in (people[0:2], people[2:3], people[3:4], people[4:6], people[6:7]):
        clubs.evenings.services.create_booking(
            fixture=fixture, people=[NewPerson(player=player) for player in pair],
            is_director=True, by=by,
        )  # fmt: skip
    rows = clubs.evenings.services.record_attendance(fixture=fixture, players=people, by=by)
    for row, how in zip(rows, ("cash", "other", "free"), strict=False):
        clubs.evenings.services.record_payment(attendance=row, settlement=how, by=by)
    clubs.evenings.services.change_attendance_kind(
        attendance=rows[4], attendance_kind="junior", by=by
    )


def create_open_check_in(club: Club, by: User) -> None:
    """Leave the check-in of an event open, with one table seated."""
    day = night.DAY + timedelta(weeks=EVENING_COUNT + 1)
    event = scoring.services.create_event(club=club, name="Check-in", date=day, by=by)
    evening = event.sessions.get().evening
    clubs.evenings.services.open_check_in(evening=evening, table_count=2, subject=event, by=by)
    people = [
        NewCheckIn(name=player.name, player=player, chair=Chair(1, 1 + index))
        for index, player in enumerate(list_players(club)[:4])
    ]
    clubs.evenings.services.check_in_people(
        evening=evening, people=people, subject=event, by=by
    )


def publish_documents(club: Club, season: Season, by: User) -> None:
    """Set a destination, queue files, and let another club receive a drive's document."""
    set_destination(
        club=club, address="https://whist.example.org/clubs/riverside/",
        token="t" * 43, is_automatic=False, by=by,
    )  # fmt: skip
    queue_club_file(club=club, file_kind="site", season=season, by=by)
    queue_club_file(club=club, file_kind="everything", has_full_names=True, by=by)
    receiving_club = Club.objects.exclude(pk=club.pk).order_by("pk")[0]
    drive = Drive.objects.filter(club=club).exclude(closed_at=None).order_by("pk")[0]
    document = build_drive_document(drive)
    sent_document = SentDocument(drive.uid, 1, compute_digest(document), document)
    receive_document(club=receiving_club, sent_document=sent_document, by=by)
