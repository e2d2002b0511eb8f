"""The API field for an event's scoring method."""

from typing import Any

from rest_framework import serializers

from scoring.methods import map_methods_by_code
from server.api.endpoints import build_choice_errors

POINTS_HELP = "the maximum points of a side on a board, if results are points"


class MethodField(serializers.ChoiceField):
    """A choice field for the code of a scoring method."""

    def __init__(self, **options: Any) -> None:
        """Set the current methods as choices, with labels in the reader's language."""
        choices = [(code, method.label) for code, method in map_methods_by_code().items()]
        super().__init__(choices, error_messages=build_choice_errors(choices), **options)
