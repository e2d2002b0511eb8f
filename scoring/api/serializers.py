"""The API serializers of sheets; scores are exact fractions as text."""

from typing import Any

from rest_framework import serializers

from boards.whist import Deal, Seat
from boards.whist.notation import format_hand
from scoring.models import Outcome, Result
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable
from scoring.sheets.values import (
    CardLine,
    RankField,
    RankRow,
    RankTable,
    Scorecard,
    TravellerLine,
)
from server.api.dataclass_serializers import DataclassSerializer

OUTCOME_HELP = "played, not_played, or empty while it is to come or may not be seen"
POINTS_WON_HELP = "the points won, where the event counts points"
DECLARED_HELP = "what the table declared: S, H, D or C; in points also N, and X if doubled: NX"


class HandsAnswer(serializers.Serializer[Any]):
    """The four hands, each spades.hearts.diamonds.clubs: KT8.A96.A95.7542."""

    N = serializers.CharField()
    E = serializers.CharField()
    S = serializers.CharField()
    W = serializers.CharField()


class BoardAnswer(serializers.Serializer[Any]):
    """A board; hands and turn-up are null until the session is closed."""

    board = serializers.IntegerField()
    dealer = serializers.CharField(help_text="N, E, S or W")
    hands = HandsAnswer(allow_null=True)
    turn_up = serializers.CharField(
        allow_null=True, help_text="such as H6; null too where trumps are declared"
    )
    second_suits = serializers.DictField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="memory duplicate in other suits: what S, H, D and C are in the second play",
    )
    best_tricks = serializers.IntegerField(
        allow_null=True, help_text="N-S tricks with best play by all"
    )
    best_by_suit = serializers.DictField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="N-S tricks with best play by the trumps declared, where each table declares",
    )


class SideAnswer(DataclassSerializer):
    """Who sits on one side of a table; no entries in a sit-out."""

    class Meta:
        dataclass = SeatedSide
        fields = ("entries", "label", "name")
        help_texts = {"label": "the number that players know, such as 3 N-S"}


class SittingAnswer(DataclassSerializer):
    """One table in one round."""

    boards = serializers.ListField(child=serializers.IntegerField())
    ns = SideAnswer()
    ew = SideAnswer()

    class Meta:
        dataclass = SeatedTable
        fields = (
            *("id", "section", "round", "table", "board_group", "boards", "played"),
            *("ns", "ew"),
        )
        sources = {"id": "sitting", "board_group": "group", "played": "is_played"}
        help_texts = {"played": "false in a sit-out"}


class ResultAnswer(serializers.Serializer[Any]):
    """A result; `seen` is what to send along when it is to be changed."""

    sitting = serializers.IntegerField()
    board = serializers.IntegerField()
    outcome = serializers.CharField(help_text="played, not_played or cleared")
    ns_tricks = serializers.IntegerField(allow_null=True)
    ew_tricks = serializers.IntegerField(allow_null=True)
    ns_points = serializers.IntegerField(allow_null=True, help_text=POINTS_WON_HELP)
    ew_points = serializers.IntegerField(allow_null=True, help_text=POINTS_WON_HELP)
    trump = serializers.CharField(allow_null=True, help_text=DECLARED_HELP)
    seen = serializers.JSONField(
        help_text="0 to 13, points as 120-40, not_played, or null while it is to come"
    )


class TravellerLineAnswer(DataclassSerializer):
    """One table's play of a board."""

    trump = serializers.CharField(allow_null=True, help_text=DECLARED_HELP)

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


class TravellerAnswer(BoardAnswer):
    """A board with every result that may be seen."""

    ns_average = serializers.CharField(allow_null=True)
    lines = TravellerLineAnswer(many=True)


class CardLineAnswer(DataclassSerializer):
    """One board on an entry's own card."""

    trump = serializers.CharField(allow_null=True, help_text="what the table declared")

    class Meta:
        dataclass = CardLine
        fields = (
            *("board", "round", "section", "table", "direction"),
            *("opponents", "opponents_label", "opponents_entry"),
            *("outcome", "tricks", "average", "score", "won", "lost", "trump"),
        )
        help_texts = {
            "direction": "N-S or E-W",
            "outcome": OUTCOME_HELP,
            "tricks": "the entry's own",
            "average": "of its side on this board",
            "won": POINTS_WON_HELP,
            "lost": "the points lost, where the event counts points",
        }


class CardAnswer(DataclassSerializer):
    """All that one entry did in a session; the rank is null while standings are hidden."""

    rank = serializers.IntegerField(source="rank.rank", allow_null=True, default=None)
    score = serializers.CharField(source="rank.score", allow_null=True, default=None)
    lines = CardLineAnswer(many=True)

    class Meta:
        dataclass = Scorecard
        fields = (
            *("entry", "label", "name", "players", "method", "rank", "score"),
            *("field", "field_average", "lines", "sit_outs"),
        )
        help_texts = {
            "field": "NS, EW, or empty where one field plays",
            "sit_outs": "rounds",
        }


class RankRowAnswer(DataclassSerializer):
    """One entry's placing."""

    tricks = serializers.JSONField(
        help_text="a whole number, else an exact fraction as text; where the event counts "
        "points, those won less those lost"
    )

    class Meta:
        dataclass = RankRow
        fields = (
            *("rank", "tied", "entry", "name", "score", "tricks", "boards"),
            *("a_board", "corrected"),
        )
        help_texts = {
            "a_board": "the score a board, where that places a field; else null. Boards of "
            "earlier sessions count at the part that is carried over",
            "corrected": "with the mean of the opponents' totals where rounds are drawn; else "
            "null",
        }


class RankFieldAnswer(DataclassSerializer):
    """A field that is ranked together."""

    field = serializers.CharField(allow_null=True, help_text="NS, EW, or null")
    rows = RankRowAnswer(many=True)

    class Meta:
        dataclass = RankField
        fields = ("section", "field", "average", "rows")
        help_texts = {
            "average": "where each total less it is the plus or minus; else null",
        }


class StandingsAnswer(DataclassSerializer):
    """The standings of an event, as `manage.py event standings --format json` prints them."""

    rankings = RankFieldAnswer(many=True)
    overall_winner = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        dataclass = RankTable
        fields = ("rankings", "overall_winner", "complete", "method", "missing", "version")
        sources = {"complete": "is_over"}
        help_texts = {
            "complete": "every planned round and session is in",
            "missing": "how many results are still to come, or do not count yet",
            "version": "grows with every change",
        }


def build_deal_data(deal: Deal | None) -> dict[str, Any]:
    """Return hands and turn-up as JSON data; null for a deal that may not be seen."""
    if deal is None:
        return {"hands": None, "turn_up": None}
    hands = {seat.value: format_hand(deal.hands[seat]) for seat in Seat}
    return {"hands": hands, "turn_up": deal.turn_up.code if deal.turn_up else None}


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
        "seen": build_seen_data(result.mark),
    }


def build_seen_data(mark: str) -> int | str | None:
    """Return the current value of a result in the API: 8, "120-40", "not_played", or null."""
    if mark == "-":
        return Outcome.NOT_PLAYED.value
    if "-" in mark:
        return mark
    return int(mark) if mark else None
