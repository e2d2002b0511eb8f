"""Serializers that are generated from the type hints of a dataclass."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import pytest
from rest_framework import serializers

from server.api.dataclass_serializers import DataclassSerializer


class Player(NamedTuple):
    number: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    player: Player
    points: Fraction
    rank: int | None = None
    rounds: tuple[int, ...] = ()
    secret: str = "never shown"
    suits: frozenset[str] = frozenset()

    @property
    def is_ranked(self) -> bool:
        return self.rank is not None


class LineAnswer(DataclassSerializer):
    """A response with one line."""

    points = serializers.CharField(help_text="declared here")

    class Meta:
        dataclass = Line
        fields = ("number", "rank", "points", "rounds", "is_ranked")
        sources = {"number": "player.number"}
        help_texts = {"rank": "null before play"}


def test_serializer_outputs_named_attributes_and_properties_in_order() -> None:
    line = Line(Player(7), Fraction(13, 2), rounds=(1, 2))
    assert dict(LineAnswer(line).data) == {
        "number": 7,
        "rank": None,
        "points": "13/2",
        "rounds": [1, 2],
        "is_ranked": False,
    }
    assert list(LineAnswer().fields) == list(LineAnswer.Meta.fields)


def test_serializer_derives_each_field_from_its_type_hint() -> None:
    fields = LineAnswer().fields
    assert isinstance(fields["rank"], serializers.IntegerField)
    assert fields["rank"].allow_null
    assert fields["rank"].help_text == "null before play"
    assert isinstance(fields["rounds"], serializers.ListField)
    assert isinstance(fields["rounds"].child, serializers.IntegerField)
    assert isinstance(fields["is_ranked"], serializers.BooleanField)
    assert fields["points"].help_text == "declared here"
    assert all(field.required for field in fields.values())


def test_error_names_field_whose_type_needs_declaration() -> None:
    class SuitsAnswer(DataclassSerializer):
        class Meta:
            dataclass = Line
            fields = ("suits",)

    with pytest.raises(TypeError, match=r"SuitsAnswer\.suits: declare a field for frozenset"):
        SuitsAnswer().get_fields()


def test_attribute_missing_from_dataclass_is_refused() -> None:
    class WrongAnswer(DataclassSerializer):
        class Meta:
            dataclass = Line
            fields = ("number",)

    with pytest.raises(AttributeError, match="Line has no annotated attribute number"):
        WrongAnswer().get_fields()
