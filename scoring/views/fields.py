"""Seeds, ratings and tags of a field, its strata, and its prizes."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

import scoring.services
import tournaments.services
from boards.whist import WhistError
from clubs import audit
from clubs.views.undo_messages import offer_undo
from scoring import page_loaders
from scoring.errors import StageRefused
from scoring.models import EntryProfile, EventPrize, Final, Strata
from scoring.sheets.field_lists import build_prize_sheet, build_strata_tables
from scoring.standings_engine.overall_order import (
    group_by_place,
    list_entries_by_seed,
    load_placed_entries,
    load_strata,
)
from scoring.views.public import (
    build_frame_context,
    explain_hidden_standings,
    load_visible_standings,
)
from server.numbers import parse_exact_number, parse_whole_number
from tournaments.models import Event, Session
from tournaments.visits import Visit

FIELD_ACTIONS = ("entries.profiled", "strata.settled", "prizes.settled", "seats.drawn")
STRATA_ROWS, MORE_PRIZES = range(1, 5), 3


class StrataForm(forms.Form):
    """The rule that assigns entries to strata."""

    rule = forms.ChoiceField(label=gettext_lazy("Strata by"), choices=Strata.Rule.choices)


@require_http_methods(["GET", "POST"])
def edit_seeds(request: HttpRequest, slug: str) -> HttpResponse:
    """Save seeds, ratings, strata and tags, create strata, or seat the entries by seeds."""
    visit = page_loaders.director_event(request, slug)
    problem = ""
    if request.method == "POST":
        try:
            _run_action(request, visit)
            return redirect("seeds", slug)
        except WhistError as error:
            problem = str(error)
    context = _build_context(visit, request) | {"problem": problem}
    return render(request, "scoring/seeds.html", context, status=400 if problem else 200)


def _run_action(request: HttpRequest, visit: Visit) -> None:
    action, event = request.POST.get("act", ""), visit.event
    if action == "strata":
        lines = [
            (name, request.POST.get(f"least_{row}", "").strip())
            for row in STRATA_ROWS
            if (name := request.POST.get(f"name_{row}", "").strip())
        ]
        scoring.services.set_strata(
            event=event, lines=lines, rule=request.POST.get("rule", ""), by=request.user
        )
        _show_success(request, visit, "seeds", _("Strata saved."))
        return
    if action == "ranking":
        seeds = _seed_by_ranking(event)
        scoring.services.set_entry_profiles(event=event, profiles=seeds, by=request.user)
        _show_success(request, visit, "seeds", _("Seeds set from the standings."))
        return
    if action == "seat":
        session = page_loaders.load_session(visit)
        tournaments.services.seat_entries_by_seeds(
            session=session, order=list_entries_by_seed(event), by=request.user
        )
        _show_success(request, visit, "seeds", _("Everyone is seated by seeds."))
        return
    scoring.services.set_entry_profiles(
        event=event, profiles=_read_profiles(request, event), by=request.user
    )
    _show_success(request, visit, "seeds", _("Seeds, ratings and tags saved."))


def _seed_by_ranking(event: Event) -> dict[int, dict[str, Any]]:
    """Return the seeds by the ranking of the qualifying for a final, else of the event."""
    final = Final.objects.filter(event=event).first()
    if final is not None:
        return {number: {"seed": number} for number in range(1, len(final.brought) + 1)}
    order = [
        row.entry
        for shared_rows in group_by_place(load_placed_entries(event))
        for row in shared_rows
    ]
    if not order:
        raise StageRefused(_("No standings yet in this event."))
    return {number: {"seed": seed} for seed, number in enumerate(order, start=1)}


def _read_profiles(request: HttpRequest, event: Event) -> dict[int, dict[str, Any]]:
    profiles = {}
    for number in event.entries.values_list("number", flat=True):
        if f"seed_{number}" not in request.POST:
            continue
        seed = request.POST[f"seed_{number}"].strip()
        seed_number = parse_whole_number(seed, maximum=999)
        if seed and seed_number is None:
            raise StageRefused(_("“%(seed)s” isn't a seed.") % {"seed": seed[:20]})
        profiles[number] = {
            "seed": seed_number if seed else None,
            "ratings": request.POST.get(f"ratings_{number}", "").replace(",", " ").split(),
            "tags": request.POST.get(f"tags_{number}", "").split(","),
            "stratum": request.POST.get(f"stratum_{number}", ""),
        }
    return profiles


def _build_context(visit: Visit, request: HttpRequest) -> dict[str, Any]:
    event = visit.event
    row = Strata.objects.filter(event=event).first()
    lines = list(row.lines) if row else []
    lines += [["", ""]] * (len(STRATA_ROWS) - len(lines))
    profiles = {
        entry_profile.entry_id: entry_profile
        for entry_profile in EntryProfile.objects.filter(entry__event=event)
    }
    session = visit.session
    event_strata = load_strata(event)
    return visit.context | {
        "strata": row,
        "names": [name for name, _minimum_rating in row.lines] if row else [],
        "form": StrataForm(initial={"rule": row.rule if row else Strata.Rule.BY_HAND}),
        "lines": [
            {
                "nr": line_number,
                "name": name,
                "least": "" if minimum_rating == "0" else minimum_rating,
            }
            for line_number, (name, minimum_rating) in zip(STRATA_ROWS, lines, strict=False)
        ],
        "rows": [
            {
                "entry": entry,
                "profile": profiles.get(entry.pk) or EntryProfile(),
                "stratum": event_strata.get(entry.number, ""),
            }
            for entry in event.entries.all()
        ],
        "may_seat": session.state == Session.State.PLANNED and session.sections.exists(),
    }


@require_http_methods(["GET", "POST"])
def edit_prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the prize list, and show the winners with the reasons."""
    visit = page_loaders.director_event(request, slug)
    event = visit.event
    problem = ""
    if request.method == "POST":
        try:
            submitted_prizes = _read_prizes(request.POST)
            scoring.services.set_prizes(event=event, prizes=submitted_prizes, by=request.user)
            _show_success(request, visit, "prizes", _("Prizes saved."))
            return redirect("prizes", slug)
        except WhistError as error:
            problem = str(error)
    rows = _build_prize_rows(event, request.POST if problem else None)
    context = visit.context | {
        "problem": problem,
        "rows": rows,
        "lists": _list_prize_lists(event),
        "sheet": build_prize_sheet(event) if event.prizes.exists() else None,
        "may_add": len(rows) < 60,
    }
    return render(request, "scoring/prizes.html", context, status=400 if problem else 200)


def _read_prizes(post_data: Mapping[str, Any]) -> list[dict[str, Any]]:
    prizes = []
    for line_number in range(1, 70):
        name = post_data.get(f"name_{line_number}", "").strip()
        if not name:
            continue
        value, place = (
            post_data.get(f"value_{line_number}", "").strip(),
            post_data.get(f"place_{line_number}", "1"),
        )
        prizes.append(
            {
                "name": name,
                "listed": post_data.get(f"listed_{line_number}", "all"),
                "place": parse_whole_number(place, maximum=999) or 0,
                "kind": EventPrize.Kind.MONEY if value else EventPrize.Kind.HONOUR,
                "value": _parse_cents(value) if value else 0,
            }
        )
    return prizes


def _parse_cents(text: str) -> int:
    try:
        cents = parse_exact_number(text.replace(",", ".")) * 100
    except ValueError:
        cents = parse_exact_number("1/3")
    if cents.denominator > 1 or cents < 0:
        raise StageRefused(
            _("“%(text)s” isn't an amount. Enter 30 or 12.50.") % {"text": text[:20]}
        )
    return cents.numerator


def _build_prize_rows(
    event: Event, post_data: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """Return the rows of the form: the prizes as stored or submitted, and some empty ones."""
    if post_data is not None:
        prize_values = [
            {
                key: post_data.get(f"{key}_{line_number}", "")
                for key in ("name", "listed", "place", "value")
            }
            for line_number in range(1, 70)
            if post_data.get(f"name_{line_number}", "").strip()
        ]
    else:
        prize_values = [
            {
                "name": prize.name,
                "listed": prize.listed,
                "place": str(prize.place),
                "value": f"{prize.value // 100}.{prize.value % 100:02d}" if prize.value else "",
            }
            for prize in event.prizes.all()
        ]
    empty_line = {"name": "", "listed": "all", "place": "1", "value": ""}
    rows = [*prize_values, *([empty_line] * MORE_PRIZES)]
    return [{"nr": line_number, **row} for line_number, row in enumerate(rows, start=1)]


def _list_prize_lists(event: Event) -> list[tuple[str, str]]:
    """Return the lists that a prize can be of, with their titles."""
    titles_by_list = [("all", _("everyone"))]
    strata = event.strata.lines if hasattr(event, "strata") else []
    titles_by_list += [
        (f"stratum:{name}", _("stratum %(name)s") % {"name": name})
        for name, _minimum_rating in strata
    ]
    titles_by_list += [("side:NS", _("best N-S")), ("side:EW", _("best E-W"))]
    rows = EntryProfile.objects.filter(entry__event=event).values_list("tags", flat=True)
    tag_words = sorted({tag_word for tags in rows for tag_word in tags})
    titles_by_list += [(f"tag:{tag_word}", tag_word) for tag_word in tag_words]
    known_lists = {prize_list for prize_list, _title in titles_by_list}
    titles_by_list += [
        (prize.listed, prize.listed.partition(":")[2])
        for prize in event.prizes.all()
        if prize.listed not in known_lists and ":" in prize.listed
    ]
    return [*titles_by_list, ("lot", _("random draw"))]


def _show_success(request: HttpRequest, visit: Visit, page: str, message: str) -> None:
    acts = audit.list_acts(visit.event).filter(action__in=FIELD_ACTIONS)
    offer_undo(request, message, acts, reverse(page, args=[visit.address]))


@login_not_required
@require_safe
def show_awards(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everyone the ranking of each stratum, and after the end the prizes."""
    visit = page_loaders.public_event(slug)
    event = visit.event
    table = load_visible_standings(event)
    is_over = event.state == Session.State.CLOSED
    context = build_frame_context(visit) | {
        "table": table,
        "hidden_text": "" if table else explain_hidden_standings(event),
        "tables": build_strata_tables(event, table) if table and table.has_begun else (),
        "sheet": build_prize_sheet(event)
        if table and is_over and event.prizes.exists()
        else None,
        "prizes": event.prizes.exists(),
    }
    return render(request, "scoring/awards.html", context)
