"""Serializers of the API of rubber nights."""

from typing import Any

from rest_framework import serializers

from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.rubber.night import MemberTotals
from rubbers.sheets.marker import MarkerHand, MarkerPageData, MarkerSide, PersonAtTable
from server.api.dataclass_serializers import DataclassSerializer

CODE_HELP_TEXT = f"one of: {', '.join(LAW_CODES_BY_NAME)}"


class RubberNightSerializer(serializers.Serializer[Any]):
    """A rubber night."""

    slug = serializers.CharField()
    uid = serializers.UUIDField()
    name = serializers.CharField()
    date = serializers.DateField()
    club = serializers.CharField(source="club.slug")
    drive = serializers.CharField(
        source="drive.slug",
        allow_null=True,
        help_text="the drive whose scores it records; null for a separate night",
    )
    code = serializers.CharField(help_text=CODE_HELP_TEXT)
    terms = serializers.JSONField(
        help_text="the terms in which the night differs from the code"
    )
    state = serializers.CharField(help_text="open or closed")
    commitment = serializers.CharField(help_text="the hash of the sealed secret")
    revision = serializers.IntegerField(help_text="increases with every change")


class RubberGuestSerializer(serializers.Serializer[Any]):
    """A person who plays. If the name is that of a club player, the person is linked to that
    player.
    """

    name = serializers.CharField(max_length=200)


class RubberTermsSerializer(serializers.Serializer[Any]):
    """The terms in which a night differs from its code."""

    terms = serializers.DictField(
        required=False,
        help_text="by name, in the format of the command; {} for the terms of the code",
    )
    paper_size = serializers.CharField(
        max_length=10, required=False, help_text="A4, A5 or Letter"
    )


class NewRubberNightSerializer(RubberTermsSerializer):
    """A night to create; without `tables` it has as few tables as the players fill."""

    club = serializers.SlugField(
        required=False, help_text="required if you direct several clubs"
    )
    name = serializers.CharField(max_length=200)
    date = serializers.DateField()
    code = serializers.CharField(max_length=20, help_text=CODE_HELP_TEXT)
    players = RubberGuestSerializer(many=True)
    tables = serializers.IntegerField(min_value=1, max_value=100, required=False)
    key = serializers.CharField(
        max_length=40,
        required=False,
        help_text="idempotency key: a repeated request returns the same night",
    )


class RubberNightChangesSerializer(RubberTermsSerializer):
    """The data of a night to change; recorded hands are scored again by new terms."""

    name = serializers.CharField(max_length=200, required=False)
    code = serializers.CharField(max_length=20, required=False, help_text=CODE_HELP_TEXT)


class RubberRevokeSerializer(serializers.Serializer[Any]):
    """A revoke, with the penalty that the other side chose."""

    by = serializers.CharField(max_length=1, help_text="A or B")
    penalty = serializers.CharField(
        max_length=10,
        required=False,
        help_text="tricks, minus or plus; required where the code allows a choice",
    )
    dummy = serializers.BooleanField(
        required=False, help_text="a revoke of the side's dummy, which costs nothing"
    )


class RubberTricksSerializer(serializers.Serializer[Any]):
    """The tricks of each side."""

    A = serializers.IntegerField(min_value=0, max_value=13)
    B = serializers.IntegerField(min_value=0, max_value=13)


class RubberHonoursSerializer(serializers.Serializer[Any]):
    """The number of honours that each side held; a side that is left out held none."""

    A = serializers.IntegerField(min_value=0, max_value=4, required=False)
    B = serializers.IntegerField(min_value=0, max_value=4, required=False)


class RubberHandInputSerializer(serializers.Serializer[Any]):
    """One hand to record; tricks are those won in play, before penalties."""

    tricks = RubberTricksSerializer(
        required=False, help_text="required unless honours were called"
    )
    honours = RubberHonoursSerializer(required=False)
    claimed = serializers.BooleanField(
        required=False, help_text="whether honours were claimed; default true"
    )
    revokes = RubberRevokeSerializer(many=True, required=False)
    called = serializers.CharField(max_length=1, required=False, help_text="A or B")


class NextRubberHandSerializer(RubberHandInputSerializer):
    """The next hand of a table; idempotent by spell and number."""

    spell = serializers.IntegerField(min_value=1, max_value=10_000)
    number = serializers.IntegerField(min_value=1, max_value=10_000)
    round = serializers.IntegerField(
        min_value=1, max_value=1000, required=False, help_text="the round, in a drive’s rubbers"
    )


class RubberHandCorrectionSerializer(RubberHandInputSerializer):
    """The corrected value of a hand."""

    reason = serializers.CharField(
        max_length=200, required=False, help_text="required once the rubber is over"
    )
    round = serializers.IntegerField(
        min_value=1, max_value=1000, required=False, help_text="the round, in a drive’s rubbers"
    )


class RubberCutsSerializer(serializers.Serializer[Any]):
    """The cards that were cut, by player number: from 1 for the ace to 13 for the king."""

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


class RubberSeatingSerializer(serializers.Serializer[Any]):
    """The next seats: drawn at random, decided by cut cards, or given as four player numbers
    (A, A, B, B).

    A dummy is 0: three players sit as [1, 0, 2, 3], two as [1, 0, 2, 0].
    """

    spell = serializers.IntegerField(min_value=1, max_value=10_000)
    how = serializers.CharField(
        max_length=10, allow_blank=True, help_text="lot, cards or empty"
    )
    cuts = RubberCutsSerializer(required=False)
    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=10_000),
        required=False,
        max_length=4,
    )
    dealer = serializers.IntegerField(min_value=0, max_value=10_000, required=False)


class RubberJoinSerializer(serializers.Serializer[Any]):
    """A new member of a table: a name, or the number of a player of this night."""

    name = serializers.CharField(max_length=200, required=False)
    number = serializers.IntegerField(min_value=1, max_value=10_000, required=False)


class RubberUndoSerializer(serializers.Serializer[Any]):
    """The table whose last act is undone. Without a table, the last act of the night is
    undone.
    """

    table = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    round = serializers.IntegerField(min_value=0, max_value=1000, required=False)


class RubberCodeSerializer(serializers.Serializer[Any]):
    """The code of laws for the rubbers of a drive, with the terms in which the drive differs
    from it.
    """

    terms = serializers.DictField(
        required=False, help_text="the terms that differ from the code, by name"
    )
    code = serializers.CharField(max_length=20, help_text=CODE_HELP_TEXT)


class TablePersonSerializer(DataclassSerializer):
    """A person at a table, with the name that the public may see; a dummy has the number 0."""

    class Meta:
        dataclass = PersonAtTable
        fields = ("number", "name")


class RubberSideSerializer(DataclassSerializer):
    """One side of a table with its present score."""

    people = TablePersonSerializer(many=True)

    class Meta:
        dataclass = MarkerSide
        fields = ("side", "people", "score", "games")
        help_texts = {
            "score": "the score of the present game",
            "games": "games won in this rubber",
        }


class RubberHandSerializer(DataclassSerializer):
    """One recorded hand."""

    hand = serializers.JSONField(source="data", help_text="the hand as it was recorded")

    class Meta:
        dataclass = MarkerHand
        fields = ("spell", "number", "hand", "counted", "score", "ends")
        sources = {"counted": "points_text", "ends": "win_text"}
        help_texts = {
            "counted": "the points of the hand, as text",
            "ends": "the game or the rubber that it ended, as text",
        }


class RubberTableSerializer(DataclassSerializer):
    """The present state of a table."""

    kind = serializers.CharField(help_text="whist, dummy or double-dummy")
    members = TablePersonSerializer(many=True)
    waiting = TablePersonSerializer(many=True)
    sides = RubberSideSerializer(many=True)
    hands = RubberHandSerializer(source="all_hands", many=True)

    class Meta:
        dataclass = MarkerPageData
        fields = (
            *("table", "round", "spell", "hand", "dealer", "kind", "may_mark"),
            *("asks_who_plays", "members", "waiting", "sides", "hands"),
        )
        sources = {"asks_who_plays": "is_seating_choice_needed"}
        help_texts = {
            "round": "the round of a drive’s rubbers, else 0",
            "spell": "0 before the first seating",
            "hand": "the number of the next hand",
        }


class RubberStandingSerializer(DataclassSerializer):
    """A member's place in the standings."""

    number = serializers.IntegerField()
    name = serializers.CharField()

    class Meta:
        dataclass = MemberTotals
        fields = (
            *("number", "name", "rank", "tied", "points"),
            *("rubbers_won", "rubbers", "games_won", "games"),
        )
        sources = {"tied": "is_tied"}
        help_texts = {"points": "won less lost; all together make nothing"}
