"""API views of rubber nights: create, seat, record, correct, undo, import and export."""

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.activities.secrecy import format_public_name
from clubs.api.activities import (
    SecretSerializer,
    build_secret_response,
    create_activity,
    import_activity,
)
from drives.drive_access import load_director_drive_access
from rubbers import rubber_access, services
from rubbers.api.serializers import (
    NewRubberNightSerializer,
    NextRubberHandSerializer,
    RubberCodeSerializer,
    RubberHandCorrectionSerializer,
    RubberJoinSerializer,
    RubberNightChangesSerializer,
    RubberNightSerializer,
    RubberSeatingSerializer,
    RubberStandingSerializer,
    RubberTableSerializer,
    RubberUndoSerializer,
    TablePersonSerializer,
)
from rubbers.files.export import export_night
from rubbers.models import RubberNight
from rubbers.rubber.seating import Cuts
from rubbers.services import NewRubberPlayer
from rubbers.sheets.marker import build_marker_page_data
from rubbers.snapshot import load_night
from server.api.endpoints import (
    EmptySerializer,
    describe_operation,
    endpoint,
    paginate,
    validate_body,
)


@describe_operation("GET", "rubbers", RubberNightSerializer, is_paginated=True)
@describe_operation(
    "POST",
    "rubbers_begin",
    RubberNightSerializer,
    request=NewRubberNightSerializer,
    is_created=True,
)
@endpoint("GET", "POST")
def list_or_create_nights(request: Request) -> Response:
    """List the rubber nights, or create one."""
    if request.method == "GET":
        rubber_nights = RubberNight.objects.exclude_hidden().select_related(
            "club", "evening", "drive"
        )
        return paginate(request, rubber_nights, RubberNightSerializer)
    input_data = validate_body(NewRubberNightSerializer, request)
    input_data["players"] = [
        NewRubberPlayer(name=player["name"]) for player in input_data["players"]
    ]
    rubber_nights = RubberNight.objects.all()
    return create_activity(
        request, RubberNightSerializer, input_data, rubber_nights, services.create_rubber_night
    )


@describe_operation("GET", "rubber_night", RubberNightSerializer)
@describe_operation(
    "PATCH", "rubbers_change", RubberNightSerializer, request=RubberNightChangesSerializer
)
@endpoint("GET", "PATCH")
def show_or_change_rubber_night(request: Request, slug: str) -> Response:
    """Show a night, or change its name, its code or its terms."""
    if request.method == "GET":
        return _build_night_response(rubber_access.load_public_night_access(slug).night)
    night = rubber_access.load_director_night_access(request, slug).night
    changes = validate_body(RubberNightChangesSerializer, request)
    return _build_night_response(services.change_night(night=night, by=request.user, **changes))


def _build_night_response(night: RubberNight) -> Response:
    return Response(RubberNightSerializer(night).data)


@describe_operation("POST", "rubbers_close", RubberNightSerializer, request=EmptySerializer)
@endpoint("POST")
def close_rubber_night(request: Request, slug: str) -> Response:
    """Close a night: score unfinished rubbers by the terms, and publish the secret."""
    night = rubber_access.load_director_night_access(request, slug).night
    return _build_night_response(services.close_rubber_night(night=night, by=request.user))


@describe_operation("POST", "rubbers_reopen", RubberNightSerializer, request=EmptySerializer)
@endpoint("POST")
def reopen_rubber_night(request: Request, slug: str) -> Response:
    """Reopen a closed night."""
    night = rubber_access.load_director_night_access(request, slug).night
    return _build_night_response(services.reopen_rubber_night(night=night, by=request.user))


@describe_operation("POST", "rubbers_undo", RubberNightSerializer, request=RubberUndoSerializer)
@endpoint("POST", required_scope="score")
def undo_last_act(request: Request, slug: str) -> Response:
    """Undo the last act at a table, or (for directors) the last act of the night."""
    night = rubber_access.load_scorer_night_access(request, slug).night
    input_data = validate_body(RubberUndoSerializer, request)
    if "table" not in input_data:
        night = rubber_access.load_director_night_access(request, slug).night
    services.undo_last_act(night=night, by=request.user, **input_data)
    return _build_night_response(rubber_access.load_public_night_access(slug).night)


@describe_operation("GET", "rubbers_secret", SecretSerializer, error_statuses=(400, 404))
@endpoint("GET")
def show_secret(request: Request, slug: str) -> Response:
    """Show the secret of a closed night, with which anyone can repeat its random cuts."""
    return build_secret_response(rubber_access.load_public_night_access(slug).night)


@describe_operation(
    "GET", "rubbers_file", OpenApiTypes.OBJECT, error_statuses=(400, 401, 403, 404)
)
@endpoint("GET", is_public=False)
def export_file(request: Request, slug: str) -> Response:
    """Export a night as a file; an open night's file has no secret."""
    night = rubber_access.load_director_night_access(request, slug).night
    return Response(export_night(load_night(night), should_include_secret=False))


@describe_operation(
    "POST",
    "rubbers_import",
    RubberNightSerializer,
    request=OpenApiTypes.OBJECT,
    is_created=True,
)
@endpoint("POST", is_public=False)
def import_file(request: Request, slug: str) -> Response:
    """Import a night's file into a club; idempotent."""
    return import_activity(request, slug, RubberNightSerializer, services.import_rubber_night)


@describe_operation(
    "POST", "rubbers_of_drive", RubberNightSerializer, request=RubberCodeSerializer
)
@endpoint("POST")
def enable_rubbers_for_drive(request: Request, slug: str) -> Response:
    """Let the tables of a drive record rubbers, whose points become the scores of the drive."""
    drive = load_director_drive_access(request, slug).drive
    input_data = validate_body(RubberCodeSerializer, request)
    return _build_night_response(
        services.enable_rubbers(drive=drive, by=request.user, **input_data)
    )


@describe_operation("GET", "rubbers_standing", RubberStandingSerializer(many=True))
@endpoint("GET")
def show_standings(request: Request, slug: str) -> Response:
    """Show the standings by points, rubbers won and games won."""
    snapshot = load_night(rubber_access.load_public_night_access(slug).night)
    numbers_by_player_key = {
        str(player_number): player_number for player_number in snapshot.players
    }
    standing_data = [
        totals._asdict()
        | {
            "number": numbers_by_player_key[totals.player_key],
            "name": format_public_name(
                snapshot.players[numbers_by_player_key[totals.player_key]]
            ),
        }
        for totals in snapshot.standings
    ]
    return Response(RubberStandingSerializer(standing_data, many=True).data)


@describe_operation("GET", "rubber_tables", RubberTableSerializer(many=True))
@endpoint("GET")
def list_tables(request: Request, slug: str) -> Response:
    """List all tables with their players, scores and hands."""
    snapshot = load_night(rubber_access.load_public_night_access(slug).night)
    table_data = [
        build_marker_page_data(snapshot, table, format_public_name)
        for table in snapshot.tables.values()
    ]
    return Response(RubberTableSerializer(table_data, many=True).data)


def _build_table_response(
    request: Request, slug: str, table_number: int, round_number: int = 0
) -> Response:
    snapshot = load_night(rubber_access.load_public_night_access(slug).night)
    table = snapshot.tables[round_number, table_number]
    return Response(
        RubberTableSerializer(build_marker_page_data(snapshot, table, format_public_name)).data
    )


@describe_operation(
    "POST", "rubber_mark", RubberTableSerializer, request=NextRubberHandSerializer
)
@endpoint("POST", required_scope="score")
def record_hand(request: Request, slug: str, table: int) -> Response:
    """Record the next hand of a table."""
    night = rubber_access.load_scorer_night_access(request, slug).night
    input_data = validate_body(NextRubberHandSerializer, request)
    hand_key = {
        name: input_data.pop(name)
        for name in ("spell", "number", "round")
        if name in input_data
    }
    services.record_hand(night=night, table=table, hand=input_data, by=request.user, **hand_key)
    return _build_table_response(request, slug, table, hand_key.get("round", 0))


@describe_operation(
    "PUT", "rubber_correct", RubberTableSerializer, request=RubberHandCorrectionSerializer
)
@endpoint("PUT", required_scope="score")
def correct_hand(request: Request, slug: str, table: int, spell: int, number: int) -> Response:
    """Correct a hand; all later hands are scored again."""
    night = rubber_access.load_scorer_night_access(request, slug).night
    input_data = validate_body(RubberHandCorrectionSerializer, request)
    options = {name: input_data.pop(name) for name in ("reason", "round") if name in input_data}
    services.correct_hand(
        night=night, table=table, spell=spell, number=number, hand=input_data, by=request.user,
        **options,
    )  # fmt: skip
    return _build_table_response(request, slug, table, options.get("round", 0))


@describe_operation(
    "POST", "rubber_seat", RubberTableSerializer, request=RubberSeatingSerializer
)
@endpoint("POST", required_scope="score")
def seat_next_players(request: Request, slug: str, table: int) -> Response:
    """Seat the next four players of a table; refused while players have to cut again."""
    night = rubber_access.load_scorer_night_access(request, slug).night
    input_data = validate_body(RubberSeatingSerializer, request)
    cuts = input_data.pop("cuts", {})
    services.seat_next_players(
        night=night,
        table=table,
        seating_mode=input_data.pop("how"),
        cuts=Cuts(
            leaving_cuts=tuple(cuts.get("out", ())), seat_cuts=tuple(cuts.get("into", ()))
        ),
        by=request.user,
        **input_data,
    )
    return _build_table_response(request, slug, table)


@describe_operation("POST", "rubber_join", TablePersonSerializer, request=RubberJoinSerializer)
@endpoint("POST", required_scope="score")
def join_table(request: Request, slug: str, table: int) -> Response:
    """Add a member to a table."""
    night = rubber_access.load_scorer_night_access(request, slug).night
    input_data = validate_body(RubberJoinSerializer, request)
    player = services.join_table(
        night=night,
        table=table,
        guest=NewRubberPlayer(name=input_data.get("name", "")),
        number=input_data.get("number"),
        by=request.user,
    )
    return Response(
        TablePersonSerializer({"number": player.number, "name": player.full_name}).data
    )


@describe_operation("POST", "rubber_leave", RubberTableSerializer, request=EmptySerializer)
@endpoint("POST", required_scope="score")
def remove_table_member(request: Request, slug: str, table: int, number: int) -> Response:
    """Remove a member from a table; a rubber in play is broken off."""
    night = rubber_access.load_scorer_night_access(request, slug).night
    services.remove_table_member(night=night, table=table, number=number, by=request.user)
    return _build_table_response(request, slug, table)
