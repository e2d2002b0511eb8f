"""Creation of the published documents of evenings and seasons, with exact numbers.

The data come from the same functions as the public pages, and these check
`scoring.secrecy`. They return only public names, which keeps hidden names out of documents.
"""

from collections.abc import Iterable, Mapping
from datetime import date as Date
from fractions import Fraction
from typing import Any

from django.db import transaction

from boards.whist import Seat
from boards.whist.notation import format_hands
from clubs.activities.models import ActivityQuerySet
from clubs.activities.secrecy import format_public_name
from clubs.models import Club
from clubs.privacy import has_public_page
from drives.models import Drive
from drives.sheets.standing import build_standing, list_awards
from drives.snapshot import load_drive
from rubbers.models import RubberNight
from rubbers.sheets.night import build_night_sheet
from rubbers.snapshot import load_night
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.travellers import load_travellers
from scoring.sheets.values import RankRow, Traveller, TravellerLine
from scoring.standings_engine import standings
from seasons.ladders.models import Season
from seasons.ladders.season_tables import load_ladder_tables
from seasons.ladders.sheets.ladders import LadderLine, LadderSheet, build_ladder_sheet
from seasons.publishing.documents.values import DRIVE, EVENT, FORMAT, SEASON
from server.plain_values import pick_values
from tournaments.models import Entry, Event, EventQuerySet

Evening = Drive | RubberNight
Data = dict[str, Any]


def list_drives_to_publish(club: Club, only: Season | None = None) -> list[Evening]:
    """Return the closed and listed drives and independent rubber nights, sorted by date.

    A rubber night that scores a drive is part of that drive's document.
    """
    kinds: Iterable[ActivityQuerySet[Evening]] = (
        Drive.objects.exclude_hidden(),
        RubberNight.objects.exclude_hidden(),
    )
    activities = [
        listed_row
        for listed_rows in kinds
        for listed_row in listed_rows.filter(
            club=club, state=Drive.State.CLOSED
        ).select_related("club", "evening")
    ]
    return sorted(
        (activity for activity in activities if only is None or _is_in(activity.date, only)),
        key=lambda drive: (drive.date, drive.slug),
    )


def build_drive_document(of: Evening) -> Data:
    """Return the document of a drive or rubber night: places, prizes and public names."""
    is_drive = isinstance(of, Drive)
    return {
        "format": FORMAT,
        "kind": DRIVE,
        **pick_values(of, uid="uid", club="club.name", slug="slug", name="name", date="date"),
        "variety": "drive" if is_drive else "rubber",
        **(_serialize_drive(of) if isinstance(of, Drive) else _serialize_night(of)),
    }


def _is_in(day: Date, season: Season) -> bool:
    return season.first_day <= day <= season.last_day


def _serialize_drive(drive: Drive) -> Data:
    snapshot = load_drive(drive)
    lines = build_standing(snapshot, format_public_name).lines
    return {
        "places": [
            {
                **pick_values(line, rank="rank", tied="tied", name="person.name"),
                "points": str(line.points),
                "rests": line.rests,
            }
            for line in lines
        ],
        "prizes": [
            {
                "words": award.words,
                "name": award.person.name if award.person else "",
                "why": award.reason,
            }
            for award in list_awards(snapshot, format_public_name)
        ],
    }


def _serialize_night(night: RubberNight) -> Data:
    snapshot = load_night(night)
    names = {
        line.number: line.name for line in build_night_sheet(snapshot, format_public_name).lines
    }
    return {
        "places": [
            {
                "rank": standing.rank,
                "tied": standing.tied,
                "name": names[int(standing.player)],
                "points": str(standing.points),
                "rubbers": [standing.rubbers_won, standing.rubbers],
                "games": [standing.games_won, standing.games],
            }
            for standing in snapshot.standings
        ],
        "prizes": [],
    }


def query_events_to_publish(club: Club, only: Season | None = None) -> EventQuerySet:
    """Return the public events of a club, or of one season, that are over."""
    rows = Event.objects.filter(club=club).public()
    if only is not None:
        rows = rows.filter(date__range=(only.first_day, only.last_day))
    return rows.select_related("club", "terms").order_by("date", "slug")


def build_event_document(event: Event) -> Data:
    """Return the document of a closed event.

    The number of queries grows only with the number of sessions.
    """
    with transaction.atomic():
        standings.update_standings(event)
    table = load_rank_table(event)
    sessions = list(event.sessions.select_related("evening", "event", "board_set"))
    rooms = [load_session_snapshot(session) for session in sessions]
    return {
        "format": FORMAT,
        "kind": EVENT,
        **pick_values(
            event, uid="uid", club="club.name", slug="slug", name="name", date="date"
        ),
        "contest": event.contest,
        "method": table.method,
        "sessions": [
            {"number": session_.number, "date": session_.day.isoformat()}
            for session_ in sessions
        ],
        "fields": [
            {
                "section": field.section,
                "field": field.field,
                "average": _format_exact(field.average),
                "rows": [_serialize_rank_row(row) for row in field.rows],
            }
            for field in table.fields
        ],
        "entries": _serialize_entries(event, rooms),
        "boards": [board for room in rooms for board in _iter_serialized_boards(room)],
    }


def build_season_document(season: Season) -> Data:
    """Return the document of a season with its ladders."""
    sheets = [build_ladder_sheet(row, table) for row, table in load_ladder_tables(season)]
    return {
        "format": FORMAT,
        "kind": SEASON,
        **pick_values(season, uid="uid", club="club.name", slug="slug", name="name"),
        "from": season.first_day.isoformat(),
        "to": season.last_day.isoformat(),
        "ladders": [_serialize_ladder(sheet) for sheet in sheets],
    }


def _serialize_rank_row(row: RankRow) -> Data:
    return {
        **pick_values(row, "rank", "tied", "entry", "label", "name", "boards"),
        **pick_values(row, "tricks", "score", "percent", "a_board", "wins_overall", "notes"),
        # These keys are only in drawn rounds, which leaves all other documents unchanged.
        **(pick_values(row, "corrected", "by_corrected") if row.corrected is not None else {}),
    }


def _serialize_entries(event: Event, rooms: Iterable[SessionSnapshot]) -> list[Data]:
    out: dict[int, list[list[int]]] = {}
    for room in rooms:
        for seated in room.tables:
            if not seated.is_played:
                for number in (*seated.ns.entries, *seated.ew.entries):
                    out.setdefault(number, []).append([room.session.number, seated.round])
    rows = event.entries.prefetch_related("memberships__player").order_by("number")
    return [
        {
            "number": entry.number,
            "name": entry.name,
            "people": _serialize_people(entry),
            "sat_out": sorted(out.get(entry.number, [])),
        }
        for entry in rows
    ]


def _serialize_people(entry: Entry) -> list[Data]:
    people = [membership.player for membership in entry.memberships.all()]
    return [{"name": person.shown_name, "named": has_public_page(person)} for person in people]


def _iter_serialized_boards(room: SessionSnapshot) -> Iterable[Data]:
    tables = {table.sitting: table for table in room.tables}
    for sheet in load_travellers(room):
        yield _serialize_board(room, sheet, tables)


def _serialize_board(
    room: SessionSnapshot, sheet: Traveller, tables: Mapping[int, SeatedTable]
) -> Data:
    deal = sheet.deal
    return {
        "session": room.session.number,
        "board": sheet.board,
        "dealer": sheet.dealer.value,
        "turn_up": deal.turn_up.code if deal and deal.turn_up else None,
        "trumps": deal.declared.value if deal and deal.declared else None,
        "hands": format_hands(deal, Seat.NORTH) if deal else None,
        "best": sheet.best_tricks if deal else None,
        "average": _format_exact(sheet.ns_average),
        "plays": [_serialize_play(line, tables[line.sitting]) for line in sheet.lines],
    }


def _serialize_play(line: TravellerLine, table: SeatedTable) -> Data:
    return {
        **pick_values(line, "section", "round", "place", "outcome", "ruled"),
        "trumps": line.trump.code if line.trump else None,
        "notes": list(line.notes),
        "ns": _serialize_side(table.ns, line, "ns"),
        "ew": _serialize_side(table.ew, line, "ew"),
    }


def _serialize_side(side: SeatedSide, line: TravellerLine, side_prefix: str) -> Data:
    """Return the data of one side of a play; points are included only if the event counts
    points.
    """
    keys = ("tricks", "counts", "score", "mark")
    data = pick_values(side, "entries", "label", "name")
    data |= pick_values(line, **{key: f"{side_prefix}_{key}" for key in keys})
    points = pick_values(line, points=f"{side_prefix}_points")
    return data if points["points"] is None else data | points


def _serialize_ladder(sheet: LadderSheet) -> Data:
    return {
        **pick_values(sheet.row, "slug", "name"),
        **pick_values(sheet, "rule", "heading", "signed", "evenings"),
        "places": [_serialize_place(line) for line in sheet.lines],
    }


def _serialize_place(line: LadderLine) -> Data:
    return {
        **pick_values(line, "rank", "tied", "who"),
        "named": bool(line.key),
        **pick_values(line, "evenings", "needs"),
        "value": str(line.total),
        "marks": line.marks,
    }


def _format_exact(number: Fraction | int | None) -> str | None:
    return None if number is None else str(number)
