"""Creation of the published documents of evenings and seasons, with exact numbers.

The data come from the functions of the public pages, which return only public names and no
secret results (`scoring.secrecy`).
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
from drives.sheets.standing import build_drive_standings, list_awards
from drives.snapshot import load_drive_snapshot
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
from seasons.publishing.documents.values import (
    DOCUMENT_FORMAT,
    DRIVE_KIND,
    EVENT_KIND,
    SEASON_KIND,
)
from server.plain_values import pick_values
from tournaments.models import Entry, Event, EventQuerySet

PublishableActivity = Drive | RubberNight
JsonObject = dict[str, Any]


def list_activities_to_publish(
    club: Club, season_filter: Season | None = None
) -> list[PublishableActivity]:
    """Return the closed and listed drives and independent rubber nights, sorted by date.

    A rubber night that scores a drive is part of that drive's document.
    """
    querysets: Iterable[ActivityQuerySet[PublishableActivity]] = (
        Drive.objects.exclude_hidden(),
        RubberNight.objects.exclude_hidden(),
    )
    activities = [
        activity
        for queryset in querysets
        for activity in queryset.filter(club=club, state=Drive.State.CLOSED).select_related(
            "club", "evening"
        )
    ]
    return sorted(
        (
            activity
            for activity in activities
            if season_filter is None or _is_in_season(activity.date, season_filter)
        ),
        key=lambda activity: (activity.date, activity.slug),
    )


def build_drive_document(activity: PublishableActivity) -> JsonObject:
    """Return the document of a drive or rubber night: places, prizes and public names."""
    is_drive = isinstance(activity, Drive)
    return {
        "format": DOCUMENT_FORMAT,
        "kind": DRIVE_KIND,
        **pick_values(
            activity, uid="uid", club="club.name", slug="slug", name="name", date="date"
        ),
        "variety": "drive" if is_drive else "rubber",
        **(
            _serialize_drive(activity)
            if isinstance(activity, Drive)
            else _serialize_night(activity)
        ),
    }


def _is_in_season(day: Date, season: Season) -> bool:
    return season.first_day <= day <= season.last_day


def _serialize_drive(drive: Drive) -> JsonObject:
    snapshot = load_drive_snapshot(drive)
    standing_lines = build_drive_standings(snapshot, format_public_name).lines
    return {
        "places": [
            {
                **pick_values(standing_line, rank="rank", tied="is_tied", name="person.name"),
                "points": str(standing_line.points),
                "rests": standing_line.rests,
            }
            for standing_line in standing_lines
        ],
        "prizes": [
            {
                "words": award.prize_text,
                "name": award.person.name if award.person else "",
                "why": award.reason,
            }
            for award in list_awards(snapshot, format_public_name)
        ],
    }


def _serialize_night(night: RubberNight) -> JsonObject:
    snapshot = load_night(night)
    names_by_number = {
        standing_line.number: standing_line.name
        for standing_line in build_night_sheet(snapshot, format_public_name).standing_lines
    }
    return {
        "places": [
            {
                "rank": standing.rank,
                "tied": standing.is_tied,
                "name": names_by_number[int(standing.player_key)],
                "points": str(standing.points),
                "rubbers": [standing.rubbers_won, standing.rubbers],
                "games": [standing.games_won, standing.games],
            }
            for standing in snapshot.standings
        ],
        "prizes": [],
    }


def query_events_to_publish(club: Club, season_filter: Season | None = None) -> EventQuerySet:
    """Return the public events of a club, or of one season, that are over."""
    events = Event.objects.filter(club=club).public()
    if season_filter is not None:
        events = events.filter(date__range=(season_filter.first_day, season_filter.last_day))
    return events.select_related("club", "terms").order_by("date", "slug")


def build_event_document(event: Event) -> JsonObject:
    """Return the document of a closed event.

    The number of queries grows only with the number of sessions.
    """
    with transaction.atomic():
        standings.update_standings(event)
    rank_table = load_rank_table(event)
    sessions = list(event.sessions.select_related("evening", "event", "board_set"))
    snapshots = [load_session_snapshot(session) for session in sessions]
    return {
        "format": DOCUMENT_FORMAT,
        "kind": EVENT_KIND,
        **pick_values(
            event, uid="uid", club="club.name", slug="slug", name="name", date="date"
        ),
        "contest": event.contest,
        "method": rank_table.method,
        "sessions": [
            {"number": session.number, "date": session.day.isoformat()} for session in sessions
        ],
        "fields": [
            {
                "section": ranked_group.section,
                "field": ranked_group.field,
                "average": _format_exact_number(ranked_group.average),
                "rows": [_serialize_rank_row(row) for row in ranked_group.rows],
            }
            for ranked_group in rank_table.fields
        ],
        "entries": _serialize_entries(event, snapshots),
        "boards": [
            board for snapshot in snapshots for board in _iter_serialized_boards(snapshot)
        ],
    }


def build_season_document(season: Season) -> JsonObject:
    """Return the document of a season with its ladders."""
    ladder_sheets = [
        build_ladder_sheet(ladder, table) for ladder, table in load_ladder_tables(season)
    ]
    return {
        "format": DOCUMENT_FORMAT,
        "kind": SEASON_KIND,
        **pick_values(season, uid="uid", club="club.name", slug="slug", name="name"),
        "from": season.first_day.isoformat(),
        "to": season.last_day.isoformat(),
        "ladders": [_serialize_ladder(ladder_sheet) for ladder_sheet in ladder_sheets],
    }


def _serialize_rank_row(rank_row: RankRow) -> JsonObject:
    return {
        **pick_values(rank_row, "rank", "tied", "entry", "label", "name", "boards"),
        **pick_values(
            rank_row, "tricks", "score", "percent", "a_board", "wins_overall", "notes"
        ),
        # Only events with drawn rounds have these keys, so other documents stay unchanged.
        **(
            pick_values(rank_row, "corrected", "by_corrected")
            if rank_row.corrected is not None
            else {}
        ),
    }


def _serialize_entries(event: Event, snapshots: Iterable[SessionSnapshot]) -> list[JsonObject]:
    sat_out_rounds_by_entry: dict[int, list[list[int]]] = {}
    for snapshot in snapshots:
        for seated_table in snapshot.tables:
            if not seated_table.is_played:
                for entry_number in (*seated_table.ns.entries, *seated_table.ew.entries):
                    sat_out_rounds_by_entry.setdefault(entry_number, []).append(
                        [snapshot.session.number, seated_table.round]
                    )
    entries = event.entries.prefetch_related("memberships__player").order_by("number")
    return [
        {
            "number": entry.number,
            "name": entry.name,
            "people": _serialize_people(entry),
            "sat_out": sorted(sat_out_rounds_by_entry.get(entry.number, [])),
        }
        for entry in entries
    ]


def _serialize_people(entry: Entry) -> list[JsonObject]:
    people = [membership.player for membership in entry.memberships.all()]
    return [{"name": person.shown_name, "named": has_public_page(person)} for person in people]


def _iter_serialized_boards(snapshot: SessionSnapshot) -> Iterable[JsonObject]:
    tables_by_sitting = {table.sitting_id: table for table in snapshot.tables}
    for traveller in load_travellers(snapshot):
        yield _serialize_board(snapshot, traveller, tables_by_sitting)


def _serialize_board(
    snapshot: SessionSnapshot,
    traveller: Traveller,
    tables_by_sitting: Mapping[int, SeatedTable],
) -> JsonObject:
    deal = traveller.deal
    return {
        "session": snapshot.session.number,
        "board": traveller.board,
        "dealer": traveller.dealer.value,
        "turn_up": deal.turn_up.code if deal and deal.turn_up else None,
        "trumps": deal.declared_trumps.value if deal and deal.declared_trumps else None,
        "hands": format_hands(deal, Seat.NORTH) if deal else None,
        "best": traveller.best_ns_tricks if deal else None,
        "average": _format_exact_number(traveller.ns_average),
        "plays": [
            _serialize_play(traveller_line, tables_by_sitting[traveller_line.sitting_id])
            for traveller_line in traveller.lines
        ],
    }


def _serialize_play(traveller_line: TravellerLine, seated_table: SeatedTable) -> JsonObject:
    return {
        **pick_values(traveller_line, "section", "round", place="table_label"),
        **pick_values(traveller_line, "outcome", ruled="ruling_kind"),
        "trumps": traveller_line.trump.code if traveller_line.trump else None,
        "notes": list(traveller_line.notes),
        "ns": _serialize_side(seated_table.ns, traveller_line, "ns"),
        "ew": _serialize_side(seated_table.ew, traveller_line, "ew"),
    }


def _serialize_side(
    side: SeatedSide, traveller_line: TravellerLine, side_prefix: str
) -> JsonObject:
    """Return the data of one side of a play, with points if the event is scored in points."""
    attributes_by_key = {
        "tricks": "tricks",
        "counts": "counted_tricks",
        "score": "score",
        "mark": "mark",
    }
    side_data = pick_values(side, "entries", "label", "name")
    side_data |= pick_values(
        traveller_line,
        **{key: f"{side_prefix}_{attribute}" for key, attribute in attributes_by_key.items()},
    )
    points_data = pick_values(traveller_line, points=f"{side_prefix}_points")
    return side_data if points_data["points"] is None else side_data | points_data


def _serialize_ladder(ladder_sheet: LadderSheet) -> JsonObject:
    return {
        **pick_values(ladder_sheet.ladder, "slug", "name"),
        **pick_values(
            ladder_sheet,
            rule="rule",
            heading="totals_heading",
            signed="has_signed_totals",
            evenings="evening_count",
        ),
        "places": [_serialize_ladder_line(ladder_line) for ladder_line in ladder_sheet.lines],
    }


def _serialize_ladder_line(ladder_line: LadderLine) -> JsonObject:
    return {
        **pick_values(ladder_line, rank="rank", tied="is_tied", who="person_names"),
        "named": bool(ladder_line.row_key),
        **pick_values(ladder_line, evenings="evening_count", needs="missing_evening_count"),
        "value": str(ladder_line.total),
        "marks": ladder_line.marks,
    }


def _format_exact_number(number: Fraction | int | None) -> str | None:
    return None if number is None else str(number)
