"""Serializers of rubber nights in the API."""

from typing import Any

from rest_framework import serializers

from rubbers.rubber.codes import CODES
from rubbers.rubber.night import MemberTotals
from rubbers.sheets.marker import HandOnMarker, Marker, PersonAtTable, SideOnMarker
from server.api.dataclass_serializers import DataclassSerializer

CODE_HELP_TEXT = f"one of: {', '.join(CODES)}"


class RubberNightAnswer(serializers.Serializer[Any]):
    """A rubber night."""

    slug = serializers.CharField()
    uid = serializers.UUIDField()
    name = serializers.CharField()
    date = serializers.DateField()
    club = serializers.CharField(source="club.slug")
    drive = serializers.CharField(
        source="drive.slug", allow_null=True, help_text="the drive that it scores, if it does"
    )
    code = serializers.CharField(help_text=CODE_HELP_TEXT)
    terms = serializers.JSONField(help_text="in which the house differs from the code")
    state = serializers.CharField(help_text="open or closed")
    commitment = serializers.CharField(help_text="the hash of the sealed secret")
    revision = serializers.IntegerField(help_text="grows with every change")


class GuestShape(serializers.Serializer[Any]):
    """Who plays; a name that is a club player's is that player."""

    name = serializers.CharField(max_length=200)


class RubberTermsShape(serializers.Serializer[Any]):
    """The terms in which a house differs from its code."""

    terms = serializers.DictField(
        required=False, help_text="one by one, as the command has them; {} is the code alone"
    )
    paper_size = serializers.CharField(
        max_length=10, required=False, help_text="A4, A5 or Letter"
    )


class NewRubberNight(RubberTermsShape):
    """A night to begin; as few tables as hold everybody, unless a number is named."""

    club = serializers.SlugField(required=False, help_text="needed where you direct several")
    name = serializers.CharField(max_length=200)
    date = serializers.DateField()
    code = serializers.CharField(max_length=20, help_text=CODE_HELP_TEXT)
    players = GuestShape(many=True)
    tables = serializers.IntegerField(min_value=1, max_value=100, required=False)
    key = serializers.CharField(
        max_length=40, required=False, help_text="sent twice it is one night"
    )


class ChangedRubbers(RubberTermsShape):
    """What is to be changed of a night; hands that stand are reckoned anew."""

    name = serializers.CharField(max_length=200, required=False)
    code = serializers.CharField(max_length=20, required=False, help_text=CODE_HELP_TEXT)


class RubberRevokeShape(serializers.Serializer[Any]):
    """A revoke, and what the other side chose."""

    by = serializers.CharField(max_length=1, help_text="A or B")
    penalty = serializers.CharField(
        max_length=10,
        required=False,
        help_text="tricks, minus or plus; needed where the code leaves a choice",
    )
    dummy = serializers.BooleanField(
        required=False, help_text="a revoke of the side's dummy, which costs nothing"
    )


class RubberSidesShape(serializers.Serializer[Any]):
    """A number for each side."""

    A = serializers.IntegerField(min_value=0, max_value=13)
    B = serializers.IntegerField(min_value=0, max_value=13)


class RubberHonoursShape(serializers.Serializer[Any]):
    """How many honours each side held; a side left out held none that count."""

    A = serializers.IntegerField(min_value=0, max_value=4, required=False)
    B = serializers.IntegerField(min_value=0, max_value=4, required=False)


class RubberHandShape(serializers.Serializer[Any]):
    """One recorded hand; tricks are those won in play, before penalties."""

    tricks = RubberSidesShape(required=False, help_text="needed unless honours were called")
    honours = RubberHonoursShape(required=False)
    claimed = serializers.BooleanField(required=False, help_text="honours were claimed; yes")
    revokes = RubberRevokeShape(many=True, required=False)
    called = serializers.CharField(max_length=1, required=False, help_text="A or B")


class RubberMarkShape(RubberHandShape):
    """The next hand of a table; sent twice it is one hand."""

    spell = serializers.IntegerField(min_value=1, max_value=10_000)
    number = serializers.IntegerField(min_value=1, max_value=10_000)
    round = serializers.IntegerField(
        min_value=1, max_value=1000, required=False, help_text="of a drive’s rubbers"
    )


class RubberCorrectShape(RubberHandShape):
    """A hand put right."""

    reason = serializers.CharField(
        max_length=200, required=False, help_text="needed once the rubber is over"
    )
    round = serializers.IntegerField(
        min_value=1, max_value=1000, required=False, help_text="of a drive’s rubbers"
    )


class RubberCutShape(serializers.Serializer[Any]):
    """Who cut which card: 1 the ace to 13 the king, by the players' numbers."""

    out = serializers.ListField(
        child=serializers.DictField(child=serializers.IntegerField(min_value=1, max_value=13)),
        required=False,
        max_length=50,
    )
    into = serializers.ListField(
        child=serializers.DictField(child=serializers.IntegerField(min_value=1, max_value=13)),
        required=False,
        max_length=50,
    )


class RubberSeatShape(serializers.Serializer[Any]):
    """Who sits down next: by the lot, by cards that were cut, or four numbers A, A, B, B.

    A dummy is 0: three sit as [1, 0, 2, 3], two as [1, 0, 2, 0].
    """

    spell = serializers.IntegerField(min_value=1, max_value=10_000)
    how = serializers.CharField(
        max_length=10, allow_blank=True, help_text="lot, cards or empty"
    )
    cuts = RubberCutShape(required=False)
    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=10_000),
        required=False,
        max_length=4,
    )
    dealer = serializers.IntegerField(min_value=0, max_value=10_000, required=False)


class RubberJoinShape(serializers.Serializer[Any]):
    """Who joins a table: a name, or the number of somebody who was here."""

    name = serializers.CharField(max_length=200, required=False)
    number = serializers.IntegerField(min_value=1, max_value=10_000, required=False)


class RubberUndoShape(serializers.Serializer[Any]):
    """Of which table the last act goes back; without one, of the whole night."""

    table = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    round = serializers.IntegerField(min_value=0, max_value=1000, required=False)


class RubberCodeShape(serializers.Serializer[Any]):
    """By which code a drive's tables mark their rubbers."""

    terms = serializers.DictField(required=False, help_text="one by one")
    code = serializers.CharField(max_length=20, help_text=CODE_HELP_TEXT)


class SomeoneAnswer(DataclassSerializer):
    """Somebody at a table; the name as the player wants it shown; a dummy has the number 0."""

    class Meta:
        dataclass = PersonAtTable
        fields = ("number", "name")


class RubberSideAnswer(DataclassSerializer):
    """One side as it stands."""

    people = SomeoneAnswer(many=True)

    class Meta:
        dataclass = SideOnMarker
        fields = ("side", "people", "score", "games")
        help_texts = {"score": "of the running game", "games": "won in this rubber"}


class RubberHandAnswer(DataclassSerializer):
    """One hand that stands."""

    hand = serializers.JSONField(source="data", help_text="as it was written down")

    class Meta:
        dataclass = HandOnMarker
        fields = ("spell", "number", "hand", "counted", "score", "ends")
        help_texts = {
            "counted": "what it counted, in words",
            "ends": "the game or the rubber that it ended, in words",
        }


class RubberTableAnswer(DataclassSerializer):
    """One table as it stands."""

    kind = serializers.CharField(help_text="whist, dummy or double-dummy")
    members = SomeoneAnswer(many=True)
    waiting = SomeoneAnswer(many=True)
    sides = RubberSideAnswer(many=True)
    hands = RubberHandAnswer(source="all_hands", many=True)

    class Meta:
        dataclass = Marker
        fields = (
            *("table", "round", "spell", "hand", "dealer", "kind", "may_mark"),
            *("asks_who_plays", "members", "waiting", "sides", "hands"),
        )
        help_texts = {
            "round": "of a drive’s rubbers, else 0",
            "spell": "0 before anybody sat down",
            "hand": "the number of the next hand",
        }


class RubberStandingAnswer(DataclassSerializer):
    """How somebody stands."""

    number = serializers.IntegerField()
    name = serializers.CharField()

    class Meta:
        dataclass = MemberTotals
        fields = (
            *("number", "name", "rank", "tied", "points"),
            *("rubbers_won", "rubbers", "games_won", "games"),
        )
        help_texts = {"points": "won less lost; all together make nothing"}
