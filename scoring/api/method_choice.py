"""How an event is scored, in a request's body."""

from typing import Any

from rest_framework import serializers

from scoring.methods import by_code
from server.api.frame import choice_error

POINTS_HELP = "the most points that a side can win on a board, where results are points"


class MethodChoice(serializers.ChoiceField):
    """Takes the code of a scoring method; which there are is asked for every request."""

    def __init__(self, **options: Any) -> None:
        """Offer the methods that there are now, in the reader's words."""
        choices = [(code, method.label) for code, method in by_code().items()]
        super().__init__(choices, error_messages=choice_error(choices), **options)
