"""Serializers whose fields are generated from the type hints of a dataclass.

The library djangorestframework-dataclasses would change the API description: it does not
support named tuples, makes attributes with a default optional, and makes properties read-only.
"""

import datetime
from fractions import Fraction
from functools import cache
from types import NoneType
from typing import Any, ClassVar, get_args, get_origin, get_type_hints
from uuid import UUID

from rest_framework import serializers

FIELD_CLASSES_BY_TYPE: dict[Any, type[serializers.Field[Any, Any, Any, Any]]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    Fraction: serializers.CharField,  # as text, since JSON has no exact fractions
    UUID: serializers.UUIDField,
    datetime.date: serializers.DateField,
    datetime.time: serializers.TimeField,
    datetime.datetime: serializers.DateTimeField,
}
"""The serializer field class for each supported type."""


class DataclassSerializer(serializers.Serializer[Any]):
    """A serializer whose fields are attributes and properties of a dataclass or named tuple.

    `Meta` has `dataclass`, `fields` in their order, and `help_texts` by field, as in a
    `ModelSerializer`. `sources` maps a field to an attribute with another name, or to an
    attribute of a nested dataclass ("person.number"). A field declared on the serializer
    replaces the generated one. `fields` must be listed, so that a new attribute is not
    published by mistake. Raises TypeError, with the field's name, for a type without a field
    class.
    """

    Meta: ClassVar[type[Any]]

    def get_fields(self) -> dict[str, Any]:
        """Return the fields listed in `Meta.fields`, declared or generated."""
        declared_fields = super().get_fields()
        return {
            name: declared_fields.get(name) or self._generate_field(name)
            for name in self.Meta.fields
        }

    def _generate_field(self, name: str) -> serializers.Field[Any, Any, Any, Any]:
        attribute_path: str = getattr(self.Meta, "sources", {}).get(name, name)
        type_hint: Any = self.Meta.dataclass
        for attribute in attribute_path.split("."):
            type_hint = find_attribute_type(type_hint, attribute)
        options = {} if attribute_path == name else {"source": attribute_path}
        if help_text := getattr(self.Meta, "help_texts", {}).get(name):
            options["help_text"] = help_text
        try:
            return generate_field(type_hint, **options)
        except KeyError:
            field_path = f"{type(self).__name__}.{name}"
            raise TypeError(f"{field_path}: declare a field for {type_hint}") from None


@cache  # resolving hints for each field took 5 ms of a traveller's response
def find_attribute_type(owner: type, name: str) -> Any:
    """Return the type hint of an attribute or property. Raises AttributeError if missing."""
    attribute = getattr(owner, name, None)
    if isinstance(attribute, property):
        return get_type_hints(attribute.fget)["return"]
    hints = get_type_hints(owner)
    if name not in hints:
        raise AttributeError(f"{owner.__name__} has no annotated attribute {name}")
    return hints[name]


def generate_field(hint: Any, **options: Any) -> serializers.Field[Any, Any, Any, Any]:
    """Build the serializer field for a type hint.

    The hint is a supported type, a tuple or list of a supported type, or an optional type.
    """
    type_arguments = get_args(hint)
    if NoneType in type_arguments:
        (hint,) = (
            type_argument for type_argument in type_arguments if type_argument is not NoneType
        )
        return generate_field(hint, allow_null=True, **options)
    if get_origin(hint) in (tuple, list):
        return serializers.ListField(child=generate_field(type_arguments[0]), **options)
    return FIELD_CLASSES_BY_TYPE[hint](**options)
