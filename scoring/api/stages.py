"""API: finals, strata, seeds and prizes: set, draw, read."""

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
    build_drawn_final_groups,
    build_final_groups,
)
from scoring.standings_engine.overall_order import load_strata
from server.api.dataclass_serializers import DataclassSerializer
from server.api.endpoints import (
    Nothing,
    build_choice_field,
    describe_operation,
    endpoint,
    validate_body,
)
from server.numbers import parse_exact_number
from tournaments.models import Event
from tournaments.stages.rules import CarryOverKind, FinalsCriterion, StageRules, read_rules


class FinalWanted(serializers.Serializer[Any]):
    """One final of a rule."""

    name = serializers.CharField(max_length=40)
    size = serializers.IntegerField(
        min_value=2, max_value=999, allow_null=True, help_text="null takes all the rest"
    )


class StageRule(serializers.Serializer[Any]):
    """By what rule a ranking sends its entries on."""

    finals = FinalWanted(many=True)
    by = build_choice_field(
        [(str(each), str(each)) for each in FinalsCriterion],
        default=str(FinalsCriterion.PLACES),
    )
    each = serializers.IntegerField(
        min_value=0, max_value=99, default=0, help_text="of each section, with by sections"
    )
    others = serializers.IntegerField(min_value=0, max_value=99, default=0)
    carry = build_choice_field(
        [(str(each), str(each)) for each in CarryOverKind], default=str(CarryOverKind.SHARE)
    )
    share = serializers.CharField(
        max_length=20, default="1/2", help_text="of the plus/minus a board, from 0 to 1"
    )
    cap = serializers.CharField(
        max_length=20, allow_null=True, default=None, help_text="tricks a board of the final"
    )
    lot = serializers.CharField(max_length=64, required=False, help_text="seed of the lot")
    withdrawn = serializers.ListField(
        child=serializers.IntegerField(min_value=1), max_length=999, required=False
    )


class GoingAnswer(DataclassSerializer):
    """One entry that goes on."""

    class Meta:
        dataclass = QualifierRow
        fields = ("place", "entry", "name", "why")
        help_texts = {"why": "by lot, or moved up; else empty"}


class FinalAnswer(DataclassSerializer):
    """Who goes to one final."""

    event = serializers.CharField(
        source="event.slug",
        allow_null=True,
        help_text="its event, once it is drawn",
    )
    entries = GoingAnswer(source="rows", many=True)

    class Meta:
        dataclass = FinalGroup
        fields = ("name", "event", "entries", "told")


class StageAnswer(serializers.Serializer[Any]):
    """The rule of an event's finals, and who goes where."""

    rule = serializers.DictField(allow_null=True)
    drawn = serializers.BooleanField()
    finals = FinalAnswer(many=True)


class DrawingWanted(serializers.Serializer[Any]):
    """When the finals are played."""

    date = serializers.DateField(required=False)


@describe_operation("GET", "stage", StageAnswer, refused=(400, 401, 403, 404))
@describe_operation("PUT", "stage_settle", StageAnswer, request=StageRule)
@describe_operation("DELETE", "stage_remove", StageAnswer)
@endpoint("GET", "PUT", "DELETE", public=False)
def stage(request: Request, slug: str) -> Response:
    """Show who goes to which final; settle the rule, or take it away."""
    event = page_loaders.director_event(request, slug).event
    if request.method == "PUT":
        input_data = validate_body(StageRule, request)
        rule = StageRules(
            finals=tuple((each["name"], each["size"]) for each in input_data["finals"]),
            by=FinalsCriterion(input_data["by"]),
            each=input_data["each"],
            others=input_data["others"],
            carry=CarryOverKind(input_data["carry"]),
            share=_parse_exact_number("share", input_data["share"]),
            cap=None
            if input_data["cap"] is None
            else _parse_exact_number("cap", input_data["cap"]),
            lot=input_data.get("lot", ""),
            withdrawn=tuple(input_data.get("withdrawn", ())),
        )
        scoring.services.set_stage_rule(event=event, rule=rule, by=request.user)
    elif request.method == "DELETE":
        scoring.services.set_stage_rule(event=event, rule=None, by=request.user)
    return Response(_build_stage(event))


@describe_operation("POST", "stage_draw", StageAnswer, request=DrawingWanted)
@endpoint("POST")
def stage_draw(request: Request, slug: str) -> Response:
    """Draw the finals: each becomes an event of its own."""
    event = page_loaders.director_event(request, slug).event
    input_data = validate_body(DrawingWanted, request)
    scoring.services.draw_finals(event=event, date=input_data.get("date"), by=request.user)
    return Response(_build_stage(event))


@describe_operation("POST", "stage_undraw", StageAnswer, request=Nothing)
@endpoint("POST")
def stage_undraw(request: Request, slug: str) -> Response:
    """Take the drawing of the finals back, until play begins in one."""
    event = page_loaders.director_event(request, slug).event
    scoring.services.undo_finals(event=event, by=request.user)
    return Response(_build_stage(event))


def _build_stage(event: Event) -> dict[str, Any]:
    row = Stage.objects.filter(event=event).first()
    if row is None:
        return {"rule": None, "drawn": False, "finals": []}
    is_drawn = row.drawn_at is not None
    finals = (
        build_drawn_final_groups(event, row)
        if is_drawn
        else build_final_groups(
            event, assign_entries_to_finals(event, read_rules(row.rule)), row
        )
    )
    return StageAnswer({"rule": row.rule, "drawn": is_drawn, "finals": finals}).data


def _parse_exact_number(field: str, text: str) -> Fraction:
    try:
        return parse_exact_number(text)
    except ValueError:
        message = _("Send an exact number, such as 1/2 or 0.5.")
        raise exceptions.ValidationError({field: [message]}) from None


class ProfileAnswer(serializers.Serializer[Any]):
    """The seed, the ratings, the stratum and the tags of an entry."""

    entry = serializers.IntegerField(min_value=1)
    seed = serializers.IntegerField(min_value=1, max_value=999, allow_null=True, required=False)
    ratings = serializers.ListField(
        child=serializers.CharField(max_length=20), max_length=8, required=False
    )
    stratum = serializers.CharField(
        max_length=20, allow_blank=True, required=False, help_text="given by hand; or empty"
    )
    tags = serializers.ListField(
        child=serializers.CharField(max_length=30), max_length=8, required=False
    )


class StratumLine(serializers.Serializer[Any]):
    """One stratum."""

    name = serializers.CharField(max_length=20)
    least = serializers.CharField(max_length=20, default="0", help_text="least rating")


class FieldWanted(serializers.Serializer[Any]):
    """What is known of a field; what is left out stays."""

    rule = build_choice_field(Strata.Rule.choices, required=False)
    strata = StratumLine(many=True, required=False)
    entries = ProfileAnswer(many=True, required=False)


class StratumRank(DataclassSerializer):
    """One line of the ranking of a stratum."""

    class Meta:
        dataclass = StratumRow
        fields = ("rank", "entry", "name", "stratum")
        sources = {"entry": "row.entry", "name": "row.name"}


class StratumAnswer(DataclassSerializer):
    """The ranking of a stratum, with all below it."""

    ranking = StratumRank(source="rows", many=True)

    class Meta:
        dataclass = StratumTable
        fields = ("name", "ranking")


class FieldAnswer(serializers.Serializer[Any]):
    """What is known of a field, and how each stratum is ranked."""

    rule = serializers.CharField(allow_null=True)
    strata = StratumAnswer(many=True)
    entries = ProfileAnswer(many=True)
    placed_in = serializers.DictField(
        child=serializers.CharField(), help_text="the stratum of each entry by its number"
    )


@describe_operation("GET", "field", FieldAnswer, refused=(400, 401, 403, 404))
@describe_operation("PATCH", "field_settle", FieldAnswer, request=FieldWanted)
@endpoint("GET", "PATCH", public=False)
def field(request: Request, slug: str) -> Response:
    """Show seeds, ratings, tags and strata with their rankings; or settle them."""
    event = page_loaders.director_event(request, slug).event
    if request.method == "PATCH":
        input_data = validate_body(FieldWanted, request)
        if "strata" in input_data:
            lines = [(each["name"], each["least"]) for each in input_data["strata"]]
            rule = input_data.get("rule", Strata.Rule.BY_HAND)
            scoring.services.set_strata(event=event, lines=lines, rule=rule, by=request.user)
        profiles = {each["entry"]: each for each in input_data.get("entries", ())}
        scoring.services.set_entry_profiles(event=event, profiles=profiles, by=request.user)
        event = page_loaders.director_event(request, slug).event
    return Response(_build_field(event))


def _build_field(event: Event) -> dict[str, Any]:
    rows = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    strata = Strata.objects.filter(event=event).first()
    tables = build_strata_tables(event, load_rank_table(event, all_results=True))
    return {
        "rule": strata.rule if strata else None,
        "strata": StratumAnswer(tables, many=True).data,
        "entries": [
            {"entry": row.entry.number, **row.to_data()}
            for row in rows.order_by("entry__number")
        ],
        "placed_in": {str(number): name for number, name in load_strata(event).items()},
    }


class PrizeShape(serializers.Serializer[Any]):
    """One prize."""

    name = serializers.CharField(max_length=80)
    listed = serializers.CharField(
        max_length=40, default="all", help_text="all, lot, side:NS, stratum:B or tag:mixed"
    )
    place = serializers.IntegerField(min_value=1, max_value=999, default=1)
    kind = build_choice_field(EventPrize.Kind.choices, default=str(EventPrize.Kind.HONOUR))
    value = serializers.IntegerField(
        min_value=0, max_value=10**8, default=0, help_text="in cents"
    )


class PrizesWanted(serializers.Serializer[Any]):
    """The list of prizes, in its order."""

    prizes = PrizeShape(many=True)


class PrizeAnswer(DataclassSerializer):
    """A prize and who takes it."""

    class Meta:
        dataclass = PrizeRow
        fields = ("name", "of", "entry", "who", "paid", "reason")


class PrizesAnswer(DataclassSerializer):
    """Who takes which prize by the standings as they are now."""

    prizes = PrizeAnswer(source="rows", many=True)

    class Meta:
        dataclass = PrizeSheet
        fields = ("final", "prizes")
        sources = {"final": "is_final"}


@describe_operation("GET", "prizes", PrizesAnswer, refused=(400, 401, 403, 404))
@describe_operation("PUT", "prizes_settle", PrizesAnswer, request=PrizesWanted)
@endpoint("GET", "PUT", public=False)
def prizes(request: Request, slug: str) -> Response:
    """Show who takes which prize and why; or write the list."""
    event = page_loaders.director_event(request, slug).event
    if request.method == "PUT":
        input_data = validate_body(PrizesWanted, request)
        scoring.services.set_prizes(event=event, prizes=input_data["prizes"], by=request.user)
    return Response(PrizesAnswer(build_prize_sheet(event)).data)
