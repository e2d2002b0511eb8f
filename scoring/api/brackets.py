"""The API of a knock-out's bracket: set it, record matches, read it."""

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


class BracketSettingsSerializer(serializers.Serializer[Any]):
    """The settings of a bracket."""

    seeds = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        max_length=256,
        required=False,
        help_text="numbers of entries, the first seed first; by default ordered by their seeds",
    )
    segments = serializers.IntegerField(min_value=1, max_value=8, default=1)
    seed_wins = serializers.BooleanField(default=False)
    three_way = serializers.BooleanField(
        default=False,
        help_text="for teams: three-way matches replace byes in round 1",
    )


class MatchScoreSerializer(serializers.Serializer[Any]):
    """The score of a match; without any field the match is open again."""

    margins = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=24,
        required=False,
        help_text="of the first side, by segment; in a three-way match three for each segment: "
        "first against second, second against third, third against first",
    )
    extra = serializers.ListField(
        child=serializers.CharField(max_length=20), max_length=60, required=False
    )
    winner = serializers.IntegerField(
        required=False, allow_null=True, help_text="the number of the entry that advances"
    )
    second = serializers.IntegerField(
        required=False,
        allow_null=True,
        help_text="the second entry that advances, in a three-way match",
    )
    later = build_choice_field([("keep", "keep"), ("take_back", "take_back")], required=False)


class BracketSideSerializer(DataclassSerializer):
    """One side of a match."""

    class Meta:
        dataclass = BracketSide
        fields = ("entry", "seed", "name", "margin", "goes_on", "place")
        sources = {"goes_on": "is_winner"}
        help_texts = {"place": "1 for the winner, 2 for the second that advances"}


class BracketMatchSerializer(DataclassSerializer):
    """One match of the bracket."""

    one = BracketSideSerializer()
    other = BracketSideSerializer()
    third = BracketSideSerializer(allow_null=True, help_text="in a three-way match")

    class Meta:
        dataclass = BracketMatch
        fields = (
            *("round", "match", "bye", "one", "other", "third"),
            *("go_on", "unsettled", "note"),
        )
        sources = {
            "match": "number",
            "bye": "is_bye",
            "go_on": "advancing_side_count",
            "unsettled": "question_to_director",
        }
        help_texts = {
            "go_on": "the number of entries that advance",
            "unsettled": "the question to the director after a correction; else empty",
        }


class BracketSerializer(serializers.Serializer[Any]):
    """The current state of a bracket."""

    champion = serializers.CharField()
    matches = BracketMatchSerializer(many=True)


@describe_operation("GET", "bracket", BracketSerializer, error_statuses=(400, 401, 403, 404))
@describe_operation("PUT", "bracket_lay", BracketSerializer, request=BracketSettingsSerializer)
@endpoint("GET", "PUT", is_public=False)
def bracket_detail(request: Request, slug: str) -> Response:
    """Return the bracket, or set it."""
    event = page_loaders.load_director_event(request, slug).event
    if request.method == "PUT":
        input_data = validate_body(BracketSettingsSerializer, request)
        scoring.services.set_bracket(
            event=event,
            seeds=input_data.get("seeds") or list_entries_by_seed(event),
            segments=input_data["segments"],
            seed_wins=input_data["seed_wins"],
            three_way=input_data["three_way"],
            by=request.user,
        )
        event = page_loaders.load_director_event(request, slug).event
    return Response(_build_bracket_data(event))


@describe_operation("PUT", "bracket_match", BracketSerializer, request=MatchScoreSerializer)
@endpoint("PUT")
def record_match_score(request: Request, slug: str, round: int, match: int) -> Response:
    """Record the score of a match."""
    event = page_loaders.load_director_event(request, slug).event
    input_data = validate_body(MatchScoreSerializer, request)
    scoring.services.record_match(
        event=event,
        match_key=(round, match),
        margins=input_data.get("margins", ()),
        extra_margins=input_data.get("extra", ()),
        winner_number=input_data.get("winner"),
        second_winner_number=input_data.get("second"),
        later_choice=input_data.get("later", ""),
        by=request.user,
    )
    return Response(_build_bracket_data(page_loaders.load_director_event(request, slug).event))


def _build_bracket_data(event: Event) -> dict[str, Any]:
    bracket_sheet = build_bracket_sheet(event, should_include_hidden_results=True)
    if bracket_sheet is None:
        return {"champion": "", "matches": []}
    matches = [
        match for bracket_round in bracket_sheet.rounds for match in bracket_round.matches
    ]
    return BracketSerializer({"champion": bracket_sheet.champion, "matches": matches}).data
