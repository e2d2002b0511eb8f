"""The API of rulings, which scorers can list, and directors make and withdraw."""

from datetime import datetime
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from clubs import permissions
from clubs.audit import describe_author
from scoring import page_loaders
from scoring.models import Ruling
from scoring.sheets.rulings import describe_ruling
from server.api.endpoints import (
    EmptySerializer,
    build_choice_field,
    describe_operation,
    endpoint,
    paginate,
    validate_body,
)
from tournaments.models import Event, Session, Sitting

CARD_FIELDS = ("trump_recorded", "trump_turned")
EXACT_NUMBER_HELP = (
    "an exact number as text, such as 7 or 13/2; for points those won less those lost"
)


class AuthorField(serializers.CharField):
    """The display name of the author of a change."""

    def to_representation(self, value: str) -> str:
        return describe_author(value)


class BoundedDateTimeField(serializers.DateTimeField):
    """A date and time within a range that is valid in every time zone."""

    def enforce_timezone(self, value: datetime) -> datetime:
        """Reject years out of range before the conversion to another time zone."""
        if not 1950 <= value.year < 2200:  # the limit of event files
            raise serializers.ValidationError(_("Send a day and time between 1950 and 2199."))
        return super().enforce_timezone(value)


class RulingSerializer(serializers.Serializer[Any]):
    """A ruling; fields that its kind does not use are empty or null."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.CharField()
    text = serializers.SerializerMethodField(help_text="the ruling as a sentence to show")
    sitting = serializers.IntegerField(source="result.sitting_id", default=None)
    round = serializers.IntegerField(source="result.sitting.round", default=None)
    section = serializers.CharField(source="result.sitting.section.letter", default=None)
    table = serializers.IntegerField(source="result.sitting.table", default=None)
    board = serializers.IntegerField(source="result.board", default=None)
    deal = serializers.IntegerField(
        source="result.deal", default=None, help_text="2 after the board was redealt here"
    )
    entry = serializers.IntegerField(
        source="entry.number", default=None, help_text="the entry that gets a penalty"
    )
    side = serializers.CharField(help_text="the side that revoked: NS or EW")
    revokes = serializers.IntegerField(allow_null=True)
    won_before = serializers.IntegerField(allow_null=True)
    full = serializers.BooleanField(help_text="whether the committee enforces the full penalty")
    ns_tricks = serializers.CharField()
    ew_tricks = serializers.CharField()
    amount = serializers.CharField(help_text="the number that a penalty subtracts")
    trump_recorded = serializers.CharField(help_text="only for directors")
    trump_turned = serializers.CharField(help_text="only for directors")
    law = serializers.CharField()
    situation = serializers.CharField(help_text="the ruling assistant's situation, such as I26")
    reason = serializers.CharField()
    claimed_at = serializers.DateTimeField(allow_null=True)
    made_by = AuthorField()
    made_at = serializers.DateTimeField()
    withdrawn_by = AuthorField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)

    def get_text(self, ruling: Ruling) -> str:
        """Return the ruling in words, as on pages."""
        return describe_ruling(ruling)


def _create_text_field(max_length: int, help_text: str = "") -> serializers.CharField:
    return serializers.CharField(
        max_length=max_length, required=False, allow_blank=True, help_text=help_text
    )


def _create_count_field(minimum: int, help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=minimum, max_value=13, required=False, help_text=help_text
    )


class NewRulingSerializer(serializers.Serializer[Any]):
    """A new ruling on a board at a sitting, or a penalty for an entry."""

    kind = build_choice_field(Ruling.Kind.choices)
    sitting = serializers.IntegerField(
        required=False, help_text="the id of the sitting, as in sittings"
    )
    board = serializers.IntegerField(min_value=1, max_value=9999, required=False)
    entry = serializers.IntegerField(
        min_value=1, max_value=9999, required=False, help_text="for a penalty"
    )
    side = build_choice_field(
        Ruling.Side.choices, required=False, help_text="the side that revoked"
    )
    revokes = _create_count_field(1, "the number of the side's revokes in the deal")
    won_before = _create_count_field(
        0, "the tricks that the side had won before its first revoke"
    )
    full = serializers.BooleanField(required=False, help_text="needs a reason")
    ns_tricks = _create_text_field(20, EXACT_NUMBER_HELP)
    ew_tricks = _create_text_field(20, EXACT_NUMBER_HELP)
    amount = _create_text_field(20, f"{EXACT_NUMBER_HELP}, in the method's unit")
    trump_recorded = _create_text_field(3, "the card on the trump slip, such as H6")
    trump_turned = _create_text_field(3, "the card turned in dealing")
    law = _create_text_field(20, "such as X.4")
    situation = _create_text_field(6, "such as I26")
    reason = _create_text_field(500)
    claimed_at = BoundedDateTimeField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require an entry for a penalty, and a board at a sitting for every other ruling."""
        is_penalty = attrs["kind"] == Ruling.Kind.PENALTY
        required_fields = ("entry",) if is_penalty else ("sitting", "board")
        missing_fields = [
            field_name for field_name in required_fields if attrs.get(field_name) is None
        ]
        if missing_fields:
            raise serializers.ValidationError(
                {
                    field_name: [_("Required for this kind of ruling.")]
                    for field_name in missing_fields
                }
            )
        return attrs


@describe_operation(
    "GET", "rulings", RulingSerializer, is_paginated=True, error_statuses=(401, 403, 404)
)
@describe_operation(
    "POST", "ruling_make", RulingSerializer, request=NewRulingSerializer, is_created=True
)
@endpoint("GET", "POST", is_public=False)
def ruling_list(request: Request, slug: str, number: int) -> Response:
    """List a session's rulings, including withdrawn ones, or make one (200 if it exists)."""
    if request.method == "POST":
        return _make_ruling(request, slug, number)
    access = page_loaders.load_scorer_event(request, slug).with_session(number)
    event = access.event
    return paginate(
        request,
        _load_rulings(page_loaders.load_session(access)),
        _choose_serializer(request, event),
    )


@describe_operation("POST", "ruling_withdraw", RulingSerializer, request=None)
@endpoint("POST")
def withdraw_ruling(request: Request, slug: str, number: int, pk: int) -> Response:
    """Withdraw a ruling, which remains in the list; idempotent."""
    access = page_loaders.load_director_event(request, slug).with_session(number)
    rulings = _load_rulings(page_loaders.load_session(access))
    ruling = get_object_or_404(rulings, pk=pk)
    validate_body(EmptySerializer, request)
    scoring.services.withdraw_ruling(ruling=ruling, by=request.user)
    return Response(RulingSerializer(rulings.get(pk=pk)).data)


class RulingWithoutCardsSerializer(RulingSerializer):
    """A ruling without cards, for scorers who may still play the deal (rules D2)."""

    def to_representation(self, instance: Ruling) -> dict[str, Any]:
        """Return the ruling with its two trump cards empty."""
        return super().to_representation(instance) | dict.fromkeys(CARD_FIELDS, "")


def _choose_serializer(request: Request, event: Event) -> type[RulingSerializer]:
    return (
        RulingSerializer
        if permissions.can_direct(request.user, event.club)
        else RulingWithoutCardsSerializer
    )


def _load_rulings(session: Session) -> Any:
    rulings = Ruling.objects.filter(session=session).order_by("id")
    return rulings.select_related("result__sitting__section", "entry")


def _make_ruling(request: Request, slug: str, session_number: int) -> Response:
    access = page_loaders.load_director_event(request, slug).with_session(session_number)
    session = page_loaders.load_session(access)
    input_data = validate_body(NewRulingSerializer, request)
    existing_ruling_ids = set(_load_rulings(session).values_list("pk", flat=True))
    new_ruling = scoring.services.make_ruling(
        kind=input_data.pop("kind"),
        by=request.user,
        **_pop_ruling_target(session, input_data),
        **input_data,
    )
    ruling_data = RulingSerializer(_load_rulings(session).get(pk=new_ruling.pk)).data
    return Response(ruling_data, status=200 if new_ruling.pk in existing_ruling_ids else 201)


def _pop_ruling_target(session: Session, input_data: dict[str, Any]) -> dict[str, Any]:
    """Return the subject of the ruling, and remove its fields from the data."""
    sitting_id, board_number, entry_number = (
        input_data.pop(field_name, None) for field_name in ("sitting", "board", "entry")
    )
    if entry_number is not None and sitting_id is None:
        penalised_entry = session.event.entries.filter(number=entry_number).first()
        if penalised_entry is None:
            raise exceptions.ValidationError({"entry": [_("Entry not found.")]})
        return {"entry": penalised_entry, "session": session}
    sittings = Sitting.objects.select_related("section__session__event__club", "north", "east")
    ruled_sitting = sittings.filter(pk=sitting_id, section__session=session).first()
    if ruled_sitting is None:
        raise exceptions.ValidationError({"sitting": [_("Sitting not found in this session.")]})
    return {"sitting": ruled_sitting, "board_number": board_number}
