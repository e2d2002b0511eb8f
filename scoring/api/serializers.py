"""The API serializers of sheets; scores are exact fractions as text."""

from typing import Any

from rest_framework import serializers

from boards.whist import Deal, Seat
from boards.whist.notation import format_hand
from scoring.models import Outcome, Result
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable
from scoring.sheets.values import (
    RankedGroup,
    RankRow,
    RankTable,
    Scorecard,
    ScorecardLine,
    TravellerLine,
)
from server.api.dataclass_serializers import DataclassSerializer

OUTCOME_HELP = "played, not_played, or empty while it is missing or hidden"
POINTS_WON_HELP = "the points won, if the event counts points"
DECLARATION_HELP = (
    "the table's declaration: S, H, D or C; in points also N, with X if doubled: NX"
)


class HandsSerializer(serializers.Serializer[Any]):
    """The four hands, each in the form spades.hearts.diamonds.clubs: KT8.A96.A95.7542."""

    N = serializers.CharField()
    E = serializers.CharField()
    S = serializers.CharField()
    W = serializers.CharField()


class BoardSerializer(serializers.Serializer[Any]):
    """A board; hands and turn-up are null until the session is closed."""

    board = serializers.IntegerField()
    dealer = serializers.CharField(help_text="N, E, S or W")
    hands = HandsSerializer(allow_null=True)
    turn_up = serializers.CharField(
        allow_null=True, help_text="such as H6; null also if trumps are declared"
    )
    second_suits = serializers.DictField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="in other suits: the suits of the second play for S, H, D and C",
    )
    best_tricks = serializers.IntegerField(
        allow_null=True, help_text="N-S tricks with best play by all four"
    )
    best_by_suit = serializers.DictField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="N-S tricks with best play by declared trumps, if each table declares",
    )


class SideSerializer(DataclassSerializer):
    """The entries on one side of a table; empty in a sit-out."""

    class Meta:
        dataclass = SeatedSide
        fields = ("entries", "label", "name")
        help_texts = {"label": "the number that players know, such as 3 N-S"}


class SittingSerializer(DataclassSerializer):
    """One table in one round."""

    boards = serializers.ListField(child=serializers.IntegerField())
    ns = SideSerializer()
    ew = SideSerializer()

    class Meta:
        dataclass = SeatedTable
        fields = (
            *("id", "section", "round", "table", "board_group", "boards", "played"),
            *("ns", "ew"),
        )
        sources = {"id": "sitting_id", "table": "table_number", "played": "is_played"}
        help_texts = {"played": "false in a sit-out"}


class ResultSerializer(serializers.Serializer[Any]):
    """A result; send its `seen` with a change for the conflict check."""

    sitting = serializers.IntegerField()
    board = serializers.IntegerField()
    outcome = serializers.CharField(help_text="played, not_played or cleared")
    ns_tricks = serializers.IntegerField(allow_null=True)
    ew_tricks = serializers.IntegerField(allow_null=True)
    ns_points = serializers.IntegerField(allow_null=True, help_text=POINTS_WON_HELP)
    ew_points = serializers.IntegerField(allow_null=True, help_text=POINTS_WON_HELP)
    trump = serializers.CharField(allow_null=True, help_text=DECLARATION_HELP)
    seen = serializers.JSONField(
        help_text="0 to 13, points as 120-40, not_played, or null while it is missing"
    )


class TravellerLineSerializer(DataclassSerializer):
    """One table's play of a board."""

    trump = serializers.CharField(allow_null=True, help_text=DECLARATION_HELP)

    class Meta:
        dataclass = TravellerLine
        fields = (
            *("section", "round", "table"),
            *("ns_entry", "ns_label", "ns_name", "ew_entry", "ew_label", "ew_name"),
            *("outcome", "ns_tricks", "ew_tricks", "ns_points", "ew_points", "trump", "best"),
            *("ns_score", "ew_score"),
        )
        help_texts = {
            "outcome": OUTCOME_HELP,
            "ns_points": POINTS_WON_HELP,
            "ew_points": POINTS_WON_HELP,
            "best": "N-S tricks with best play and this table's trumps",
        }


class TravellerSerializer(BoardSerializer):
    """A board with all results that may be seen."""

    ns_average = serializers.CharField(allow_null=True)
    lines = TravellerLineSerializer(many=True)


class ScorecardLineSerializer(DataclassSerializer):
    """One board on an entry's scorecard."""

    trump = serializers.CharField(allow_null=True, help_text="the table's declaration")

    class Meta:
        dataclass = ScorecardLine
        fields = (
            *("board", "round", "section", "table", "direction"),
            *("opponents", "opponents_label", "opponents_entry"),
            *("outcome", "tricks", "average", "score", "won", "lost", "trump"),
        )
        help_texts = {
            "direction": "N-S or E-W",
            "outcome": OUTCOME_HELP,
            "tricks": "the entry's tricks",
            "average": "of its side on this board",
            "won": POINTS_WON_HELP,
            "lost": "the points lost, if the event counts points",
        }


class ScorecardSerializer(DataclassSerializer):
    """All results of one entry in a session; the rank is null while standings are hidden."""

    rank = serializers.IntegerField(source="rank.rank", allow_null=True, default=None)
    score = serializers.CharField(source="rank.score", allow_null=True, default=None)
    lines = ScorecardLineSerializer(many=True)

    class Meta:
        dataclass = Scorecard
        fields = (
            *("entry", "label", "name", "players", "method", "rank", "score"),
            *("field", "field_average", "lines", "sit_outs"),
        )
        help_texts = {
            "field": "NS, EW, or empty with a single field",
            "sit_outs": "the numbers of the rounds that the entry sits out",
        }


class RankRowSerializer(DataclassSerializer):
    """One entry's rank and score."""

    tricks = serializers.JSONField(
        help_text="a whole number, else an exact fraction as text; if the event counts points, "
        "those won less those lost"
    )

    class Meta:
        dataclass = RankRow
        fields = (
            *("rank", "tied", "entry", "name", "score", "tricks", "boards"),
            *("a_board", "corrected"),
        )
        help_texts = {
            "a_board": "the score per board, if it ranks the field; else null. Boards of "
            "earlier sessions count with the share that is carried over",
            "corrected": "the total corrected by the opponents' totals, if rounds are drawn; "
            "else null",
        }


class RankFieldSerializer(DataclassSerializer):
    """A field: the entries that are ranked together."""

    field = serializers.CharField(allow_null=True, help_text="NS, EW, or null")
    rows = RankRowSerializer(many=True)

    class Meta:
        dataclass = RankedGroup
        fields = ("section", "field", "average", "rows")
        help_texts = {
            "average": "the average total, if plus and minus are relative to it; else null",
        }


class StandingsSerializer(DataclassSerializer):
    """The standings of an event, as `manage.py event standings --format json` prints them."""

    rankings = RankFieldSerializer(many=True)
    overall_winner = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        dataclass = RankTable
        fields = ("rankings", "overall_winner", "complete", "method", "missing", "version")
        sources = {"complete": "is_over"}
        help_texts = {
            "complete": "whether all planned results are in",
            "missing": "the number of results that are missing or do not count yet",
            "version": "increases with every change",
        }


def build_deal_data(deal: Deal | None) -> dict[str, Any]:
    """Return hands and turn-up as JSON data; both null for a hidden deal (None)."""
    if deal is None:
        return {"hands": None, "turn_up": None}
    hand_text_by_seat = {seat.value: format_hand(deal.hands[seat]) for seat in Seat}
    return {"hands": hand_text_by_seat, "turn_up": deal.turn_up.code if deal.turn_up else None}


def build_result_data(result: Result) -> dict[str, Any]:
    """Return a result as JSON data."""
    return {
        "sitting": result.sitting_id,
        "board": result.board,
        "outcome": result.outcome,
        "ns_tricks": result.ns_tricks,
        "ew_tricks": result.ew_tricks,
        "ns_points": result.ns_points,
        "ew_points": result.ew_points,
        "trump": result.trump or None,
        "seen": build_result_value(result.mark),
    }


def build_result_value(mark: str) -> int | str | None:
    """Return the current value of a result in the API: 8, "120-40", "not_played", or null."""
    if mark == "-":
        return Outcome.NOT_PLAYED.value
    if "-" in mark:
        return mark
    return int(mark) if mark else None
