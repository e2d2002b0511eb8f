"""A message with a button: what was just done is taken back with one press."""

from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from clubs.models import Act


def offer_undo(
    request: HttpRequest,
    text: str,
    acts: QuerySet[Act],
    back: str,
    level: int = messages.SUCCESS,
) -> None:
    """Tell what was done, and offer to take the newest of `acts` back.

    The press leads to the page `back`. Without an act there is the message alone.
    """
    act = acts.first()
    messages.add_message(request, level, text, extra_tags=_address(act, back) if act else "")


def _address(act: Act, back: str) -> str:
    kind, _colon, name = act.about.partition(":")
    where = reverse(f"{kind}_act_undo", args=[name, act.pk])
    return f"{where}?{urlencode({'back': back})}"
