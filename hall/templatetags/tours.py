"""The bar that leads on from stop to stop of the tour."""

from django import template
from django.http import HttpRequest

from hall.desk.tour import StopAtHand, stop_at_hand

register = template.Library()


@register.simple_tag
def tour_stop(request: HttpRequest | None) -> StopAtHand | None:
    """The stop of the tour that a login is at; None where no tour is taken."""
    return stop_at_hand(request)
