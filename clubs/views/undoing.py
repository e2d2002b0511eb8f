"""A message with a button: what was just done is taken back with one press."""

from collections.abc import Sequence
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
    many: int = 1,
) -> None:
    """Tell what was done, and offer to take the newest of `acts` back; of an event, so `many`.

    The press leads to the page `back`. Without an act there is the message alone.
    """
    newest = list(acts[:many])
    messages.add_message(
        request, level, text, extra_tags=_address(newest, back) if newest else ""
    )


def _address(acts: Sequence[Act], back: str) -> str:
    kind, _colon, name = acts[0].about.partition(":")
    where = reverse(f"{kind}_act_undo", args=[name, acts[0].pk])
    since = {"since": acts[-1].pk} if len(acts) > 1 else {}
    return f"{where}?{urlencode({'back': back, **since})}"
