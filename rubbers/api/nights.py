"""API views of rubber nights: create, seat, mark, correct, undo, import and export."""

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.activities.secrecy import format_public_name
from clubs.api.activities import (
    SecretAnswer,
    build_secret_response,
    create_activity,
    import_activity,
)
from drives.visits import director_drive
from rubbers import services, visits
from rubbers.api.shapes import (
    ChangedRubbers,
    NewRubberNight,
    RubberCodeShape,
    RubberCorrectShape,
    RubberJoinShape,
    RubberMarkShape,
    RubberNightAnswer,
    RubberSeatShape,
    RubberStandingAnswer,
    RubberTableAnswer,
    RubberUndoShape,
    SomeoneAnswer,
)
from rubbers.files.export import export_night
from rubbers.models import RubberNight
from rubbers.rubber.seating import Cuts
from rubbers.services import NewRubberPlayer
from rubbers.sheets.marker import build_marker
from rubbers.snapshot import load_night
from server.api.endpoints import Nothing, describe_operation, endpoint, paginate, validate_body


@describe_operation("GET", "rubbers", RubberNightAnswer, paged=True)
@describe_operation(
    "POST", "rubbers_begin", RubberNightAnswer, request=NewRubberNight, created=True
)
@endpoint("GET", "POST")
def list_or_create_nights(request: Request) -> Response:
    """List the rubber nights; or begin one."""
    if request.method == "GET":
        rows = RubberNight.objects.exclude_hidden().select_related("club", "evening", "drive")
        return paginate(request, rows, RubberNightAnswer)
    given = validate_body(NewRubberNight, request)
    given["players"] = [NewRubberPlayer(name=each["name"]) for each in given["players"]]
    rows = RubberNight.objects.all()
    return create_activity(request, RubberNightAnswer, given, rows, services.create_night)


@describe_operation("GET", "rubber_night", RubberNightAnswer)
@describe_operation("PATCH", "rubbers_change", RubberNightAnswer, request=ChangedRubbers)
@endpoint("GET", "PATCH")
def show_or_change_night(request: Request, slug: str) -> Response:
    """Show a night; or change its name, its code or its terms."""
    if request.method == "GET":
        return _build_night_response(visits.public_night(slug).night)
    night = visits.director_night(request, slug).night
    given = validate_body(ChangedRubbers, request)
    return _build_night_response(services.change_night(night=night, by=request.user, **given))


def _build_night_response(night: RubberNight) -> Response:
    return Response(RubberNightAnswer(night).data)


@describe_operation("POST", "rubbers_close", RubberNightAnswer, request=Nothing)
@endpoint("POST")
def close(request: Request, slug: str) -> Response:
    """Close a night: what is unfinished counts by its term, and the secret is told."""
    night = visits.director_night(request, slug).night
    return _build_night_response(services.close_night(night=night, by=request.user))


@describe_operation("POST", "rubbers_reopen", RubberNightAnswer, request=Nothing)
@endpoint("POST")
def reopen(request: Request, slug: str) -> Response:
    """Open a closed night again."""
    night = visits.director_night(request, slug).night
    return _build_night_response(services.reopen_night(night=night, by=request.user))


@describe_operation("POST", "rubbers_undo", RubberNightAnswer, request=RubberUndoShape)
@endpoint("POST", needs="score")
def undo_last(request: Request, slug: str) -> Response:
    """Take the last act back that can be: of a table, or (as a director) of the night."""
    night = visits.scorer_night(request, slug).night
    given = validate_body(RubberUndoShape, request)
    if "table" not in given:
        night = visits.director_night(request, slug).night
    services.undo_last_act(night=night, by=request.user, **given)
    return _build_night_response(visits.public_night(slug).night)


@describe_operation("GET", "rubbers_secret", SecretAnswer, refused=(400, 404))
@endpoint("GET")
def show_secret(request: Request, slug: str) -> Response:
    """Tell the secret of a closed night, from which the lot cut."""
    return build_secret_response(visits.public_night(slug).night)


@describe_operation("GET", "rubbers_file", OpenApiTypes.OBJECT, refused=(400, 401, 403, 404))
@endpoint("GET", public=False)
def export_file(request: Request, slug: str) -> Response:
    """Hand out the night's file; the secret is left out until the night is closed."""
    night = visits.director_night(request, slug).night
    return Response(export_night(load_night(night), sealed=False))


@describe_operation(
    "POST",
    "rubbers_import",
    RubberNightAnswer,
    request=OpenApiTypes.OBJECT,
    created=True,
    refused=(400, 401, 404),
)
@endpoint("POST", public=False)
def import_file(request: Request, slug: str) -> Response:
    """Store a night's file in a club; sent twice it is the same night."""
    return import_activity(request, slug, RubberNightAnswer, services.import_rubbers)


@describe_operation("POST", "rubbers_of_drive", RubberNightAnswer, request=RubberCodeShape)
@endpoint("POST")
def enable_for_drive(request: Request, slug: str) -> Response:
    """Let the tables of a drive mark rubbers, whose points are its scores."""
    drive = director_drive(request, slug).drive
    given = validate_body(RubberCodeShape, request)
    return _build_night_response(services.enable_rubbers(drive=drive, by=request.user, **given))


@describe_operation("GET", "rubbers_standing", RubberStandingAnswer(many=True))
@endpoint("GET")
def show_standings(request: Request, slug: str) -> Response:
    """How everybody stands, by points, rubbers won and games won."""
    snapshot = load_night(visits.public_night(slug).night)
    numbers = {str(number): number for number in snapshot.players}
    rows = [
        each._asdict()
        | {
            "number": numbers[each.player],
            "name": format_public_name(snapshot.players[numbers[each.player]]),
        }
        for each in snapshot.standings
    ]
    return Response(RubberStandingAnswer(rows, many=True).data)


@describe_operation("GET", "rubber_tables", RubberTableAnswer(many=True))
@endpoint("GET")
def list_tables(request: Request, slug: str) -> Response:
    """Every table as it stands, with its hands."""
    snapshot = load_night(visits.public_night(slug).night)
    rows = [
        build_marker(snapshot, each, format_public_name) for each in snapshot.tables.values()
    ]
    return Response(RubberTableAnswer(rows, many=True).data)


def _build_table_response(
    request: Request, slug: str, number: int, round_: int = 0
) -> Response:
    snapshot = load_night(visits.public_night(slug).night)
    found = snapshot.tables[round_, number]
    return Response(RubberTableAnswer(build_marker(snapshot, found, format_public_name)).data)


@describe_operation("POST", "rubber_mark", RubberTableAnswer, request=RubberMarkShape)
@endpoint("POST", needs="score")
def mark(request: Request, slug: str, table: int) -> Response:
    """Mark the next hand of a table."""
    night = visits.scorer_night(request, slug).night
    given = validate_body(RubberMarkShape, request)
    place = {name: given.pop(name) for name in ("spell", "number", "round") if name in given}
    services.record_hand(night=night, table=table, hand=given, by=request.user, **place)
    return _build_table_response(request, slug, table, place.get("round", 0))


@describe_operation("PUT", "rubber_correct", RubberTableAnswer, request=RubberCorrectShape)
@endpoint("PUT", needs="score")
def correct(request: Request, slug: str, table: int, spell: int, number: int) -> Response:
    """Put a hand right; everything after it follows."""
    night = visits.scorer_night(request, slug).night
    given = validate_body(RubberCorrectShape, request)
    more = {name: given.pop(name) for name in ("reason", "round") if name in given}
    services.correct_hand(
        night=night, table=table, spell=spell, number=number, hand=given, by=request.user,
        **more,
    )  # fmt: skip
    return _build_table_response(request, slug, table, more.get("round", 0))


@describe_operation("POST", "rubber_seat", RubberTableAnswer, request=RubberSeatShape)
@endpoint("POST", needs="score")
def seat(request: Request, slug: str, table: int) -> Response:
    """Seat the next four of a table; while equals have to cut again it is refused."""
    night = visits.scorer_night(request, slug).night
    given = validate_body(RubberSeatShape, request)
    cuts = given.pop("cuts", {})
    services.seat_next(
        night=night,
        table=table,
        cuts=Cuts(out=tuple(cuts.get("out", ())), into=tuple(cuts.get("into", ()))),
        by=request.user,
        **given,
    )
    return _build_table_response(request, slug, table)


@describe_operation("POST", "rubber_join", SomeoneAnswer, request=RubberJoinShape)
@endpoint("POST", needs="score")
def join(request: Request, slug: str, table: int) -> Response:
    """Let somebody belong to a table."""
    night = visits.scorer_night(request, slug).night
    given = validate_body(RubberJoinShape, request)
    made = services.join_table(
        night=night,
        table=table,
        guest=NewRubberPlayer(name=given.get("name", "")),
        number=given.get("number"),
        by=request.user,
    )
    return Response(SomeoneAnswer({"number": made.number, "name": made.full_name}).data)


@describe_operation("POST", "rubber_leave", RubberTableAnswer, request=Nothing)
@endpoint("POST", needs="score")
def leave(request: Request, slug: str, table: int, number: int) -> Response:
    """Let somebody leave a table; a rubber in play is broken off."""
    night = visits.scorer_night(request, slug).night
    services.leave_table(night=night, table=table, number=number, by=request.user)
    return _build_table_response(request, slug, table)
