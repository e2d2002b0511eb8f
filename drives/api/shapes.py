"""Serializers of drives in the API."""

from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from drives.draw.participants import MAX_PARTICIPANTS, MAX_ROUNDS
from drives.play_forms.drawn_cards import parse_card
from drives.services import EnteredSheet, EnteredTotal
from drives.sheets.desk import Desk
from drives.sheets.people import Person
from drives.sheets.standing import Standing, StandingLine, TotalsReport
from server.api.dataclass_serializers import DataclassSerializer

MAX_NUMBER = 10**6
MAX_NUMBERS_A_LIST = 100


def figures(help_text: str, **options: Any) -> serializers.ListField:
    """Return a field for a list of whole numbers."""
    return serializers.ListField(
        child=serializers.IntegerField(min_value=-MAX_NUMBER, max_value=MAX_NUMBER),
        max_length=MAX_NUMBERS_A_LIST,
        help_text=help_text,
        **options,
    )


class NumberOf(serializers.IntegerField):
    """The number of each element, found under an attribute path such as "person.number"."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._number_of = attrgetter(path)

    def to_representation(self, value: Any) -> int:
        """Return the element's number."""
        number: int = self._number_of(value)
        return number


class PersonAnswer(DataclassSerializer):
    """Who holds a score card; the name as the player wants it shown."""

    class Meta:
        dataclass = Person
        fields = ("number", "name", "role", "is_house")
        help_texts = {
            "role": "the house's word for first or second, or nothing",
            "is_house": "a volunteer, who is never ranked",
        }


class DriveAnswer(serializers.Serializer[Any]):
    """A drive."""

    slug = serializers.CharField()
    uid = serializers.UUIDField()
    name = serializers.CharField()
    date = serializers.DateField()
    club = serializers.CharField(source="club.slug")
    form = serializers.CharField()
    state = serializers.CharField(help_text="planned, open or closed")
    hands = serializers.IntegerField(help_text="in a round")
    rounds = serializers.IntegerField(allow_null=True)
    at_round = serializers.IntegerField(help_text="the round in play, 0 before the first")
    trumps = serializers.CharField()
    score = serializers.JSONField()
    terms = serializers.JSONField()
    standings_shown = serializers.CharField()
    commitment = serializers.CharField(help_text="the hash of the sealed secret")
    revision = serializers.IntegerField(help_text="grows with every change")


class PlayerShape(serializers.Serializer[Any]):
    """A person who is to have a card; a name that is a club player's is that player."""

    name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    number = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False)
    role = serializers.CharField(
        max_length=10, required=False, allow_blank=True, help_text="first, second or nothing"
    )
    of_club = serializers.CharField(max_length=200, required=False, allow_blank=True)
    fort = serializers.CharField(max_length=200, required=False, allow_blank=True)


class NewPlayerShape(PlayerShape):
    """A player of a new drive, who may have drawn a card."""

    card = serializers.CharField(
        max_length=4, required=False, help_text="such as AH or 10S, with numbering by cards"
    )

    def validate_card(self, text: str) -> str:
        """Refuse a text that is not a card."""
        if parse_card(text) is None:
            raise serializers.ValidationError(_("Enter a card such as AH or 10S."))
        return text

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Turn the card into the player's number."""
        if card := attrs.pop("card", ""):
            attrs["number"] = parse_card(card)
        return attrs


class TermsShape(serializers.Serializer[Any]):
    """The settings of a house; missing ones have the club's defaults."""

    score = serializers.DictField(required=False, help_text="as files have it")
    terms = serializers.DictField(
        required=False, help_text="who moves where; ties: lot, cut, next-hand or half"
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
        max_length=10, required=False, help_text="always, half or after the prizes: after"
    )
    paper_size = serializers.CharField(
        max_length=10, required=False, help_text="A4, A5 or Letter"
    )


class ChangedTerms(TermsShape):
    """Terms to change."""

    name = serializers.CharField(max_length=200, required=False)


class NewDrive(TermsShape):
    """A drive to begin: from names, or only from how many play."""

    club = serializers.SlugField(required=False, help_text="else the only one")
    name = serializers.CharField(max_length=200)
    date = serializers.DateField(help_text="as 2026-11-20")
    form = serializers.CharField(max_length=20, help_text="such as social or progressive")
    players = NewPlayerShape(many=True, required=False)
    count = serializers.IntegerField(
        min_value=4,
        max_value=MAX_PARTICIPANTS,
        required=False,
        help_text="how many, if names follow",
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
        help_text="pairs of numbers who are not to be partners",
    )
    numbering = serializers.CharField(
        max_length=10, required=False, help_text="arrival, lot or cards"
    )
    starts = serializers.BooleanField(default=True, help_text="draw the first round")
    key = serializers.CharField(
        max_length=40, required=False, help_text="sent twice it is the same drive"
    )


class TableAnswer(serializers.Serializer[Any]):
    """A table of a round; its score where it may be seen."""

    table = serializers.IntegerField()
    seats = serializers.ListField(
        child=serializers.IntegerField(), help_text="1 and 3 are partners, 2 and 4"
    )
    score = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    extras = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    entered = serializers.IntegerField(help_text="how many hands are entered")


class RoundAnswer(serializers.Serializer[Any]):
    """A round."""

    round = serializers.IntegerField()
    trumps = serializers.CharField()
    tables = TableAnswer(many=True)
    rest = serializers.ListField(child=serializers.IntegerField())


class NowAnswer(DataclassSerializer):
    """The desk of a drive: the round in play, who is to come, and what to call."""

    rest = serializers.ListField(child=NumberOf("number"))
    changed = serializers.ListField(
        child=NumberOf("number"), help_text="whose score cards are to be printed again"
    )

    class Meta:
        dataclass = Desk
        fields = (
            *("round", "of", "trumps", "call", "missing", "equal", "rest", "changed"),
            "is_last",
        )
        sources = {"round": "number"}


class Onward(serializers.Serializer[Any]):
    """The next round; what no score tells is said here."""

    at = serializers.IntegerField(
        min_value=0, required=False, help_text="the round you know of: another one is not moved"
    )
    winners = serializers.DictField(
        child=serializers.CharField(max_length=1), required=False, help_text='{"3": "A"}'
    )
    standing = serializers.ListField(
        child=serializers.IntegerField(), max_length=MAX_PARTICIPANTS, required=False
    )


class SheetShape(serializers.Serializer[Any]):
    """A table's score: a figure a side or of each seat; no figures take it back."""

    score = figures("one figure is enough where the other follows")
    hand = serializers.IntegerField(min_value=0, max_value=1000, default=0)
    extras = figures("declared on top", required=False)
    seen = figures("what you knew to stand there, extras after the score", required=False)
    key = serializers.CharField(max_length=40, required=False)


class TotalShape(serializers.Serializer[Any]):
    """A score card's total; null takes it back."""

    total = serializers.IntegerField(
        min_value=-MAX_NUMBER, max_value=MAX_NUMBER, allow_null=True
    )
    part = serializers.IntegerField(min_value=1, max_value=2, default=1)
    rests = serializers.IntegerField(min_value=0, max_value=100, default=0)
    rows = figures("its own rounds or halves", required=False)
    corrects = serializers.BooleanField(default=False)
    key = serializers.CharField(max_length=40, required=False)


class SheetEntered(DataclassSerializer):
    """What stands at a table now, and whether this changed it."""

    score = serializers.ListField(child=serializers.IntegerField(), source="sheet.score")

    class Meta:
        dataclass = EnteredSheet
        fields = ("score", "changed")


class TotalEntered(DataclassSerializer):
    """What stands on a card now, and whether this changed it."""

    total = serializers.IntegerField(source="card.total", allow_null=True)

    class Meta:
        dataclass = EnteredTotal
        fields = ("total", "changed")


class StandingLineAnswer(DataclassSerializer):
    """A player's place; points are an exact fraction, as text."""

    class Meta:
        dataclass = StandingLine
        fields = ("rank", "tied", "number", "name", "points", "rests")
        sources = {"number": "person.number", "name": "person.name"}


class StandingAnswer(DataclassSerializer):
    """Who stands where, once the house's term allows it."""

    lines = StandingLineAnswer(many=True)

    class Meta:
        dataclass = Standing
        fields = ("is_open", "is_over", "lines")


class CheckAnswer(DataclassSerializer):
    """Whether the room adds up; the cards that may be wrong, the likeliest first."""

    added_wrong = serializers.ListField(child=NumberOf("person.number"))
    exchanged = serializers.ListField(child=NumberOf("person.number"))

    class Meta:
        dataclass = TotalsReport
        fields = ("expected", "got", "off", "added_wrong", "exchanged", "missing")


class AwardAnswer(serializers.Serializer[Any]):
    """A prize and who has it."""

    prize = serializers.IntegerField()
    words = serializers.CharField()
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    why = serializers.CharField(allow_blank=True)


class PrizesShape(serializers.Serializer[Any]):
    """The list of prizes, as files have it."""

    prizes = serializers.ListField(child=serializers.DictField(), max_length=1000)


class Leaving(serializers.Serializer[Any]):
    """When somebody leaves or comes."""

    now = serializers.BooleanField(
        default=False, help_text="in the round in play, where it has no score"
    )


class Late(PlayerShape, Leaving):
    """Who comes late."""


class Substituting(PlayerShape):
    """Who takes over a player's seats."""

    takes_score = serializers.BooleanField(default=True)


class PlayerChange(serializers.Serializer[Any]):
    """More of a player."""

    name = serializers.CharField(max_length=200, required=False)
    role = serializers.CharField(
        max_length=10, required=False, allow_blank=True, help_text="first, second or nothing"
    )
    of_club = serializers.CharField(max_length=200, required=False, allow_blank=True)
    fort = serializers.CharField(max_length=200, required=False, allow_blank=True)
    present = serializers.BooleanField(required=False)
    stays_seated = serializers.BooleanField(required=False)


class ApartShape(serializers.Serializer[Any]):
    """Two who are not to be partners, or no more."""

    one = serializers.IntegerField()
    other = serializers.IntegerField()
    apart = serializers.BooleanField(default=True)


class CutShape(serializers.Serializer[Any]):
    """Who won the cut, the first first."""

    numbers = serializers.ListField(
        child=serializers.IntegerField(), max_length=MAX_PARTICIPANTS
    )


class Closing(serializers.Serializer[Any]):
    """Whether to close although something is missing."""

    anyway = serializers.BooleanField(default=False)


class RestsAnswer(serializers.Serializer[Any]):
    """How often a player of the club rested in its closed drives."""

    player = serializers.UUIDField()
    name = serializers.CharField()
    rests = serializers.IntegerField()
