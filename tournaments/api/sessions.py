"""API: sessions with their states, and the movement that seats them."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from server.api.endpoints import describe_operation, endpoint, validate_body
from tournaments import event_access, services
from tournaments.models import Event, Section, Session
from tournaments.movements import build_named_movement
from tournaments.sheets.ranking_notice import format_ranking_notice

SIZE_FIELDS = ("tables", "pairs", "players", "teams")
# contests that are not listed here have pairs
SIZE_FIELD_BY_CONTEST = {
    Event.Contest.INDIVIDUAL: "players",
    Event.Contest.TEAMS: "teams",
}
MAX_TABLES = 1000  # a safety limit; no hall has more tables


class SectionSerializer(serializers.Serializer[Any]):
    """A section: the tables that play one movement."""

    letter = serializers.CharField()
    movement = serializers.CharField()
    tables = serializers.IntegerField()
    rounds = serializers.IntegerField()
    options = serializers.DictField(help_text="what else the movement was built with")
    edition = serializers.SerializerMethodField(help_text="of the schedule, from 1")

    def get_edition(self, section: Section) -> int:
        """Return the edition of the movement that the section plays, or 1 if none is stored."""
        return int(section.options.get("edition", 1))


class BoardSetSerializer(serializers.Serializer[Any]):
    """The state of dealing a session's boards."""

    state = serializers.CharField(help_text="wanted, making, ready or failed")
    size = serializers.IntegerField()
    made = serializers.IntegerField()
    error = serializers.CharField()
    commitment = serializers.CharField(help_text="the hash of the secret they are dealt from")


class SessionSerializer(serializers.Serializer[Any]):
    """A session with its state, sections and boards."""

    number = serializers.IntegerField()
    day = serializers.DateField(help_text="on which it is played")
    state = serializers.CharField(help_text="planned, open or closed")
    deals = serializers.CharField(help_text="undecided, recorded, or none (shuffled at table)")
    boards_a_round = serializers.IntegerField()
    opened_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    board_set = BoardSetSerializer(allow_null=True)
    sections = SectionSerializer(source="sections.all", many=True)


class SeatedSessionSerializer(SessionSerializer):
    """A session after seating, with a notice if N-S and E-W are ranked together."""

    ranking_notice = serializers.CharField(
        help_text="why N-S and E-W are ranked together because of these seats, else empty"
    )


class NewSessionSerializer(serializers.Serializer[Any]):
    """The date of an additional session."""

    date = serializers.DateField(
        required=False, help_text="as 2026-03-17; else a week after the last"
    )


class SessionDateSerializer(serializers.Serializer[Any]):
    """The new date of a session after the first one."""

    date = serializers.DateField(help_text="as 2026-03-17")


def _build_size_field(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=1, max_value=MAX_TABLES, required=False, help_text=help_text
    )


class SeatingSerializer(serializers.Serializer[Any]):
    """A movement's name and its build options."""

    name = serializers.CharField(max_length=40, help_text="such as compass or howell")
    boards_a_round = serializers.IntegerField(min_value=1, max_value=60)
    tables = _build_size_field(
        "one of tables, pairs, players and teams; else as many as are entered"
    )
    pairs = _build_size_field("the number of pairs")
    players = _build_size_field("the number of players")
    teams = _build_size_field("the number of teams")
    rounds = _build_size_field("fewer rounds than the whole movement has")
    absent = serializers.ListField(
        child=serializers.CharField(max_length=6),
        max_length=MAX_TABLES,
        required=False,
        help_text="places that stay empty, such as 7EW",
    )
    one_winner = serializers.BooleanField(
        required=False, help_text="turn sides in the rounds that balance a compass best"
    )
    switch = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_TABLES),
        max_length=MAX_TABLES,
        required=False,
        help_text="turn sides in these rounds",
    )
    edition = serializers.IntegerField(
        min_value=1, max_value=9, required=False, help_text="of the schedule; else the newest"
    )


@describe_operation("GET", "sessions", SessionSerializer(many=True))
@describe_operation(
    "POST", "session_add", SessionSerializer, request=NewSessionSerializer, is_created=True
)
@endpoint("GET", "POST")
def list_or_add_sessions(request: Request, slug: str) -> Response:
    """List the sessions of an event, or add one (200 if the last session has no setup yet)."""
    if request.method == "GET":
        event_sessions = event_access.load_public_event(slug).event.sessions.order_by("number")
        return Response(SessionSerializer(event_sessions, many=True).data)
    event, input_data = (
        event_access.load_director_event(request, slug).event,
        validate_body(NewSessionSerializer, request),
    )
    session_count = event.sessions.count()
    new_session = services.add_session(
        event=event, date=input_data.get("date"), by=request.user
    )
    return Response(
        build_session_data(new_session),
        status=201 if new_session.number > session_count else 200,
    )


@describe_operation("GET", "session", SessionSerializer)
@describe_operation("PATCH", "session_date", SessionSerializer, request=SessionDateSerializer)
@describe_operation("DELETE", "session_remove")
@endpoint("GET", "PATCH", "DELETE")
def show_or_change_session(request: Request, slug: str, number: int) -> Response:
    """Show a session, change its date, or remove it.

    The first session has the event's date. Only the last session can be removed, while it has
    no setup.
    """
    if request.method == "GET":
        return Response(
            build_session_data(
                event_access.load_session(
                    event_access.load_public_event(slug).with_session(number)
                )
            )
        )
    access = event_access.load_director_event(request, slug).with_session(number)
    session = event_access.load_session(access)
    if request.method == "DELETE":
        services.remove_session(session=session, by=request.user)
        return Response(status=204)
    updated_session = services.set_session_date(
        session=session, **validate_body(SessionDateSerializer, request), by=request.user
    )
    return Response(build_session_data(updated_session))


@describe_operation("PUT", "session_seat", SeatedSessionSerializer, request=SeatingSerializer)
@endpoint("PUT")
def seat_by_movement(request: Request, slug: str, number: int) -> Response:
    """Seat the entries by a movement, in the order of their numbers.

    Replaces an earlier seating. In a later session, entries keep the side of earlier sessions
    if there are enough places.
    """
    access = event_access.load_director_event(request, slug).with_session(number)
    session = event_access.load_session(access)
    input_data = validate_body(SeatingSerializer, request)
    switch_options = {
        name: input_data[name] for name in ("one_winner", "switch") if input_data.get(name)
    }
    given_sizes = {name: input_data[name] for name in SIZE_FIELDS if name in input_data}
    size_field = SIZE_FIELD_BY_CONTEST.get(Event.Contest(session.event.contest), "pairs")
    new_movement = build_named_movement(
        input_data["name"],
        **(given_sizes or {size_field: session.event.entries.count()}),
        rounds=input_data.get("rounds"),
        absent=input_data.get("absent", ()),
        edition=input_data.get("edition"),
        **switch_options,
    )
    entries = list(session.event.entries.order_by("number"))
    services.seat_sections(
        session=session,
        planned_sections=[services.PlannedSection(new_movement, switch_options, entries)],
        boards_a_round=input_data["boards_a_round"],
        by=request.user,
    )
    reloaded_session = event_access.load_session(access)
    return Response(
        build_session_data(reloaded_session)
        | {"ranking_notice": format_ranking_notice(reloaded_session)}
    )


def build_session_data(session: Session) -> dict[str, Any]:
    """Return a session as the API shows it."""
    return dict(SessionSerializer(session).data)
