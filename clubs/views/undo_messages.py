"""Messages about a change with a button that undoes it, and the confirmation of an undo."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import AuditSubject
from clubs.errors import ActionUnavailable
from clubs.models import Act
from clubs.undo import Inverse, undo_recorded_act
from clubs.views.error_messages import show_errors_as_messages
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero


def offer_undo(
    request: HttpRequest,
    message_text: str,
    acts: QuerySet[Act],
    return_url: str,
    level: int = messages.SUCCESS,
    act_count: int = 1,
) -> None:
    """Show a message about a change, with a button that undoes the newest of `acts`.

    `act_count` is the number of acts that the button undoes together. `return_url` is the page
    that is shown after the undo. If `acts` is empty, the message has no button.
    """
    newest_acts = list(acts[:act_count])
    messages.add_message(
        request,
        level,
        message_text,
        extra_tags=_build_undo_url(newest_acts, return_url) if newest_acts else "",
    )


def render_undo_question(
    request: HttpRequest,
    act: Act,
    act_description: str,
    back_url: str,
    context: Mapping[str, Any],
    *,
    are_links_cancelled: bool = True,
) -> HttpResponse:
    """Return a page on which the user confirms undoing an act.

    The page's form sends the same request again with the field `anyway`. `act_description` is
    the act's title and place. `context` may have `before` and `after`, the values before and
    after the act as text, and `fields`, the fields of the form by name. `are_links_cancelled`
    is whether the undo cancels links.
    """
    question_context = {
        "act": act,
        "author": audit.describe_author(act.by),
        "back": back_url,
        "cancels_links": are_links_cancelled,
        "name": act_description,
    }
    return render(request, "clubs/undo_question.html", {**context, **question_context})


def undo_act_with_message(
    request: HttpRequest,
    act_pk: int,
    inverses_by_name: Mapping[str, Inverse],
    format_message: str = "",
    **subject_arguments: AuditSubject,
) -> Act:
    """Undo an act of one subject, show a success or error message, and return the act.

    Raises PageNotFound if the act is not in the subject's history.
    """
    (audited_object,) = subject_arguments.values()
    act = audit.list_acts(audited_object).filter(pk=parse_number_or_zero(str(act_pk))).first()
    if act is None:
        raise PageNotFound(_("Change not found."))
    with show_errors_as_messages(request):
        acts = audit.list_acts(audited_object)
        if not undo_recorded_act(
            acts, act, inverses_by_name, by=request.user, **subject_arguments
        ):
            raise ActionUnavailable(_("Already undone."))
        messages.success(request, format_message or _("Undone."))
    return act


def _build_undo_url(acts: Sequence[Act], return_url: str) -> str:
    url_prefix, _colon, slug = acts[0].about.partition(":")
    url = reverse(f"{url_prefix}_act_undo", args=[slug, acts[0].pk])
    query_parameters = {"since": acts[-1].pk} if len(acts) > 1 else {}
    return f"{url}?{urlencode({'back': return_url, **query_parameters})}"
