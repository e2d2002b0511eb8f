"""The API serializers of an evening's clock and of its tables' links."""

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from clubs.models import Evening


class ClockSerializer(serializers.Serializer[Any]):
    """The state of the round clock at one moment."""

    state = serializers.CharField(help_text="off, running, paused or over")
    round = serializers.IntegerField()
    rounds = serializers.IntegerField(
        allow_null=True, help_text="null if the number is not known"
    )
    phase = serializers.CharField(
        help_text="playing, moving or over; closed for a closed drive"
    )
    left = serializers.IntegerField(help_text="seconds until the end of the current phase")
    now = serializers.DateTimeField(help_text="the server's time")
    until = serializers.DateTimeField(allow_null=True)
    moves = serializers.ListField(
        child=serializers.CharField(), help_text="the next moves, as sentences"
    )
    late = serializers.ListField(
        child=serializers.CharField(), help_text="tables that still play an earlier round"
    )


class RoundLengthSerializer(serializers.Serializer[Any]):
    """The length of a round in minutes."""

    minutes = serializers.IntegerField(min_value=1, max_value=240)


class MinutesSerializer(serializers.Serializer[Any]):
    """The minutes to add to the current round or move; a negative number shortens it."""

    minutes = serializers.IntegerField(min_value=-60, max_value=60)


class TableLinkSerializer(serializers.Serializer[Any]):
    """The secret link of one table, with which its players enter its results."""

    id = serializers.IntegerField()
    section = serializers.CharField()
    table = serializers.IntegerField()
    path = serializers.CharField(help_text="the path of the secret link on this server")


def build_table_links_response(evening: Evening) -> Response:
    """Return a response with the valid links of an evening's tables, by section and table."""
    valid_links = evening.table_links.filter(revoked_at__isnull=True)
    return Response(
        TableLinkSerializer(
            [table_link for table_link in valid_links if table_link.path], many=True
        ).data
    )
