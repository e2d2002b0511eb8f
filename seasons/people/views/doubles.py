"""Names that may be one person's: shown side by side, never made one by themselves."""

from collections import defaultdict
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import clubs.services
from clubs import access, audit
from clubs.models import Club, Player, TwoPeople
from clubs.people.likeness import likely_pairs
from clubs.views.undoing import offer_undo
from server.numbers import number_or_zero
from server.refusals import Missing


@dataclass(frozen=True, slots=True)
class Double:
    """Two players who may be one; surely so where the address is the same."""

    one: Player
    other: Player
    is_sure: bool


@require_http_methods(["GET", "POST"])
def doubles(request: HttpRequest) -> HttpResponse:
    """List the names that are alike; a press says that two of them are two people."""
    club = access.club_at_hand(request, request.POST.get("club", request.GET.get("club", "")))
    if club is None:
        raise Missing(_("Your login directs no club."))
    if request.method == "POST":
        keys = [number_or_zero(request.POST.get(key, "")) for key in ("one", "other")]
        people = list(club.players.filter(pk__in=keys))
        if len(people) == 2:
            clubs.services.tell_apart(one=people[0], other=people[1], by=request.user)
            words = _("%(one)s and %(other)s are two people.")
            words %= {"one": people[0].name, "other": people[1].name}
            acts = audit.history(club).filter(action="players.apart")
            offer_undo(request, words, acts, reverse("doubles"))
        else:
            messages.error(request, _("One of these names is not there any more."))
        return redirect(f"{reverse('doubles')}?club={club.slug}")
    context = {"club": club, "doubles": doubles_of(club)}
    return render(request, "seasons/doubles.html", context)


def doubles_of(club: Club) -> list[Double]:
    """Find the names of a club that may be one person's, and were not told apart."""
    people = {each.name: each for each in club.players.order_by("pk")}
    apart = set(TwoPeople.objects.filter(one__club=club).values_list("one", "other"))
    by_address: dict[str, list[Player]] = defaultdict(list)
    for each in people.values():
        if each.email:
            by_address[each.email.casefold()].append(each)
    sure = {
        (one.pk, other.pk): Double(one, other, is_sure=True)
        for shared in by_address.values()
        for place, one in enumerate(shared)
        for other in shared[place + 1 :]
    }
    likely = [
        sorted((people[a], people[b]), key=lambda each: each.pk)
        for a, b in likely_pairs(people)
    ]
    found = {
        (one.pk, other.pk): Double(one, other, is_sure=False) for one, other in likely
    } | sure
    return [double for key, double in found.items() if key not in apart]
