"""The API of finals, strata, seeds and prizes."""

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from scoring import page_loaders
from scoring.models import EntryProfile, EventPrize, Stage, Strata
from scoring.services.stages import assign_entries_to_finals
from scoring.sheets.field_lists import (
    PrizeRow,
    PrizeSheet,
    StratumRow,
    StratumTable,
    build_prize_sheet,
    build_strata_tables,
)
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.stages import (
    FinalGroup,
    QualifierRow,
    build_final_groups,
    build_final_groups_from_draw,
)
from scoring.standings_engine.overall_order import load_strata
from server.api.dataclass_serializers import DataclassSerializer
from server.api.endpoints import (
    EmptySerializer,
    build_choice_field,
    describe_operation,
    endpoint,
    validate_body,
)
from server.numbers import parse_exact_number
from tournaments.models import Event
from tournaments.stages.rules import CarryOverKind, FinalsCriterion, StageRules, read_rules


class FinalRuleSerializer(serializers.Serializer[Any]):
    """One final in the rule for qualifying."""

    name = serializers.CharField(max_length=40)
    size = serializers.IntegerField(
        min_value=2, max_value=999, allow_null=True, help_text="null for all remaining entries"
    )


class StageRuleSerializer(serializers.Serializer[Any]):
    """The rule that decides which entries qualify for which final."""

    finals = FinalRuleSerializer(many=True)
    by = build_choice_field(
        [(str(criterion), str(criterion)) for criterion in FinalsCriterion],
        default=str(FinalsCriterion.RANK),
    )
    each = serializers.IntegerField(
        min_value=0,
        max_value=99,
        default=0,
        help_text="the number from each section, if `by` is sections",
    )
    others = serializers.IntegerField(min_value=0, max_value=99, default=0)
    carry = build_choice_field(
        [(str(kind), str(kind)) for kind in CarryOverKind], default=str(CarryOverKind.SHARE)
    )
    share = serializers.CharField(
        max_length=20,
        default="1/2",
        help_text="the share of the plus/minus per board that is carried over, from 0 to 1",
    )
    cap = serializers.CharField(
        max_length=20,
        allow_null=True,
        default=None,
        help_text="the maximum carry-over in tricks per board of the final",
    )
    lot = serializers.CharField(
        max_length=64, required=False, help_text="the seed for breaking ties"
    )
    withdrawn = serializers.ListField(
        child=serializers.IntegerField(min_value=1), max_length=999, required=False
    )


class QualifierSerializer(DataclassSerializer):
    """One entry that qualifies for a final."""

    class Meta:
        dataclass = QualifierRow
        fields = ("place", "entry", "name", "why")
        sources = {"why": "reason"}
        help_texts = {"why": "the reason, such as moved up; empty if there is none"}


class FinalSerializer(DataclassSerializer):
    """A final with its entries."""

    event = serializers.CharField(
        source="event.slug",
        allow_null=True,
        help_text="the event of the final, once it is drawn",
    )
    entries = QualifierSerializer(source="rows", many=True)

    class Meta:
        dataclass = FinalGroup
        fields = ("name", "event", "entries", "told")
        sources = {"told": "correction_notes"}


class StageSerializer(serializers.Serializer[Any]):
    """The rule for an event's finals, and the entries of each final."""

    rule = serializers.DictField(allow_null=True)
    drawn = serializers.BooleanField()
    finals = FinalSerializer(many=True)


class FinalsDateSerializer(serializers.Serializer[Any]):
    """The date of the finals."""

    date = serializers.DateField(required=False)


@describe_operation("GET", "stage", StageSerializer, error_statuses=(400, 401, 403, 404))
@describe_operation("PUT", "stage_settle", StageSerializer, request=StageRuleSerializer)
@describe_operation("DELETE", "stage_remove", StageSerializer)
@endpoint("GET", "PUT", "DELETE", is_public=False)
def stage_detail(request: Request, slug: str) -> Response:
    """Return the entries of each final; set or remove the rule."""
    event = page_loaders.load_director_event(request, slug).event
    if request.method == "PUT":
        input_data = validate_body(StageRuleSerializer, request)
        stage_rules = StageRules(
            finals=tuple((final["name"], final["size"]) for final in input_data["finals"]),
            criterion=FinalsCriterion(input_data["by"]),
            places_per_section=input_data["each"],
            other_place_count=input_data["others"],
            carry_over_kind=CarryOverKind(input_data["carry"]),
            share=_parse_exact_number("share", input_data["share"]),
            cap=None
            if input_data["cap"] is None
            else _parse_exact_number("cap", input_data["cap"]),
            lot_seed=input_data.get("lot", ""),
            withdrawn_entries=tuple(input_data.get("withdrawn", ())),
        )
        scoring.services.set_stage_rules(event=event, stage_rules=stage_rules, by=request.user)
    elif request.method == "DELETE":
        scoring.services.set_stage_rules(event=event, stage_rules=None, by=request.user)
    return Response(_build_stage_data(event))


@describe_operation("POST", "stage_draw", StageSerializer, request=FinalsDateSerializer)
@endpoint("POST")
def draw_finals(request: Request, slug: str) -> Response:
    """Draw the finals, each of which becomes a separate event."""
    event = page_loaders.load_director_event(request, slug).event
    input_data = validate_body(FinalsDateSerializer, request)
    scoring.services.draw_finals(event=event, date=input_data.get("date"), by=request.user)
    return Response(_build_stage_data(event))


@describe_operation("POST", "stage_undraw", StageSerializer, request=EmptySerializer)
@endpoint("POST")
def undo_finals_draw(request: Request, slug: str) -> Response:
    """Undo the drawing of the finals, until play begins in one of them."""
    event = page_loaders.load_director_event(request, slug).event
    scoring.services.undo_finals(event=event, by=request.user)
    return Response(_build_stage_data(event))


def _build_stage_data(event: Event) -> dict[str, Any]:
    stage = Stage.objects.filter(event=event).first()
    if stage is None:
        return {"rule": None, "drawn": False, "finals": []}
    is_drawn = stage.drawn_at is not None
    finals = (
        build_final_groups_from_draw(event, stage)
        if is_drawn
        else build_final_groups(
            event, assign_entries_to_finals(event, read_rules(stage.rule)), stage
        )
    )
    return StageSerializer({"rule": stage.rule, "drawn": is_drawn, "finals": finals}).data


def _parse_exact_number(field_name: str, number_text: str) -> Fraction:
    try:
        return parse_exact_number(number_text)
    except ValueError:
        message = _("Send an exact number, such as 1/2 or 0.5.")
        raise exceptions.ValidationError({field_name: [message]}) from None


class EntryProfileSerializer(serializers.Serializer[Any]):
    """The seed, the ratings, the stratum and the tags of an entry."""

    entry = serializers.IntegerField(min_value=1)
    seed = serializers.IntegerField(min_value=1, max_value=999, allow_null=True, required=False)
    ratings = serializers.ListField(
        child=serializers.CharField(max_length=20), max_length=8, required=False
    )
    stratum = serializers.CharField(
        max_length=20,
        allow_blank=True,
        required=False,
        help_text="the stratum, if set manually",
    )
    tags = serializers.ListField(
        child=serializers.CharField(max_length=30), max_length=8, required=False
    )


class NewStratumSerializer(serializers.Serializer[Any]):
    """A stratum with its minimum rating."""

    name = serializers.CharField(max_length=20)
    least = serializers.CharField(max_length=20, default="0", help_text="minimum rating")


class FieldChangesSerializer(serializers.Serializer[Any]):
    """Changes of strata, seeds, ratings and tags; omitted fields are not changed."""

    rule = build_choice_field(Strata.Rule.choices, required=False)
    strata = NewStratumSerializer(many=True, required=False)
    entries = EntryProfileSerializer(many=True, required=False)


class StratumRankSerializer(DataclassSerializer):
    """One entry in the ranking of a stratum."""

    class Meta:
        dataclass = StratumRow
        fields = ("rank", "entry", "name", "stratum")
        sources = {"entry": "rank_row.entry", "name": "rank_row.name"}


class StratumRankingSerializer(DataclassSerializer):
    """The ranking of a stratum, which includes all lower strata."""

    ranking = StratumRankSerializer(source="rows", many=True)

    class Meta:
        dataclass = StratumTable
        fields = ("name", "ranking")


class FieldSerializer(serializers.Serializer[Any]):
    """The strata with their rankings, and the seeds, ratings and tags of the entries."""

    rule = serializers.CharField(allow_null=True)
    strata = StratumRankingSerializer(many=True)
    entries = EntryProfileSerializer(many=True)
    placed_in = serializers.DictField(
        child=serializers.CharField(), help_text="the stratum of each entry by its number"
    )


@describe_operation("GET", "field", FieldSerializer, error_statuses=(400, 401, 403, 404))
@describe_operation("PATCH", "field_settle", FieldSerializer, request=FieldChangesSerializer)
@endpoint("GET", "PATCH", is_public=False)
def field_detail(request: Request, slug: str) -> Response:
    """Return or set the seeds, ratings, tags and strata, with the rankings."""
    event = page_loaders.load_director_event(request, slug).event
    if request.method == "PATCH":
        input_data = validate_body(FieldChangesSerializer, request)
        if "strata" in input_data:
            strata_lines = [
                (stratum["name"], stratum["least"]) for stratum in input_data["strata"]
            ]
            strata_rule = input_data.get("rule", Strata.Rule.MANUAL)
            scoring.services.set_strata(
                event=event, lines=strata_lines, rule=strata_rule, by=request.user
            )
        profile_data_by_entry_number = {
            profile["entry"]: profile for profile in input_data.get("entries", ())
        }
        scoring.services.set_entry_profiles(
            event=event, profiles_by_number=profile_data_by_entry_number, by=request.user
        )
        event = page_loaders.load_director_event(request, slug).event
    return Response(_build_strata_and_profiles_data(event))


def _build_strata_and_profiles_data(event: Event) -> dict[str, Any]:
    profiles = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    strata = Strata.objects.filter(event=event).first()
    strata_tables = build_strata_tables(
        event, load_rank_table(event, should_include_hidden_results=True)
    )
    return {
        "rule": strata.rule if strata else None,
        "strata": StratumRankingSerializer(strata_tables, many=True).data,
        "entries": [
            {"entry": profile.entry.number, **profile.to_data()}
            for profile in profiles.order_by("entry__number")
        ],
        "placed_in": {
            str(entry_number): stratum_name
            for entry_number, stratum_name in load_strata(event).items()
        },
    }


class NewPrizeSerializer(serializers.Serializer[Any]):
    """One prize of the list."""

    name = serializers.CharField(max_length=80)
    listed = serializers.CharField(
        max_length=40, default="all", help_text="all, lot, side:NS, stratum:B or tag:mixed"
    )
    place = serializers.IntegerField(min_value=1, max_value=999, default=1)
    kind = build_choice_field(EventPrize.Kind.choices, default=str(EventPrize.Kind.HONOUR))
    value = serializers.IntegerField(
        min_value=0, max_value=10**8, default=0, help_text="in cents"
    )


class NewPrizeListSerializer(serializers.Serializer[Any]):
    """The prize list, in its order."""

    prizes = NewPrizeSerializer(many=True)


class PrizeSerializer(DataclassSerializer):
    """A prize and its winner."""

    class Meta:
        dataclass = PrizeRow
        fields = ("name", "of", "entry", "who", "paid", "reason")
        sources = {"of": "prize_place", "who": "winner_name", "paid": "total_money"}


class PrizeListSerializer(DataclassSerializer):
    """The prizes with their winners by the current standings."""

    prizes = PrizeSerializer(source="rows", many=True)

    class Meta:
        dataclass = PrizeSheet
        fields = ("final", "prizes")
        sources = {"final": "is_final"}


@describe_operation("GET", "prizes", PrizeListSerializer, error_statuses=(400, 401, 403, 404))
@describe_operation("PUT", "prizes_settle", PrizeListSerializer, request=NewPrizeListSerializer)
@endpoint("GET", "PUT", is_public=False)
def prize_list(request: Request, slug: str) -> Response:
    """Return the prizes with their winners and the reasons, or set the prize list."""
    event = page_loaders.load_director_event(request, slug).event
    if request.method == "PUT":
        input_data = validate_body(NewPrizeListSerializer, request)
        scoring.services.set_prizes(event=event, prizes=input_data["prizes"], by=request.user)
    return Response(PrizeListSerializer(build_prize_sheet(event)).data)
