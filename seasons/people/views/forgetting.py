"""Forgetting a person: what goes and what stays is said first, and the name typed once more."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs import access
from clubs.archives.known import Known
from seasons.people.services.forgetting import forget

View = Callable[..., HttpResponse]


def player_forget(known: Known) -> View:
    """The page; `known` says which rows a club has."""

    @require_http_methods(["GET", "POST"])
    def page(request: HttpRequest, pk: int) -> HttpResponse:
        player = access.director_player(request, pk)
        if player.forgotten_on is not None:
            return redirect("player_edit", pk)
        problem = ""
        if request.method == "POST":
            typed = request.POST.get("name", "")[:100]
            try:
                forget(player=player, typed=typed, known=known, by=request.user)
            except WhistError as refused:
                problem = str(refused)
            else:
                messages.success(request, _("The person is forgotten."))
                return redirect("players")
        context = {
            "player": player,
            "events": player.entries.values("event").distinct().count(),
            "problem": problem,
        }
        return render(
            request, "seasons/player_forget.html", context, status=400 if problem else 200
        )

    return page
