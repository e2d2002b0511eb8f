"""Serializers of the API of drives."""

from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from drives.draw.participants import MAX_PARTICIPANTS, MAX_ROUNDS
from drives.play_forms.drawn_cards import parse_card
from drives.services import EnteredSheet, EnteredTotal
from drives.sheets.desk import DeskPageData
from drives.sheets.people import Person
from drives.sheets.standing import DriveStandings, StandingLine, TotalsReport
from server.api.dataclass_serializers import DataclassSerializer

MAX_INTEGER = 10**6
MAX_NUMBERS_PER_LIST = 100


def build_number_list_field(help_text: str, **options: Any) -> serializers.ListField:
    """Build a serializer field for a list of whole numbers."""
    return serializers.ListField(
        child=serializers.IntegerField(min_value=-MAX_INTEGER, max_value=MAX_INTEGER),
        max_length=MAX_NUMBERS_PER_LIST,
        help_text=help_text,
        **options,
    )


class NestedNumberField(serializers.IntegerField):
    """A field for one number of each object, by attribute path such as "person.number"."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._get_number = attrgetter(path)

    def to_representation(self, value: Any) -> int:
        number: int = self._get_number(value)
        return number


class DrivePlayerSerializer(DataclassSerializer):
    """The holder of a score card, with the name that the public may see."""

    class Meta:
        dataclass = Person
        fields = ("number", "name", "role", "is_house")
        help_texts = {
            "role": "the club's word for first or second, or empty",
            "is_house": "a stand-in, who is never ranked",
        }


class DriveSerializer(serializers.Serializer[Any]):
    """A drive."""

    slug = serializers.CharField()
    uid = serializers.UUIDField()
    name = serializers.CharField()
    date = serializers.DateField()
    club = serializers.CharField(source="club.slug")
    form = serializers.CharField()
    state = serializers.CharField(help_text="planned, open or closed")
    hands = serializers.IntegerField(help_text="hands per round")
    rounds = serializers.IntegerField(allow_null=True)
    at_round = serializers.IntegerField(help_text="the round in play, 0 before the first")
    trumps = serializers.CharField()
    score = serializers.JSONField()
    terms = serializers.JSONField()
    standings_shown = serializers.CharField()
    commitment = serializers.CharField(help_text="the hash of the sealed secret")
    revision = serializers.IntegerField(help_text="increases with every change")


class DrivePersonSerializer(serializers.Serializer[Any]):
    """A person who gets a score card. If the name is that of a club player, the card is linked
    to that player.
    """

    name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    number = serializers.IntegerField(min_value=1, max_value=MAX_INTEGER, required=False)
    role = serializers.CharField(
        max_length=10, required=False, allow_blank=True, help_text="first, second or empty"
    )
    of_club = serializers.CharField(max_length=200, required=False, allow_blank=True)
    fort = serializers.CharField(max_length=200, required=False, allow_blank=True)


class NewDrivePlayerSerializer(DrivePersonSerializer):
    """A player of a new drive, optionally with the playing card drawn for a player number."""

    card = serializers.CharField(
        max_length=4,
        required=False,
        help_text="a drawn card such as AH or 10S; needs numbering by cards",
    )

    def validate_card(self, text: str) -> str:
        """Raise ValidationError if the text is not a playing card."""
        if parse_card(text) is None:
            raise serializers.ValidationError(_("Enter a card such as AH or 10S."))
        return text

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Replace the card by the player's number."""
        if card := attrs.pop("card", ""):
            attrs["number"] = parse_card(card)
        return attrs


class DriveTermsSerializer(serializers.Serializer[Any]):
    """The settings of a drive; missing ones have the club's defaults."""

    score = serializers.DictField(required=False, help_text="in the format of files")
    terms = serializers.DictField(
        required=False, help_text="the rule of moves; ties: lot, cut, next-hand or half"
    )
    hands = serializers.IntegerField(min_value=1, max_value=1000, required=False)
    rounds = serializers.IntegerField(
        min_value=1, max_value=MAX_ROUNDS, required=False, allow_null=True
    )
    trumps = serializers.CharField(max_length=20, required=False)
    first_word = serializers.CharField(max_length=30, required=False, allow_blank=True)
    second_word = serializers.CharField(max_length=30, required=False, allow_blank=True)
    halves = serializers.BooleanField(required=False)
    one_prize_each = serializers.BooleanField(required=False)
    standings_shown = serializers.CharField(
        max_length=10,
        required=False,
        help_text="always, half (after half the rounds) or after (after the prizes)",
    )
    paper_size = serializers.CharField(
        max_length=10, required=False, help_text="A4, A5 or Letter"
    )


class DriveChangesSerializer(DriveTermsSerializer):
    """The settings of a drive to change."""

    name = serializers.CharField(max_length=200, required=False)


class NewDriveSerializer(DriveTermsSerializer):
    """A drive to create, from names or only from a number of players."""

    club = serializers.SlugField(
        required=False, help_text="may be left out if there is only one club"
    )
    name = serializers.CharField(max_length=200)
    date = serializers.DateField(help_text="such as 2026-11-20")
    form = serializers.CharField(max_length=20, help_text="such as social or progressive")
    players = NewDrivePlayerSerializer(many=True, required=False)
    count = serializers.IntegerField(
        min_value=4,
        max_value=MAX_PARTICIPANTS,
        required=False,
        help_text="the number of players, if names come later",
    )
    house = serializers.ListField(
        child=serializers.CharField(max_length=200, allow_blank=True),
        max_length=3,
        required=False,
    )
    apart = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(), min_length=2, max_length=2
        ),
        max_length=MAX_PARTICIPANTS,
        required=False,
        help_text="pairs of player numbers that must not be partners",
    )
    numbering = serializers.CharField(
        max_length=10, required=False, help_text="arrival, lot or cards"
    )
    starts = serializers.BooleanField(default=True, help_text="draw the first round")
    key = serializers.CharField(
        max_length=40,
        required=False,
        help_text="idempotency key: a repeated request returns the same drive",
    )


class DriveHandSerializer(serializers.Serializer[Any]):
    """A hand of a game with contracts."""

    hand = serializers.IntegerField()
    score = serializers.ListField(child=serializers.IntegerField())
    contract = serializers.DictField(help_text="as bid; empty for typed scores")


class DriveTableSerializer(serializers.Serializer[Any]):
    """A table of a round; its score is null for readers who may not see it."""

    table = serializers.IntegerField()
    seats = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="by seat; seats 1 and 3 are partners, and 2 and 4",
    )
    score = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    extras = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    entered = serializers.IntegerField(help_text="the number of hands entered")
    hands = DriveHandSerializer(
        many=True, required=False, help_text="in a game with contracts, where visible"
    )


class DriveRoundSerializer(serializers.Serializer[Any]):
    """A round with its tables and the players who sit out."""

    round = serializers.IntegerField()
    trumps = serializers.CharField()
    tables = DriveTableSerializer(many=True)
    rest = serializers.ListField(child=serializers.IntegerField())


class CurrentRoundSerializer(DataclassSerializer):
    """The round in play: the tables without a score, the players who sit out, and the call of
    moves.
    """

    rest = serializers.ListField(child=NestedNumberField("number"), source="resting_players")
    changed = serializers.ListField(
        source="stale_card_holders",
        child=NestedNumberField("number"),
        help_text="players whose score cards need printing again",
    )

    class Meta:
        dataclass = DeskPageData
        fields = (
            *("round", "of", "trumps", "call", "missing", "equal", "rest", "changed"),
            "is_last",
        )
        sources = {
            "round": "number",
            "of": "round_count",
            "missing": "incomplete_tables",
            "equal": "tied_tables",
        }


class NextRoundSerializer(serializers.Serializer[Any]):
    """The director's decisions about the next round, for everything that the scores do not
    decide.
    """

    at = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="the round in play as the client knows it; otherwise nothing happens",
    )
    winners = serializers.DictField(
        child=serializers.CharField(max_length=1), required=False, help_text='{"3": "A"}'
    )
    standing = serializers.ListField(
        child=serializers.IntegerField(), max_length=MAX_PARTICIPANTS, required=False
    )


class SheetEntrySerializer(serializers.Serializer[Any]):
    """A table's score: a number for each side or for each seat; an empty list removes it."""

    score = build_number_list_field(
        "one number is enough where the other follows from it", required=False
    )
    contract = serializers.DictField(
        required=False,
        help_text='in a game with contracts: {"contract": "misere", "by": [1], "tricks": [0]}',
    )
    hand = serializers.IntegerField(min_value=0, max_value=1000, default=0)
    extras = build_number_list_field("points declared in addition", required=False)
    seen = build_number_list_field(
        "the values the client last saw: the score, then the extras", required=False
    )
    key = serializers.CharField(max_length=40, required=False)
    reason = serializers.CharField(
        max_length=200,
        required=False,
        help_text="needed to correct a contract after its round has ended",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a body with neither a score nor a contract."""
        if "score" not in attrs and not attrs.get("contract"):
            message = serializers.Field.default_error_messages["required"]
            raise serializers.ValidationError({"score": [message]}, code="required")
        return attrs


class PointsSerializer(serializers.Serializer[Any]):
    """Changes to a game's points: a preset and the club's overrides."""

    custom = serializers.CharField(max_length=60, required=False, allow_null=True, default=None)
    house = serializers.DictField(required=False, default=dict)


class TotalEntrySerializer(serializers.Serializer[Any]):
    """The total of a score card; null removes it."""

    total = serializers.IntegerField(
        min_value=-MAX_INTEGER, max_value=MAX_INTEGER, allow_null=True
    )
    part = serializers.IntegerField(min_value=1, max_value=2, default=1)
    rests = serializers.IntegerField(min_value=0, max_value=100, default=0)
    rows = build_number_list_field("the single rounds or halves on the card", required=False)
    corrects = serializers.BooleanField(default=False)
    key = serializers.CharField(max_length=40, required=False)


class EnteredSheetSerializer(DataclassSerializer):
    """The present score of a table, and whether the request changed it."""

    score = serializers.ListField(child=serializers.IntegerField(), source="sheet.score")
    made = serializers.ListField(
        child=serializers.BooleanField(),
        required=False,
        help_text="whether a contract was made, for each settlement",
    )
    told = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="the points in sentences"
    )

    class Meta:
        dataclass = EnteredSheet
        fields = ("score", "changed", "made", "told")
        sources = {"changed": "is_changed"}


class EnteredTotalSerializer(DataclassSerializer):
    """The present total of a card, and whether the request changed it."""

    total = serializers.IntegerField(source="card.total", allow_null=True)

    class Meta:
        dataclass = EnteredTotal
        fields = ("total", "changed")
        sources = {"changed": "is_changed"}


class DriveStandingLineSerializer(DataclassSerializer):
    """A player's place in the standings; points are an exact fraction, as text."""

    class Meta:
        dataclass = StandingLine
        fields = ("rank", "tied", "number", "name", "points", "rests")
        sources = {"tied": "is_tied", "number": "person.number", "name": "person.name"}


class DriveStandingsSerializer(DataclassSerializer):
    """The standings; `lines` is empty as long as the reader may not see them."""

    lines = DriveStandingLineSerializer(many=True)

    class Meta:
        dataclass = DriveStandings
        fields = ("is_open", "is_over", "lines")


class TotalsCheckSerializer(DataclassSerializer):
    """The check of totals, with the cards that may be wrong, the most likely first."""

    added_wrong = serializers.ListField(
        child=NestedNumberField("person.number"), source="wrong_sum_cards"
    )
    exchanged = serializers.ListField(
        child=NestedNumberField("person.number"), source="transposed_digit_cards"
    )

    class Meta:
        dataclass = TotalsReport
        fields = ("expected", "got", "off", "added_wrong", "exchanged", "missing")
        sources = {
            "expected": "expected_sum",
            "got": "actual_sum",
            "off": "difference",
            "missing": "missing_tables",
        }


class AwardSerializer(serializers.Serializer[Any]):
    """A prize and its winner."""

    prize = serializers.IntegerField()
    words = serializers.CharField()
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    why = serializers.CharField(allow_blank=True)


class PrizeListSerializer(serializers.Serializer[Any]):
    """A prize list as in the drive file."""

    prizes = serializers.ListField(child=serializers.DictField(), max_length=1000)


class DepartureSerializer(serializers.Serializer[Any]):
    """The time of an arrival or a departure: the round in play or the next one."""

    now = serializers.BooleanField(
        default=False, help_text="from the round in play, if it has no score yet"
    )


class LatePlayerSerializer(DrivePersonSerializer, DepartureSerializer):
    """A late player."""


class SubstituteSerializer(DrivePersonSerializer):
    """A substitute for a player."""

    takes_score = serializers.BooleanField(default=True)


class DrivePlayerChangesSerializer(serializers.Serializer[Any]):
    """The data of a player to change."""

    name = serializers.CharField(max_length=200, required=False)
    role = serializers.CharField(
        max_length=10, required=False, allow_blank=True, help_text="first, second or empty"
    )
    of_club = serializers.CharField(max_length=200, required=False, allow_blank=True)
    fort = serializers.CharField(max_length=200, required=False, allow_blank=True)
    present = serializers.BooleanField(required=False)
    stays_seated = serializers.BooleanField(required=False)


class KeptApartSerializer(serializers.Serializer[Any]):
    """Two players, and whether they must not be partners."""

    one = serializers.IntegerField()
    other = serializers.IntegerField()
    apart = serializers.BooleanField(default=True)


class CutWinnersSerializer(serializers.Serializer[Any]):
    """The winners of a cut, in order of winning."""

    numbers = serializers.ListField(
        child=serializers.IntegerField(), max_length=MAX_PARTICIPANTS
    )


class ClosingSerializer(serializers.Serializer[Any]):
    """Whether to close the drive although scores are missing."""

    anyway = serializers.BooleanField(default=False)


class PlayerRestsSerializer(serializers.Serializer[Any]):
    """The number of rounds that a club player sat out in the club's closed drives."""

    player = serializers.UUIDField()
    name = serializers.CharField()
    rests = serializers.IntegerField()
