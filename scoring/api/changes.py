"""The API of seating changes during play: the options, the choice of one, and undo."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from clubs.audit import describe_author
from scoring import page_loaders
from scoring.views.change_forms import (
    CHANGE_FORMS_BY_KIND,
    SeatingChangeForm,
    load_section_choices,
)
from scoring.views.changes import find_last_played_round, list_continuation_sheets
from server.api.dataclass_serializers import DataclassSerializer
from server.api.endpoints import (
    EmptySerializer,
    build_choice_field,
    describe_operation,
    endpoint,
    validate_body,
)
from tournaments.models import SeatingChange, Section
from tournaments.seating_snapshot import load_movement
from tournaments.sheets.continuations.incident_words import describe_incident
from tournaments.sheets.continuations.titles import format_continuation_title
from tournaments.sheets.continuations.ways import ContinuationSheet

CHANGE_KINDS = [
    (kind, str(form.title) or "late") for kind, form in CHANGE_FORMS_BY_KIND.items()
]
NUMBER_FIELDS = (
    "table",
    "round",
    "board_group",
    "first",
    "last",
    "place",
    "one",
    "other",
    "from_round",
)


def _create_number_field(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=1, max_value=1000, required=False, help_text=help_text
    )


class IncidentSerializer(serializers.Serializer[Any]):
    """An incident; each kind uses some of the fields."""

    happened = build_choice_field(CHANGE_KINDS)
    section = serializers.CharField(max_length=2, default="A")
    names = serializers.ListField(
        child=serializers.CharField(max_length=80),
        max_length=4,
        default=list,
        help_text="late: the names of the players",
    )
    from_round = _create_number_field("late, left: the first round that they play or miss")
    place = _create_number_field("left: the place of the pair that withdraws, as in sittings")
    table = _create_number_field("boards, turned: the table")
    round = _create_number_field("boards: the round")
    board_group = _create_number_field("boards: the board group that was really played")
    first = _create_number_field("turned, exchanged: from this round")
    last = _create_number_field("turned, exchanged: to this round")
    one = _create_number_field("exchanged: one of the places")
    other = _create_number_field("exchanged: the other place")


class ContinuationChoiceSerializer(IncidentSerializer):
    """An incident and the chosen option for continuing."""

    way = serializers.CharField(max_length=60, help_text="the key of one of the options")


class ContinuationSerializer(DataclassSerializer):
    """An option for continuing the session after an incident."""

    class Meta:
        dataclass = ContinuationSheet
        fields = ("key", "title", "text", "losses")


class SeatingChangeSerializer(serializers.Serializer[Any]):
    """A change of the seating during play."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    by = serializers.CharField()
    what = serializers.CharField()
    way = serializers.CharField()
    undone = serializers.BooleanField()


@describe_operation(
    "GET", "changes", SeatingChangeSerializer(many=True), error_statuses=(401, 403, 404)
)
@describe_operation(
    "POST", "change_make", SeatingChangeSerializer, request=ContinuationChoiceSerializer
)
@endpoint("GET", "POST", is_public=False)
def seating_change_list(request: Request, slug: str, number: int) -> Response:
    """List the seating changes of a session, newest first, or apply one of the options."""
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    if request.method == "GET":
        change_data = [
            _build_change_data(seating_change) for seating_change in session.changes.all()
        ]
        return Response(SeatingChangeSerializer(change_data, many=True).data)
    input_data = validate_body(ContinuationChoiceSerializer, request)
    section = _find_section(session.pk, input_data)
    form = _bind_form(section, input_data)
    change = scoring.services.apply_seating_change(
        section=section,
        rounds_played=find_last_played_round(section, form),
        incident=form.build_change(),
        continuation_key=input_data["way"],
        incident_data=form.build_stored_incident_data(),
        names=form.get_player_names(),
        by=request.user,
    )
    return Response(SeatingChangeSerializer(_build_change_data(change)).data)


@describe_operation(
    "POST", "change_ways", ContinuationSerializer(many=True), request=IncidentSerializer
)
@endpoint("POST")
def continuation_list(request: Request, slug: str, number: int) -> Response:
    """List the options after an incident, the best first, without changing anything."""
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    input_data = validate_body(IncidentSerializer, request)
    section = _find_section(session.pk, input_data)
    form = _bind_form(section, input_data)
    continuations = list_continuation_sheets(section, form, load_movement(section))
    return Response(ContinuationSerializer(continuations, many=True).data)


@describe_operation("POST", "change_undo", SeatingChangeSerializer, request=None)
@endpoint("POST")
def undo_seating_change(request: Request, slug: str, number: int, pk: int) -> Response:
    """Undo a seating change; an error if scores that depend on it were entered."""
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    change = get_object_or_404(SeatingChange, pk=pk, session=session)
    validate_body(EmptySerializer, request)
    undone_change = scoring.services.undo_change(change=change, by=request.user)
    return Response(SeatingChangeSerializer(_build_change_data(undone_change)).data)


def _find_section(session_id: int, input_data: dict[str, Any]) -> Section:
    sections = Section.objects.select_related("session__event__club")
    return get_object_or_404(sections, session=session_id, letter=input_data["section"])


def _bind_form(section: Section, input_data: dict[str, Any]) -> SeatingChangeForm:
    """Return the filled-in form for this kind of incident; raise ValidationError if invalid."""
    form_data = {
        field_name: input_data[field_name]
        for field_name in NUMBER_FIELDS
        if field_name in input_data
    }
    form_data |= {
        f"player{index}": player_name
        for index, player_name in enumerate(input_data["names"], start=1)
    }
    form = CHANGE_FORMS_BY_KIND[input_data["happened"]](
        form_data, section_choices=load_section_choices(section)
    )
    if not form.is_valid():
        messages_by_field = {
            field_name: [str(message) for message in messages]
            for field_name, messages in form.errors.items()
        }
        raise exceptions.ValidationError(dict[str, Any](messages_by_field))
    return form


def _build_change_data(change: SeatingChange) -> dict[str, Any]:
    return {
        "id": change.pk,
        "at": change.at,
        "by": describe_author(change.by),
        "what": describe_incident(change.what),
        "way": format_continuation_title(change.way),
        "undone": change.undone_at is not None,
    }
