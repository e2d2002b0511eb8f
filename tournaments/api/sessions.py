"""Sessions for programs: what they are doing, and the movement that seats them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from server.api.frame import answers, endpoint, taken
from tournaments import services, visits
from tournaments.models import Event, Session
from tournaments.movements import build

SIZES = ("tables", "pairs", "players", "teams")
SIZE_OF = {Event.Contest.INDIVIDUAL: "players", Event.Contest.TEAMS: "teams"}  # else pairs
MOST = 1000  # no room is larger: a guard, not a rule


class SectionAnswer(serializers.Serializer[Any]):
    """The tables that play one movement together."""

    letter = serializers.CharField()
    movement = serializers.CharField()
    tables = serializers.IntegerField()
    rounds = serializers.IntegerField()
    options = serializers.DictField(help_text="what else the movement was built with")


class BoardSetAnswer(serializers.Serializer[Any]):
    """How far the dealing of a session's boards is."""

    state = serializers.CharField(help_text="wanted, making, ready or failed")
    size = serializers.IntegerField()
    made = serializers.IntegerField()
    error = serializers.CharField()
    commitment = serializers.CharField(help_text="the hash of the secret they are dealt from")


class SessionAnswer(serializers.Serializer[Any]):
    """A session."""

    number = serializers.IntegerField()
    state = serializers.CharField(help_text="planned, open or closed")
    deals = serializers.CharField(help_text="undecided, recorded, or none (shuffled at table)")
    boards_a_round = serializers.IntegerField()
    opened_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    board_set = BoardSetAnswer(allow_null=True)
    sections = SectionAnswer(source="sections.all", many=True)


def _size(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=1, max_value=MOST, required=False, help_text=help_text
    )


class Seating(serializers.Serializer[Any]):
    """A movement by its name, and what it is built from."""

    name = serializers.CharField(max_length=40, help_text="such as compass or howell")
    boards_a_round = serializers.IntegerField(min_value=1, max_value=60)
    tables = _size("one of tables, pairs, players and teams; else as many as are entered")
    pairs = _size("the number of pairs")
    players = _size("the number of players")
    teams = _size("the number of teams")
    rounds = _size("fewer rounds than the whole movement has")
    absent = serializers.ListField(
        child=serializers.CharField(max_length=6),
        max_length=MOST,
        required=False,
        help_text="places that stay empty, such as 7EW",
    )
    one_winner = serializers.BooleanField(
        required=False, help_text="turn sides in the rounds that balance a compass best"
    )
    switch = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST),
        max_length=MOST,
        required=False,
        help_text="turn sides in these rounds",
    )


@extend_schema(methods=["GET"], operation_id="session", responses=answers(SessionAnswer, 404))
@endpoint("GET")
def session(request: Request, slug: str, number: int) -> Response:
    """Show a session: its state, its movement, how far its boards are."""
    return Response(shown(visits.session_of(visits.public_event(slug).at(number))))


@extend_schema(
    methods=["PUT"],
    operation_id="session_seat",
    request=Seating,
    responses=answers(SessionAnswer, 400, 401, 403, 404),
)
@endpoint("PUT")
def movement(request: Request, slug: str, number: int) -> Response:
    """Seat the entries by a movement, in the order of their numbers, in place of any other."""
    visit = visits.director_event(request, slug).at(number)
    found = visits.session_of(visit)
    given = taken(Seating, request)
    kept = {name: given[name] for name in ("one_winner", "switch") if given.get(name)}
    sizes = {name: given[name] for name in SIZES if name in given}
    size = SIZE_OF.get(Event.Contest(found.event.contest), "pairs")
    chosen = build(
        given["name"],
        **(sizes or {size: found.event.entries.count()}),
        rounds=given.get("rounds"),
        absent=given.get("absent", ()),
        **kept,
    )
    services.seat_section(
        session=found,
        movement=chosen,
        seating=services.arranged(chosen, list(found.event.entries.order_by("number"))),
        boards_a_round=given["boards_a_round"],
        options=kept,
        by=request.user,
    )
    return Response(shown(visits.session_of(visit)))


def shown(found: Session) -> dict[str, Any]:
    """Write a session as the API shows it."""
    return dict(SessionAnswer(found).data)
