"""The API schemas of any evening: its clock and its tables' links."""

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from clubs.models import Evening


class ClockAnswer(serializers.Serializer[Any]):
    """The clock at one moment."""

    state = serializers.CharField(help_text="off, running, paused or over")
    round = serializers.IntegerField()
    rounds = serializers.IntegerField(
        allow_null=True, help_text="null where nobody has said how many"
    )
    phase = serializers.CharField(help_text="playing, moving or over; closed: a drive that is")
    left = serializers.IntegerField(help_text="seconds until the end of what is on")
    now = serializers.DateTimeField(help_text="the server's own time")
    until = serializers.DateTimeField(allow_null=True)
    moves = serializers.ListField(child=serializers.CharField(), help_text="the next move")
    late = serializers.ListField(
        child=serializers.CharField(), help_text="tables that still play an earlier round"
    )


class RoundLength(serializers.Serializer[Any]):
    """How long a round is, in minutes."""

    minutes = serializers.IntegerField(min_value=1, max_value=240)


class Minutes(serializers.Serializer[Any]):
    """By how much the round, or the move, that is on becomes longer; below 0, shorter."""

    minutes = serializers.IntegerField(min_value=-60, max_value=60)


class TableLinkAnswer(serializers.Serializer[Any]):
    """A table's own address; whoever has it enters that table's results."""

    id = serializers.IntegerField()
    section = serializers.CharField()
    table = serializers.IntegerField()
    path = serializers.CharField(help_text="the secret address, behind the server's own")


def build_links_response(evening: Evening) -> Response:
    """Return a response with the valid links of an evening's tables, by section and table."""
    valid_links = evening.table_links.filter(revoked_at__isnull=True)
    return Response(
        TableLinkAnswer([each for each in valid_links if each.path], many=True).data
    )
