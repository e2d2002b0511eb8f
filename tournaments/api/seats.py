"""API: show, draw and set seats before play; for directors."""

import secrets
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from server.api.endpoints import build_choice_field, describe_operation, endpoint, validate_body
from tournaments import event_access, services
from tournaments.models import Place, Section, Session
from tournaments.services.seats import (
    FAIR_DRAW_METHOD,
    LIST_ORDER_METHOD,
    MANUAL_METHOD,
    RANDOM_DRAW_METHOD,
    list_section_entries,
)

DRAW_METHODS = [
    (LIST_ORDER_METHOD, "by list"),
    (RANDOM_DRAW_METHOD, "at random"),
    (FAIR_DRAW_METHOD, "a fair draw over the season"),
    (MANUAL_METHOD, "by hand"),
]


class SeatSerializer(serializers.Serializer[Any]):
    """A place of the movement and its entry."""

    section = serializers.CharField(source="section.letter")
    place = serializers.CharField(source="label", help_text='such as "3NS", or "5"')
    entry = serializers.IntegerField(
        source="entry.number", default=None, help_text="null where nobody sits"
    )


class SeatingInputSerializer(serializers.Serializer[Any]):
    """The entry for one place; a team may be given at either of its places."""

    place = serializers.CharField(max_length=6)
    entry = serializers.IntegerField(min_value=1, max_value=10_000)


class SeatDrawSerializer(serializers.Serializer[Any]):
    """How the entries of a section are assigned to places."""

    how = build_choice_field(DRAW_METHODS)
    section = serializers.CharField(max_length=2, default="A")
    seats = SeatingInputSerializer(
        many=True, required=False, help_text="hand: who gets each place"
    )


@describe_operation("GET", "seats", SeatSerializer(many=True), error_statuses=(401, 403, 404))
@describe_operation("POST", "seats_draw", SeatSerializer(many=True), request=SeatDrawSerializer)
@endpoint("GET", "POST", is_public=False)
def list_or_draw_seats(request: Request, slug: str, number: int) -> Response:
    """List the places with their entries, or assign a section's places again before play."""
    session = event_access.load_session(
        event_access.load_director_event(request, slug).with_session(number)
    )
    if request.method == "POST":
        _draw_seats(session, validate_body(SeatDrawSerializer, request), request)
    places = Place.objects.filter(section__session=session).select_related("section", "entry")
    sorted_places = places.order_by("section__letter", "number")
    return Response(SeatSerializer(sorted_places, many=True).data)


def _draw_seats(session: Session, input_data: dict[str, Any], request: Request) -> None:
    sections = Section.objects.select_related("session__event__club")
    section = get_object_or_404(sections, session=session, letter=input_data["section"])
    if input_data["how"] != MANUAL_METHOD:
        seed = "" if input_data["how"] == LIST_ORDER_METHOD else secrets.token_hex(8)
        services.draw_seats(
            section=section, method=input_data["how"], seed=seed, by=request.user
        )
        return
    place_numbers_by_label = dict(section.places.values_list("label", "number"))
    entries_by_number = {entry.number: entry for entry in list_section_entries(section)}
    unknown_seats = [
        seat_data
        for seat_data in input_data.get("seats", ())
        if seat_data["place"] not in place_numbers_by_label
        or seat_data["entry"] not in entries_by_number
    ]
    if unknown_seats:
        error_text = _("Place %(place)s or entry %(entry)s not found.") % unknown_seats[0]
        raise exceptions.ValidationError({"seats": [error_text]})
    entries_by_place = {
        place_numbers_by_label[seat_data["place"]]: entries_by_number[seat_data["entry"]]
        for seat_data in input_data.get("seats", ())
    }
    services.assign_seats(section=section, entries_by_place=entries_by_place, by=request.user)
