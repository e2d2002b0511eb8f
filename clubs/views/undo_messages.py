"""Messages about a change, with a button that undoes it."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Subject
from clubs.models import Act
from clubs.undo import Inverse, undo_recorded_act
from clubs.views.error_messages import show_errors_as_messages
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero


def offer_undo(
    request: HttpRequest,
    text: str,
    acts: QuerySet[Act],
    return_url: str,
    level: int = messages.SUCCESS,
    act_count: int = 1,
) -> None:
    """Show a message about a change, with a button that undoes the newest of `acts`.

    `act_count` is the number of acts that the button undoes together. `return_url` is the page
    to which the button leads. If `acts` is empty, the message has no button.
    """
    newest = list(acts[:act_count])
    messages.add_message(
        request, level, text, extra_tags=_build_undo_url(newest, return_url) if newest else ""
    )


def undo_act_with_message(
    request: HttpRequest,
    pk: int,
    inverses: Mapping[str, Inverse],
    format_message: str = "",
    **subject: Subject,
) -> Act:
    """Undo an act of one subject, show a success or error message, and return the act.

    Raises PageNotFound if the act is not in the subject's history.
    """
    (about,) = subject.values()
    act = audit.list_acts(about).filter(pk=parse_number_or_zero(str(pk))).first()
    if act is None:
        raise PageNotFound(_("Change not found."))
    with show_errors_as_messages(request):
        undo_recorded_act(audit.list_acts(about), act, inverses, by=request.user, **subject)
        messages.success(request, format_message or _("Undone."))
    return act


def _build_undo_url(acts: Sequence[Act], return_url: str) -> str:
    kind, _colon, name = acts[0].about.partition(":")
    act_place = reverse(f"{kind}_act_undo", args=[name, acts[0].pk])
    since = {"since": acts[-1].pk} if len(acts) > 1 else {}
    return f"{act_place}?{urlencode({'back': return_url, **since})}"
