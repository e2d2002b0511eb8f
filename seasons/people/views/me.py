"""A person's own pages: opened by a secret address, which the browser then bears."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from boards.whist import WhistError
from clubs import own_address
from clubs.audit import Guest
from clubs.models import Consent, PersonLink, Player
from clubs.services import keep_person
from exchange.sheets import csv_of
from seasons.people.sections import sections_of
from seasons.people.sheets.held import held_data, held_table
from seasons.people.sheets.own_page import own_page
from seasons.people.views.figure_updates import catch_up
from tournaments.services import show_player

Page = Callable[..., HttpResponse]
"""A page of one person: the request, the link at hand, and the gaps of its address."""


def own(page: Page) -> Any:
    """Let a page be opened by whoever bears a live secret, and tell no other site of it."""

    @login_not_required
    @never_cache
    @wraps(page)
    def opened(request: HttpRequest, **gaps: str) -> HttpResponse:
        link = own_address.link_at_hand(request)
        if link is None:
            answer = render(request, "seasons/me_gone.html", status=404)
            own_address.forget(answer)
        else:
            timezone.activate(link.player.club.zone)
            answer = page(request, link, **gaps)
        answer["Referrer-Policy"] = "no-referrer"
        return answer

    return opened


@login_not_required
@never_cache
@require_safe
def me_open(request: HttpRequest, token: str) -> HttpResponse:
    """Move the secret of an address into a cookie, and go on to a plain address."""
    link = own_address.link_of(token)
    if link is None:
        answer = render(request, "seasons/me_gone.html", status=404)
    else:
        answer = redirect("me")
        own_address.remember(answer, link, token, is_secure=request.is_secure())
    answer["Referrer-Policy"] = "no-referrer"
    return answer


@require_safe
@own
def me(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Show a person their own year: evenings, partners, splits, what is known of them."""
    player = link.player
    page = own_page(player)
    if catch_up(page.behind):
        page = own_page(player)
    context = {
        "club": player.club,
        "player": player,
        "page": page,
        "sections": sections_of(player),
        "consents": {each.what: each.given for each in player.consents.all()},
        "shown": Player.shown_choices(),
        "matters": Consent.What.choices,
        "link": link,
    }
    return render(request, "seasons/me.html", context)


@require_POST
@own
def me_change(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Take down what everybody may read of a person, and what they agree to."""
    player, sent = link.player, request.POST
    by = Guest(Guest.Kind.PERSON, str(player.pk))
    try:
        if sent.get("shown") in dict(Player.shown_choices()):
            show_player(player=player, shown=sent["shown"], by=by)
        said = {"yes": True, "no": False}
        consents = {w: said[sent[w]] for w in Consent.What.values if sent.get(w) in said}
        keep_person(player=player, details={}, consents=consents, by=by)
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("It is as you wish from now on."))
    return redirect("me")


@require_safe
@own
def me_held(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Hand out all that the club holds of a person: as JSON, or as a table."""
    if request.GET.get("format") == "csv":
        answer = HttpResponse(
            csv_of(held_table(link.player)), content_type="text/csv; charset=utf-8"
        )
        answer["Content-Disposition"] = 'attachment; filename="held-of-me.csv"'
        return answer
    options = {"ensure_ascii": False, "indent": 1}
    file = JsonResponse(held_data(link.player), json_dumps_params=options)
    file["Content-Disposition"] = 'attachment; filename="held-of-me.json"'
    return file


@require_POST
@own
def me_leave(request: HttpRequest, link: PersonLink) -> HttpResponse:
    """Let this browser forget whose page it was; the address itself goes on."""
    answer = redirect("home")
    own_address.forget(answer)
    return answer
