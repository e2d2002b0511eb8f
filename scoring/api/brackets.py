"""API: the bracket of a knock-out: set it, decide matches, read it."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from scoring import page_loaders
from scoring.sheets.brackets import BracketMatch, BracketSide, build_bracket_sheet
from scoring.standings_engine.overall_order import list_entries_by_seed
from server.api.dataclass_serializers import DataclassSerializer
from server.api.endpoints import build_choice_field, describe_operation, endpoint, validate_body
from tournaments.models import Event


class BracketWanted(serializers.Serializer[Any]):
    """How a bracket is laid."""

    seeds = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        max_length=256,
        required=False,
        help_text="numbers of entries, the first seed first; else by the seeds of the entries",
    )
    segments = serializers.IntegerField(min_value=1, max_value=8, default=1)
    seed_wins = serializers.BooleanField(default=False)
    three_way = serializers.BooleanField(
        default=False,
        help_text="teams: in round 1 three meet in a match where there would be byes",
    )


class MatchWanted(serializers.Serializer[Any]):
    """What a match has come to; nothing at all opens it again."""

    margins = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=24,
        required=False,
        help_text="of the first side, by segment; of three sides three a segment: first "
        "against second, second against third, third against first",
    )
    extra = serializers.ListField(
        child=serializers.CharField(max_length=20), max_length=60, required=False
    )
    winner = serializers.IntegerField(
        required=False, allow_null=True, help_text="the number of who goes on"
    )
    second = serializers.IntegerField(
        required=False, allow_null=True, help_text="who goes on beside, where two of three do"
    )
    later = build_choice_field([("keep", "keep"), ("take_back", "take_back")], required=False)


class BracketSideAnswer(DataclassSerializer):
    """One side of a match."""

    class Meta:
        dataclass = BracketSide
        fields = ("entry", "seed", "name", "margin", "goes_on", "place")
        sources = {"goes_on": "is_winner"}
        help_texts = {"place": "1 for the winner, 2 for who goes on beside"}


class BracketMatchAnswer(DataclassSerializer):
    """One match of the bracket."""

    one = BracketSideAnswer()
    other = BracketSideAnswer()
    third = BracketSideAnswer(allow_null=True, help_text="in a three-way match")

    class Meta:
        dataclass = BracketMatch
        fields = (
            *("round", "match", "bye", "one", "other", "third"),
            *("go_on", "unsettled", "note"),
        )
        sources = {"match": "number", "bye": "is_bye", "go_on": "places"}
        help_texts = {
            "go_on": "how many go on from it",
            "unsettled": "what the director is asked since a correction; else empty",
        }


class BracketAnswer(serializers.Serializer[Any]):
    """The bracket as it stands."""

    champion = serializers.CharField()
    matches = BracketMatchAnswer(many=True)


@describe_operation("GET", "bracket", BracketAnswer, refused=(400, 401, 403, 404))
@describe_operation("PUT", "bracket_lay", BracketAnswer, request=BracketWanted)
@endpoint("GET", "PUT", public=False)
def bracket(request: Request, slug: str) -> Response:
    """Return the bracket; with PUT, set it first."""
    event = page_loaders.director_event(request, slug).event
    if request.method == "PUT":
        input_data = validate_body(BracketWanted, request)
        scoring.services.set_bracket(
            event=event,
            seeds=input_data.get("seeds") or list_entries_by_seed(event),
            segments=input_data["segments"],
            seed_wins=input_data["seed_wins"],
            three_way=input_data["three_way"],
            by=request.user,
        )
        event = page_loaders.director_event(request, slug).event
    return Response(_build_bracket(event))


@describe_operation("PUT", "bracket_match", BracketAnswer, request=MatchWanted)
@endpoint("PUT")
def bracket_match(request: Request, slug: str, round: int, match: int) -> Response:
    """Write down what a match has come to."""
    event = page_loaders.director_event(request, slug).event
    input_data = validate_body(MatchWanted, request)
    scoring.services.record_match(
        event=event,
        key=(round, match),
        margins=input_data.get("margins", ()),
        extra=input_data.get("extra", ()),
        winner=input_data.get("winner"),
        second=input_data.get("second"),
        later=input_data.get("later", ""),
        by=request.user,
    )
    return Response(_build_bracket(page_loaders.director_event(request, slug).event))


def _build_bracket(event: Event) -> dict[str, Any]:
    sheet = build_bracket_sheet(event, all_results=True)
    if sheet is None:
        return {"champion": "", "matches": []}
    matches = [each for row in sheet.rounds for each in row.matches]
    return BracketAnswer({"champion": sheet.champion, "matches": matches}).data
