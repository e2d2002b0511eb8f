"""The shapes in which the API shows sheets; scores are exact fractions as text."""

from typing import Any

from rest_framework import serializers

from boards.whist import Deal, Seat
from boards.whist.notation import hand_text
from scoring.models import Outcome, Result

OUTCOME = "played, not_played, or empty while it is to come or may not be seen"
DECLARED = "what the table declared: S, H, D or C; in points also N, and X if doubled: NX"


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


class SideAnswer(serializers.Serializer[Any]):
    """Who sits on one side of a table; no entries in a sit-out."""

    entries = serializers.ListField(child=serializers.IntegerField())
    label = serializers.CharField(  # type: ignore[assignment]  # a field may be called so
        help_text="the number that players know, such as 3 N-S"
    )
    name = serializers.CharField()


class SittingAnswer(serializers.Serializer[Any]):
    """One table in one round."""

    id = serializers.IntegerField(source="sitting")
    section = serializers.CharField()
    round = serializers.IntegerField()
    table = serializers.IntegerField()
    board_group = serializers.IntegerField(source="group")
    boards = serializers.ListField(child=serializers.IntegerField())
    played = serializers.BooleanField(source="is_played", help_text="false in a sit-out")
    ns = SideAnswer()
    ew = SideAnswer()


class ResultAnswer(serializers.Serializer[Any]):
    """A result; `seen` is what to send along when it is to be changed."""

    sitting = serializers.IntegerField()
    board = serializers.IntegerField()
    outcome = serializers.CharField(help_text="played, not_played or cleared")
    ns_tricks = serializers.IntegerField(allow_null=True)
    ew_tricks = serializers.IntegerField(allow_null=True)
    ns_points = serializers.IntegerField(
        allow_null=True, help_text="the points won, where the event counts points"
    )
    ew_points = serializers.IntegerField(
        allow_null=True, help_text="the points won, where the event counts points"
    )
    trump = serializers.CharField(allow_null=True, help_text=DECLARED)
    seen = serializers.JSONField(
        help_text="0 to 13, points as 120-40, not_played, or null while it is to come"
    )


class TravellerLineAnswer(serializers.Serializer[Any]):
    """One table's play of a board."""

    section = serializers.CharField()
    round = serializers.IntegerField()
    table = serializers.IntegerField()
    ns_entry = serializers.IntegerField(allow_null=True)
    ns_label = serializers.CharField()
    ns_name = serializers.CharField()
    ew_entry = serializers.IntegerField(allow_null=True)
    ew_label = serializers.CharField()
    ew_name = serializers.CharField()
    outcome = serializers.CharField(help_text=OUTCOME)
    ns_tricks = serializers.IntegerField(allow_null=True)
    ew_tricks = serializers.IntegerField(allow_null=True)
    ns_points = serializers.IntegerField(
        allow_null=True, help_text="the points won, where the event counts points"
    )
    ew_points = serializers.IntegerField(
        allow_null=True, help_text="the points won, where the event counts points"
    )
    trump = serializers.CharField(allow_null=True, help_text=DECLARED)
    best = serializers.IntegerField(
        allow_null=True, help_text="N-S tricks with best play and this table's trumps"
    )
    ns_score = serializers.CharField(allow_null=True)
    ew_score = serializers.CharField(allow_null=True)


class TravellerAnswer(BoardAnswer):
    """A board with every result that may be seen."""

    ns_average = serializers.CharField(allow_null=True)
    lines = TravellerLineAnswer(many=True)


class CardLineAnswer(serializers.Serializer[Any]):
    """One board on an entry's own card."""

    board = serializers.IntegerField()
    round = serializers.IntegerField()
    section = serializers.CharField()
    table = serializers.IntegerField()
    direction = serializers.CharField(help_text="N-S or E-W")
    opponents = serializers.CharField()
    opponents_label = serializers.CharField()
    opponents_entry = serializers.IntegerField(allow_null=True)
    outcome = serializers.CharField(help_text=OUTCOME)
    tricks = serializers.IntegerField(allow_null=True, help_text="the entry's own")
    average = serializers.CharField(allow_null=True, help_text="of its side on this board")
    score = serializers.CharField(allow_null=True)
    won = serializers.IntegerField(
        allow_null=True, help_text="the points won, where the event counts points"
    )
    lost = serializers.IntegerField(
        allow_null=True, help_text="the points lost, where the event counts points"
    )
    trump = serializers.CharField(allow_null=True, help_text="what the table declared")


class CardAnswer(serializers.Serializer[Any]):
    """All that one entry did in a session; the rank is null while standings are hidden."""

    entry = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field may be called so
    name = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField())
    method = serializers.CharField()
    rank = serializers.IntegerField(source="rank.rank", allow_null=True, default=None)
    score = serializers.CharField(source="rank.score", allow_null=True, default=None)
    field = serializers.CharField(help_text="NS, EW, or empty where one field plays")
    field_average = serializers.CharField(allow_null=True)
    lines = CardLineAnswer(many=True)
    sit_outs = serializers.ListField(child=serializers.IntegerField(), help_text="rounds")


class RankRowAnswer(serializers.Serializer[Any]):
    """One entry's placing."""

    rank = serializers.IntegerField()
    tied = serializers.BooleanField()
    entry = serializers.IntegerField()
    name = serializers.CharField()
    score = serializers.CharField()
    tricks = serializers.JSONField(
        help_text="a whole number, else an exact fraction as text; where the event counts "
        "points, those won less those lost"
    )
    boards = serializers.IntegerField()
    a_board = serializers.CharField(
        allow_null=True,
        help_text="the score a board, where that places a field; else null. Boards of earlier "
        "sessions count at the part that is carried over",
    )
    corrected = serializers.CharField(
        allow_null=True,
        help_text="with the mean of the opponents' totals where rounds are drawn; else null",
    )


class RankFieldAnswer(serializers.Serializer[Any]):
    """A field that is ranked together."""

    section = serializers.CharField()
    field = serializers.CharField(allow_null=True, help_text="NS, EW, or null")
    average = serializers.CharField(
        allow_null=True, help_text="where each total less it is the plus or minus; else null"
    )
    rows = RankRowAnswer(many=True)


class StandingsAnswer(serializers.Serializer[Any]):
    """The standings of an event, as `manage.py event standings --format json` prints them."""

    rankings = RankFieldAnswer(many=True)
    overall_winner = serializers.ListField(child=serializers.IntegerField())
    complete = serializers.BooleanField(help_text="every planned round and session is in")
    method = serializers.CharField()
    missing = serializers.IntegerField(
        help_text="how many results are still to come, or do not count yet"
    )
    version = serializers.IntegerField(help_text="grows with every change")


def deal_data(deal: Deal | None) -> dict[str, Any]:
    """Write hands and turn-up as plain data; null for a deal that may not be seen."""
    if deal is None:
        return {"hands": None, "turn_up": None}
    hands = {seat.value: hand_text(deal.hands[seat]) for seat in Seat}
    return {"hands": hands, "turn_up": deal.turn_up.code if deal.turn_up else None}


def result_data(result: Result) -> dict[str, Any]:
    """Write a result as plain data."""
    return {
        "sitting": result.sitting_id,
        "board": result.board,
        "outcome": result.outcome,
        "ns_tricks": result.ns_tricks,
        "ew_tricks": result.ew_tricks,
        "ns_points": result.ns_points,
        "ew_points": result.ew_points,
        "trump": result.trump or None,
        "seen": seen_data(result.mark),
    }


def seen_data(mark: str) -> int | str | None:
    """Say what stands in the words of the API: 8, "120-40", "not_played", or null."""
    if mark == "-":
        return Outcome.NOT_PLAYED.value
    if "-" in mark:
        return mark
    return int(mark) if mark else None
